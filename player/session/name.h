/*
 * name.h - what a player is called who was given no name.
 */
#ifndef PLAYER_SESSION_NAME_H
#define PLAYER_SESSION_NAME_H

#include "proto/table/shape.h"

/* A person: $USER, with what no name may hold made '_'. */
void name_guess(char name[NAME_MAX_BYTES]);

/* Who plays alone, as "easy-1": what it is, and a number. It is never called as whoever started it. */
void name_alone(char name[NAME_MAX_BYTES], const char *what);

#endif
