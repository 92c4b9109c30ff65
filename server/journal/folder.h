/*
 * folder.h - the journal folder (see journal.h), and the one beside it for what is set aside. The server
 * never writes a line into a journal: the spawner opens them (open_journal.h), the duels write.
 *
 *      STATE/journals/3              the journal of table 3: the last chapter is that of the table that is
 *                                    being played there, or was
 *      STATE/aside/UUID.crashed      chapters of tables that could not be played on,
 *      STATE/aside/UUID.behind       that were behind their game when the server died
 *      STATE/aside/UUID.forged       that no server has warranted (warrant.h)
 *      STATE/aside/3-SECONDS.damaged journals that are none any more
 *
 *      STATE/aside/UUID.unplayable   chapters that are over and cannot be played again
 *
 * A table that ends leaves its chapter where it is, which costs nothing. The recorder finds it there. One
 * that ends without having been played to its end must not: whoever reads the journal next would play it on.
 */
#ifndef SERVER_JOURNAL_FOLDER_H
#define SERVER_JOURNAL_FOLDER_H

#include "server/shared/birth.h"

#include "server/shared/config.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Longer ones are begun anew by the next table, when the recorder has all of it: some hundred games. */
enum { FOLDER_JOURNAL_LONG = 65536 };

enum {
	JOURNAL_NAME = 12, /* of a journal: a number and a NUL */
	JOURNAL_MODE_WHOLE = 0600,
};

void folder_print_name(char name[JOURNAL_NAME], unsigned table);

struct folder {
	int journals, aside; /* descriptors of the two folders; -1: there is none */
	enum sync sync; /* what changes in the folders is forced to the disk, but for SYNC_NEVER */
};

/* Make and open the folders; exits with 1 and a clear line when that cannot be. */
void folder_open(struct folder *folder, const char *state, enum sync sync);

/* What has been made in this folder is there after a power cut; where that cannot be it is said. */
void folder_force(int folder, const char *name);

/* The journal of this table ends here. */
void folder_cut(const struct folder *folder, unsigned table, off_t end);

/* The chapter of this table goes, if there is one. */
void folder_drop_chapter(const struct folder *folder, unsigned table, const char *duel);

/* It could not be played to its end: its chapter is kept for whoever wants to know why; with its whole
 * journal where there is no room for a copy. */
void folder_set_chapter_aside(const struct folder *folder, unsigned table, const char *duel,
			      const char *why);

/* A part of a journal, behind what `to` has. False, with errno: not all of it. */
bool folder_copy(int to, int from, off_t begin, off_t end);

/* The whole journal is none. */
void folder_set_journal_aside(const struct folder *folder, unsigned table);

/* Its duel could not write all that has happened, or now has: a mark on the journal, which a full disk
 * has room for. A server that finds it so does not play on: the players have seen more. The mark goes with
 * the chapter: what the next table at this place writes is not behind. */
void folder_mark(const struct folder *folder, unsigned table, bool behind);
bool folder_is_behind(const struct stat *status);

/* The length of its journal; 0 when there is none. */
off_t folder_journal_length(const struct folder *folder, unsigned table);

/* What its journal has from here on, as much of it as there is room for; 0 when it cannot be read. */
size_t folder_read_journal(const struct folder *folder, unsigned table, off_t at, char *data,
			   size_t size);

/* A number for the id of a duel, never 0. */
uint64_t folder_sign(const char *duel);

/* Is this the name of a journal? Of which table? */
bool folder_is_journal(const char *name, unsigned *table);

#endif
