/*
 * bot_test.c - the bot's choice: never lost in tic-tac-toe, and sound where it cannot see the end.
 */
#include "../player/bot_search.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

enum { BOARDS = 19683 }; /* 3 to the power of 9 */

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
	int turn = game->turn(state), number = board_number(game, state), losses = 0;
	unsigned tried = 0;
	int count;

	game->outcome(state, &outcome);
	if (outcome.over)
		return outcome.winners != 0 && !(outcome.winners >> bot & 1);
	if (seen[turn][number])
		return 0;
	seen[turn][number] = true;
	count = game->list_moves(state, turn, moves);
	for (int m = 0; m < count; m++) {
		union game_state next = *state;
		/* its own moves: each that chance could make it choose */
		int made = turn == bot ? search_choose(game, state, bot, moves, count, (uint32_t)m)
				       : m;

		if (tried >> made & 1)
			continue;
		tried |= 1u << made;
		game->play(&next, turn, &moves[made], 0, NULL);
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
	int left, most, turn, seats;
};

static void play(void *state, int seat, const struct move *move, int64_t now, struct event *event)
{
	struct heap *heap = state;

	(void)now;
	(void)event;
	heap->left -= move->arg[0];
	heap->turn = (seat + 1) % heap->seats;
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
	return ((const struct heap *)state)->turn;
}

static void outcome(const void *state, struct outcome *result)
{
	const struct heap *heap = state;

	*result = (struct outcome){.over = heap->left == 0};
	if (result->over)
		result->winners = (uint16_t)(1u << (heap->turn + heap->seats - 1) % heap->seats);
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
static int take(int left, int most, int seats, uint32_t random)
{
	union game_state state = {0};
	struct heap heap = {.left = left, .most = most, .turn = 1, .seats = seats};
	struct move moves[GAME_MOVES_MAX];
	int count;

	memcpy(&state, &heap, sizeof(heap));
	count = list_moves(&state, 1, moves);
	return moves[search_choose(&heap_game, &state, 1, moves, count, random)].arg[0];
}

static void test_heap(void)
{
	bool solved = true, wins = true, careful = true, three = true, spread = false;

	for (uint32_t random = 0; random < 20; random++) {
		for (int left = 5; left <= 11; left++)
			solved = solved && (left % 4 == 0 || take(left, 3, 2, random) == left % 4);
		wins = wins && take(90, 100, 2, random) == 90;
		/* what is left must be more than the other can take */
		careful = careful && 120 - take(120, 100, 2, random) > 100;
		three = three && take(7, 9, 3, random) == 7;
		spread = spread || take(8, 3, 2, random) != take(8, 3, 2, random + 1);
	}
	check(solved, "a small heap is played to its end");
	check(wins, "a win at once is taken in a game too large to see its end");
	check(careful, "no win at once is left to the other in such a game");
	check(three, "a win at once is taken among three");
	check(spread, "moves that are equally good are all made at times");
}

int main(void)
{
	test_tictactoe();
	test_heap();
	return check_end();
}
