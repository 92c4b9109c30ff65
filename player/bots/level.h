/*
 * level.h - how well a built-in bot plays, in one word.
 */
#ifndef PLAYER_BOTS_LEVEL_H
#define PLAYER_BOTS_LEVEL_H

/* In the order of --help. */
enum bot_level { BOT_STRONG, BOT_EASY, BOT_RANDOM, BOT_LEVELS };

enum { BOT_LEVEL_DEFAULT = BOT_STRONG };

struct level {
	const char *name, *is; /* for --help */
};

/* NULL behind the last; the index is an enum bot_level. */
const struct level *level_at(int index);

/* NULL: there is none of that name. */
const struct level *level_find(const char *name);

enum bot_level level_of(const struct level *level);

#endif
