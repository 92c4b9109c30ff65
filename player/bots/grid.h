/*
 * grid.h - the board of Qwirkle as a grid, and all turns that a rack allows on it.
 *
 * Pure, and quick: a bot looks at thousands of boards before a move. What fits together is asked of
 * the rules; a grid only knows where to look. It knows no seats and no points but those of one turn.
 */
#ifndef PLAYER_BOTS_GRID_H
#define PLAYER_BOTS_GRID_H

#include "proto/rules/qwirkle_board.h"

/* Two cells more than tiles reach: beyond the last tile lies an open cell, whose neighbours are looked at. */
enum {
	GRID_MARGIN = QWIRKLE_REACH + 2,
	GRID_SIDE = 2 * GRID_MARGIN + 1,
	GRID_CELLS = GRID_SIDE * GRID_SIDE,
	GRID_LINE_BONUS = 6, /* for a line of six */
};

/* A cell is a number: so is a step, 1 to the right and GRID_SIDE down. */
struct grid {
	uint8_t tile[GRID_CELLS];   /* and one more; 0 is an empty cell */
	uint8_t beside[GRID_CELLS]; /* how many of the four cells beside it are taken */
	uint16_t taken[QWIRKLE_ALL];
	int count;
};

/* Tiles laid one after another, each of them as the rules want it, and what they score together. */
struct grid_turn {
	int8_t count;
	int16_t points;
	uint16_t cell[QWIRKLE_KINDS];
	uint8_t tile[QWIRKLE_KINDS];
};

void grid_set(struct grid *grid, const struct qwirkle_board *board);
struct qwirkle_place grid_place(const struct grid_turn *turn, int index);

/* Lay the tiles of a turn; take back all but the first so many. */
void grid_lay(struct grid *grid, const struct grid_turn *turn);
void grid_take_back(struct grid *grid, int count);

/*
 * Show a visitor each turn that lays at least one of these tiles (a bit for each; another of each
 * may lie on the board). Two turns that
 * score the same, as they lay the same tiles into the same cells and only swap some which touch
 * nothing across, are shown as one.
 */
struct grid_visitor {
	void (*visit)(struct grid_visitor *visitor, const struct grid_turn *turn);
};
void grid_each_turn(struct grid *grid, uint64_t tiles, struct grid_visitor *visitor);

/* The lines that now go through a cell: in the row, in the column. Without the cell itself. */
struct qwirkle_run grid_run(const struct grid *grid, int cell, int step);

#endif
