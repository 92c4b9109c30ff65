/*
 * qwirkle_test - the numbered rules of Qwirkle, each in a position of its own.
 *
 * Positions are given as models and racks. What needs a bag with known tiles in it, or the turns
 * before, is found among the rounds that seeds make.
 */
#include "tests/unit/qwirkle.h"

/* The largest set, from the words of a rack: of one letter, or of one digit. */
static int largest_set(const char *rack)
{
	int largest = 0;

	for (const char *kind = "abcdef123456"; *kind != '\0'; kind++) {
		int set = 0;

		for (const char *other = "abcdef123456"; *other != '\0'; other++) {
			char word[3] = {*kind, *other, '\0'}, turned[3] = {*other, *kind, '\0'};

			set += strstr(rack, word) != NULL || strstr(rack, turned) != NULL;
		}
		largest = set > largest ? set : largest;
	}
	return largest;
}

/* 1: the largest set begins, ties drawn by lot. */
static void test_rule_1_largest_set_begins(void)
{
	int began[4] = {0}, tied[4] = {0};

	for (uint64_t seed = 0; seed < 4000; seed++) {
		union game_state state;
		int set[4], most = 0, with_most = 0;

		start(&state, 4, seed, false);
		for (int seat = 0; seat < 4; seat++) {
			char rack[GAME_RACK_TEXT];

			game->print_rack(&state, seat, rack);
			CHECK(strlen(rack) == 17);
			set[seat] = largest_set(rack);
			most = set[seat] > most ? set[seat] : most;
		}
		for (int seat = 0; seat < 4; seat++)
			with_most += set[seat] == most;
		CHECK(game->turn(&state) >= 0 && set[game->turn(&state)] == most);
		began[game->turn(&state)]++;
		if (with_most == 4)
			tied[game->turn(&state)]++;
	}
	for (int seat = 0; seat < 4; seat++) {
		CHECK(began[seat] > 800 && began[seat] < 1200);
		CHECK(tied[seat] > 0);
	}
}

/* 1: a seat that is out from the start holds nothing and never begins; then in seat order. */
static void test_rule_1_seat_order(void)
{
	union game_state state;

	start(&state, 2, 7, false);
	check_model(&state, "96");
	game->begin(&state, &(struct setup){.seats = 4, .seed = 3, .left = 1u << 2});
	check_model(&state, "90");
	check_rack(&state, 2, "");
	for (int i = 0, seat = game->turn(&state); i < 2; i++) {
		CHECK(game->turn(&state) == seat && seat != 2);
		check_text(make(&state, "pass"), "pass");
		seat = (seat + 1) % 4 == 2 ? 3 : (seat + 1) % 4;
	}
	CHECK(outcome_of(&state).over == false);
}

/* 2: plays until `pass`; it stays this seat's turn. */
static void test_rule_2_plays_then_pass(void)
{
	union game_state state;

	set(&state, "40", "a1 a2 b1 c4 c4 d5");
	check_text(make(&state, "play a1 0 0"), "play a1 0 0");
	CHECK(game->turn(&state) == 0);
	check_rack(&state, 0, "a2 b1 c4 c4 d5");
	CHECK(!can(&state, "swap c4"));
	make(&state, "play a2 1 0");
	CHECK(game->turn(&state) == 0 && game->score(&state, 0) == 0);
	make(&state, "pass");
	CHECK(game->turn(&state) == 1 && game->score(&state, 0) == 2);
	CHECK(rack_size(&state, 0) == 6);
	check_model(&state, "38/a1,0,0/a2,1,0");
}

/* 2: only with as many in the bag, only one's own. */
static void test_rule_2_swap(void)
{
	union game_state state;

	set(&state, "2/a1,0,0", "a2 b1 c4 c4 d5");
	CHECK(can(&state, "swap c4 c4") && can(&state, "swap d5 a2"));
	CHECK(!can(&state, "swap c4 c4 d5"));
	CHECK(!can(&state, "swap a2 b1 c4 c4 d5 d5 d5"));
	CHECK(!can(&state, "swap c3") && !can(&state, "swap d5 d5") && !can(&state, "swap x"));
	check_text(make(&state, "swap c4 d5"), "swap 2");
	CHECK(game->turn(&state) == 1 && rack_size(&state, 0) == 5 && game->score(&state, 0) == 0);
	check_model(&state, "2/a1,0,0");
	/* the two drawn were the two in the bag, not those given away: they are not known */
	check_rack(&state, 0, "a2 b1 c4 ?? ??");
	set(&state, "0/a1,0,0", "a2");
	CHECK(!can(&state, "swap a2") && can(&state, "pass"));
}

/* 3: the first at 0 0, the others at an edge. */
static void test_rule_3_touching(void)
{
	union game_state state;

	set(&state, "40", "a1 a2 b1");
	CHECK(can(&state, "play a1 0 0"));
	CHECK(!can(&state, "play a1 1 0") && !can(&state, "play a1 0 -1"));
	CHECK(!can(&state, "play c6 0 0") && !can(&state, "play zz 0 0"));
	set(&state, "40/a1,0,0", "a2 b1 b2");
	CHECK(can(&state, "play a2 1 0") && can(&state, "play a2 0 -1") &&
	      can(&state, "play b1 -1 0") && can(&state, "play b1 0 1"));
	CHECK(!can(&state, "play a2 0 0"));
	CHECK(!can(&state, "play a2 1 1") && !can(&state, "play a2 2 0"));
	CHECK(!can(&state, "play a2 127 -128") && !can(&state, "play a2 999 999"));
}

/* 3: all different, all of one colour or of one shape, at most six. */
static void test_rule_3_lines(void)
{
	union game_state state;

	set(&state, "40/a1,0,0/a2,1,0", "a1 a2 a3 b2 b3 b1");
	CHECK(can(&state, "play a3 2 0") && can(&state, "play a3 -1 0"));
	CHECK(!can(&state, "play a1 2 0") && !can(&state, "play a2 -1 0"));
	CHECK(!can(&state, "play b2 2 0") && !can(&state, "play b3 2 0"));
	CHECK(can(&state, "play b2 1 1") && !can(&state, "play b3 1 1"));
	set(&state, "40/a1,0,0/b1,1,0", "c1 a2 b2 a1 c2");
	CHECK(can(&state, "play c1 2 0") && !can(&state, "play a2 2 0"));
	CHECK(!can(&state, "play c2 -1 0"));
	/* both lines through a cell */
	set(&state, "40/a1,0,0/b1,1,0/b3,1,1", "a3 a2 c3 b3");
	CHECK(can(&state, "play a3 0 1") && !can(&state, "play a2 0 1"));
	CHECK(!can(&state, "play c3 0 1") && !can(&state, "play b3 0 1"));
	/* a tile that would join two lines into one */
	set(&state, "40/a1,0,0/a2,2,0/a2,0,1/a3,1,1/a4,2,1", "a3 a5 b1 a6");
	CHECK(can(&state, "play a5 1 0") && can(&state, "play a6 1 0"));
	CHECK(!can(&state, "play a3 1 0") && !can(&state, "play b1 1 0"));
	set(&state, "40/a1,0,0/a1,2,0/a2,0,1/a3,1,1/a4,2,1", "a5");
	CHECK(!can(&state, "play a5 1 0") && can(&state, "play a5 -1 0"));
	/* six are a full line */
	set(&state, "40/a1,0,0/a2,1,0/a3,2,0/a4,3,0/a5,4,0/a6,5,0", "a1 a2 b6 b1");
	CHECK(!can(&state, "play a1 6 0") && !can(&state, "play b6 6 0"));
	CHECK(can(&state, "play b6 5 1") && can(&state, "play b1 0 -1"));
}

/* 3: one row or column in a turn, with no gap at any time. */
static void test_rule_3_one_line_a_turn(void)
{
	union game_state state;

	set(&state, "40/a1,0,0/a2,1,0", "a3 a4 a5 b3 b1 a6");
	make(&state, "play a3 2 0");
	CHECK(can(&state, "play b3 2 1") && can(&state, "play a4 3 0"));
	/* the row through 2 0 goes on behind the tiles that lay there before */
	CHECK(can(&state, "play a4 -1 0"));
	CHECK(!can(&state, "play b1 0 1"));
	make(&state, "play a4 -1 0");
	CHECK(!can(&state, "play b3 2 1") && !can(&state, "play a5 4 0"));
	CHECK(can(&state, "play a5 3 0") && can(&state, "play a5 -2 0"));
	/* a cell that touches another line, but is not joined to the tile of this turn */
	set(&state, "40/a1,0,0/b1,0,1/c1,0,2/c2,1,2/c3,2,2", "d1 b3 c4 a2 b2");
	make(&state, "play a2 1 0");
	CHECK(can(&state, "play b2 1 1"));
	CHECK(!can(&state, "play d1 0 3") && !can(&state, "play b3 2 1"));
	set(&state, "40/a1,0,0/a2,1,0/a3,2,0/b1,0,1/b3,2,1/c1,0,2/c3,2,2", "c4 d1 d3");
	make(&state, "play d1 0 3");
	CHECK(!can(&state, "play d3 2 3"));
}

static int points_of(const char *model, const char *rack, const char *first, const char *second)
{
	union game_state state;

	set(&state, model, rack);
	make(&state, first);
	if (second != NULL)
		make(&state, second);
	CHECK(game->score(&state, 0) == 0);
	make(&state, "pass");
	return game->score(&state, 0);
}

/* 4: what a turn scores. */
static void test_rule_4_score(void)
{
	const char *row = "40/a1,0,0/a2,1,0/a3,2,0/a4,3,0/a5,4,0";
	const char *corner = "40/a1,0,0/b1,1,0/b3,1,1";

	CHECK(points_of("40", "a1 c5", "play a1 0 0", NULL) == 1);
	CHECK(points_of("40", "a1 a2 c5", "play a1 0 0", "play a2 0 1") == 2);
	CHECK(points_of("40/a1,0,0", "a2 c5", "play a2 1 0", NULL) == 2);
	CHECK(points_of(row, "b5 c5", "play b5 4 1", NULL) == 2);
	CHECK(points_of(row, "a6 c5", "play a6 5 0", NULL) == 12);
	CHECK(points_of(row, "b5 c5 e6", "play b5 4 1", "play c5 4 2") == 3);
	/* a line and one across it */
	CHECK(points_of(corner, "a3 e6", "play a3 0 1", NULL) == 4);
	/* each cross line counts: 0 1, 1 1 in the row, 0 0, 0 1 in the column */
	CHECK(points_of(corner, "a3 c3 e6", "play a3 0 1", "play c3 2 1") == 5);
	/* two sixes by one turn: the line and one across it */
	CHECK(points_of(
		  "9/a1,0,0/a2,1,0/a3,2,0/a4,3,0/a5,4,0/b5,4,1/b6,5,1/c6,5,2/d6,5,3/e6,5,4/f6,5,5",
		  "a6 e6", "play a6 5 0", NULL) == 24);
}

/* 4: then the rack is filled up, as far as the bag goes. */
static void test_rule_4_fill(void)
{
	union game_state state;

	set(&state, "1/a1,0,0", "a2 a3 c5");
	make(&state, "play a2 1 0");
	make(&state, "play a3 2 0");
	CHECK(rack_size(&state, 0) == 1 && bag_size(&state) == 1);
	make(&state, "pass");
	CHECK(rack_size(&state, 0) == 2 && bag_size(&state) == 0);
}

/* 5: no tile left and none in the bag: six more, at once. */
static void test_rule_5_last_tile(void)
{
	union game_state state;

	set(&state, "0/a1,0,0", "a2 a3");
	make(&state, "play a2 1 0");
	CHECK(!outcome_of(&state).over);
	make(&state, "play a3 2 0");
	CHECK(outcome_of(&state).over && outcome_of(&state).winners == 1);
	check_text(outcome_of(&state).why, "points");
	CHECK(game->score(&state, 0) == 3 + 6 && game->turn(&state) == -1);
	set(&state, "1/a1,0,0", "a2");
	make(&state, "play a2 1 0");
	CHECK(!outcome_of(&state).over && game->turn(&state) == 0);
}

/* 5: all have passed; a play or a swap in between begins the count anew. */
static void test_rule_5_all_passed(void)
{
	union game_state state;
	struct move moves[GAME_MOVES_MAX];
	int first;

	start(&state, 3, 5, false);
	make(&state, "pass");
	make(&state, "pass");
	CHECK(!outcome_of(&state).over);
	make(&state, "pass");
	CHECK(outcome_of(&state).over && outcome_of(&state).winners == 0);
	check_text(outcome_of(&state).why, "points");

	/* all have passed once, but there were plays since the first of them did */
	start(&state, 3, 5, false);
	first = game->turn(&state);
	make(&state, "pass");
	make(&state, "pass");
	for (int i = 0; i < 2; i++) {
		game->list_moves(&state, game->turn(&state), moves);
		game->play(&state, game->turn(&state), &moves[0], 0, NULL);
		make(&state, "pass");
	}
	make(&state, "pass");
	make(&state, "pass");
	CHECK(!outcome_of(&state).over && game->turn(&state) == first);
	make(&state, "pass");
	CHECK(outcome_of(&state).over && outcome_of(&state).winners != 0);
}

/* 5: 400 turns; a swap is one, and no pass. */
static void test_rule_5_turn_limit(void)
{
	union game_state state;
	struct move moves[GAME_MOVES_MAX];

	start(&state, 2, 9, false);
	game->list_moves(&state, game->turn(&state), moves);
	game->play(&state, game->turn(&state), &moves[0], 0, NULL);
	make(&state, "pass");
	for (int turns = 1; turns < 400; turns++) {
		int count = game->list_moves(&state, game->turn(&state), moves);

		CHECK(!outcome_of(&state).over);
		if (turns % 2)
			game->play(&state, game->turn(&state), &moves[count - 1], 0, NULL);
		else
			make(&state, "pass");
	}
	CHECK(outcome_of(&state).over && game->turn(&state) == -1);
}

/* 6: the most points; several share. */
static void test_rule_6_winners(void)
{
	union game_state state;

	set(&state, "0/a1,0,0", "a2 c5");
	give(&state, 1, "a3 c5");
	make(&state, "play a2 1 0");
	make(&state, "pass");
	make(&state, "play a3 2 0");
	make(&state, "pass");
	make(&state, "pass");
	make(&state, "pass");
	CHECK(outcome_of(&state).winners == 2);

	set(&state, "0/a1,0,0", "a2 c5");
	give(&state, 1, "b1 c5");
	make(&state, "play a2 1 0");
	make(&state, "pass");
	make(&state, "play b1 0 1");
	make(&state, "pass");
	make(&state, "pass");
	make(&state, "pass");
	CHECK(outcome_of(&state).winners == 3);
}

/* 7: cheat=on: any tile of which fewer than three lie there, from nowhere. */
static void test_rule_7_cheat(void)
{
	union game_state state;
	int seat;

	start(&state, 2, 1, true);
	seat = game->turn(&state);
	give(&state, seat, "a1 a2 b5 b6 c1 c6");
	make(&state, "play d4 0 0");
	check_rack(&state, seat, "a1 a2 b5 b6 c1 c6");
	make(&state, "pass");
	CHECK(bag_size(&state) == 96 && game->score(&state, seat) == 1);
	give(&state, !seat, "b4 c1 c2 c3 c5 c5");
	CHECK(!can(&state, "swap a1"));
	make(&state, "play b4 1 0");
	check_rack(&state, !seat, "c1 c2 c3 c5 c5");
	make(&state, "pass");
	CHECK(bag_size(&state) == 95 && rack_size(&state, !seat) == 6);
	/* the third of a kind is the last */
	make(&state, "play d5 0 1");
	make(&state, "play d6 0 2");
	make(&state, "pass");
	make(&state, "play d4 -1 1");
	make(&state, "pass");
	make(&state, "play d4 1 2");
	make(&state, "pass");
	CHECK(can(&state, "play c4 1 -1") && !can(&state, "play d4 1 -1"));
	start(&state, 2, 1, false);
	give(&state, game->turn(&state), "a1 a2");
	CHECK(!can(&state, "play d4 0 0"));
}

/* 8: out: the tiles go back, the turns are skipped, what was laid scores for nobody. */
static void test_rule_8_out(void)
{
	union game_state state;
	struct move moves[GAME_MOVES_MAX];
	struct event event;
	int seat;

	start(&state, 3, 11, false);
	seat = game->turn(&state);
	game->list_moves(&state, seat, moves);
	game->play(&state, seat, &moves[0], 0, NULL);
	CHECK(game->leave(&state, seat, &event) && event.seat == seat);
	check_text(event.text, "out");
	CHECK(!game->leave(&state, seat, &event));
	CHECK(game->turn(&state) == (seat + 1) % 3 && game->score(&state, seat) == 0);
	CHECK(bag_size(&state) == 90 + 5 && rack_size(&state, seat) == 0);
	for (int i = 0; i < 2; i++) {
		CHECK(!outcome_of(&state).over && game->turn(&state) == (seat + 1 + i) % 3);
		make(&state, "pass");
	}
	CHECK(outcome_of(&state).over);
	CHECK(outcome_of(&state).winners == (7u & ~(1u << seat)));

	/* with the most points, and not in his turn */
	start(&state, 3, 11, false);
	game->play(&state, seat, &moves[0], 0, NULL);
	make(&state, "pass");
	CHECK(game->leave(&state, seat, NULL) && game->score(&state, seat) == 1);
	CHECK(game->turn(&state) == (seat + 1) % 3);
	CHECK(!game->leave(&state, -1, NULL) && !game->leave(&state, 3, NULL));
	/* the last one has no turn any more, whose turn ever it was */
	CHECK(game->leave(&state, (seat + 1) % 3, NULL) && game->turn(&state) == -1);
	CHECK(game->list_moves(&state, (seat + 2) % 3, moves) == 0);
	CHECK(outcome_of(&state).over && outcome_of(&state).winners == 1u << (seat + 2) % 3);
	/* it may go too */
	CHECK(game->leave(&state, (seat + 2) % 3, NULL) && outcome_of(&state).winners == 0);
	CHECK(game->turn(&state) == -1 && !game->leave(&state, (seat + 2) % 3, NULL));
}

int main(void)
{
	game = game_find("qwirkle");
	if (game == NULL)
		return 1;
	test_rule_1_largest_set_begins();
	test_rule_1_seat_order();
	test_rule_2_plays_then_pass();
	test_rule_2_swap();
	test_rule_3_touching();
	test_rule_3_lines();
	test_rule_3_one_line_a_turn();
	test_rule_4_score();
	test_rule_4_fill();
	test_rule_5_last_tile();
	test_rule_5_all_passed();
	test_rule_5_turn_limit();
	test_rule_6_winners();
	test_rule_7_cheat();
	test_rule_8_out();
	return check_end();
}
