/*
 * qwirkle_board.h - tiles, the board they lie on, and how Qwirkle's moves are written as values.
 *
 * Shared by the rules (qwirkle.c), by what draws them and by the bot that plays them.
 */
#ifndef PROTO_RULES_QWIRKLE_BOARD_H
#define PROTO_RULES_QWIRKLE_BOARD_H

#include "proto/rules/game.h"

/* A tile is a number, shape * 6 + colour, both from 0; its word is a letter and a digit: "b4". */
enum {
	QWIRKLE_KINDS = 6, /* shapes, and colours, and the tiles of a full line */
	QWIRKLE_TILES = 36,
	QWIRKLE_OF_EACH = 3,
	QWIRKLE_ALL = 108,
	QWIRKLE_RACK = 6,
};

/* What struct move says. PLAY: a tile, x, y. SWAP: up to six tiles, and last how many. A tile that
 * does not exist is -1. */
enum { QWIRKLE_PLAY, QWIRKLE_SWAP, QWIRKLE_PASS };
enum { QWIRKLE_SWAP_COUNT = 6 }; /* the place of the number of tiles */

/* Who picks a piece beside the board picks a tile by its number, or what stands for a swap of all. */
enum { QWIRKLE_SWAP_PIECE = 64 };

/*
 * How far from the first tile another can lie. A row has at most six, so five steps to the side
 * cost a step up or down: 108 tiles reach 90 far. So a coordinate has at most two digits and a
 * sign, and the model of any board is shorter than GAME_MODEL_MAX.
 */
enum { QWIRKLE_REACH = 90 };

struct qwirkle_place {
	int8_t x, y;
	uint8_t tile;
};

/* The tiles that lie in a line with a cell, without the cell itself: a bit for each shape and each
 * colour among them. */
struct qwirkle_run {
	int length;
	unsigned shapes, colours;
};

/* In the order of the model: by y, then by x. */
struct qwirkle_board {
	uint8_t count;
	struct qwirkle_place place[QWIRKLE_ALL];
};

int qwirkle_read_tile(const char *word); /* -1: there is no such tile */
void qwirkle_print_tile(int tile, char word[3]);

/* The tile there, or -1. */
int qwirkle_tile_at(const struct qwirkle_board *board, int x, int y);
void qwirkle_add(struct qwirkle_board *board, struct qwirkle_place place);

/* A bit for each tile of which another may lie on the board. */
uint64_t qwirkle_left_to_lay(const struct qwirkle_board *board);

/* A bit for each tile that fits into this cell by the lines through it, whatever lies on it. */
uint64_t qwirkle_fitting(const struct qwirkle_board *board, int x, int y);

/* Why this tile may not lie in this cell, whoever would lay it. False: it may. */
bool qwirkle_why_not_there(const struct qwirkle_board *board, int tile, int x, int y,
			   char why[GAME_REASON_TEXT]);

/* A bit for each tile that, put into the cell, makes a line of this run; all tiles if it is empty. */
uint64_t qwirkle_completing(const struct qwirkle_run *run);

/* The empty cells where a tile may touch the others, each once; at most QWIRKLE_CELLS_MAX. */
enum { QWIRKLE_CELLS_MAX = 4 * QWIRKLE_ALL };
int qwirkle_open_cells(const struct qwirkle_board *board,
		       struct qwirkle_place cells[QWIRKLE_CELLS_MAX]);

/* May a tile come to this cell in a turn that has laid these? One row or column, and no gap. */
bool qwirkle_in_line(const struct qwirkle_board *board, const struct qwirkle_place *laid, int count,
		     int x, int y);

/* What a turn that has laid these scores. They lie on the board. */
int qwirkle_points(const struct qwirkle_board *board, const struct qwirkle_place *laid, int count);

/* The model: how many tiles are in the bag, and the board. */
size_t qwirkle_print_board(const struct qwirkle_board *board, int bag, char text[GAME_MODEL_MAX]);
bool qwirkle_read_board(struct qwirkle_board *board, int *bag, const char *model);

/* qwirkle_moves.c: as game.h has them. */
bool qwirkle_read_move(struct move *move, char *const words[], int count);
void qwirkle_print_move(const struct move *move, char text[GAME_MOVE_TEXT]);
int qwirkle_picks(const struct move *move, struct pick picks[GAME_PICKS_MAX]);
bool qwirkle_pick_move(struct move *move, const struct pick picks[], int count);

#endif
