/*
 * hnefatafl.c - what Hnefatafl looks like.
 *
 * The model is 81 of A, D, K and '.', rows from the top. The throne and the corners are special.
 */
#include "viewer/scene/scene.h"

#include <string.h>

enum { SIDE = 9, LAST = SIDE - 1, MIDDLE = SIDE / 2 };

static void draw(struct scene *scene, const struct frame *frame)
{
	static const struct look looks[] = {
	    {'A', 0, "\u25cf"}, {'D', 1, "\u25cb"}, {'K', 1, "\u2654"}};
	static const int special[][2] = {
	    {MIDDLE, MIDDLE}, {0, 0}, {LAST, 0}, {0, LAST}, {LAST, LAST}};

	scene_draw_letters(scene, frame, SIDE, SIDE, looks, 3);
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		scene->cell[special[i][1]][special[i][0]].ground = GROUND_SPECIAL;
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
    .explain = explain,
};
