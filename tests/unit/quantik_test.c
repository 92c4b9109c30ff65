/*
 * quantik_test - the rules of Quantik, sentence by sentence, and random games.
 *
 *	quantik_test [games]	check; so many random games
 *	quantik_test perft	say how fast it is
 */
#include "tests/unit/two_sided.h"

enum { CELLS = 16 };

/* Each side has two each of four shapes. */
static void test_rule_two_of_each(void)
{
	union game_state state = position("C..p............", 0);

	make_move(&state, "2 2 C");
	make_move(&state, "3 3 P");
	CHECK(judge_words(&state, "1 1 C") == RULING_ILLEGAL);
	CHECK(judge_words(&state, "0 1 P") == RULING_FINE);
	make_move(&state, "1 1 S");
	CHECK(judge_words(&state, "0 1 P") == RULING_ILLEGAL);
	CHECK(judge_words(&state, "0 1 T") == RULING_FINE);
}

/* Who begins is what the setup says; then the turn changes. */
static void test_rule_turns(void)
{
	for (int first = 0; first < 2; first++) {
		union game_state state = start_position(first);

		check_model(&state, "................");
		CHECK(game->turn(&state) == first);
		make_move(&state, "2 1 S");
		check_model(&state, first == 0 ? "......S........." : "......s.........");
		CHECK(game->turn(&state) == !first);
	}
	CHECK(game->first == FIRST_ALTERNATES && game->rounds == 2);
}

/* Only empty cells of the board, only shapes that there are. */
static void test_rule_empty_cell(void)
{
	union game_state state = position("C..............p", 0);

	CHECK(judge_words(&state, "0 0 T") == RULING_ILLEGAL);
	CHECK(judge_words(&state, "3 3 T") == RULING_ILLEGAL);
	CHECK(judge_words(&state, "0 1 T") == RULING_FINE);
	CHECK(judge_words(&state, "4 0 T") == RULING_ILLEGAL);
	CHECK(judge_words(&state, "0 4 T") == RULING_ILLEGAL);
	CHECK(judge_words(&state, "-1 0 T") == RULING_ILLEGAL);
	CHECK(judge_words(&state, "99999999999 0 T") == RULING_ILLEGAL);
	CHECK(judge_words(&state, "0 1 t") == RULING_ILLEGAL);
	CHECK(judge_words(&state, "0 1 X") == RULING_ILLEGAL);
	CHECK(judge_words(&state, "0 1 TT") == RULING_ILLEGAL);
	CHECK(judge_words(&state, "0 1 7") == RULING_ILLEGAL);
	CHECK(judge_words(&state, "0 1") == RULING_UNREADABLE);
	CHECK(judge_words(&state, "0 1 T T") == RULING_UNREADABLE);
	CHECK(judge_words(&state, "T 1 0") == RULING_UNREADABLE);
	CHECK(judge_words(&state, "0 x T") == RULING_UNREADABLE);
}

/* The opponent's shape closes its row, column and square; one's own closes nothing. */
static void test_rule_opponents_shape(void)
{
	static const char closed[] = "..x." /* by a piece at 2 1 */
				     "xxxx"
				     "..x."
				     "..x.";
	union game_state theirs = position("......p.........", 0);
	union game_state own = position("......P.........", 0);

	for (int cell = 0; cell < CELLS; cell++) {
		bool in_square = cell == 2 || cell == 3;
		char text[16];

		snprintf(text, sizeof(text), "%d %d P", cell % 4, cell / 4);
		CHECK((judge_words(&theirs, text) == RULING_FINE) ==
		      (closed[cell] == '.' && !in_square));
		CHECK((judge_words(&own, text) == RULING_FINE) == (cell != 6));
		text[4] = 'S';
		CHECK((judge_words(&theirs, text) == RULING_FINE) == (cell != 6));
	}
}

static void check_win(const char *model, int turn, const char *text, const char *why)
{
	union game_state state = position(model, turn);

	check_goes_on(&state);
	make_move(&state, text);
	check_over(&state, turn, why);
}

/* Four different shapes in a row, a column or a square win, of whatever colour. */
static void test_rule_four_shapes(void)
{
	check_win("CPS.............", 0, "3 0 T", "row-0");
	check_win("....cpS.........", 1, "3 1 T", "row-1");
	check_win("........t.sC....", 0, "1 2 P", "row-2");
	check_win("............Tps.", 0, "3 3 C", "row-3");
	check_win("c...p...s.......", 0, "0 3 T", "column-0");
	check_win(".C...P.......s..", 1, "1 2 T", "column-1");
	check_win("......c...p...t.", 1, "2 0 S", "column-2");
	check_win("...C.......S...T", 0, "3 1 P", "column-3");
	check_win("CP..s...........", 0, "1 1 T", "square-0");
	check_win("...P..cs........", 1, "2 0 T", "square-1");
	check_win("........Cp...S..", 0, "0 3 T", "square-2");
	check_win("..........Cp...S", 0, "2 3 T", "square-3");
}

/* Four of which two are alike do not win. */
static void test_rule_shapes_must_differ(void)
{
	union game_state state = position("CPS.............", 0);

	make_move(&state, "3 0 S");
	check_goes_on(&state);
	/* nor does a line that was complete before */
	state = position("CPST............", 1);
	make_move(&state, "1 3 S");
	check_goes_on(&state);
}

/* One move, several lines: rows before columns before squares. */
static void test_rule_which_line(void)
{
	check_win(".PST"
		  "p..."
		  "s..."
		  "t...",
		  0, "0 0 C", "row-0");
	check_win(".PST"
		  "sT.."
		  "...."
		  "....",
		  0, "0 0 C", "row-0");
	check_win(".P.."
		  "sT.."
		  "p..."
		  "t...",
		  0, "0 0 C", "column-0");
}

/* Who has no legal move when it is his turn loses, on a full board too. */
static void test_rule_no_moves(void)
{
	union game_state state = position("ppTS"
					  "ss.."
					  "...t"
					  "TC.C",
					  0);

	check_goes_on(&state);
	make_move(&state, "2 1 P");
	check_over(&state, 0, "no-moves");
	state = position(".S.t"
			 "Sp.C"
			 ".cPP"
			 ".ptC",
			 1);
	make_move(&state, "0 2 C");
	check_over(&state, 1, "no-moves");
	state = position("ttsP"
			 "S.cc"
			 "SpTT"
			 "CCsP",
			 1);
	make_move(&state, "1 1 P");
	check_over(&state, 1, "no-moves");
	CHECK(game->list_moves(&state, 0, &(struct move){0}) == 0);
}

/* How a round ended can be told from its last board, as far as that is clear. */
static void test_last_board(void)
{
	union game_state state = position("CPST............", -1);

	check_over(&state, 0, "row-0");
	state = position("CPSt............", -1); /* more white ones: white moved last */
	check_over(&state, 0, "row-0");
	state = position("CPst............", -1); /* either of them */
	check_over(&state, -1, "");
	state = position("cpst..CC........", -1);
	check_over(&state, 1, "row-0");
	state = position("................", -1);
	check_over(&state, -1, "");
}

static void test_models(void)
{
	union game_state state;

	CHECK(!game->read_model(&state, "", 0));
	CHECK(!game->read_model(&state, "...............", 0));
	CHECK(!game->read_model(&state, ".................", 0));
	CHECK(!game->read_model(&state, "X...............", 0));
	CHECK(!game->read_model(&state, "................", 2));
	CHECK(!game->read_model(&state, "................", -2));
}

/* Nothing is judged: a taken cell, a third of a shape, a line that would win. */
static void test_put(void)
{
	union game_state state = position("CPSC............", 0);
	struct event event = {0};
	struct move move;

	CHECK(read_words(&move, "3 0 C") && game->put(&state, 0, &move, &event));
	check_text(event.text, "3 0 C");
	check_model(&state, "CPSC............");
	CHECK(game->turn(&state) == 1);
	CHECK(read_words(&move, "3 0 T") && game->put(&state, 1, &move, &event));
	CHECK(event.seat == 1);
	check_model(&state, "CPSt............");
	check_goes_on(&state);
	CHECK(read_words(&move, "1 1 C") && game->put(&state, 0, &move, NULL));
	CHECK(read_words(&move, "2 2 C") && game->put(&state, 0, &move, NULL));
	check_model(&state, "CPSt.C....C.....");
	CHECK(read_words(&move, "4 0 C") && !game->put(&state, 1, &move, &event));
	CHECK(read_words(&move, "0 0 c") && !game->put(&state, 1, &move, &event));
	check_model(&state, "CPSt.C....C.....");
}

static void test_perft(void)
{
	static const long known[] = {64, 3392, 167552, 6776960};
	union game_state state = start_position(0);

	for (int depth = 1; depth <= 4; depth++)
		CHECK(perft(&state, depth) == known[depth - 1]);
}

/* As many pieces as moves, and never more than two of one kind. */
static void check_pieces(const union game_state *state, int moves)
{
	char model[GAME_MODEL_MAX];
	int pieces = 0;

	game->print_model(state, model);
	for (const char *letter = "CPSTcpst"; *letter != '\0'; letter++) {
		int count = 0;

		for (int cell = 0; cell < CELLS; cell++)
			count += model[cell] == *letter;
		CHECK(count <= 2);
		pieces += count;
	}
	CHECK(pieces == moves);
}

/* The last board tells how the round ended, or nothing; never something else. */
static void check_end_read_back(const union game_state *state)
{
	char model[GAME_MODEL_MAX];
	struct outcome told, ended;
	union game_state read;

	game->print_model(state, model);
	read = position(model, -1);
	game->outcome(&read, &told);
	game->outcome(state, &ended);
	CHECK(ended.winners == 1 || ended.winners == 2);
	CHECK(told.winners == 0 || told.winners == ended.winners);
	check_text(told.why, told.winners == 0 ? "" : ended.why);
}

static void play_random(uint64_t seed)
{
	uint64_t chance;
	struct move moves[GAME_MOVES_MAX];
	union game_state state = start_position((int)(seed % 2)), read;
	char model[GAME_MODEL_MAX];
	int made = 0, count;

	game_seed(&chance, seed);
	while ((count = check_position(&state, moves, &chance)) > 0) {
		int seat = game->turn(&state);

		game->print_model(&state, model);
		read = position(model, seat);
		CHECK(memcmp(&read, &state, game->state_size) == 0);
		check_pieces(&state, made++);
		game->play(&state, seat, &moves[game_draw(&chance, (uint32_t)count)], 0, NULL);
	}
	check_pieces(&state, made);
	check_end_read_back(&state);
}

int main(int argc, char *argv[])
{
	long games = argc > 1 ? atol(argv[1]) : 1000;

	game = game_find("quantik");
	if (argc > 1 && strcmp(argv[1], "perft") == 0)
		return print_speed(4);
	test_rule_two_of_each();
	test_rule_turns();
	test_rule_empty_cell();
	test_rule_opponents_shape();
	test_rule_four_shapes();
	test_rule_shapes_must_differ();
	test_rule_which_line();
	test_rule_no_moves();
	test_last_board();
	test_models();
	test_put();
	test_perft();
	for (long i = 0; i < games; i++)
		play_random((uint64_t)i);
	return check_end();
}
