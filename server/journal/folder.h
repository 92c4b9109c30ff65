/*
 * folder.h - the folder of books (see journal.h), as the server sees it: it never writes a line into
 * one. Opening them is the spawner's work (open_journal.h), writing the duels'.
 *
 *      STATE/journals/3              the book of table 3: the last record is that of the table that is
 *                                    being played there, or was
 *      STATE/aside/UUID.crashed      records of tables that could not be played on,
 *      STATE/aside/UUID.behind       that were behind their game when the server died
 *      STATE/aside/UUID.forged       that no server has warranted (warrant.h)
 *      STATE/aside/3-SECONDS.damaged books that are none any more
 *
 *      STATE/aside/UUID.unplayable   records that are over and cannot be played again
 *
 * A table that ends leaves its record where it is, which costs nothing. The recorder finds it there. One that ends without having
 * been played to its end must not: whoever reads the book next would play it on.
 */
#ifndef SERVER_JOURNAL_FOLDER_H
#define SERVER_JOURNAL_FOLDER_H

#include "server/shared/birth.h"

#include "server/shared/config.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Longer ones are begun anew by the next table, when the recorder has all of it: some hundred games. */
enum { BOOK_LONG = 65536 };

enum {
	SHELF_NAME = 12, /* of a book: a number and a NUL */
	SHELF_MODE_WHOLE = 0600,
};

void shelf_print_name(char name[SHELF_NAME], unsigned table);

struct shelf {
	int journals, aside; /* descriptors of the two folders; -1: there is none */
	enum sync sync; /* what changes in the folders is forced to the disk, but for SYNC_NEVER */
};

/* Make and open the folders; exits with 1 and a clear line when that cannot be. */
void shelf_open(struct shelf *shelf, const char *state, enum sync sync);

/* What has been made in this folder is there after a power cut; where that cannot be it is said. */
void shelf_force(int folder, const char *name);

/* The record of this table goes, if there is one. */
void shelf_drop(const struct shelf *shelf, unsigned table, const char *duel);

/* It could not be played to its end: its record is kept for whoever wants to know why; with its whole
 * book where there is no room for a copy. */
void shelf_set_aside(const struct shelf *shelf, unsigned table, const char *duel, const char *why);

/* The whole book is none. */
void shelf_set_book_aside(const struct shelf *shelf, unsigned table);

/* Its duel could not write all that has happened, or now has: a mark on the book, which a full disk
 * has room for. A server that finds it so does not play on: the players have seen more. The mark goes with
 * the record: what the next table at this place writes is not behind. */
void shelf_mark(const struct shelf *shelf, unsigned table, bool behind);
bool shelf_is_behind(const struct stat *status);

/* The length of its book; 0 when there is none. */
off_t shelf_length(const struct shelf *shelf, unsigned table);

/* What its book has from here on, as much of it as there is room for; 0 when it cannot be read. */
size_t shelf_read(const struct shelf *shelf, unsigned table, off_t at, char *data, size_t size);

/* A number for the id of a duel, never 0. */
uint64_t shelf_sign(const char *duel);

/* Is this the name of a book? Of which table? */
bool shelf_is_book(const char *name, unsigned *table);

#endif
