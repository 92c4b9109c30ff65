/*
 * hnefatafl_random_test - Hnefatafl counted and played at random: what holds in every position.
 *
 *	hnefatafl_random_test [games]	check; so many random games
 *	hnefatafl_random_test perft	say how fast it is
 */
#include "tests/unit/two_sided.h"

enum { SIDE = 9, CELLS = 81, MOVE_LIMIT = 400 };

static void test_perft(void)
{
	static const long known[] = {72, 3944, 285728};
	union game_state state = start_position(0);

	for (int depth = 1; depth <= 3; depth++)
		CHECK(perft(&state, depth) == known[depth - 1]);
}

struct count {
	int attackers, defenders, kings;
};

static struct count count_pieces(const union game_state *state)
{
	char model[GAME_MODEL_MAX];
	struct count count = {0};

	game->print_model(state, model);
	for (const char *piece = model; *piece != '\0'; piece++) {
		count.attackers += *piece == 'A';
		count.defenders += *piece == 'D';
		count.kings += *piece == 'K';
	}
	return count;
}

/* A move takes at most three, and only of the other side. */
static void check_pieces(const struct count *before, const struct count *after, int mover)
{
	int attackers = before->attackers - after->attackers;
	int defenders = before->defenders - after->defenders;

	CHECK(after->kings == 1);
	CHECK(mover == 0 ? attackers == 0 : defenders == 0);
	CHECK(attackers >= 0 && attackers <= 3 && defenders >= 0 && defenders <= 3);
}

/* The board has eight symmetries: three bits say which. */
static void turn_about(int symmetry, const int8_t from[2], int8_t to[2])
{
	int8_t x = (int8_t)(symmetry & 1 ? SIDE - 1 - from[0] : from[0]);
	int8_t y = (int8_t)(symmetry & 2 ? SIDE - 1 - from[1] : from[1]);

	to[0] = symmetry & 4 ? y : x;
	to[1] = symmetry & 4 ? x : y;
}

/* Does the same game, turned about, stand the same? */
static void check_mirror(const union game_state *state, const union game_state *mirror,
			 int symmetry)
{
	char model[GAME_MODEL_MAX], mirrored[GAME_MODEL_MAX];
	struct outcome one, other;

	game->print_model(state, model);
	game->print_model(mirror, mirrored);
	for (int cell = 0; cell < CELLS; cell++) {
		int8_t from[2] = {(int8_t)(cell % SIDE), (int8_t)(cell / SIDE)}, to[2];

		turn_about(symmetry, from, to);
		CHECK(model[cell] == mirrored[to[1] * SIDE + to[0]]);
	}
	game->outcome(state, &one);
	game->outcome(mirror, &other);
	CHECK(one.over == other.over && one.winners == other.winners);
	check_text(one.why, other.why);
}

/* The last board tells how the king won or lost. */
static void check_end_read_back(const union game_state *state)
{
	char model[GAME_MODEL_MAX];
	struct outcome told, ended;
	union game_state read;

	game->outcome(state, &ended);
	CHECK(ended.over);
	if (strncmp(ended.why, "king-", 5) != 0)
		return;
	game->print_model(state, model);
	read = position(model, -1);
	game->outcome(&read, &told);
	CHECK(told.winners == ended.winners);
	check_text(told.why, ended.why);
}

static void play_random(uint64_t seed)
{
	int symmetry = (int)(seed % 8), made = 0, count;
	union game_state state = start_position(0), mirror = state;
	struct count before = count_pieces(&state), after;
	struct move moves[GAME_MOVES_MAX], mirrored = {0};
	uint64_t chance;

	game_seed(&chance, seed);
	CHECK(before.attackers == 16 && before.defenders == 8 && before.kings == 1);
	while ((count = check_position(&state, moves, &chance)) > 0 && made++ < MOVE_LIMIT) {
		const struct move *move = &moves[game_draw(&chance, (uint32_t)count)];
		int seat = game->turn(&state);

		turn_about(symmetry, move->arg, mirrored.arg);
		turn_about(symmetry, move->arg + 2, mirrored.arg + 2);
		CHECK(game->judge(&mirror, seat, &mirrored) == RULING_FINE);
		game->play(&state, seat, move, 0, NULL);
		game->play(&mirror, seat, &mirrored, 0, NULL);
		check_mirror(&state, &mirror, symmetry);
		after = count_pieces(&state);
		check_pieces(&before, &after, seat);
		before = after;
	}
	check_end_read_back(&state);
}

int main(int argc, char *argv[])
{
	long games = argc > 1 ? atol(argv[1]) : 1000;

	game = game_find("hnefatafl");
	if (argc > 1 && strcmp(argv[1], "perft") == 0)
		return print_speed(3);
	test_perft();
	for (long i = 0; i < games; i++)
		play_random((uint64_t)i);
	return check_end();
}
