/*
 * shelf.h - the folder of journals, as the server sees it: it never writes into one. Opening them is
 * the spawner's work, writing the duels'.
 *
 *      STATE/journals/UUID           of the tables that are being played
 *      STATE/aside/UUID.crashed      of those that could not be played on
 */
#ifndef SERVER_SHELF_H
#define SERVER_SHELF_H

#include "birth.h"

#include <stdbool.h>
#include <sys/types.h>

struct shelf {
	int journals, aside; /* descriptors of the two folders; -1: there is none */
};

/* Make and open the folders. Without them the server plays on, and says so. */
void shelf_open(struct shelf *shelf, const char *state);

/* The table has ended: its journal goes. */
void shelf_drop(const struct shelf *shelf, const char *duel);

/* It could not be played to its end: its journal is kept for whoever wants to know why. */
void shelf_set_aside(const struct shelf *shelf, const char *duel, const char *why);

/* Its length; 0 when there is none. */
off_t shelf_length(const struct shelf *shelf, const char *duel);

/* Open the journal of a duel, for the spawner: -1 with errno. `again`: it has to be there. It is
 * locked as long as a duel has it, so that two never play the same one. */
int shelf_open_journal(int journals, const char *duel, bool again);

#endif
