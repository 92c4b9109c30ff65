/*
 * tictactoe_test - the rules of tic-tac-toe, through the interface that every game has.
 */
#include "proto/rules/game.h"
#include "tests/unit/check.h"

struct count {
	long leaves[10]; /* sequences of exactly that many moves */
	long games, drawn, won[2];
};

static const struct game *game;

/* Play every game there is. What the model says must read back as the same position. */
static void play_all(const union game_state *state, int depth, struct count *count)
{
	struct move moves[9];
	struct outcome outcome;
	union game_state read;
	char model[GAME_MODEL_MAX], again[GAME_MODEL_MAX];
	int legal = game->list_moves(state, game->turn(state), moves);

	count->leaves[depth]++;
	game->outcome(state, &outcome);
	game->print_model(state, model);
	CHECK(game->read_model(&read, model, game->turn(state)));
	game->print_model(&read, again);
	check_text(again, model);
	CHECK(memcmp(&read, state, game->state_size) == 0);
	CHECK(outcome.over == (legal == 0));
	if (outcome.over) {
		count->games++;
		if (outcome.winners == 0)
			count->drawn++;
		else
			count->won[outcome.winners >> 1]++;
	}
	for (int i = 0; i < legal; i++) {
		union game_state next = *state;

		CHECK(game->judge(state, game->turn(state), &moves[i]) == RULING_FINE);
		game->play(&next, game->turn(state), &moves[i], 0, NULL);
		play_all(&next, depth + 1, count);
	}
}

static void test_all_games(int first)
{
	static const long known[10] = {1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872};
	struct count count = {0};
	union game_state state = {0};

	game->begin(&state, &(struct setup){.seats = 2, .first = first});
	CHECK(game->turn(&state) == first);
	play_all(&state, 0, &count);
	for (int depth = 0; depth < 10; depth++)
		CHECK(count.leaves[depth] == known[depth]);
	CHECK(count.games == 255168);
	CHECK(count.drawn == 46080);
	CHECK(count.won[first] == 131184 && count.won[!first] == 77904);
}

/* The reason why a board with this turn has ended; "" when it has not. */
static const char *end_of(const char *model)
{
	static struct outcome outcome;
	union game_state state;

	CHECK(game->read_model(&state, model, -1));
	game->outcome(&state, &outcome);
	return outcome.why;
}

static void test_rows(void)
{
	check_text(end_of("XXX......"), "012");
	check_text(end_of("...OOO..."), "345");
	check_text(end_of("......XXX"), "678");
	check_text(end_of("X..X..X.."), "036");
	check_text(end_of(".X..X..X."), "147");
	check_text(end_of("..O..O..O"), "258");
	check_text(end_of("X...X...X"), "048");
	check_text(end_of("..X.X.X.."), "246");
	check_text(end_of("XOXXOXOXO"), "full");
	/* two rows at once: the smaller word */
	check_text(end_of("XXXX..X.."), "012");
	check_text(end_of("..XXXX..X"), "258");
	check_text(end_of("X...X.XXX"), "048");
}

static void test_models(void)
{
	union game_state state;

	CHECK(!game->read_model(&state, "", 0));
	CHECK(!game->read_model(&state, "XXXXXXXX", 0));
	CHECK(!game->read_model(&state, "..........", 0));
	CHECK(!game->read_model(&state, "x........", 0));
	CHECK(!game->read_model(&state, ".........", 2));
}

static bool can_read(char *first, char *second, char *third)
{
	char *const words[] = {first, second, third};
	struct move move;
	int count = first == NULL ? 0 : second == NULL ? 1 : third == NULL ? 2 : 3;

	return game->read_move(&move, words, count);
}

static void test_moves(void)
{
	CHECK(can_read("0", "0", NULL));
	CHECK(can_read("2", "-2", NULL));
	CHECK(can_read("99999999999999999999", "007", NULL));
	CHECK(!can_read(NULL, NULL, NULL));
	CHECK(!can_read("0", NULL, NULL));
	CHECK(!can_read("0", "0", "0"));
	CHECK(!can_read("0", "", NULL));
	CHECK(!can_read("-", "0", NULL));
	CHECK(!can_read("+1", "0", NULL));
	CHECK(!can_read("1.", "0", NULL));
	CHECK(!can_read("0x1", "0", NULL));
}

/* Nothing that is off the board, taken or out of turn is fine, whatever its bits. */
static void test_illegal(void)
{
	union game_state state;
	struct move move = {0};

	CHECK(game->read_model(&state, "X........", 1));
	for (int x = INT8_MIN; x <= INT8_MAX; x++) {
		for (int y = INT8_MIN; y <= INT8_MAX; y++) {
			bool on_board = x >= 0 && x < 3 && y >= 0 && y < 3;

			move.arg[0] = (int8_t)x;
			move.arg[1] = (int8_t)y;
			CHECK((game->judge(&state, 1, &move) == RULING_FINE) ==
			      (on_board && (x || y)));
			CHECK(game->judge(&state, 0, &move) == RULING_ILLEGAL);
		}
	}
}

int main(void)
{
	game = game_find("tictactoe");
	CHECK(game != NULL && game_find("chess") == NULL && game_find("") == NULL);
	test_all_games(0);
	test_all_games(1);
	test_rows();
	test_models();
	test_moves();
	test_illegal();
	return check_end();
}
