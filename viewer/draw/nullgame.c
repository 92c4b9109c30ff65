/*
 * nullgame.c - what the null game looks like: the template of a drawing. GAMES.md says the rest.
 *
 * The model is one of 0, 1 and '.': whose the cell is.
 */
#include "viewer/scene/scene.h"

#include <string.h>

static void draw_symbol(char *letter, char symbol[SCENE_SYMBOL], char seat)
{
	*letter = symbol[0] = seat;
}

static void draw(struct scene *scene, const struct frame *frame)
{
	struct cell *cell = &scene->cell[0][0];

	scene_set_size(scene, 1, 1);
	if (frame->model[0] != '.') {
		draw_symbol(&cell->letter, cell->symbol, frame->model[0]);
		cell->paint = (uint8_t)(PAINT_SEAT_0 + frame->model[0] - '0');
	}
	for (int seat = 0; seat < 2; seat++)
		draw_symbol(&scene->player[seat].letter, scene->player[seat].symbol,
			    (char)('0' + seat));
}

static int picks(const struct move *move, struct pick picks[SCENE_PICKS_MAX])
{
	picks[0] = (struct pick){.x = move->arg[0], .y = move->arg[1]};
	return 1;
}

static const char *explain(const char *why)
{
	return strcmp(why, "taken") == 0 ? "the cell is taken" : NULL;
}

const struct drawing null_drawing = {
    .draw = draw,
    .picks = picks,
    .explain = explain,
};
