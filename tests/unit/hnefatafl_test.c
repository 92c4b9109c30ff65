/*
 * hnefatafl_test - the rules of Hnefatafl, by their numbers.
 */
#include "tests/unit/two_sided.h"

enum { SIDE = 9, CELLS = 81, MOVE_LIMIT = 400 };

static const char start[] = "...AAA..."
			    "....A...."
			    "....D...."
			    "A...D...A"
			    "AADDKDDAA"
			    "A...D...A"
			    "....D...."
			    "....A...."
			    "...AAA...";

/* An empty board with some pieces: "A 3 0, K 4 4". */
static union game_state pieces(const char *list, int turn)
{
	char model[CELLS + 1], letter;
	int x, y, length;

	memset(model, '.', CELLS);
	model[CELLS] = '\0';
	while (sscanf(list, " %c %d %d%n", &letter, &x, &y, &length) == 3) {
		model[y * SIDE + x] = letter;
		list += length;
		list += *list == ',';
	}
	return position(model, turn);
}

static char at(const union game_state *state, int x, int y)
{
	char model[GAME_MODEL_MAX];

	game->print_model(state, model);
	return model[y * SIDE + x];
}

static bool is_fine(const union game_state *state, const char *text)
{
	return judge_words(state, text) == RULING_FINE;
}

/* How many pieces stand on the board after this move from this position? */
static int left_after(const char *list, int turn, const char *text)
{
	union game_state state = pieces(list, turn);
	char model[GAME_MODEL_MAX];
	int count = 0;

	make_move(&state, text);
	game->print_model(&state, model);
	for (int i = 0; i < CELLS; i++)
		count += model[i] != '.';
	return count;
}

static void check_end_after(const char *list, int turn, const char *text, int winner,
			    const char *why)
{
	union game_state state = pieces(list, turn);

	check_goes_on(&state);
	make_move(&state, text);
	check_over(&state, winner, why);
}

static void check_no_end_after(const char *list, int turn, const char *text)
{
	union game_state state = pieces(list, turn);

	make_move(&state, text);
	check_goes_on(&state);
}

/* Attackers first, in every round; exactly one piece a turn, one's own. */
static void test_rule_1_turns(void)
{
	for (int first = 0; first < 2; first++) {
		union game_state state = start_position(first);
		union game_state read = position(start, 0);

		check_model(&state, start);
		CHECK(game->turn(&state) == 0);
		CHECK(memcmp(&state, &read, game->state_size) == 0);
		CHECK(judge_words(&state, "4 2 3 2") == RULING_ILLEGAL); /* a defender */
		CHECK(judge_words(&state, "2 2 3 2") == RULING_ILLEGAL); /* nothing */
		CHECK(judge_words(&state, "3 0 3 0") == RULING_ILLEGAL); /* nowhere */
		make_move(&state, "3 0 3 2");
		CHECK(game->turn(&state) == 1);
		CHECK(judge_words(&state, "3 2 3 1") == RULING_ILLEGAL);
		make_move(&state, "4 2 5 2");
		CHECK(game->turn(&state) == 0);
	}
	CHECK(game->first == FIRST_SEAT_0);
}

/* Any number of empty cells in a line, jumping nobody. */
static void test_rule_2_rook(void)
{
	union game_state state = pieces("A 2 3, D 2 6, K 6 3, A 2 0", 0);

	CHECK(is_fine(&state, "2 3 2 1") && is_fine(&state, "2 3 2 5"));
	CHECK(is_fine(&state, "2 3 0 3") && is_fine(&state, "2 3 5 3"));
	CHECK(!is_fine(&state, "2 3 2 0") && !is_fine(&state, "2 3 2 6"));
	CHECK(!is_fine(&state, "2 3 2 7") && !is_fine(&state, "2 3 6 3"));
	CHECK(!is_fine(&state, "2 3 8 3"));
	CHECK(!is_fine(&state, "2 3 3 4") && !is_fine(&state, "2 3 4 4"));
	CHECK(!is_fine(&state, "2 3 3 5"));
	CHECK(!is_fine(&state, "2 3 2 -1") && !is_fine(&state, "2 3 9 3"));
	CHECK(!is_fine(&state, "2 3 2 1000000000000") && !is_fine(&state, "-1 3 2 3"));
	/* the king as well */
	state = pieces("K 4 4, A 4 1", 1);
	CHECK(is_fine(&state, "4 4 4 2") && is_fine(&state, "4 4 0 4"));
	CHECK(!is_fine(&state, "4 4 4 1") && !is_fine(&state, "4 4 4 0"));
	CHECK(!is_fine(&state, "4 4 5 5"));
}

/* Only the king may end on the throne or a corner; others pass over the empty throne. */
static void test_rule_3_throne_and_corners(void)
{
	union game_state state = pieces("A 4 2, A 0 3, K 7 7", 0);

	CHECK(!is_fine(&state, "4 2 4 4"));
	CHECK(is_fine(&state, "4 2 4 3") && is_fine(&state, "4 2 4 5") &&
	      is_fine(&state, "4 2 4 8"));
	CHECK(!is_fine(&state, "0 3 0 0") && is_fine(&state, "0 3 0 1"));
	CHECK(!is_fine(&state, "0 3 0 8") && is_fine(&state, "0 3 0 7"));
	state = pieces("D 2 4, D 8 3, K 7 4, A 0 1", 1);
	CHECK(!is_fine(&state, "2 4 4 4") && is_fine(&state, "2 4 6 4"));
	CHECK(!is_fine(&state, "8 3 8 0") && !is_fine(&state, "8 3 8 8"));
	/* the king returns to the throne, passes it, and takes the corners */
	CHECK(is_fine(&state, "7 4 4 4") && is_fine(&state, "7 4 3 4"));
	for (int corner = 0; corner < 4; corner++) {
		int x = corner % 2 * 8, y = corner / 2 * 8;
		char list[32], text[16];

		snprintf(list, sizeof(list), "K %d 5, A 3 3", x);
		state = pieces(list, 1);
		snprintf(text, sizeof(text), "%d 5 %d %d", x, x, y);
		CHECK(is_fine(&state, text));
	}
	/* nobody passes over the king on his throne */
	state = pieces("D 2 4, K 4 4, A 6 4", 0);
	CHECK(is_fine(&state, "6 4 5 4") && !is_fine(&state, "6 4 3 4"));
}

static void test_rule_4_capture_between_two(void)
{
	union game_state state = pieces("A 2 2, D 3 2, A 4 6, K 7 7, D 8 6", 0);

	make_move(&state, "4 6 4 2");
	CHECK(at(&state, 3, 2) == '.' && at(&state, 2, 2) == 'A' && at(&state, 4, 2) == 'A');
	check_goes_on(&state);
	/* in a column, by defenders; not when the second is not directly opposite */
	CHECK(left_after("D 2 2, A 2 3, D 6 4, K 7 7, A 8 1", 1, "6 4 2 4") == 4);
	CHECK(left_after("D 2 1, A 2 3, D 6 4, K 7 7, A 8 1", 1, "6 4 2 4") == 5);
	CHECK(left_after("D 1 3, A 2 3, D 6 4, K 7 7, A 8 1", 1, "6 4 2 4") == 5);
	/* an enemy's friend and a friend's friend are no enemies */
	CHECK(left_after("D 2 2, D 2 3, A 6 4, K 7 7, A 8 1", 0, "6 4 2 4") == 5);
	CHECK(left_after("A 2 2, A 2 3, A 6 4, K 7 7, A 8 1", 0, "6 4 2 4") == 5);
	/* the board's edge captures nobody */
	CHECK(left_after("D 0 3, A 5 3, K 7 7", 0, "5 3 1 3") == 3);
}

static void test_rule_4_capture_by_king(void)
{
	/* as the one who moves, and as the partner */
	CHECK(left_after("D 2 2, A 2 3, K 6 4, A 8 1", 1, "6 4 2 4") == 3);
	CHECK(left_after("K 2 2, A 2 3, D 6 4, A 8 1", 1, "6 4 2 4") == 3);
	CHECK(left_after("K 4 4, A 4 3, D 7 2, A 8 1", 1, "7 2 4 2") == 3);
}

static void test_rule_4_capture_against_corner(void)
{
	CHECK(left_after("D 1 0, A 2 5, K 7 7", 0, "2 5 2 0") == 2);
	CHECK(left_after("D 8 1, A 2 2, K 6 7", 0, "2 2 8 2") == 2);
	CHECK(left_after("A 0 7, D 5 6, K 7 7, A 5 5", 1, "5 6 0 6") == 3);
	CHECK(left_after("A 7 8, K 6 3, A 5 5", 1, "6 3 6 8") == 2);
}

static void test_rule_4_capture_against_throne(void)
{
	/* empty: hostile to both */
	CHECK(left_after("D 4 3, A 7 2, K 7 7", 0, "7 2 4 2") == 2);
	CHECK(left_after("A 3 4, D 2 7, K 7 7, A 8 1", 1, "2 7 2 4") == 3);
	/* the king on it: not against his own */
	CHECK(left_after("D 4 3, A 7 2, K 4 4", 0, "7 2 4 2") == 3);
}

/* Three at once, of any kind of partner. */
static void test_rule_4_capture_three(void)
{
	union game_state state = pieces("D 3 2, A 2 2, D 5 2, A 6 2, D 4 3, A 4 0, K 7 7", 0);

	make_move(&state, "4 0 4 2"); /* the third against the empty throne */
	CHECK(at(&state, 3, 2) == '.' && at(&state, 5, 2) == '.' && at(&state, 4, 3) == '.');
	CHECK(left_after("A 3 5, D 2 5, A 5 5, K 6 5, A 4 6, D 4 7, D 4 0, A 8 1", 1, "4 0 4 5") ==
	      5);
}

static void test_rule_4_moving_in_between_is_safe(void)
{
	CHECK(left_after("A 2 2, A 4 2, D 3 6, K 7 7", 1, "3 6 3 2") == 4);
	CHECK(left_after("D 2 2, K 4 2, A 3 6, A 8 1", 0, "3 6 3 2") == 4);
	CHECK(left_after("D 2 0, A 1 5, K 7 7", 0, "1 5 1 0") == 3);
	/* and stays safe from a move elsewhere */
	CHECK(left_after("A 2 2, A 4 2, D 3 2, K 7 7, A 0 6", 0, "0 6 0 5") == 5);
}

static void test_rule_5_king_on_throne(void)
{
	check_end_after("K 4 4, A 3 4, A 5 4, A 4 5, A 4 1", 0, "4 1 4 3", 0, "king-captured");
	check_no_end_after("K 4 4, A 3 4, A 5 4, A 4 1", 0, "4 1 4 3");
	check_no_end_after("K 4 4, A 3 4, A 5 4, D 4 5, A 4 1", 0, "4 1 4 3");
	check_no_end_after("K 4 4, A 3 4, A 5 1", 0, "5 1 5 4");
}

static void test_rule_5_king_beside_throne(void)
{
	check_end_after("K 4 3, A 3 3, A 5 3, A 4 0", 0, "4 0 4 2", 0, "king-captured");
	check_end_after("K 3 4, A 3 3, A 2 4, A 3 8", 0, "3 8 3 5", 0, "king-captured");
	/* two opposite ones do not suffice, nor one and the throne, nor with a defender */
	check_no_end_after("K 4 3, A 3 3, A 5 0", 0, "5 0 5 3");
	check_no_end_after("K 4 3, A 4 0", 0, "4 0 4 2");
	check_no_end_after("K 4 3, A 3 3, D 5 3, A 4 0", 0, "4 0 4 2");
}

static void test_rule_5_king_elsewhere(void)
{
	check_end_after("K 2 2, A 1 2, A 3 7", 0, "3 7 3 2", 0, "king-captured");
	check_end_after("K 0 4, A 0 3, A 5 5", 0, "5 5 0 5", 0, "king-captured");
	check_end_after("K 4 2, A 3 2, A 5 7", 0, "5 7 5 2", 0, "king-captured");
	check_end_after("K 1 0, A 2 5", 0, "2 5 2 0", 0, "king-captured"); /* the corner */
	/* not directly opposite; the edge */
	check_no_end_after("K 2 2, A 2 1, A 3 7", 0, "3 7 3 2");
	check_no_end_after("K 0 4, A 5 4", 0, "5 4 1 4");
	/* an attacker and a defender */
	check_no_end_after("K 2 2, D 1 2, A 3 7", 0, "3 7 3 2");
	/* he moves in between, and stays there while others move */
	check_no_end_after("K 2 7, A 1 2, A 3 2", 1, "2 7 2 2");
	check_no_end_after("K 2 2, A 1 2, A 3 2, A 8 4", 0, "8 4 8 5");
	check_no_end_after("K 2 2, A 1 2, A 3 2, A 2 8", 0, "2 8 2 3");
}

/* The king is not taken off: the last board shows how it ended. */
static void test_rule_5_board_tells(void)
{
	union game_state state = pieces("K 2 2, A 1 2, A 3 7", 0);

	make_move(&state, "3 7 3 2");
	CHECK(at(&state, 2, 2) == 'K');
	state = pieces("K 2 2, A 1 2, A 3 2", -1);
	check_over(&state, 0, "king-captured");
	state = pieces("K 4 4, A 3 4, A 5 4, A 4 5, A 4 3", -1);
	check_over(&state, 0, "king-captured");
	state = pieces("K 4 3, A 3 3, A 5 3", -1);
	check_over(&state, -1, "repetition");
	state = pieces("K 0 8, A 3 3", -1);
	check_over(&state, 1, "king-escaped");
	state = pieces("K 3 8", -1);
	check_over(&state, 1, "no-moves");
	state = pieces("K 4 0, A 3 0, A 5 0, A 4 1", -1);
	check_over(&state, 0, "king-captured");
	state = pieces("A 3 0, D 5 0", -1);
	check_over(&state, -1, "repetition");
}

static void test_rule_6_king_escapes(void)
{
	check_end_after("K 3 0, A 5 5", 1, "3 0 0 0", 1, "king-escaped");
	check_end_after("K 8 2, A 5 5", 1, "8 2 8 0", 1, "king-escaped");
	check_end_after("K 0 3, A 5 5", 1, "0 3 0 8", 1, "king-escaped");
	check_end_after("K 8 3, A 5 5", 1, "8 3 8 8", 1, "king-escaped");
	check_no_end_after("K 4 3, A 5 5", 1, "4 3 4 4");
	check_no_end_after("K 3 0, A 5 5", 1, "3 0 1 0");
}

static void test_rule_7_no_moves(void)
{
	/* the last attacker is captured; the king is shut in at the edge */
	check_end_after("K 7 7, D 2 2, A 2 3, D 5 4", 1, "5 4 2 4", 1, "no-moves");
	check_end_after("K 4 0, A 3 0, A 5 0, A 4 5", 0, "4 5 4 1", 0, "no-moves");
	/* neither the corner nor the defenders let the last attacker out */
	check_end_after("K 7 7, A 1 0, D 2 0, D 1 7", 1, "1 7 1 1", 1, "no-moves");
}

/* Captures first, then the king, then who cannot move. */
static void test_rule_7_order(void)
{
	/* the capture opens a way */
	check_no_end_after("K 0 3, A 0 2, A 0 4, D 1 3, A 1 2, A 2 3, A 1 8", 0, "1 8 1 4");
	/* captured, and shut in as well */
	check_end_after("K 4 0, A 3 0, A 4 1, A 5 5", 0, "5 5 5 0", 0, "king-captured");
	/* on the corner, and the last attacker captured from there */
	check_end_after("K 0 5, A 1 0, D 2 0", 1, "0 5 0 0", 1, "king-escaped");
}

/* Back and forth, both of them: four moves bring the position back. */
static void shuffle(union game_state *state, int times)
{
	for (int i = 0; i < times; i++)
		make_move(state,
			  (const char *const[]){"3 0 2 0", "4 2 3 2", "2 0 3 0", "3 2 4 2"}[i % 4]);
}

static void test_rule_8_repetition(void)
{
	union game_state state = start_position(0);

	shuffle(&state, 7);
	check_goes_on(&state);
	make_move(&state, "3 2 4 2");
	check_over(&state, -1, "repetition");
	/* the same board with the other side to move is another position */
	state = pieces("A 0 1, K 7 7", 0);
	for (int i = 0; i < 9; i++)
		make_move(&state, (const char *const[]){"0 1 0 2", "7 7 7 6", "0 2 0 1", "7 6 7 7",
							"0 1 0 2", "7 7 7 6", "0 2 0 3", "7 6 7 7",
							"0 3 0 1"}[i]);
	check_goes_on(&state);
	/* what was read begins anew */
	state = start_position(0);
	shuffle(&state, 4);
	state = position(start, 0);
	shuffle(&state, 7);
	check_goes_on(&state);
	make_move(&state, "3 2 4 2");
	check_over(&state, -1, "repetition");
}

/* One attacker runs around in rows 1 and 2, one defender in rows 6 and 7. Their rounds are 16 and
 * 17 moves long, which have nothing in common: no position stands twice in 400 moves. */
static void wander_on(union game_state *state, int made)
{
	static const char *const attacker[16] = {
	    "0 1", "1 1", "2 1", "3 1", "4 1", "5 1", "6 1", "7 1",
	    "7 2", "6 2", "5 2", "4 2", "3 2", "2 2", "1 2", "0 2",
	};
	static const char *const defender[17] = {
	    "0 6", "1 6", "2 6", "3 6", "4 6", "5 6", "6 6", "7 6", "8 6",
	    "8 7", "7 7", "6 7", "5 7", "4 7", "3 7", "2 7", "0 7",
	};
	int i = made / 2;
	char text[16];

	if (made % 2 == 0)
		snprintf(text, sizeof(text), "%s %s", attacker[i % 16], attacker[(i + 1) % 16]);
	else
		snprintf(text, sizeof(text), "%s %s", defender[i % 17], defender[(i + 1) % 17]);
	make_move(state, text);
}

static union game_state wander(int moves)
{
	union game_state state = pieces("A 0 1, D 0 6, K 4 0", 0);

	for (int made = 0; made < moves; made++) {
		check_goes_on(&state);
		wander_on(&state, made);
	}
	return state;
}

static void test_rule_8_move_limit(void)
{
	union game_state state = wander(MOVE_LIMIT - 1);

	check_goes_on(&state);
	wander_on(&state, MOVE_LIMIT - 1);
	check_over(&state, -1, "move-limit");
}

/* A win comes before the limit; so does a repetition. */
static void test_rule_8_order(void)
{
	union game_state state = wander(MOVE_LIMIT - 1);

	make_move(&state, "4 0 0 0");
	check_over(&state, 1, "king-escaped");
	state = wander(MOVE_LIMIT - 8);
	for (int i = 0; i < 8; i++) {
		check_goes_on(&state);
		make_move(&state,
			  (const char *const[]){"4 1 4 3", "4 0 5 0", "4 3 4 1", "5 0 4 0"}[i % 4]);
	}
	check_over(&state, -1, "repetition");
}

static void test_moves_in_words(void)
{
	union game_state state = start_position(0);

	CHECK(judge_words(&state, "3 0 3 2") == RULING_FINE);
	CHECK(judge_words(&state, "3 0 3") == RULING_UNREADABLE);
	CHECK(judge_words(&state, "3 0 3 2 0") == RULING_UNREADABLE);
	CHECK(judge_words(&state, "3 0 3 a") == RULING_UNREADABLE);
	CHECK(judge_words(&state, "A 0 3 2") == RULING_UNREADABLE);
	CHECK(judge_words(&state, "3 0 3 -") == RULING_UNREADABLE);
	CHECK(judge_words(&state, "3 0 3 300") == RULING_ILLEGAL);
}

static void test_models(void)
{
	union game_state state;
	char model[CELLS + 2];

	strcpy(model, start);
	CHECK(game->read_model(&state, model, 1) && game->turn(&state) == 1);
	CHECK(!game->read_model(&state, model, 2) && !game->read_model(&state, model, -2));
	CHECK(!game->read_model(&state, model + 1, 0) && !game->read_model(&state, "", 0));
	model[0] = 'A'; /* one too many of each */
	CHECK(!game->read_model(&state, model, 0));
	model[0] = 'D';
	CHECK(!game->read_model(&state, model, 0));
	model[0] = 'K';
	CHECK(!game->read_model(&state, model, 0));
	model[0] = 'a';
	CHECK(!game->read_model(&state, model, 0));
	strcpy(model, start);
	model[40] = '.'; /* no king: somebody was put on him */
	CHECK(game->read_model(&state, model, 1) && game->read_model(&state, model, -1));
	model[CELLS] = '.';
	model[CELLS + 1] = '\0';
	CHECK(!game->read_model(&state, model, 0));
}

static bool put(union game_state *state, int seat, const char *text)
{
	struct event event = {0};
	struct move move;

	if (!read_words(&move, text) || !game->put(state, seat, &move, &event))
		return false;
	CHECK(event.seat == seat && game->turn(state) == !seat);
	check_text(event.text, text);
	return true;
}

/* Nothing is judged and nothing else happens: no capture, no end. */
static void test_put(void)
{
	union game_state state = pieces("A 2 2, D 3 2, A 4 6, K 7 7", 0);

	CHECK(put(&state, 0, "4 6 4 2"));
	CHECK(at(&state, 3, 2) == 'D' && at(&state, 4, 2) == 'A' && at(&state, 4, 6) == '.');
	CHECK(put(&state, 1, "7 7 0 0") && at(&state, 0, 0) == 'K');
	check_goes_on(&state);
	CHECK(put(&state, 0, "5 5 0 0") && at(&state, 0, 0) == 'K'); /* nothing is moved */
	CHECK(put(&state, 1, "2 2 2 2") && at(&state, 2, 2) == 'A');
	CHECK(put(&state, 0, "2 2 0 0") && at(&state, 0, 0) == 'A' && at(&state, 2, 2) == '.');
	CHECK(!put(&state, 1, "9 0 0 0") && !put(&state, 1, "0 0 0 -1"));
	CHECK(game->turn(&state) == 1 && at(&state, 0, 0) == 'A');
	check_goes_on(&state);
}

int main(void)
{
	game = game_find("hnefatafl");
	test_rule_1_turns();
	test_rule_2_rook();
	test_rule_3_throne_and_corners();
	test_rule_4_capture_between_two();
	test_rule_4_capture_by_king();
	test_rule_4_capture_against_corner();
	test_rule_4_capture_against_throne();
	test_rule_4_capture_three();
	test_rule_4_moving_in_between_is_safe();
	test_rule_5_king_on_throne();
	test_rule_5_king_beside_throne();
	test_rule_5_king_elsewhere();
	test_rule_5_board_tells();
	test_rule_6_king_escapes();
	test_rule_7_no_moves();
	test_rule_7_order();
	test_rule_8_repetition();
	test_rule_8_move_limit();
	test_rule_8_order();
	test_moves_in_words();
	test_models();
	test_put();
	return check_end();
}
