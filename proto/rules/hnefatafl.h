/*
 * hnefatafl.h - a position of Hnefatafl, for its rules and for who has to say how good it looks.
 */
#ifndef PROTO_RULES_HNEFATAFL_H
#define PROTO_RULES_HNEFATAFL_H

#include "proto/rules/game.h"

/* The board has a wall around it, which ends every walk. */
enum {
	SIDE = 9,
	MOVE_LIMIT = 400,
	WIDTH = SIDE + 2,
	WALLED = WIDTH * WIDTH,
	FIRST = WIDTH + 1, /* the corners at top left and at bottom right */
	LAST = WALLED - 1 - FIRST,
	THRONE = WALLED / 2,
};

enum piece { EMPTY, ATTACKER, DEFENDER, KING, WALL };

struct hnefatafl {
	uint8_t cell[WALLED]; /* enum piece */
	int8_t turn;	      /* -1 when the round is over */
	int8_t winner;	      /* -1: nobody */
	uint8_t end;	      /* enum end, which is the rules' own */
	int32_t moves;
	/* A hash of the position after each move, from the one before the first. */
	uint64_t past[MOVE_LIMIT + 1];
};

#endif
