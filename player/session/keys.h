/*
 * keys.h - keys of PLAY that a command line says: can a game be played with them? Pure.
 */
#ifndef PLAYER_SESSION_KEYS_H
#define PLAYER_SESSION_KEYS_H

#include "proto/table/shape.h"

/* NULL, or why not: "memory cannot be played with side=cross: ...". The reasons of the server do not
 * name a key that the game does not have. */
const char *keys_check(const struct game *game, char *const words[], int count);

#endif
