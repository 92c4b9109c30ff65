/*
 * bot_grid_test - all turns that the bot sees on a board, against those that the rules allow.
 *
 * Random rounds; at each position both are listed, each turn as its cells and what it scores. The
 * rules are asked tile by tile, in every order. The number of rounds is the first argument.
 */
#include "player/bots/grid.h"
#include "proto/rules/qwirkle_hand.h"
#include "tests/unit/qwirkle.h"

enum { TURNS_MAX = 200000, DEEP = 4, ALL_CELLS = 91 };

/* The cells of a turn in order, then its points. */
struct shown {
	int16_t word[QWIRKLE_KINDS + 1];
};

static struct shown ours[TURNS_MAX], theirs[TURNS_MAX];
static int our_count, their_count;
static uint64_t chance;

static int compare(const void *one, const void *other)
{
	return memcmp(one, other, sizeof(struct shown));
}

static int compare_words(const void *one, const void *other)
{
	return *(const int16_t *)one - *(const int16_t *)other;
}

static struct shown shown_of(const struct qwirkle_place *lay, int count, int points)
{
	struct shown shown = {0};

	for (int i = 0; i < count; i++)
		shown.word[i] = (int16_t)((lay[i].y + ALL_CELLS) * 2 * ALL_CELLS + lay[i].x +
					  ALL_CELLS + 1);
	qsort(shown.word, (size_t)count, sizeof(shown.word[0]), compare_words);
	shown.word[QWIRKLE_KINDS] = (int16_t)points;
	return shown;
}

/* Sorted, each once. */
static int settle(struct shown *shown, int count)
{
	int kept = 0;

	qsort(shown, (size_t)count, sizeof(*shown), compare);
	for (int i = 0; i < count; i++)
		if (i == 0 || compare(&shown[i], &shown[kept - 1]) != 0)
			shown[kept++] = shown[i];
	return kept;
}

static void visit(struct grid_visitor *visitor, const struct grid_turn *turn)
{
	struct qwirkle_place lay[QWIRKLE_KINDS];

	(void)visitor;
	if (our_count == TURNS_MAX)
		return;
	for (int i = 0; i < turn->count; i++)
		lay[i] = grid_place(turn, i);
	ours[our_count++] = shown_of(lay, turn->count, turn->points);
}

static int score_of(const union game_state *state, int seat)
{
	return game->score(state, seat);
}

/* What the rules allow from here on in this turn. */
static void list_turns(const union game_state *state, struct qwirkle_place *lay, int count)
{
	struct move moves[GAME_MOVES_MAX];
	int seat = game->turn(state);
	int listed = game->list_moves(state, seat, moves);

	for (int m = 0; m < listed; m++) {
		union game_state next = *state, passed;
		int before = score_of(state, seat);

		if (moves[m].kind != QWIRKLE_PLAY)
			continue;
		lay[count] = (struct qwirkle_place){moves[m].arg[1], moves[m].arg[2],
						    (uint8_t)moves[m].arg[0]};
		game->play(&next, seat, &moves[m], 0, NULL);
		if (game->turn(&next) != seat)
			continue; /* the round has ended, with a bonus that is no part of the turn */
		passed = next;
		game->play(&passed, seat, &(struct move){.kind = QWIRKLE_PASS}, 0, NULL);
		if (their_count < TURNS_MAX)
			theirs[their_count++] = shown_of(lay, count + 1,
							 score_of(&passed, seat) - before);
		list_turns(&next, lay, count + 1);
	}
}

static uint64_t tiles_in(const char *rack)
{
	char copy[GAME_RACK_TEXT];
	struct words words;
	struct qwirkle_hand hand;

	snprintf(copy, sizeof(copy), "%s", rack);
	CHECK(line_split(copy, &words) && hand_read(&hand, words.word, words.count));
	return hand_tiles(&hand);
}

static void compare_turns(const union game_state *state)
{
	static struct grid grid;
	struct grid_visitor visitor = {visit};
	struct qwirkle_place lay[QWIRKLE_KINDS];
	struct qwirkle_board board;
	char model[GAME_MODEL_MAX], rack[GAME_RACK_TEXT];
	int bag, seat = game->turn(state), on_board;

	game->print_model(state, model);
	game->print_rack(state, seat, rack);
	if (!qwirkle_read_board(&board, &bag, model) || bag == 0 || board.count == 0)
		return;
	grid_set(&grid, &board);
	on_board = grid.count;
	our_count = their_count = 0;
	grid_each_turn(&grid, tiles_in(rack), &visitor);
	check(grid.count == on_board, "the grid is left as it was");
	list_turns(state, lay, 0);
	our_count = settle(ours, our_count);
	their_count = settle(theirs, their_count);
	if (our_count != their_count ||
	    memcmp(ours, theirs, sizeof(ours[0]) * (size_t)our_count) != 0)
		check_fail(model);
}

/* Of the first turn only what it scores can be compared, and how many tiles it has. */
static int best_points;
static void visit_best(struct grid_visitor *visitor, const struct grid_turn *turn)
{
	(void)visitor;
	if (turn->points > best_points)
		best_points = turn->points;
}

static void test_first(void)
{
	static struct grid grid;
	struct grid_visitor visitor = {visit_best};
	static const struct {
		const char *rack;
		int points;
	} firsts[] = {{"a1 b2 c3 d4 e5 f6", 1},
		      {"a1 a1 a1 b2 b2 b2", 1},
		      {"a1 a2 b2 c2 d1 e1", 3},
		      {"a1 a2 a3 a4 a5 a6", 12},
		      {"a1 b1 c1 d1 e1 e1", 5}};

	for (size_t i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++) {
		grid_set(&grid, &(struct qwirkle_board){0});
		best_points = 0;
		grid_each_turn(&grid, tiles_in(firsts[i].rack), &visitor);
		if (best_points != firsts[i].points)
			check_fail(firsts[i].rack);
	}
}

/* A round of random turns, of which many have several tiles. */
static void play_round(uint64_t seed)
{
	struct move moves[GAME_MOVES_MAX];
	union game_state state;

	start(&state, 2, seed, false);
	for (int n = 0; game->turn(&state) >= 0; n++) {
		int seat = game->turn(&state), count = game->list_moves(&state, seat, moves);
		int plays = 0, chosen;

		while (plays < count && moves[plays].kind == QWIRKLE_PLAY)
			plays++;
		chosen = plays > 0 ? (int)game_draw(&chance, (uint32_t)plays) : plays;
		/* a turn that goes on has no list of its own here */
		game->play(&state, seat, &moves[chosen], 0, NULL);
		if (game->turn(&state) == seat && game_draw(&chance, 3) > 0)
			continue;
		if (game->turn(&state) == seat)
			game->play(&state, seat, &(struct move){.kind = QWIRKLE_PASS}, 0, NULL);
		if (game->turn(&state) >= 0)
			compare_turns(&state);
	}
}

int main(int argc, char *argv[])
{
	long rounds = argc > 1 ? atol(argv[1]) : 5;

	game = game_find("qwirkle");
	game_seed(&chance, 1);
	test_first();
	for (long round = 0; round < rounds; round++)
		play_round((uint64_t)round);
	return check_end();
}
