/*
 * qwirkle.c - what Qwirkle looks like.
 *
 * The board has no edge: the scene is as large as what lies on it, and a cell more on each side,
 * where the next tiles may come. The shape of a tile is its symbol and its letter, its colour the
 * paint; its note says both, so that nothing is told by colour alone. Beside the board lies one's
 * rack, and a piece that swaps all of it.
 */
#include "viewer/scene/scene.h"

#include "proto/rules/qwirkle_board.h"

#include <string.h>

enum {
	MARGIN = 1,
	EMPTY_SIDE = 5, /* of the scene of an empty board */
};

struct extent {
	int least, most;
};

static void widen(struct extent *extent, int to)
{
	if (to < extent->least)
		extent->least = to;
	if (to > extent->most)
		extent->most = to;
}

/* How many cells the scene shows in one direction, and from where: the middle of what is too large.
 */
static int place_side(const struct extent *extent, int *first)
{
	int cells = extent->most - extent->least + 1 + 2 * MARGIN;

	*first = extent->least - MARGIN;
	if (cells <= SCENE_SIDE_MAX)
		return cells;
	*first += (cells - SCENE_SIDE_MAX) / 2;
	return SCENE_SIDE_MAX;
}

static void place_scene(struct scene *scene, const struct qwirkle_board *board)
{
	struct extent columns = {0}, rows = {0};

	scene->grows = true;
	if (board->count == 0) {
		scene_set_size(scene, EMPTY_SIDE, EMPTY_SIDE);
		scene->first_x = scene->first_y = -EMPTY_SIDE / 2;
		return;
	}
	/* the first tile lies at 0 0, so that is within */
	for (int i = 0; i < board->count; i++) {
		widen(&columns, board->place[i].x);
		widen(&rows, board->place[i].y);
	}
	scene_set_size(scene, place_side(&columns, &scene->first_x),
		       place_side(&rows, &scene->first_y));
}

static void draw_tile(struct cell *cell, int tile)
{
	static const char *const symbol[QWIRKLE_KINDS] = {
	    "\u25c6", /* diamond */
	    "\u25a0", /* square */
	    "\u25cf", /* circle */
	    "\u2605", /* star */
	    "\u271a", /* cross */
	    "\u2731", /* asterisk */
	};

	strcpy(cell->symbol, symbol[tile / QWIRKLE_KINDS]);
	cell->letter = (char)('a' + tile / QWIRKLE_KINDS);
	cell->paint = (uint8_t)(PAINT_BLUE + tile % QWIRKLE_KINDS);
	qwirkle_print_tile(tile, cell->note);
}

static void draw(struct scene *scene, const struct frame *frame)
{
	struct qwirkle_board board;
	int bag;

	if (!qwirkle_read_board(&board, &bag, frame->model))
		memset(&board, 0, sizeof(board));
	place_scene(scene, &board);
	for (int i = 0; i < board.count; i++) {
		const struct qwirkle_place *place = &board.place[i];
		struct cell *cell = scene_cell(scene, place->x, place->y);

		if (cell != NULL)
			draw_tile(cell, place->tile);
	}
}

static void add_piece(struct scene *scene, int tile)
{
	struct scene_piece *piece = scene->beside;

	while (piece < scene->beside + scene->pieces && piece->piece != tile)
		piece++;
	if (piece == scene->beside + scene->pieces) {
		if (scene->pieces == SCENE_BESIDE_MAX)
			return;
		scene->pieces++;
		piece->piece = tile;
		draw_tile(&piece->cell, tile);
	}
	piece->count++;
}

/* It is there whenever the bag has as many tiles as the rack; whether it can be picked at this time
 * is for the legal moves to say. */
static void add_swap_piece(struct scene *scene)
{
	struct scene_piece *piece = &scene->beside[scene->pieces];

	if (scene->pieces == SCENE_BESIDE_MAX)
		return;
	scene->pieces++;
	piece->piece = QWIRKLE_SWAP_PIECE;
	piece->count = 1;
	piece->cell = (struct cell){.letter = '~', .note = "swp", .paint = PAINT_NEUTRAL};
	strcpy(piece->cell.symbol, "\u21c4");
}

static void draw_beside(struct scene *scene, const struct frame *frame, int seat, const char *rack)
{
	char text[GAME_RACK_TEXT];
	struct qwirkle_board board;
	struct words words;
	int bag, tiles = 0;

	(void)seat;
	memset(scene->beside, 0, sizeof(scene->beside));
	scene->pieces = 0;
	snprintf(text, sizeof(text), "%s", rack);
	if (!line_split(text, &words))
		return;
	for (int i = 0; i < words.count; i++)
		if (qwirkle_read_tile(words.word[i]) >= 0) {
			add_piece(scene, qwirkle_read_tile(words.word[i]));
			tiles++;
		}
	if (tiles > 0 && qwirkle_read_board(&board, &bag, frame->model) && bag >= tiles)
		add_swap_piece(scene);
}

static const char *explain(const char *why)
{
	return strcmp(why, "points") == 0 ? "most points" : NULL;
}

const struct drawing qwirkle_drawing = {
    .draw = draw,
    .draw_beside = draw_beside,
    .explain = explain,
};
