/*
 * tictactoe.c - what tic-tac-toe looks like.
 *
 * The model is nine of X, O and '.', rows from the top.
 */
#include "viewer/scene/scene.h"

#include <string.h>

enum { SIDE = 3 };

static void draw(struct scene *scene, const struct frame *frame)
{
	static const struct look looks[] = {{'X', 0, "X"}, {'O', 1, "O"}};

	scene_draw_letters(scene, frame, SIDE, SIDE, looks, 2);
}

/* A win is named by its three cells. */
static const char *explain(const char *why)
{
	if (strspn(why, "012345678") == SIDE)
		return "three in a row";
	return strcmp(why, "full") == 0 ? "board full" : NULL;
}

const struct drawing tictactoe_drawing = {
    .draw = draw,
    .explain = explain,
};
