/*
 * search.c - alpha-beta, one move deeper each time. See search.h.
 *
 * Owns the moves on the way from the root, in the caller's `struct search`. It talks to the rules of the
 * game, to an insight and to findings.c. It never reads or writes text, and never plays on the caller's
 * state.
 *
 * The first move of a position is searched in full. The others only have to show that they are not
 * better; the few that are better are searched again. What was best before is tried first: what has been
 * found out about this position, then what was best in other positions. Where the value of a position is
 * only an estimate, moves far down that list are looked at less deeply at first.
 */
#include "player/bots/search.h"

#include "player/bots/bots.h"

#include <assert.h>
#include <string.h>

enum {
	INFINITE = SEARCH_WIN + 1,
	POSITIONS_A_LOOK = 256, /* between two looks at the clock: less than a millisecond */
	RANK_OF_FINDING = 1 << 30,
	HABIT_MAX = 1 << 24,
	REDUCED_DEPTH = 3, /* from here on moves far down the list are looked at less deeply */
	REDUCED_FROM = 4,
	RANKED = 12, /* moves that are tried in order; to find the best of more costs too much */
	REPLIES_DEPTH = 3,   /* from here on it pays to count replies */
	REPLY = 1000,	     /* what one reply less is worth in that order... */
	HABIT_A_REPLY = 100, /* ...and what part of a habit */
};

/* One position on the way from the root. */
struct node {
	const void *state;
	int turn;
	int ply; /* moves since the root */
	int depth, alpha, beta;
};

bool search_fits(const struct game *game)
{
	return game->seats_max == 2 && game->read_rack == NULL && game->join == NULL;
}

/* ---- values ---- */

/* The round is over. */
static int value_of_end(const struct search *search, const void *state, int seat, int ply)
{
	struct outcome outcome;

	search->game->outcome(state, &outcome);
	if (outcome.winners == 0)
		return 0;
	return outcome.winners >> seat & 1 ? SEARCH_WIN - ply : ply - SEARCH_WIN;
}

static int value_of_look(const struct search *search, const struct node *node)
{
	int value;

	if (!search->estimates)
		return 0;
	value = search->insight->value(node->state);
	return node->turn == 0 ? value : -value;
}

/* In the table a win is so many moves from the position, here it is so many from the root. */
static int value_to_findings(int value, int ply)
{
	return value >= SEARCH_WON ? value + ply : value <= -SEARCH_WON ? value - ply : value;
}

static int value_from_findings(int value, int ply)
{
	return value >= SEARCH_WON ? value - ply : value <= -SEARCH_WON ? value + ply : value;
}

/* ---- the table ---- */

static uint64_t key_of(const struct search *search, const void *state)
{
	const unsigned char *byte = state;
	uint64_t key = UINT64_C(0xcbf29ce484222325);

	if (search->insight != NULL && search->insight->key != NULL)
		return search->insight->key(state);
	for (size_t i = 0; i < search->game->state_size; i++)
		key = (key ^ byte[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return key ^ key >> 32;
}

/* Does what is known settle this node? A proof holds for any depth. */
static bool is_settled(struct search *search, const struct finding *found, const struct node *node,
		       int *value)
{
	*value = value_from_findings(found->value, node->ply);
	if (found->bound == BOUND_LOWER && *value < node->beta)
		return false;
	if (found->bound == BOUND_UPPER && *value > node->alpha)
		return false;
	if (found->whole || (found->bound != BOUND_UPPER && *value >= SEARCH_WON) ||
	    (found->bound != BOUND_LOWER && *value <= -SEARCH_WON))
		return true;
	if (found->depth < node->depth)
		return false;
	search->cut = true;
	return true;
}

static void keep(struct search *search, const struct node *node, uint64_t key, int best, int value)
{
	enum bound bound = value >= node->beta	 ? BOUND_LOWER
			   : value > node->alpha ? BOUND_EXACT
						 : BOUND_UPPER;
	struct finding finding = {.key = key,
				  .value = (int16_t)value_to_findings(value, node->ply),
				  .move = (uint16_t)best,
				  .depth = (uint8_t)node->depth,
				  .bound = (uint8_t)bound,
				  .whole = !search->cut};

	if (!search->stopped)
		findings_keep(&search->findings, &finding);
}

/* ---- the order of moves ---- */

static int *habit_of(struct search *search, int seat, const struct move *move)
{
	uint64_t bits;

	static_assert(sizeof(*move) == sizeof(bits), "a move is hashed as one word");
	memcpy(&bits, move, sizeof(bits));
	return &search->habit[seat][bits * UINT64_C(0x9e3779b97f4a7c15) >> 52];
}

/* Puts what was listed on top of the moves to be tried. */
static void rank_moves(struct search *search, int seat, int count, int best)
{
	struct trial *trial = &search->trial[search->top];

	for (int m = 0; m < count; m++)
		trial[m] = (struct trial){.move = search->listed[m],
					  .rank = *habit_of(search, seat, &search->listed[m]),
					  .place = m};
	if (best >= 0 && best < count)
		trial[best].rank = RANK_OF_FINDING;
	search->top += count;
}

/* Where nothing but the end counts, what leaves the other few replies is tried first: it is more
 * often a win, and is sooner known to be one. */
static void rank_by_replies(struct search *search, const struct node *node, struct trial *trial,
			    int count)
{
	const struct game *game = search->game;

	for (int m = 0; m < count; m++) {
		union game_state next;
		int turn, replies = 0;

		memcpy(&next, node->state, game->state_size);
		game->play(&next, node->turn, &trial[m].move, 0, NULL);
		turn = game->turn(&next);
		if (turn >= 0)
			replies = game->list_moves(&next, turn, search->listed);
		if (trial[m].rank < RANK_OF_FINDING)
			trial[m].rank = trial[m].rank / HABIT_A_REPLY - replies * REPLY;
	}
}

/* Exchange a move with the best of those behind it, when it is its turn. */
static void bring_best(struct trial *trial, int m, int count)
{
	struct trial chosen;
	int best = m;

	for (int i = m + 1; i < count; i++)
		if (trial[i].rank > trial[best].rank)
			best = i;
	chosen = trial[best];
	trial[best] = trial[m];
	trial[m] = chosen;
}

/* What was best long ago says less. */
static void forget_habits(struct search *search)
{
	for (int i = 0; i < SEARCH_HABITS; i++) {
		search->habit[0][i] /= 2;
		search->habit[1][i] /= 2;
	}
}

static void reward(struct search *search, const struct node *node, const struct move *move)
{
	int *habit = habit_of(search, node->turn, move);

	*habit += node->depth * node->depth;
	if (*habit >= HABIT_MAX)
		forget_habits(search);
}

/* ---- the search ---- */

static void look_at_clock(struct search *search)
{
	const struct search_limits *limits = &search->limits;

	search->positions++;
	if (limits->positions > 0 && search->positions >= limits->positions)
		search->stopped = true;
	if (search->positions % POSITIONS_A_LOOK == 0 && bot_is_time(limits->until))
		search->stopped = true;
}

static int value_of_node(struct search *search, const struct node *node);

/* The value for whose turn it is at `node`, after that seat's move; exact between alpha and beta. */
static int value_after(struct search *search, const struct node *node, const void *next, int depth,
		       int alpha, int beta)
{
	int turn = search->game->turn(next);
	struct node child = {next, turn, node->ply + 1, depth, alpha, beta};

	if (turn < 0) {
		look_at_clock(search);
		return value_of_end(search, next, node->turn, child.ply);
	}
	if (turn == node->turn)
		return value_of_node(search, &child);
	child.alpha = -beta;
	child.beta = -alpha;
	return -value_of_node(search, &child);
}

/* The `tried`th move of a position. */
static int value_of_move(struct search *search, const struct node *node, const struct move *move,
			 int tried)
{
	int less = 0, value;
	union game_state next;

	memcpy(&next, node->state, search->game->state_size);
	search->game->play(&next, node->turn, move, 0, NULL);
	if (tried == 0)
		return value_after(search, node, &next, node->depth - 1, node->alpha, node->beta);
	if (search->estimates && node->depth >= REDUCED_DEPTH && tried >= REDUCED_FROM)
		less = 1 + (tried >= 4 * REDUCED_FROM && node->depth > REDUCED_DEPTH);
	value = value_after(search, node, &next, node->depth - 1 - less, node->alpha,
			    node->alpha + 1);
	if (value > node->alpha && (less > 0 || value < node->beta) && !search->stopped)
		value = value_after(search, node, &next, node->depth - 1, node->alpha, node->beta);
	return value;
}

/* All moves of a position, as far as they matter. Gives the place of the best. */
static int value_of_moves(struct search *search, const struct node *from, struct trial *trial,
			  int count, int *best)
{
	/* the last move of a line ends the game or does not; guessing which takes as long as trying */
	int ranked = from->depth > 1 || search->estimates ? RANKED : 0;
	struct node node = *from;
	int value = -INFINITE;

	for (int m = 0; m < count && node.alpha < node.beta; m++) {
		int of_move;

		if (m < ranked)
			bring_best(trial, m, count);
		of_move = value_of_move(search, &node, &trial[m].move, m);
		if (search->stopped)
			break;
		if (of_move > value) {
			value = of_move;
			*best = trial[m].place;
		}
		if (value > node.alpha)
			node.alpha = value;
		if (value >= node.beta)
			reward(search, &node, &trial[m].move);
	}
	return value;
}

static int value_of_node(struct search *search, const struct node *node)
{
	/* a position with one move to go is searched faster than it is found in a large table */
	bool remembers = !search->forgetful && node->depth > 1;
	const struct finding *found = NULL;
	int first = search->top, best = -1, count, value;
	bool cut_before = search->cut;
	uint64_t key = 0;

	look_at_clock(search);
	if (search->stopped)
		return 0;
	if (node->depth <= 0) {
		search->cut = true;
		return value_of_look(search, node);
	}
	if (remembers) {
		key = key_of(search, node->state);
		found = findings_find(&search->findings, key);
	}
	if (found != NULL && is_settled(search, found, node, &value))
		return value;
	count = search->game->list_moves(node->state, node->turn, search->listed);
	if (count == 0 || first + count > SEARCH_MOVES) {
		search->cut = true;
		return value_of_look(search, node);
	}
	rank_moves(search, node->turn, count, found == NULL ? -1 : found->move);
	if (!search->estimates && node->depth >= REPLIES_DEPTH)
		rank_by_replies(search, node, &search->trial[first], count);
	search->cut = false;
	value = value_of_moves(search, node, &search->trial[first], count, &best);
	if (remembers)
		keep(search, node, key, best, value);
	search->cut = search->cut || cut_before;
	search->top = first;
	return value;
}

/* ---- the root ---- */

/* One depth. The best so far is tried first; so when the time is up in the middle, what has shown
 * itself to be better than that counts. */
static int search_depth(struct search *search, const struct node *root, int count, int best)
{
	struct node node = *root;
	int found = best;

	for (int m = 0; m < count; m++)
		search->trial[m].rank = search->trial[m].place == best ? RANK_OF_FINDING : 0;
	if (!search->estimates && root->depth >= REPLIES_DEPTH)
		rank_by_replies(search, root, search->trial, count);
	for (int m = 0; m < count && node.alpha < node.beta; m++) {
		const struct trial *trial = &search->trial[m];
		int value;

		if (m < RANKED)
			bring_best(search->trial, m, count);
		value = value_of_move(search, &node, &trial->move, m);
		if (search->stopped && m > 0 && search->value <= -SEARCH_WON) {
			/* those before it are lost; of this one that is not known */
			search->value = 0;
			return trial->place;
		}
		if (search->stopped)
			return found;
		if (value > node.alpha || m == 0) {
			found = trial->place;
			search->value = value;
		}
		if (value > node.alpha)
			node.alpha = value;
	}
	search->depth = root->depth;
	return found;
}

int search_best(struct search *search, const void *state, const struct move *moves, int count,
		const struct search_limits *limits)
{
	/* where there are no estimates, a win is a win */
	bool estimates = search->insight != NULL && search->insight->value != NULL;
	int edge = estimates ? INFINITE : 1;
	struct node root = {state, search->game->turn(state), 0, 0, -edge, edge};
	int most = limits->depth > 0 ? limits->depth : SEARCH_DEPTH_MAX;
	int best = 0;

	search->limits = *limits;
	search->positions = search->value = search->depth = 0;
	search->stopped = false;
	search->estimates = estimates;
	search->top = count;
	for (int m = 0; m < count; m++)
		search->trial[m] = (struct trial){.move = moves[m], .place = m};
	findings_begin_search(&search->findings);
	forget_habits(search);
	for (root.depth = 1; root.depth <= most && !search->stopped; root.depth++) {
		int found;

		search->cut = false;
		found = search_depth(search, &root, count, best);
		/* when all is lost, what was not yet known to be lost holds out longest */
		if (search->value > -SEARCH_WON || root.depth == 1)
			best = found;
		if (!search->stopped &&
		    (!search->cut || search->value >= SEARCH_WON || search->value <= -SEARCH_WON))
			break;
	}
	return best;
}
