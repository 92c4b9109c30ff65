/*
 * bot_search.c - choosing a move in any game whose rules are known. See bot_search.h.
 *
 * Minimax with alpha-beta, one move deeper each time, until the game is solved or enough positions
 * have been looked at. Whoever is not our seat is taken for an enemy, so it serves for more than
 * two seats and for games in which a seat moves twice in a row.
 */
#include "bot_search.h"

#include <limits.h>
#include <string.h>

/* A win is worth more the sooner it comes, a loss less. What is not known counts by its points, and
 * as a draw where there are none. */
enum { WIN = 1000, POINTS_MAX = 900, MOVES_A_POSITION = 32 };

struct search {
	const struct game *game;
	int seat;
	int positions; /* still to be looked at */
	bool cut;      /* some line was not followed to its end */
};

/* What each move at the root is worth. */
struct worth {
	int value[GAME_MOVES_MAX];
	int best;
};

static int value_of_end(const struct search *search, const struct outcome *outcome, int ply)
{
	if (outcome->winners >> search->seat & 1)
		return WIN - ply;
	return outcome->winners == 0 ? 0 : ply - WIN;
}

/* Our points before the most of the others. */
static int value_of_points(const struct search *search, const void *state)
{
	int ours, most = 0;

	if (search->game->score == NULL)
		return 0;
	ours = search->game->score(state, search->seat);
	for (int seat = 0; seat < search->game->seats_max; seat++)
		if (seat != search->seat && search->game->score(state, seat) > most)
			most = search->game->score(state, seat);
	ours -= most;
	return ours > POINTS_MAX ? POINTS_MAX : ours < -POINTS_MAX ? -POINTS_MAX : ours;
}

/* May nobody know what can happen from here on? */
static bool is_dark(const struct search *search, int turn)
{
	return turn < 0 || (search->game->read_rack != NULL && turn != search->seat);
}

/* The value for our seat, exact between alpha and beta. `ply` moves have been made. */
static int search_value(struct search *search, const void *state, int ply, int depth, int alpha,
			int beta)
{
	struct move moves[GAME_MOVES_MAX];
	union game_state next;
	struct outcome outcome;
	int turn, count, best;
	bool ours;

	search->positions--;
	search->game->outcome(state, &outcome);
	if (outcome.over)
		return value_of_end(search, &outcome, ply);
	turn = search->game->turn(state);
	if (is_dark(search, turn))
		return value_of_points(search, state);
	if (depth == 0 || search->positions <= 0) {
		search->cut = true;
		return value_of_points(search, state);
	}
	count = search->game->list_moves(state, turn, moves);
	/* listing is what costs, so a position of many moves counts as several */
	search->positions -= count / MOVES_A_POSITION;
	ours = turn == search->seat;
	best = count == 0 ? 0 : ours ? INT_MIN : INT_MAX;
	for (int m = 0; m < count && alpha < beta; m++) {
		int value;

		memcpy(&next, state, search->game->state_size);
		search->game->play(&next, turn, &moves[m], 0, NULL);
		value = search_value(search, &next, ply + 1, depth - 1, alpha, beta);
		if (ours ? value > best : value < best)
			best = value;
		if (ours && value > alpha)
			alpha = value;
		if (!ours && value < beta)
			beta = value;
	}
	return best;
}

/* False: too many positions, so not all moves have been compared. */
static bool search_root(struct search *search, const void *state, const struct move *legal,
			int count, int depth, struct worth *worth)
{
	union game_state next;

	worth->best = -WIN - 1;
	for (int m = 0; m < count; m++) {
		worth->value[m] = -WIN - 1;
		if (search->game->judge(state, search->seat, &legal[m]) != RULING_FINE)
			continue;
		memcpy(&next, state, search->game->state_size);
		search->game->play(&next, search->seat, &legal[m], 0, NULL);
		/* one less than the best, so that one as good as the best is known to be so */
		worth->value[m] = search_value(search, &next, 1, depth - 1, worth->best - 1,
					       INT_MAX);
		if (search->positions <= 0)
			return false;
		if (worth->value[m] > worth->best)
			worth->best = worth->value[m];
	}
	return true;
}

static int choose_among_best(const struct worth *worth, int count, uint32_t random)
{
	int good = 0;
	uint32_t chosen;

	for (int m = 0; m < count; m++)
		good += worth->value[m] == worth->best;
	chosen = random % (uint32_t)(good > 0 ? good : 1);
	for (int m = 0; m < count; m++)
		if (worth->value[m] == worth->best && chosen-- == 0)
			return m;
	return 0;
}

int search_choose(const struct game *game, const void *state, int seat, const struct move *legal,
		  int count, uint32_t random)
{
	struct search search = {.game = game, .seat = seat, .positions = SEARCH_POSITIONS};
	struct worth worth;
	int chosen = (int)(random % (uint32_t)count);

	for (int depth = 1; depth <= SEARCH_DEPTH_MAX; depth++) {
		search.cut = false;
		if (!search_root(&search, state, legal, count, depth, &worth))
			break;
		chosen = choose_among_best(&worth, count, random);
		if (!search.cut)
			break;
	}
	return chosen;
}

static int choose(struct bot *bot, const struct view *view, int64_t until)
{
	union game_state state;

	(void)until;
	if (!view_state(view, &state))
		return bot_choose_any(bot, view);
	return search_choose(bot->game, &state, view->seat, view->move, view->moves,
			     game_draw(&bot->chance, UINT32_MAX));
}

bool search_fits(const struct game *game)
{
	return view_has_turns(game);
}

const struct bot_kind search_kind = {.memory_size = 1, .choose = choose};
