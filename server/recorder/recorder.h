/*
 * recorder.h - holmgang-recorder: the program that puts finished games into the database. The map of this folder:
 *
 *      main.c        begins, locks itself in (cage.c)
 *      recorder.c    hears the server, reads journals, commits
 *      to_record.c   makes a record of a chapter of a journal
 *      deaths.c      knows where recorders have died (pure)
 *      memory.c      what one recorder leaves to the next, and tells the server
 *
 *      server ──pipe──▶ recorder      begin 1          it is the first of this server's
 *                                     ended 3          a duel of table 3 has been reaped: its chapter
 *                                                      is in the journal of that number
 *                                     aside NAME       aside/NAME: it could not be played on
 *                                     look             there were more than could be said
 *
 * The server waits for it only at its own end, up to a second (lobby/helper_line.c). What the server cannot
 * say, since the pipe and a buffer are full, it forgets: then the recorder looks through all journals, as it does
 * when it starts. Nothing is lost by that: a journal is only begun anew when all that is in it is in the database.
 */
#ifndef SERVER_RECORDER_RECORDER_H
#define SERVER_RECORDER_RECORDER_H

#include "server/journal/folder.h"
#include "server/recorder/memory.h"
#include "server/shared/config.h"

/* The recorder's life. `words` is the pipe from the server. */
void recorder_run(const struct config *config, const struct folder *folder,
		  struct recorder_memory *memory, int words) __attribute__((noreturn));

#endif
