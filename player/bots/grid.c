/*
 * grid.c - the board of Qwirkle as a grid, and all turns that a rack allows. See grid.h.
 *
 * Owns nothing: the grid is the caller's. It asks the rules (proto/rules/qwirkle_board.h) what fits
 * together, and never which turn is good.
 *
 * All tiles of a turn lie in one row or column. At least one of them touches a tile that was there
 * before: it is an anchor. Only on an empty board there is none. Each turn is found once: from its
 * first anchor it grows to the right (or down) as far as it goes, then to the left (or up) over cells
 * that touch nothing. A part of a line is a line, so a turn is legal only if each step of it is.
 */
#include "player/bots/grid.h"

#include <string.h>

enum { NEIGHBOURS = 4 };

static const int neighbour[NEIGHBOURS] = {-GRID_SIDE, -1, 1, GRID_SIDE};

/* A turn that grows. */
struct growth {
	struct grid *grid;
	struct grid_visitor *visitor;
	struct grid_turn turn;
	uint64_t tiles;	 /* that are still in the hand */
	int step;	 /* along the line */
	int left, right; /* the empty cells at both ends of the line */
	int lowest;	 /* the first cell of this turn */
	int points;	 /* of the lines across */
	int loose;	 /* one more than the last tile that lies across nothing */
};

static int cell_at(int x, int y)
{
	return (y + GRID_MARGIN) * GRID_SIDE + x + GRID_MARGIN;
}

struct qwirkle_place grid_place(const struct grid_turn *turn, int index)
{
	int cell = turn->cell[index];

	return (struct qwirkle_place){.x = (int8_t)(cell % GRID_SIDE - GRID_MARGIN),
				      .y = (int8_t)(cell / GRID_SIDE - GRID_MARGIN),
				      .tile = turn->tile[index]};
}

static void put(struct grid *grid, int cell, int tile)
{
	grid->tile[cell] = (uint8_t)(tile + 1);
	grid->taken[grid->count++] = (uint16_t)cell;
	for (int i = 0; i < NEIGHBOURS; i++)
		grid->beside[cell + neighbour[i]]++;
}

void grid_take_back(struct grid *grid, int count)
{
	while (grid->count > count) {
		int cell = grid->taken[--grid->count];

		grid->tile[cell] = 0;
		for (int i = 0; i < NEIGHBOURS; i++)
			grid->beside[cell + neighbour[i]]--;
	}
}

void grid_set(struct grid *grid, const struct qwirkle_board *board)
{
	memset(grid, 0, sizeof(*grid));
	for (int i = 0; i < board->count; i++)
		put(grid, cell_at(board->place[i].x, board->place[i].y), board->place[i].tile);
}

void grid_lay(struct grid *grid, const struct grid_turn *turn)
{
	for (int i = 0; i < turn->count; i++)
		put(grid, turn->cell[i], turn->tile[i]);
}

struct qwirkle_run grid_run(const struct grid *grid, int cell, int step)
{
	struct qwirkle_run run = {0};

	for (int side = -step; side <= step; side += 2 * step)
		for (int at = cell + side; grid->tile[at] != 0; at += side) {
			int tile = grid->tile[at] - 1;

			run.length++;
			run.shapes |= 1u << (tile / QWIRKLE_KINDS);
			run.colours |= 1u << (tile % QWIRKLE_KINDS);
		}
	return run;
}

static int line_points(int length)
{
	if (length < 2)
		return 0;
	return length == QWIRKLE_KINDS ? length + GRID_LINE_BONUS : length;
}

/* A single tile lies in a row and in a column, and is shown when the rows are gone through. */
static void show(const struct growth *growth)
{
	struct grid_turn turn = growth->turn;
	int length = (growth->right - growth->left) / growth->step - 1;

	if (turn.count == 1 && growth->step != 1)
		return;
	turn.points = (int16_t)(growth->points + line_points(length));
	if (turn.points == 0)
		turn.points = 1;
	growth->visitor->visit(growth->visitor, &turn);
}

static void grow_right(const struct growth *growth);
static void grow_left(const struct growth *growth);

static struct growth with(const struct growth *growth, int cell, int tile, int across)
{
	struct growth next = *growth;

	next.turn.cell[next.turn.count] = (uint16_t)cell;
	next.turn.tile[next.turn.count++] = (uint8_t)tile;
	next.tiles &= ~(UINT64_C(1) << tile);
	next.points += line_points(across);
	if (across == 1)
		next.loose = tile + 1;
	if (cell < next.lowest)
		next.lowest = cell;
	while (next.grid->tile[next.right] != 0)
		next.right += next.step;
	while (next.grid->tile[next.left] != 0)
		next.left -= next.step;
	return next;
}

/* Lay each tile that fits into this cell, and go on from there. */
static void grow_at(const struct growth *growth, int cell, bool right)
{
	struct qwirkle_run along = grid_run(growth->grid, cell, growth->step);
	struct qwirkle_run across = grid_run(growth->grid, cell, GRID_SIDE + 1 - growth->step);
	uint64_t tiles = growth->tiles & qwirkle_completing(&along) & qwirkle_completing(&across);

	/* of tiles that could swap their places only one order is of interest */
	if (across.length == 0)
		tiles = tiles >> growth->loose << growth->loose;
	for (; tiles != 0; tiles &= tiles - 1) {
		int tile = __builtin_ctzll(tiles);
		struct growth next;

		put(growth->grid, cell, tile);
		next = with(growth, cell, tile, across.length + 1);
		show(&next);
		if (right)
			grow_right(&next);
		grow_left(&next);
		grid_take_back(growth->grid, growth->grid->count - 1);
	}
}

static void grow_right(const struct growth *growth)
{
	grow_at(growth, growth->right, true);
}

/* Only to a cell that touched nothing before this turn: otherwise it is an anchor itself. Where
 * nothing lay, what grows to the left is known from further left. */
static void grow_left(const struct growth *growth)
{
	const struct grid *grid = growth->grid;

	if (grid->count > growth->turn.count && growth->left + growth->step == growth->lowest &&
	    grid->beside[growth->left] == 1)
		grow_at(growth, growth->left, false);
}

/* The empty cells beside tiles. Of several tiles beside one of them the first finds it. */
static int list_open(const struct grid *grid, uint16_t open[QWIRKLE_CELLS_MAX])
{
	int count = 0;

	for (int i = 0; i < grid->count; i++)
		for (int n = 0; n < NEIGHBOURS; n++) {
			int cell = grid->taken[i] + neighbour[n], first = 0;

			if (grid->tile[cell] != 0)
				continue;
			while (grid->tile[cell + neighbour[first]] == 0)
				first++;
			if (cell + neighbour[first] == grid->taken[i])
				open[count++] = (uint16_t)cell;
		}
	return count;
}

static void grow_from(struct growth *growth, int cell)
{
	growth->lowest = growth->left = growth->right = cell;
	grow_at(growth, cell, true);
}

void grid_each_turn(struct grid *grid, uint64_t tiles, struct grid_visitor *visitor)
{
	struct growth growth = {.grid = grid, .visitor = visitor, .tiles = tiles, .step = 1};
	uint16_t open[QWIRKLE_CELLS_MAX];
	int count = list_open(grid, open);

	/* where nothing lies yet, each turn could as well be a row that begins in the middle */
	if (grid->count == 0) {
		grow_from(&growth, cell_at(0, 0));
		return;
	}
	for (int i = 0; i < count; i++) {
		growth.step = 1;
		grow_from(&growth, open[i]);
		growth.step = GRID_SIDE;
		grow_from(&growth, open[i]);
	}
}
