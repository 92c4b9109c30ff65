/*
 * bot_level.h - how well the built-in bot plays: one word for each way to choose a move.
 *
 * A new level is a function and a line in the table.
 */
#ifndef PLAYER_BOT_LEVEL_H
#define PLAYER_BOT_LEVEL_H

#include "../proto/game.h"

struct level {
	const char *name, *is; /* for --help */
	/* As bot_choose(); the state is NULL when only the legal moves are known. */
	int (*choose)(const struct game *game, const void *state, int seat,
		      const struct move *legal, int count, uint32_t random);
};

/* Those there are, the first is the default; NULL behind the last. */
const struct level *level_at(int index);
const struct level *level_find(const char *name);

#endif
