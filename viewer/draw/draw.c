/*
 * draw.c - which game has which drawing: each game of the list has one, and the null game.
 */
#include "viewer/scene/scene.h"

#include <stdlib.h>

static const struct {
	const struct game *game;
	const struct drawing *drawing;
} drawings[] = {
#define GAME(name) {&name##_game, &name##_drawing},
#include "proto/rules/list.h"
    {&null_game, &null_drawing},
};

const struct drawing *drawing_of(const struct game *game)
{
	for (size_t i = 0; i < sizeof(drawings) / sizeof(drawings[0]); i++)
		if (drawings[i].game == game)
			return drawings[i].drawing;
	abort(); /* there is no other */
}
