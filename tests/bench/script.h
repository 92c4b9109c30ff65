/*
 * script.h - the duels that the load client plays: all the moves, from the first to the last.
 */
#ifndef BENCH_SCRIPT_H
#define BENCH_SCRIPT_H

enum { SCRIPT_MOVES_MAX = 300, SCRIPT_MOVE_TEXT = 48 };

struct script {
	const char *play; /* the line that asks for such a duel */
	int count;
	char move[SCRIPT_MOVES_MAX][SCRIPT_MOVE_TEXT]; /* whole lines */
};

/* Seven moves of tic-tac-toe, the last of which wins, in the classic dialect. */
const struct script *script_short(void);

/* A long game of Hnefatafl, in the full dialect, which does not end: whoever has no more moves
 * resigns. Always the same. */
const struct script *script_long(void);

#endif
