/*
 * two.c - a bot for games for two in which all is open: it follows the round, and searches.
 *
 * Owns the position as the rules' own state, because a board does not tell all: which positions have
 * stood before, how many moves have been made. When it has missed something, it begins anew from the
 * board that it sees. It asks search.c for the best move, and never chooses one that is not listed.
 */
#include "player/bots/bots.h"
#include "player/bots/search.h"

#include "proto/wire/line.h"

#include <string.h>

enum {
	EASY_DEPTH = 2,	    /* its move, and what can be done about it, */
	EASY_ESTIMATES = 1, /* where how a position looks tells nearly that much */
	EASY_OVERLOOKS = 4, /* one of so many of its moves, each time others */
};

struct two {
	union game_state state;
	bool known; /* there is a `state` */
	struct search search;
};

/* ---- the round so far ---- */

/* Is the board that we see the one before with the last event on it? */
static bool follow_event(struct two *two, const struct view *view)
{
	const struct game *game = view->game;
	char text[GAME_EVENT_TEXT], model[GAME_MODEL_MAX];
	union game_state next;
	struct words words;
	struct move move;

	if (!two->known || view->last.seat < 0)
		return false;
	memcpy(&next, &two->state, game->state_size);
	strcpy(text, view->last.text);
	if (!line_split(text, &words) || !game->read_move(&move, words.word, words.count) ||
	    game->judge(&next, view->last.seat, &move) != RULING_FINE)
		return false;
	game->play(&next, view->last.seat, &move, 0, NULL);
	game->print_model(&next, model);
	if (strcmp(model, view->now.model) != 0)
		return false;
	memcpy(&two->state, &next, game->state_size);
	return true;
}

static void see(struct bot *bot, const struct view *view, enum heard heard)
{
	struct two *two = bot->memory;

	if (heard == HEARD_START)
		two->known = false;
	else if (heard == HEARD_BOARD && !follow_event(two, view))
		two->known = view_state(view, &two->state);
}

/* ---- choosing ---- */

/* Mixed by chance: the search takes the first of equally good moves. */
static void shuffle(struct bot *bot, struct move *moves, int count)
{
	for (int left = count; left > 1; left--) {
		int drawn = (int)game_draw(&bot->chance, (uint32_t)left);
		struct move last = moves[left - 1];

		moves[left - 1] = moves[drawn];
		moves[drawn] = last;
	}
}

static int choose(struct bot *bot, const struct view *view, int64_t until)
{
	static struct move moves[GAME_MOVES_MAX];
	const struct insight *insight = insight_find(bot->game);
	bool estimates = insight != NULL && insight->value != NULL;
	struct two *two = bot->memory;
	struct search_limits limits = {.until = until};
	int count, chosen;

	if (!two->known || bot->game->turn(&two->state) != view->seat)
		return bot_choose_any(bot, view);
	two->search.game = bot->game;
	two->search.insight = insight;
	count = bot->game->list_moves(&two->state, view->seat, moves);
	shuffle(bot, moves, count);
	if (bot->level == BOT_EASY) {
		limits.depth = estimates ? EASY_ESTIMATES : EASY_DEPTH;
		count -= count / EASY_OVERLOOKS;
	}
	chosen = view_find_move(
	    view, &moves[search_best(&two->search, &two->state, moves, count, &limits)]);
	/* a server with rules other than ours */
	return chosen < 0 ? bot_choose_any(bot, view) : chosen;
}

const struct bot_kind two_kind = {
    .memory_size = sizeof(struct two),
    .see = see,
    .choose = choose,
};
