/*
 * quantik.c - which positions of Quantik are the same. See `struct insight` in search.h.
 *
 * Owns a table of where cells go, made once. It talks to nobody, and never says who wins.
 *
 * Rows may change places within the upper and the lower half, and so may the halves; columns likewise;
 * and rows may become columns. That makes 128 boards of one. Shapes may take each other's names, which
 * makes 24 of each. Who is white does not matter, only whose turn it is.
 */
#include "player/bots/search.h"

#include "proto/rules/quantik.h"

enum {
	BOARDS = 128,
	BYTES = 256,
	FULL_PIECES = 5, /* with more on the board, comparing costs more than it saves */
};

/* Where the cells of the upper and of the lower half go: by board, half, cells. */
static uint16_t moved[BOARDS][2][BYTES];

/* Which rows, or columns, are changed: bit 0 the first two, bit 1 the last two, bit 2 the halves. */
static int moved_line(int line, int change)
{
	if (line < 2 ? change & 1 : change & 2)
		line ^= 1;
	return change & 4 ? line ^ 2 : line;
}

static int moved_cell(int cell, int board)
{
	int x = moved_line(cell % SIDE, board & 7), y = moved_line(cell / SIDE, board >> 3 & 7);

	return board & 64 ? x * SIDE + y : y * SIDE + x;
}

static void fill_moved(void)
{
	for (int board = 0; board < BOARDS; board++)
		for (int cell = 0; cell < CELLS; cell++)
			for (int cells = 0; cells < BYTES; cells++)
				if (cells >> cell % 8 & 1)
					moved[board][cell / 8][cells] |=
					    (uint16_t)(1u << moved_cell(cell, board));
}

static uint32_t move_cells(int board, uint16_t cells)
{
	return moved[board][0][cells & 0xff] | moved[board][1][cells >> 8];
}

static void swap_if_less(uint32_t *one, uint32_t *other)
{
	uint32_t less = *one < *other ? *one : *other;

	*other ^= *one ^ less;
	*one = less;
}

/* The four shapes in order, so that their names do not matter: a number for the board. */
static uint64_t number_of(uint32_t shape[SHAPES])
{
	uint64_t high, low;

	swap_if_less(&shape[0], &shape[1]);
	swap_if_less(&shape[2], &shape[3]);
	swap_if_less(&shape[0], &shape[2]);
	swap_if_less(&shape[1], &shape[3]);
	swap_if_less(&shape[1], &shape[2]);
	high = (uint64_t)shape[0] << 32 | shape[1];
	low = (uint64_t)shape[2] << 32 | shape[3];
	high = (high ^ high >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	low = (low ^ low >> 31) * UINT64_C(0x94d049bb133111eb);
	return (high ^ high >> 32) + low;
}

static uint64_t key(const void *state)
{
	const struct quantik *q = state;
	const uint16_t *ours = q->has[q->turn], *theirs = q->has[!q->turn];
	uint64_t least = UINT64_MAX;
	int boards = 0, pieces = 0;

	for (int shape = 0; shape < SHAPES; shape++)
		pieces += __builtin_popcount(ours[shape]) + __builtin_popcount(theirs[shape]);
	if (moved[0][0][1] == 0)
		fill_moved();
	boards = pieces <= FULL_PIECES ? BOARDS : 1;
	for (int board = 0; board < boards; board++) {
		uint32_t shape[SHAPES];
		uint64_t number;

		for (int s = 0; s < SHAPES; s++)
			shape[s] = move_cells(board, ours[s]) << 16 | move_cells(board, theirs[s]);
		number = number_of(shape);
		if (number < least)
			least = number;
	}
	return least ^ least >> 32;
}

const struct insight quantik_insight = {.game = &quantik_game, .key = key};
