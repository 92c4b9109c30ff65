/*
 * floor.h - what the floors and the references share: a door, a record, a place for frames.
 *
 * Each is a program `NAME PORT FOLDER`, which serves the protocol of match.h on 127.0.0.1, says
 * "ready" on descriptor 3, and goes on until SIGTERM.
 */
#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include "tests/bench/match.h"

struct floor {
	int door; /* non-blocking */
	struct outlets outlets;
	int waiting; /* a socket without an opponent, or -1 */
};

/* Exits when it cannot. */
void floor_open(struct floor *floor, int argc, char *argv[]);
void floor_say_ready(void);

/* Two who are to play each other. False: there are not two. */
bool floor_accept_two(struct floor *floor, int pair[2]);

#endif
