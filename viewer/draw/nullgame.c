/*
 * nullgame.c - what the null game looks like: the template of a drawing. GAMES.md says what else a game needs.
 *
 * The model is one of 0, 1 and '.': whose the cell is.
 *
 * A drawing says what a position looks like, and no more. It holds nothing between two calls. What the
 * rules know it does not say again: the colours of the sides, the cells that were won on, what is picked.
 */
#include "viewer/scene/scene.h"

#include <string.h>

/* The board and its cells, and what each player's pieces look like. The model is one that the rules can read.
 * Each symbol has a letter, for where there is no UTF-8, and no two pieces differ by colour alone. */
static void draw(struct scene *scene, const struct frame *frame)
{
	static const struct look looks[] = {{'0', 0, "0"}, {'1', 1, "1"}};

	scene_draw_letters(scene, frame, 1, 1, looks, 2);
}

/* The end of a round in words that people use. NULL: not one of this game's own. */
static const char *explain(const char *why)
{
	return strcmp(why, "taken") == 0 ? "the cell is taken" : NULL;
}

/* There may be pieces beside the board, too: draw_beside. */
const struct drawing null_drawing = {
    .draw = draw,
    .explain = explain,
};
