/*
 * hnefatafl.c - what Hnefatafl looks like.
 *
 * The model is 81 of A, D, K and '.', rows from the top. A verdict about the king marks the cell on
 * which he stands.
 */
#include "viewer/scene/scene.h"

#include <string.h>

enum { SIDE = 9, LAST = SIDE - 1, MIDDLE = SIDE / 2 };

static const struct {
	char letter;
	const char *symbol;
	int seat;
} pieces[] = {
    {'A', "\u25cf", 0},
    {'D', "\u25cb", 1},
    {'K', "\u2654", 1},
};

static bool is_special(int x, int y)
{
	return (x == MIDDLE && y == MIDDLE) || ((x == 0 || x == LAST) && (y == 0 || y == LAST));
}

static void draw_cell(struct cell *cell, char letter)
{
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++)
		if (pieces[i].letter == letter) {
			cell->letter = letter;
			strcpy(cell->symbol, pieces[i].symbol);
			cell->paint = (uint8_t)(PAINT_SEAT_0 + pieces[i].seat);
		}
}

static void draw(struct scene *scene, const struct frame *frame)
{
	bool about_king = strncmp(frame->verdict, "king-", 5) == 0;

	scene_set_size(scene, SIDE, SIDE);
	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++) {
			struct cell *cell = &scene->cell[y][x];

			draw_cell(cell, frame->model[y * SIDE + x]);
			if (is_special(x, y))
				cell->ground = GROUND_SPECIAL;
			if (about_king && cell->letter == 'K')
				cell->marks |= MARK_WIN;
		}
	for (int seat = 0; seat < 2; seat++) {
		scene->player[seat].letter = pieces[seat].letter;
		strcpy(scene->player[seat].symbol, pieces[seat].symbol);
	}
}

static int picks(const struct move *move, struct pick picks[SCENE_PICKS_MAX])
{
	picks[0] = (struct pick){.x = move->arg[0], .y = move->arg[1]};
	picks[1] = (struct pick){.x = move->arg[2], .y = move->arg[3]};
	return 2;
}

static const char *explain(const char *why)
{
	static const struct {
		const char *why, *text;
	} ends[] = {
	    {"king-captured", "the king is captured"},
	    {"king-escaped", "the king escaped"},
	    {"no-moves", "no move left"},
	    {"repetition", "three times the same position"},
	    {"move-limit", "400 moves"},
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (strcmp(ends[i].why, why) == 0)
			return ends[i].text;
	return NULL;
}

const struct drawing hnefatafl_drawing = {
    .draw = draw,
    .picks = picks,
    .explain = explain,
};
