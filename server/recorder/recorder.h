/*
 * recorder.h - the process that puts finished games into the database.
 *
 *      server ──pipe──▶ recorder      ended 3          a duel of table 3 has been reaped: its record
 *                                                      is in the book of that number
 *                                     aside NAME       aside/NAME: it could not be played on
 *                                     look             there were more than could be said
 *
 * The server never waits for it (recorder_link.c). What the server cannot say, since the pipe and a
 * buffer are full, it forgets: then the recorder looks through all books, as it does when it starts.
 * Nothing is lost by that: a book is only begun anew when all that is in it is in the database.
 */
#ifndef SERVER_RECORDER_RECORDER_H
#define SERVER_RECORDER_RECORDER_H

#include "server/shared/config.h"
#include "server/recorder/deaths.h"
#include "server/journal/folder.h"
#include "server/trace/trace.h"

enum { RECORDER_TABLES = 65536 }; /* books of tables with higher numbers are never begun anew */

/* What a server's recorders share, one after the other, with it and its spawners. Duels do not have
 * it. */
struct recorder_memory {
	/* by table: the sign of the last duel of its book whose game is in the database */
	uint64_t kept[RECORDER_TABLES];

	struct deaths deaths;
};

/* For shelf_open_book(). */
uint64_t recorder_has_kept(const struct recorder_memory *memory, unsigned table);

/* The recorder's life. `words` is the pipe from the server, `link` what is traced of it. */
void recorder_run(const struct config *config, const struct shelf *shelf,
		  struct recorder_memory *memory, int words, struct trace_link *link)
    __attribute__((noreturn));

#endif
