/*
 * bot_test.c - the search for games for two: tic-tac-toe is never lost, small games are played to
 * their end, Quantik's ends are judged as by counting them out, Hnefatafl's near wins are seen; with
 * its table and without it, and within its limits.
 */
#include "player/bots/bots.h"
#include "player/bots/search.h"
#include "tests/unit/check.h"

#include <stdio.h>
#include <string.h>

enum { BOARDS = 19683 }; /* 3 to the power of 9 */

static struct search search;

/* What the search would do, and what it thinks of it. The moves are turned by `turned` first, because
 * of moves that are equally good it takes the first. */
static struct move best_move(const struct game *game, const void *state, int turned, bool forgetful,
			     const struct search_limits *limits)
{
	static struct move moves[GAME_MOVES_MAX], in_order[GAME_MOVES_MAX];
	int count = game->list_moves(state, game->turn(state), in_order);

	if (search.game != game || forgetful != search.forgetful)
		memset(&search, 0, sizeof(search));
	search.game = game;
	search.insight = insight_find(game);
	search.forgetful = forgetful;
	for (int m = 0; m < count; m++)
		moves[m] = in_order[(m + turned) % count];
	return moves[search_best(&search, state, moves, count, limits)];
}

static const struct search_limits no_limits = {.until = INT64_MAX};

/* ---- tic-tac-toe: every opponent there could be ---- */

/* Boards that have been gone through already, by who is to move. */
static bool seen[2][BOARDS];

static int board_number(const struct game *game, const void *state)
{
	char model[GAME_MODEL_MAX];
	int number = 0;

	game->print_model(state, model);
	for (const char *cell = model; *cell != '\0'; cell++)
		number = 3 * number + (*cell == 'X' ? 1 : *cell == 'O' ? 2 : 0);
	return number;
}

/* How often does the bot lose from here on, whatever the other does? */
static int count_losses(const struct game *game, const union game_state *state, int bot)
{
	struct move moves[GAME_MOVES_MAX];
	struct outcome outcome;
	int turn = game->turn(state), losses = 0;
	int count;

	game->outcome(state, &outcome);
	if (outcome.over)
		return outcome.winners != 0 && !(outcome.winners >> bot & 1);
	if (seen[turn][board_number(game, state)])
		return 0;
	seen[turn][board_number(game, state)] = true;
	count = game->list_moves(state, turn, moves);
	for (int m = 0; m < count; m++) {
		union game_state next = *state;

		/* its own moves: each that chance could make it choose */
		if (turn == bot)
			moves[m] = best_move(game, state, m, false, &no_limits);
		game->play(&next, turn, &moves[m], 0, NULL);
		losses += count_losses(game, &next, bot);
	}
	return losses;
}

static void test_tictactoe(void)
{
	const struct game *game = game_find("tictactoe");

	for (int bot = 0; bot < 2; bot++)
		for (int first = 0; first < 2; first++) {
			const struct setup setup = {.seats = 2, .first = first};
			union game_state state;
			char what[64];

			memset(seen, 0, sizeof(seen));
			game->begin(&state, &setup);
			snprintf(what, sizeof(what),
				 "tic-tac-toe is never lost: seat %d, %d begins", bot, first);
			check(count_losses(game, &state, bot) == 0, what);
		}
}

/* ---- a heap, from which up to `most` are taken; who takes the last wins ---- */

struct heap {
	int left, most, turn;
};

static void play(void *state, int seat, const struct move *move, int64_t now, struct event *event)
{
	struct heap *heap = state;

	(void)now;
	(void)event;
	heap->left -= move->arg[0];
	heap->turn = !seat;
}

static enum ruling judge(const void *state, int seat, const struct move *move)
{
	const struct heap *heap = state;

	return seat == heap->turn && move->arg[0] >= 1 && move->arg[0] <= heap->most &&
		       move->arg[0] <= heap->left
		   ? RULING_FINE
		   : RULING_ILLEGAL;
}

static int list_moves(const void *state, int seat, struct move *moves)
{
	const struct heap *heap = state;
	int count = 0;

	for (int8_t take = 1; seat == heap->turn && take <= heap->most && take <= heap->left;
	     take++)
		moves[count++] = (struct move){.arg = {take}};
	return count;
}

static int turn(const void *state)
{
	const struct heap *heap = state;

	return heap->left == 0 ? -1 : heap->turn;
}

static void outcome(const void *state, struct outcome *result)
{
	const struct heap *heap = state;

	*result = (struct outcome){.over = heap->left == 0};
	if (result->over)
		result->winners = (uint16_t)(1u << !heap->turn);
}

static const struct game heap_game = {
    .name = "heap",
    .state_size = sizeof(struct heap),
    .judge = judge,
    .play = play,
    .list_moves = list_moves,
    .turn = turn,
    .outcome = outcome,
};

/* How many the bot takes. */
static int take(int left, int most, int turned)
{
	struct heap heap = {.left = left, .most = most, .turn = 1};
	const struct search_limits limits = {.until = INT64_MAX, .positions = 100000};
	union game_state state = {0};

	memcpy(&state, &heap, sizeof(heap));
	return best_move(&heap_game, &state, turned, false, &limits).arg[0];
}

static void test_heap(void)
{
	bool solved = true, wins = true, careful = true, spread = false;

	for (int turned = 0; turned < 20; turned++) {
		for (int left = 5; left <= 11; left++)
			solved = solved && (left % 4 == 0 || take(left, 3, turned) == left % 4);
		wins = wins && take(90, 100, turned) == 90;
		/* what is left must be more than the other can take */
		careful = careful && 120 - take(120, 100, turned) > 100;
		spread = spread || take(8, 3, turned) != take(8, 3, turned + 1);
	}
	check(solved, "a small heap is played to its end");
	check(wins, "a win at once is taken in a game too large to see its end");
	check(careful, "no win at once is left to the other in such a game");
	check(spread, "of moves that are equally good the first is taken");
}

/* ---- Quantik ---- */

/* Moves at random from the start. False: that was the end. */
static bool wander(const struct game *game, union game_state *state, int plies, uint64_t *chance)
{
	const struct setup setup = {.seats = 2};

	game->begin(state, &setup);
	for (int ply = 0; ply < plies; ply++) {
		struct move moves[GAME_MOVES_MAX];
		int turn = game->turn(state), count = game->list_moves(state, turn, moves);

		if (count == 0)
			return false;
		game->play(state, turn, &moves[game_draw(chance, (uint32_t)count)], 0, NULL);
	}
	return game->turn(state) >= 0;
}

/* By trying all there is. */
static bool is_won(const struct game *game, const union game_state *state)
{
	struct move moves[GAME_MOVES_MAX];
	int turn = game->turn(state), count = game->list_moves(state, turn, moves);

	for (int m = 0; m < count; m++) {
		union game_state next;

		memcpy(&next, state, game->state_size);
		game->play(&next, turn, &moves[m], 0, NULL);
		if (game->turn(&next) < 0 || !is_won(game, &next))
			return true;
	}
	return false;
}

static void test_quantik_ends(void)
{
	const struct game *game = game_find("quantik");
	uint64_t chance;
	int wins = 0, losses = 0;

	game_seed(&chance, 1);
	while (wins + losses < 60) {
		union game_state state;
		bool won;

		if (!wander(game, &state, 8, &chance))
			continue;
		won = is_won(game, &state);
		for (int forgetful = 0; forgetful < 2; forgetful++) {
			best_move(game, &state, 0, forgetful, &no_limits);
			check(won ? search.value >= SEARCH_WON : search.value <= -SEARCH_WON,
			      forgetful ? "a Quantik end is judged right without the table"
					: "a Quantik end is judged right with the table");
		}
		*(won ? &wins : &losses) += 1;
	}
	check(wins > 5 && losses > 5, "both were met");
}

/* What is found to be won is won, however the other plays. */
static void test_quantik_wins(void)
{
	const struct game *game = game_find("quantik");
	const struct search_limits limits = {.until = INT64_MAX, .positions = 400000};
	uint64_t chance;

	game_seed(&chance, 2);
	for (int round = 0; round < 6; round++) {
		union game_state state;
		struct outcome outcome;
		int us;

		wander(game, &state, 3, &chance);
		best_move(game, &state, 0, false, &limits);
		check(search.value != 0, "Quantik is seen to its end from the fourth move on");
		us = search.value > 0 ? game->turn(&state) : !game->turn(&state);
		while (game->turn(&state) >= 0) {
			int turn = game->turn(&state);
			struct move moves[GAME_MOVES_MAX];
			int count = game->list_moves(&state, turn, moves);
			struct move move = moves[game_draw(&chance, (uint32_t)count)];

			if (turn == us)
				move = best_move(game, &state, 0, false, &limits);
			game->play(&state, turn, &move, 0, NULL);
		}
		game->outcome(&state, &outcome);
		check(outcome.winners >> us & 1, "a Quantik that was won is not lost any more");
	}
}

/* Boards that are the same for who knows that rows, shapes and colours have no names. */
static void test_quantik_keys(void)
{
	static const char *const same[] = {"C...............", "....t...........",
					   "..........p.....", "...............S"};
	static const char *const others[] = {"Cp..............", "C.p.............",
					     "C.........p.....", "CP..............",
					     "C.........P....."};
	const struct game *game = game_find("quantik");
	const struct insight *insight = insight_find(game);
	uint64_t key[5];
	union game_state state;

	for (int i = 0; i < 4; i++) {
		/* the turn is with who has put nothing */
		game->read_model(&state, same[i], strpbrk(same[i], "CPST") != NULL);
		key[i] = insight->key(&state);
		check(key[i] == key[0], "the same board, turned, has the same key");
	}
	for (int i = 0; i < 5; i++) {
		game->read_model(&state, others[i], 0);
		key[i] = insight->key(&state);
		for (int j = 0; j < i; j++)
			check(key[i] != key[j], "another board has another key");
	}
}

/* ---- Hnefatafl ---- */

/* The move, as words; the turn is `seat`'s. */
static const char *tafl_move(const char *model, int seat, int depth, bool forgetful)
{
	const struct game *game = game_find("hnefatafl");
	const struct search_limits limits = {.until = INT64_MAX, .depth = depth};
	static char text[GAME_MOVE_TEXT];
	union game_state state;
	struct move move;

	check(game->read_model(&state, model, seat), "the position can be read");
	move = best_move(game, &state, 0, forgetful, &limits);
	game->print_move(&move, text);
	return text;
}

static void test_hnefatafl(void)
{
	/* the king sees a corner; an attacker can come to the other side of him; he can come to
	 * the edge, where he sees two */
	static const char escape[] = "........."
				     "........."
				     ".....A..."
				     "........."
				     "K..A....."
				     "........."
				     "....D...."
				     "A..AAA..."
				     ".........";
	static const char capture[] = "........."
				      "........."
				      "...AK..A."
				      "........."
				      "........."
				      "........."
				      "....D...."
				      "...A.A..."
				      ".........";
	static const char fork[] = "........."
				   "...A.A..."
				   "....K...."
				   "...D.D..."
				   "........."
				   ".A.....A."
				   "A..A.A..A"
				   "..A...A.."
				   ".........";

	for (int forgetful = 0; forgetful < 2; forgetful++) {
		check_text(tafl_move(escape, 1, 3, forgetful), "0 4 0 0");
		check(search.value == SEARCH_WIN - 1, "a king who sees a corner has won");
		check_text(tafl_move(capture, 0, 3, forgetful), "7 2 5 2");
		check(search.value == SEARCH_WIN - 1, "a king between two is captured");
		check_text(tafl_move(fork, 1, 3, forgetful), "4 2 4 0");
		check(search.value == SEARCH_WIN - 3, "a king who sees two corners has won");
		tafl_move(escape, 0, 2, forgetful);
		check(search.value > -SEARCH_WON, "such a king is held up by who can");
	}
}

/* ---- limits ---- */

static void test_limits(void)
{
	const struct game *game = game_find("hnefatafl");
	const struct setup setup = {.seats = 2};
	struct search_limits limits = {.until = 0};
	union game_state state;
	struct move move;

	game->begin(&state, &setup);
	move = best_move(game, &state, 3, false, &limits);
	check(game->judge(&state, 0, &move) == RULING_FINE, "a move is there even without time");
	check(search.positions <= 256, "the clock is looked at often");
	limits = (struct search_limits){.until = INT64_MAX, .positions = 1000};
	best_move(game, &state, 0, false, &limits);
	check(search.positions == 1000, "so many positions and no more");
	limits = (struct search_limits){.until = INT64_MAX, .depth = 2};
	best_move(game, &state, 0, false, &limits);
	check(search.depth == 2, "so many moves ahead and no more");
}

static void test_deadline(void)
{
	const int64_t s = 1000, now = 50 * s;

	check(bot_deadline(now, 200, now, 0) == now + s / 5, "without a clock all of --think");
	check(bot_deadline(now, 200, now, 5) == now + s / 5, "and when the clock leaves enough");
	check(bot_deadline(now, 9000, now, 8) == now + 6 * s, "a quarter of a turn is left");
	check(bot_deadline(now, 9000, now, 1) == now + s / 2, "and half a second at least");
	check(bot_deadline(now, 9000, now - 7 * s, 8) < now, "a turn that began long ago");
}

int main(void)
{
	test_tictactoe();
	test_heap();
	test_quantik_ends();
	test_quantik_wins();
	test_quantik_keys();
	test_hnefatafl();
	test_limits();
	test_deadline();
	return check_end();
}
