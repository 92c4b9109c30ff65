/*
 * bot_level.c - the levels of the built-in bot. See bot_level.h.
 */
#include "bot_level.h"

#include "bot.h"

#include <string.h>

static int choose_at_random(const struct game *game, const void *state, int seat,
			    const struct move *legal, int count, uint32_t random)
{
	(void)game;
	(void)state;
	(void)seat;
	(void)legal;
	return (int)(random % (uint32_t)count);
}

static int choose_by_search(const struct game *game, const void *state, int seat,
			    const struct move *legal, int count, uint32_t random)
{
	if (state == NULL)
		return choose_at_random(game, state, seat, legal, count, random);
	return bot_choose(game, state, seat, legal, count, random);
}

static const struct level levels[] = {
    {"search", "looks ahead", choose_by_search},
    {"random", "any legal move", choose_at_random},
};

const struct level *level_at(int index)
{
	return (size_t)index < sizeof(levels) / sizeof(levels[0]) ? &levels[index] : NULL;
}

const struct level *level_find(const char *name)
{
	for (int i = 0; level_at(i) != NULL; i++)
		if (strcmp(level_at(i)->name, name) == 0)
			return level_at(i);
	return NULL;
}
