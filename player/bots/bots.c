/*
 * bots.c - a built-in bot: which way to play a game, and what all ways share. See bots.h.
 *
 * Owns each bot's memory, and the descriptor that ends all thinking. It talks to the kinds of bots, and
 * never chooses a move itself, but by chance.
 */
#include "player/bots/bots.h"

#include "player/bots/search.h"

#include "proto/time/timers.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* A game that is not listed is searched, if that can be done. */
static const struct bot_kind *const kinds[] = {
    &memory_kind,
    &qwirkle_kind,
    NULL,
};

static const struct bot_kind *find_kind(const struct game *game)
{
	for (int i = 0; kinds[i] != NULL; i++)
		if (kinds[i]->game == game)
			return kinds[i];
	return search_fits(game) ? &two_kind : NULL;
}

bool bot_open(struct bot *bot, const struct game *game, enum bot_level level, uint64_t seed)
{
	*bot = (struct bot){.game = game, .level = level, .kind = find_kind(game)};
	game_seed(&bot->chance, seed);
	if (level == BOT_RANDOM)
		bot->kind = NULL;
	if (bot->kind != NULL)
		bot->memory = calloc(1, bot->kind->memory_size);
	return bot->kind == NULL || bot->memory != NULL;
}

void bot_close(struct bot *bot)
{
	free(bot->memory);
	bot->memory = NULL;
}

void bot_see(struct bot *bot, const struct view *view, enum heard heard)
{
	if (bot->kind != NULL && bot->kind->see != NULL)
		bot->kind->see(bot, view, heard);
}

int bot_choose(struct bot *bot, const struct view *view, int64_t until)
{
	if (bot->kind == NULL || view->moves == 1)
		return bot_choose_any(bot, view);
	return bot->kind->choose(bot, view, until);
}

int bot_choose_any(struct bot *bot, const struct view *view)
{
	return (int)game_draw(&bot->chance, (uint32_t)view->moves);
}

static int heeded = -1;

void bot_heed(int fd)
{
	heeded = fd;
}

bool bot_is_time(int64_t until)
{
	struct pollfd entry = {.fd = heeded, .events = POLLIN};

	return clock_ms() >= until || (heeded >= 0 && poll(&entry, 1, 0) > 0);
}

/* A quarter of a turn, and half a second where that is less, are kept for the machine. */
int64_t bot_deadline(int64_t now, int think_ms, int64_t turn_since, int clock)
{
	int64_t until = now + think_ms, turn = clock * INT64_C(1000);
	int64_t kept = turn / 4 > 500 ? turn / 4 : 500;

	if (clock > 0 && turn_since + turn - kept < until)
		until = turn_since + turn - kept;
	return until;
}
