/*
 * level.c - the levels by name. See level.h.
 */
#include "player/bots/level.h"

#include <stddef.h>
#include <string.h>

static const struct level levels[BOT_LEVELS] = {
    [BOT_STRONG] = {"strong", "as well as it can"},
    [BOT_EASY] = {"easy", "can be beaten"},
    [BOT_RANDOM] = {"random", "any legal move"},
};

const struct level *level_at(int index)
{
	return index < BOT_LEVELS ? &levels[index] : NULL;
}

const struct level *level_find(const char *name)
{
	for (int i = 0; level_at(i) != NULL; i++)
		if (strcmp(level_at(i)->name, name) == 0)
			return level_at(i);
	return NULL;
}

enum bot_level level_of(const struct level *level)
{
	return (enum bot_level)(level - levels);
}
