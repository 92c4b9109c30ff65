/*
 * match.h - the duel of the floors: the least that a match needs, in the server's own words.
 *
 * No rule is known here: a move is a line that goes to the other player. The classic duel ends
 * with the seventh move, a full one when somebody resigns.
 */
#ifndef BENCH_MATCH_H
#define BENCH_MATCH_H

#include <stdbool.h>
#include <stddef.h>

/* What all matches of a program share. */
struct outlets {
	int frames; /* a UDP socket, connected to 127.255.255.255 */
	int record; /* a file, for appending */
};

struct match {
	const struct outlets *outlets;
	struct side {
		struct match *match; /* for who holds a side only */
		int fd;
		size_t length;
		char in[128]; /* a line that is not whole yet */
	} side[2];
	int first; /* the side that moves first: who said PLAY first; -1: nobody has */
	bool full; /* hnefatafl, in the full dialect */
	bool over;
	int moves;
	struct match *next; /* for a list of them */
};

void match_begin(struct match *match, const struct outlets *outlets, int one, int other);

/* Hear what a side has said; its socket has something to read. */
void match_hear(struct match *match, int side);

/* Play until it is over. */
void match_play(struct match *match);

void match_close(struct match *match);

#endif
