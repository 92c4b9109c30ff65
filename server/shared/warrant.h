/*
 * warrant.h - the server's word that it has started this duel, with these players: 32 hex digits, made with a
 * key that no duel has.
 *
 *      table 3 5d0e… …              in the head of each chapter
 *      seat 91c2… … anna …
 *      seat 77aa… … ben …
 *      warrant 40c1…                of the lines before it
 *
 *      9120 join 2 3 … cem … 81fe…  of a newcomer, who came later: the last word
 *
 * A duel writes its chapter itself, so whoever has broken one can write there anything, also a game of others.
 * Only what has its warrant is played on when a server starts, and only that gets into the database.
 *
 * The key is STATE/key, made when there is none. Without it what is in the journals is nobody's.
 */
#ifndef SERVER_SHARED_WARRANT_H
#define SERVER_SHARED_WARRANT_H

#include "server/shared/birth.h"
#include "server/shared/config.h"

/* Read the key, or make one; exits with 1 and a clear line when that cannot be. */
void warrant_open(const char *state, enum sync sync);

/* Into the birth; "" without a key. */
void warrant_table(struct birth *birth);
void warrant_join(char warrant[WARRANT_TEXT], const char *duel, long place, unsigned connection,
		  const char *seat);

/* True also for who has no key, and so cannot know. `words`: those of a seat, then the warrant. */
bool warrant_is_for_table(const struct birth *birth);
bool warrant_is_for_join(const char *duel, long place, unsigned connection, char *const words[]);

#endif
