/*
 * qwirkle_board.c - the board of Qwirkle: which tile fits where, what a turn scores, the model.
 *
 * A line is an unbroken row or column of tiles. It has at most six, all different, all of one
 * colour or all of one shape. It knows nothing of seats, racks and turns.
 *
 * It is pure: it keeps nothing between two calls, and knows no player, no clock and no socket.
 */
#include "proto/rules/qwirkle_board.h"

#include "proto/wire/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* More cells than a row can have, for any x and y that fit in a byte and their neighbours. */
enum { ROW = 512, CELL_SIDE = 2 * QWIRKLE_REACH + 3 };

/* "108", and "/b4,-90,-90" for each tile. */
static_assert(3 + QWIRKLE_ALL * 11 < GAME_MODEL_MAX, "a model must fit");

#define ALL_TILES ((UINT64_C(1) << QWIRKLE_TILES) - 1)

int qwirkle_read_tile(const char *word)
{
	if (word[0] < 'a' || word[0] >= 'a' + QWIRKLE_KINDS || word[1] < '1' ||
	    word[1] >= '1' + QWIRKLE_KINDS || word[2] != '\0')
		return -1;
	return (word[0] - 'a') * QWIRKLE_KINDS + (word[1] - '1');
}

void qwirkle_print_tile(int tile, char word[3])
{
	bool exists = tile >= 0 && tile < QWIRKLE_TILES;

	word[0] = (char)(exists ? 'a' + tile / QWIRKLE_KINDS : '?');
	word[1] = (char)(exists ? '1' + tile % QWIRKLE_KINDS : '?');
	word[2] = '\0';
}

/* How many tiles lie before this cell, in the order of the model. */
static int find_place(const struct qwirkle_board *board, int x, int y)
{
	int low = 0, high = board->count, order = y * ROW + x;

	while (low < high) {
		int middle = (low + high) / 2;
		const struct qwirkle_place *place = &board->place[middle];

		if (place->y * ROW + place->x < order)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int qwirkle_tile_at(const struct qwirkle_board *board, int x, int y)
{
	int i = find_place(board, x, y);

	if (i == board->count || board->place[i].x != x || board->place[i].y != y)
		return -1;
	return board->place[i].tile;
}

void qwirkle_add(struct qwirkle_board *board, struct qwirkle_place place)
{
	int i = find_place(board, place.x, place.y);

	memmove(&board->place[i + 1], &board->place[i],
		(size_t)(board->count - i) * sizeof(board->place[0]));
	board->place[i] = place;
	board->count++;
}

uint64_t qwirkle_left_to_lay(const struct qwirkle_board *board)
{
	uint8_t on_board[QWIRKLE_TILES] = {0};
	uint64_t left = ALL_TILES;

	for (int i = 0; i < board->count; i++)
		if (++on_board[board->place[i].tile] == QWIRKLE_OF_EACH)
			left &= ~(UINT64_C(1) << board->place[i].tile);
	return left;
}

/* dx, dy: (1, 0) for the row through the cell, (0, 1) for the column. */
static struct qwirkle_run run_at(const struct qwirkle_board *board, int x, int y, int dx, int dy)
{
	struct qwirkle_run run = {0};

	for (int side = -1; side <= 1; side += 2) {
		int tile;

		for (int far = 1;
		     (tile = qwirkle_tile_at(board, x + side * far * dx, y + side * far * dy)) >= 0;
		     far++) {
			run.length++;
			run.shapes |= 1u << (tile / QWIRKLE_KINDS);
			run.colours |= 1u << (tile % QWIRKLE_KINDS);
		}
	}
	return run;
}

/* A bit for each tile of these shapes and these colours. */
static uint64_t tiles_of(unsigned shapes, unsigned colours)
{
	uint64_t tiles = 0;

	for (int shape = 0; shape < QWIRKLE_KINDS; shape++)
		if (shapes >> shape & 1)
			tiles |= (uint64_t)colours << (shape * QWIRKLE_KINDS);
	return tiles;
}

/* Where as many colours as tiles are, all tiles differ. */
uint64_t qwirkle_completing(const struct qwirkle_run *run)
{
	const unsigned all = (1u << QWIRKLE_KINDS) - 1;
	int shapes = __builtin_popcount(run->shapes), colours = __builtin_popcount(run->colours);
	uint64_t tiles = 0;

	if (run->length == 0)
		return ALL_TILES;
	if (shapes == 1 && colours == run->length)
		tiles |= tiles_of(run->shapes, all & ~run->colours);
	if (colours == 1 && shapes == run->length)
		tiles |= tiles_of(all & ~run->shapes, run->colours);
	return tiles;
}

uint64_t qwirkle_fitting(const struct qwirkle_board *board, int x, int y)
{
	struct qwirkle_run row = run_at(board, x, y, 1, 0), column = run_at(board, x, y, 0, 1);

	if (row.length == 0 && column.length == 0)
		return x == 0 && y == 0 ? ALL_TILES : 0;
	return qwirkle_completing(&row) & qwirkle_completing(&column);
}

/* What would be wrong with the line that the tile makes of this run; NULL: nothing. */
static const char *fault_of_run(const struct qwirkle_run *run, int tile)
{
	int shapes = __builtin_popcount(run->shapes), colours = __builtin_popcount(run->colours);
	bool has_shape = run->shapes >> (tile / QWIRKLE_KINDS) & 1;
	bool has_colour = run->colours >> (tile % QWIRKLE_KINDS) & 1;
	bool shape = shapes == 1 && has_shape, colour = colours == 1 && has_colour;

	if (qwirkle_completing(run) >> tile & 1)
		return NULL;
	if (run->length >= QWIRKLE_KINDS)
		return "a %s has six tiles at most";
	if (!shape && !colour)
		return "a %s is of one shape or of one colour";
	if (has_shape && has_colour)
		return "that tile lies in this %s already";
	return "a %s has no tile twice"; /* those that it would join have one in common */
}

bool qwirkle_why_not_there(const struct qwirkle_board *board, int tile, int x, int y,
			   char why[GAME_REASON_TEXT])
{
	const struct qwirkle_run row = run_at(board, x, y, 1, 0),
				 column = run_at(board, x, y, 0, 1);
	const char *fault = fault_of_run(&row, tile);

	if (qwirkle_tile_at(board, x, y) >= 0)
		text_print(why, GAME_REASON_TEXT, "a tile lies there already");
	else if (board->count == 0 && (x != 0 || y != 0))
		text_print(why, GAME_REASON_TEXT, "the first tile lies at 0 0");
	else if (board->count > 0 && row.length == 0 && column.length == 0)
		text_print(why, GAME_REASON_TEXT, "a tile touches one that lies on the board");
	else if (fault != NULL)
		text_print(why, GAME_REASON_TEXT, fault, "row");
	else if ((fault = fault_of_run(&column, tile)) != NULL)
		text_print(why, GAME_REASON_TEXT, fault, "column");
	else
		return false;
	return true;
}

/* The neighbours of a cell. */
static const int8_t neighbour[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};

/* A bit for each cell that can be reached, and those beside them. */
struct cell_set {
	uint64_t bits[CELL_SIDE * CELL_SIDE / 64 + 1];
};

/* False: it was in the set before. */
static bool set_add(struct cell_set *set, int x, int y)
{
	int cell = (y + CELL_SIDE / 2) * CELL_SIDE + x + CELL_SIDE / 2;
	uint64_t bit = UINT64_C(1) << (cell % 64);

	if (set->bits[cell / 64] & bit)
		return false;
	set->bits[cell / 64] |= bit;
	return true;
}

int qwirkle_open_cells(const struct qwirkle_board *board,
		       struct qwirkle_place cells[QWIRKLE_CELLS_MAX])
{
	struct cell_set seen = {0};
	int count = 0;

	if (board->count == 0) {
		cells[0] = (struct qwirkle_place){0};
		return 1;
	}
	for (int i = 0; i < board->count; i++)
		set_add(&seen, board->place[i].x, board->place[i].y);
	for (int i = 0; i < board->count; i++)
		for (int j = 0; j < 4; j++) {
			int x = board->place[i].x + neighbour[j][0];
			int y = board->place[i].y + neighbour[j][1];

			if (set_add(&seen, x, y))
				cells[count++] = (struct qwirkle_place){.x = (int8_t)x,
									.y = (int8_t)y};
		}
	return count;
}

bool qwirkle_in_line(const struct qwirkle_board *board, const struct qwirkle_place *laid, int count,
		     int x, int y)
{
	int dx, dy;

	if (count == 0)
		return true;
	if (laid[0].x != x && laid[0].y != y)
		return false;
	if (count > 1 && (laid[0].x == laid[1].x) != (laid[0].x == x))
		return false;
	/* the tiles laid so far have no gap between them, so it is enough to reach one of them */
	dx = (x < laid[0].x) - (x > laid[0].x);
	dy = (y < laid[0].y) - (y > laid[0].y);
	do {
		x += dx;
		y += dy;
	} while (qwirkle_tile_at(board, x, y) >= 0 && (x != laid[0].x || y != laid[0].y));
	return x == laid[0].x && y == laid[0].y;
}

static int line_points(const struct qwirkle_board *board, const struct qwirkle_place *place,
		       bool is_row)
{
	struct qwirkle_run run = run_at(board, place->x, place->y, is_row, !is_row);
	int length = run.length + 1;

	if (length == 1)
		return 0;
	return length == QWIRKLE_KINDS ? 2 * length : length;
}

int qwirkle_points(const struct qwirkle_board *board, const struct qwirkle_place *laid, int count)
{
	bool is_row = count < 2 || laid[0].y == laid[1].y;
	int points;

	if (count == 0)
		return 0;
	points = line_points(board, &laid[0], is_row);
	for (int i = 0; i < count; i++)
		points += line_points(board, &laid[i], !is_row);
	return points == 0 ? 1 : points;
}

/* A number of at most three digits; printf would take most of the time that a model does. */
static char *print_number(char *at, int number)
{
	int size = number < 0 ? -number : number;

	if (number < 0)
		*at++ = '-';
	if (size >= 100)
		*at++ = (char)('0' + size / 100);
	if (size >= 10)
		*at++ = (char)('0' + size / 10 % 10);
	*at++ = (char)('0' + size % 10);
	return at;
}

size_t qwirkle_print_board(const struct qwirkle_board *board, int bag, char text[GAME_MODEL_MAX])
{
	char *at = print_number(text, bag);

	for (int i = 0; i < board->count; i++) {
		const struct qwirkle_place *place = &board->place[i];

		*at++ = '/';
		qwirkle_print_tile(place->tile, at);
		at[2] = ',';
		at = print_number(at + 3, place->x);
		*at++ = ',';
		at = print_number(at, place->y);
	}
	*at = '\0';
	return (size_t)(at - text);
}

static bool read_coordinate(const char **at, int8_t *number)
{
	char *end;
	long value = strtol(*at, &end, 10);

	if (end == *at || value < -QWIRKLE_REACH || value > QWIRKLE_REACH)
		return false;
	*number = (int8_t)value;
	*at = end;
	return true;
}

/* "b4,-1,12" */
static bool read_place(const char **at, struct qwirkle_place *place)
{
	char word[3] = "";
	int tile;

	strncpy(word, *at, 2);
	tile = qwirkle_read_tile(word);
	if (tile < 0 || (*at)[2] != ',')
		return false;
	place->tile = (uint8_t)tile;
	*at += 3;
	if (!read_coordinate(at, &place->x) || *(*at)++ != ',')
		return false;
	return read_coordinate(at, &place->y);
}

/* Can all tiles be reached from the first, at 0 0? Each that is reached is looked from once. */
static bool is_connected(const struct qwirkle_board *board)
{
	bool reached[QWIRKLE_ALL] = {false};
	int queue[QWIRKLE_ALL], found = 0;

	if (board->count == 0)
		return true;
	if (qwirkle_tile_at(board, 0, 0) < 0)
		return false;
	queue[found++] = find_place(board, 0, 0);
	reached[queue[0]] = true;
	for (int next = 0; next < found; next++) {
		const struct qwirkle_place *place = &board->place[queue[next]];

		for (int j = 0; j < 4; j++) {
			int x = place->x + neighbour[j][0], y = place->y + neighbour[j][1];
			int i = find_place(board, x, y);

			if (qwirkle_tile_at(board, x, y) >= 0 && !reached[i]) {
				reached[i] = true;
				queue[found++] = i;
			}
		}
	}
	return found == board->count;
}

/* Does each tile fit where it lies? */
static bool is_sound(const struct qwirkle_board *board)
{
	for (int i = 0; i < board->count; i++) {
		const struct qwirkle_place *place = &board->place[i];

		if (!(qwirkle_fitting(board, place->x, place->y) >> place->tile & 1))
			return false;
	}
	return is_connected(board);
}

bool qwirkle_read_board(struct qwirkle_board *board, int *bag, const char *model)
{
	char again[GAME_MODEL_MAX];
	char *end;
	long in_bag = strtol(model, &end, 10);
	const char *at = end;

	memset(board, 0, sizeof(*board));
	if (at == model || in_bag < 0 || in_bag > QWIRKLE_ALL)
		return false;
	*bag = (int)in_bag;
	while (*at != '\0') {
		struct qwirkle_place place;

		if (*at++ != '/' || !read_place(&at, &place) ||
		    !(qwirkle_left_to_lay(board) >> place.tile & 1) ||
		    qwirkle_tile_at(board, place.x, place.y) >= 0)
			return false;
		qwirkle_add(board, place);
	}
	/* what would be printed in another way is no model: another order, a zero before a number
	 */
	qwirkle_print_board(board, *bag, again);
	return strcmp(again, model) == 0 && is_sound(board);
}
