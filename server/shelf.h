/*
 * shelf.h - the folder of journals, as the server sees it: it never writes into one. Opening them is
 * the spawner's work, writing the duels'.
 *
 *      STATE/journals/UUID           of the tables that are being played
 *      STATE/aside/UUID.crashed      of those that could not be played on,
 *      STATE/aside/UUID.damaged      that are no journals any more,
 *      STATE/aside/UUID.behind       that were behind their game when the server died
 */
#ifndef SERVER_SHELF_H
#define SERVER_SHELF_H

#include "birth.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

struct shelf {
	int journals, aside; /* descriptors of the two folders; -1: there is none */
};

/* Make and open the folders; exits with 1 and a clear line when that cannot be. */
void shelf_open(struct shelf *shelf, const char *state);

/* The table has ended: its journal goes. */
void shelf_drop(const struct shelf *shelf, const char *duel);

/* It could not be played to its end: its journal is kept for whoever wants to know why. */
void shelf_set_aside(const struct shelf *shelf, const char *duel, const char *why);

/* Its duel could not write all that has happened, or now has: a mark on the file, which a full disk
 * has room for. A server that finds it so does not play on: the players have seen more. */
void shelf_mark(const struct shelf *shelf, const char *duel, bool behind);
bool shelf_is_behind(const struct stat *status);

/* Its length; 0 when there is none. */
off_t shelf_length(const struct shelf *shelf, const char *duel);

/* Open the journal of a duel, for the spawner: -1 with errno. `again`: it has to be there, and
 * may be on a disk that has become read-only: then it falls behind. It is locked as long as a duel
 * has it, so that two never play the same one. */
int shelf_open_journal(int journals, const char *duel, bool again);

#endif
