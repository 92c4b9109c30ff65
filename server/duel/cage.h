/*
 * cage.h - the cage: what is left to a duel, once it is locked in, of what a process may do.
 *
 *      spawner   a filter and the limits, once: every duel inherits them, which costs it nothing.
 *      duel      a second filter, of a few instructions: what only the spawner needs is taken away, before
 *                anything is read from anybody. And its share of the processor.
 *
 * A duel has nothing on 0 to 2 but /dev/null, and of its journal a descriptor that only adds (open_journal.h).
 * How long its journal can become (RLIMIT_FSIZE) it sets itself.
 *
 * What is left: read, write, send to whom a socket is connected already, wait, tell the time,
 * allocate, end. Whatever else is tried kills the process (SIGSYS).
 *
 * How far the cage is closed is decided in one place, see server/shared/cage.c.
 */
#ifndef SERVER_DUEL_CAGE_H
#define SERVER_DUEL_CAGE_H

#include "server/shared/config.h"

#include <sys/types.h>

/* The spawner's part. Exits with a line that says why when the cage cannot be had: nobody plays
 * outside of it. */
void cage_enter_spawner(const struct config *config);

/* The duel's part. The same holds. `journal`: so long the file may become; 0: it has none. */
void cage_enter_duel(const struct config *config, off_t journal);

#endif
