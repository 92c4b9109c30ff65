/*
 * qwirkle.c - Qwirkle as a bot plays it: a turn is thought out as a whole, then said tile by tile.
 *
 * Owns the plan of the turn. worlds.c knows which turn to take; at the level `easy` it is the one that
 * scores most of those with at most two tiles. How far a turn has come is read from the board, so a move
 * that was lost with a connection is said again. In doubt the turn is ended, which is always legal. It
 * never remembers anything of an earlier turn.
 */
#include "player/bots/bots.h"
#include "player/bots/worlds.h"

#include "proto/wire/line.h"

#include <limits.h>
#include <string.h>

enum { EASY_TILES = 2 }; /* in a turn */

/* The turn that we are in, or were in last. */
struct plan {
	struct worlds_choice choice;
	int on_board; /* tiles, before it */
	bool made;
	bool ended; /* its `pass` has been said */
};

struct thoughts {
	struct plan plan;
	struct worlds_sight sight; /* only while we think; too large for a stack */
};

/* ---- what is to be said, as a move of the list ---- */

/* A pass is listed whenever it is our turn. */
static int say_pass(const struct view *view)
{
	int m = view_find_move(view, &(struct move){.kind = QWIRKLE_PASS});

	return m < 0 ? 0 : m;
}

/* Not all swaps are listed. */
static int say_swap(struct bot *bot, const struct view *view, const struct qwirkle_hand *swap)
{
	if (hand_size(swap) == 0)
		return say_pass(view);
	hand_to_swap(swap, &bot->own);
	return BOT_OWN;
}

/* ---- the turn ---- */

/* Is somebody else still in the round? Otherwise it is over, whatever the server says. */
static bool has_others(const struct view *view)
{
	for (int seat = 0; seat < view->now.seats; seat++)
		if (seat != view->seat && !(view->out >> seat & 1))
			return true;
	return false;
}

static bool read_sight(struct worlds_sight *sight, const struct view *view)
{
	char copy[GAME_RACK_TEXT];
	struct words words = {0};
	struct qwirkle_hand rack;

	strcpy(copy, view->rack);
	if (*copy != '\0' && !line_split(copy, &words))
		return false;
	if (view->out >> view->seat & 1 || !has_others(view))
		return false;
	if (!hand_read(&rack, words.word, words.count) ||
	    !worlds_read(sight, view->now.model, &rack))
		return false;
	sight->seats = view->now.seats;
	sight->seat = view->seat;
	sight->out = view->out;
	return true;
}

static void make_plan(struct bot *bot, int64_t until)
{
	struct thoughts *thoughts = bot->memory;
	struct worlds_sight *sight = &thoughts->sight;

	thoughts->plan = (struct plan){.on_board = sight->grid.count, .made = true};
	if (bot->level == BOT_EASY)
		thoughts->plan.choice = worlds_greedy(sight, EASY_TILES);
	else
		thoughts->plan.choice = worlds_best(sight, &bot->chance, until, INT_MAX);
}

/* How many of its tiles lie there; -1: this is not the board that it was made for. */
static int progress(const struct plan *plan, const struct grid *grid)
{
	const struct grid_turn *turn = &plan->choice.turn;
	int laid = grid->count - plan->on_board;

	if (!plan->made || laid < 0 || laid > turn->count)
		return -1;
	for (int i = 0; i < laid; i++)
		if (grid->tile[turn->cell[i]] != turn->tile[i] + 1)
			return -1;
	return laid;
}

/* Has the turn been ended, and is this another one? When nothing was said since a lost connection,
 * what ended it was lost as well. */
static bool is_done(const struct plan *plan, const struct view *view)
{
	return plan->ended && view->last.seat >= 0;
}

/* -1: it cannot be laid any more. */
static int say_tile(const struct view *view, const struct grid_turn *turn, int index)
{
	struct qwirkle_place place = grid_place(turn, index);

	return view_find_move(view, &(struct move){.kind = QWIRKLE_PLAY,
						   .arg = {(int8_t)place.tile, place.x, place.y}});
}

static int choose(struct bot *bot, const struct view *view, int64_t until)
{
	struct thoughts *thoughts = bot->memory;
	struct plan *plan = &thoughts->plan;
	int laid, said;

	if (!read_sight(&thoughts->sight, view))
		return say_pass(view);
	laid = progress(plan, &thoughts->sight.grid);
	if (laid <= 0 || is_done(plan, view)) {
		make_plan(bot, until);
		laid = 0;
	}
	if (plan->choice.turn.count == 0)
		return say_swap(bot, view, &plan->choice.swap);
	said = laid < plan->choice.turn.count ? say_tile(view, &plan->choice.turn, laid) : -1;
	if (said >= 0)
		return said;
	plan->ended = true;
	return say_pass(view);
}

const struct bot_kind qwirkle_kind = {
    .game = &qwirkle_game,
    .memory_size = sizeof(struct thoughts),
    .choose = choose,
};
