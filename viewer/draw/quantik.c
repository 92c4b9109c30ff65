/*
 * quantik.c - what Quantik looks like.
 *
 * The model is sixteen of C P S T (white), c p s t (black) and '.', rows from the top. White is
 * drawn in outline, black filled; each piece has the letter that is typed for it as a note, as two of the shapes
 * are much alike in some fonts.
 */
#include "viewer/scene/scene.h"

#include <ctype.h>
#include <string.h>

enum { SIDE = 4, CELLS = 16, SHAPES = 4, LOOKS = 2 * SHAPES, OF_EACH = 2 };

static const struct look looks[LOOKS] = {
    {'C', 0, "\u25af"}, {'P', 0, "\u25a1"}, {'S', 0, "\u25cb"}, {'T', 0, "\u25b3"},
    {'c', 1, "\u25ae"}, {'p', 1, "\u25a0"}, {'s', 1, "\u25cf"}, {'t', 1, "\u25b2"},
};

static void draw(struct scene *scene, const struct frame *frame)
{
	scene_draw_letters(scene, frame, SIDE, SIDE, looks, LOOKS);
	for (int i = 0; i < CELLS; i++) {
		struct cell *cell = &scene->cell[i / SIDE][i % SIDE];

		if (cell->letter != ' ')
			cell->note[0] = (char)toupper((unsigned char)cell->letter);
	}
	for (int seat = 0; seat < 2; seat++) {
		scene->player[seat].letter = "WB"[seat];
		strcpy(scene->player[seat].symbol, looks[seat * SHAPES + 1].symbol);
	}
}

static void draw_beside(struct scene *scene, const struct frame *frame, int seat, const char *rack)
{
	(void)rack;
	scene->pieces = 0;
	if (seat < 0 || seat > 1)
		return;
	for (int shape = 0; shape < SHAPES; shape++) {
		struct scene_piece *beside = &scene->beside[scene->pieces];
		const struct look *look = &looks[seat * SHAPES + shape];
		int left = OF_EACH;

		for (int i = 0; i < CELLS; i++)
			left -= frame->model[i] == look->letter;
		if (left <= 0)
			continue;
		*beside = (struct scene_piece){.piece = shape, .count = left};
		scene_set_look(&beside->cell, frame->game, look);
		beside->cell.note[0] = (char)toupper((unsigned char)look->letter);
		scene->pieces++;
	}
}

static const char *explain(const char *why)
{
	static const char *const ends[][2] = {
	    {"row-", "four shapes in a row"},
	    {"column-", "four shapes in a column"},
	    {"square-", "four shapes in a square"},
	    {"no-moves", "no move left"},
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (strncmp(why, ends[i][0], strlen(ends[i][0])) == 0)
			return ends[i][1];
	return NULL;
}

const struct drawing quantik_drawing = {
    .draw = draw,
    .draw_beside = draw_beside,
    .explain = explain,
};
