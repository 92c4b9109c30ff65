/*
 * draw.c - the registry of drawings.
 *
 * A new game is one file draw_GAME.c and one line in the table below.
 */
#include "scene.h"

extern const struct drawing qwirkle_drawing;
extern const struct drawing memory_drawing;
extern const struct drawing tictactoe_drawing;
extern const struct drawing hnefatafl_drawing;
extern const struct drawing quantik_drawing;

static const struct drawing *const drawings[] = {
    &tictactoe_drawing, &hnefatafl_drawing, &quantik_drawing, &qwirkle_drawing, &memory_drawing,
};

const struct drawing *drawing_of(const struct game *game)
{
	for (size_t i = 0; i < sizeof(drawings) / sizeof(drawings[0]); i++)
		if (drawings[i]->game == game)
			return drawings[i];
	return NULL;
}
