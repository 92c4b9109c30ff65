/*
 * memory_test - the rules of memory, through the interface that every game has: a test for each
 * numbered rule, then what is dealt, hidden, read and printed.
 */
#include "proto/rules/game.h"
#include "tests/unit/check.h"

enum { CARDS_MAX = 100, SEATS = GAME_SEATS_MAX };

#define NEVER INT64_MAX

static const struct game *game;
static struct event event;

static void start(union game_state *state, uint64_t seed, int size, int seats)
{
	memset(state, 0, sizeof(*state));
	game->begin(state, &(struct setup){.seed = seed, .seats = seats, .size = size});
}

static struct move move_to(int x, int y)
{
	return (struct move){.arg = {(int8_t)x, (int8_t)y}};
}

/* What lies there, by turning it up in a copy. Seat 0 has nothing up. */
static void peek(const union game_state *state, int size, int cell, char text[3])
{
	union game_state copy = *state;
	struct move move = move_to(cell % size, cell / size);
	char model[GAME_MODEL_MAX];

	game->play(&copy, 0, &move, 0, NULL);
	game->print_model(&copy, model);
	memcpy(text, model + (size_t)cell * 3, 2);
	text[2] = '\0';
}

/* The cell of the card like (or the first unlike) that of cell 0. */
static int find(const union game_state *state, int size, bool like)
{
	char text[3], other[3];

	peek(state, size, 0, text);
	for (int cell = 1; cell < size * size; cell++) {
		peek(state, size, cell, other);
		if ((strcmp(text, other) == 0) == like)
			return cell;
	}
	check_fail("no such card");
	return 0;
}

static enum ruling judge(const union game_state *state, int seat, int x, int y)
{
	struct move move = move_to(x, y);

	return game->judge(state, seat, &move);
}

/* Make a good move on a board of four by four; what it says. */
static const char *pick(union game_state *state, int seat, int cell, int64_t now)
{
	struct move move = move_to(cell % 4, cell / 4);

	CHECK(game->judge(state, seat, &move) == RULING_FINE);
	game->play(state, seat, &move, now, &event);
	CHECK(event.seat == seat);
	return event.text;
}

static const char *model_of(const union game_state *state)
{
	static char model[GAME_MODEL_MAX];

	CHECK(game->print_model(state, model) == strlen(model));
	return model;
}

/* Which seats win on this board; -1 when the round goes on. */
static int winners_of(const union game_state *state)
{
	struct outcome outcome;

	game->outcome(state, &outcome);
	check_text(outcome.why, outcome.over ? "points" : "");
	return outcome.over ? outcome.winners : -1;
}

/* How many events it takes until a seat has gone. */
static int send_away(union game_state *state, int seat)
{
	int events = 0;

	while (game->leave(state, seat, NULL))
		events++;
	return events;
}

/* Rule 1: a card that is face down is turned up; a first pick if none is up, else the second. */
static void test_rule_1_first_and_second(void)
{
	union game_state state;
	char text[3], expected[GAME_EVENT_TEXT];

	start(&state, 1, 4, 2);
	peek(&state, 4, 7, text);
	snprintf(expected, sizeof(expected), "first 3 1 %s", text);
	check_text(pick(&state, 1, 7, 0), expected);
	CHECK(model_of(&state)[7 * 3 + 2] == 'B');
	CHECK(game->may_move(&state, 1));
	/* everybody plays at once */
	CHECK(game->may_move(&state, 0) && game->turn(&state) == -1);
	pick(&state, 1, 2, 0);
	CHECK(strncmp(event.text, "first", 5) != 0);
	CHECK(strncmp(pick(&state, 0, 0, 0), "first 0 0 ", 10) == 0);
}

/* Rule 2: the same text is won, two points; its timer stops, and one may go on at once. */
static void test_rule_2_right(void)
{
	union game_state state;
	char text[3], expected[GAME_EVENT_TEXT];
	int partner, x, y;

	start(&state, 2, 4, 2);
	partner = find(&state, 4, true);
	x = partner % 4;
	y = partner / 4;
	peek(&state, 4, 0, text);
	/* in the order in which they were picked */
	pick(&state, 1, partner, 0);
	snprintf(expected, sizeof(expected), "right %d %d 0 0 %s", x, y, text);
	check_text(pick(&state, 1, 0, 1), expected);
	CHECK(model_of(&state)[2] == '1' && model_of(&state)[partner * 3 + 2] == '1');
	CHECK(game->score(&state, 1) == 2 && game->score(&state, 0) == 0);
	CHECK(game->due(&state) == NEVER && !game->tick(&state, NEVER - 1, NULL));
	CHECK(game->may_move(&state, 1) && winners_of(&state) == -1);
}

/* Rule 2: another text stays up for two seconds, in which a pick is answered "wait". */
static void test_rule_2_wrong(void)
{
	union game_state state;
	char text[3], other[3], expected[GAME_EVENT_TEXT];
	int stranger;

	start(&state, 3, 4, 2);
	stranger = find(&state, 4, false);
	peek(&state, 4, 0, text);
	peek(&state, 4, stranger, other);
	pick(&state, 0, 0, 100);
	snprintf(expected, sizeof(expected), "wrong 0 0 %s %d %d %s", text, stranger % 4,
		 stranger / 4, other);
	check_text(pick(&state, 0, stranger, 700), expected);
	CHECK(!game->may_move(&state, 0) && game->may_move(&state, 1));
	CHECK(judge(&state, 0, 3, 3) == RULING_WAIT);
	CHECK(game->due(&state) == 2700 && !game->tick(&state, 2699, &event));
	CHECK(game->tick(&state, 2700, &event));
	snprintf(expected, sizeof(expected), "hide 0 0 %d %d", stranger % 4, stranger / 4);
	check_text(event.text, expected);
	CHECK(event.seat == 0 && game->due(&state) == NEVER);
	CHECK(game->may_move(&state, 0) && strspn(model_of(&state), ".") == 48);
}

/* Rule 3: what is due comes first, the earliest first, one a call; also while frozen. */
static void test_rule_3_timers_before_picks(void)
{
	union game_state state;

	start(&state, 4, 4, 3);
	pick(&state, 2, 0, 0);
	pick(&state, 1, 5, 10);
	pick(&state, 0, 9, 10);
	CHECK(game->due(&state) == 5000 && !game->tick(&state, 4999, NULL));
	/* until the timer has been seen to, the card is up */
	CHECK(judge(&state, 0, 0, 0) == RULING_FILLED);
	CHECK(game->tick(&state, 6000, &event) && event.seat == 2);
	check_text(event.text, "hide 0 0");
	CHECK(judge(&state, 0, 0, 0) == RULING_FINE);
	CHECK(game->tick(&state, 6000, &event) && event.seat == 0);
	CHECK(send_away(&state, 0) == 1 && send_away(&state, 2) == 1);
	CHECK(judge(&state, 1, 0, 0) == RULING_FROZEN && game->due(&state) == 5010);
	CHECK(game->tick(&state, 5010, &event) && event.seat == 1);
	check_text(event.text, "hide 1 1");
	CHECK(!game->tick(&state, 6000, NULL));
}

/* Rule 3: a card that is up or locked is "filled"; on a second pick the first card goes down. */
static void test_rule_3_filled(void)
{
	union game_state state, before;

	CHECK(game->read_model(&state, "abAcd1......cd1...efC......efD", -1) == false);
	CHECK(game->read_model(&state, "abAcd1......cd1...efC......efD..................", -1));
	before = state;
	CHECK(judge(&state, 1, 0, 0) == RULING_FILLED);
	CHECK(judge(&state, 1, 1, 0) == RULING_FILLED);
	CHECK(!game->refuse(&state, 1, RULING_FILLED, &event));
	/* an illegal pick, or one that must wait, turns nothing down */
	CHECK(!game->refuse(&state, 0, RULING_ILLEGAL, &event));
	CHECK(!game->refuse(&state, 0, RULING_WAIT, &event));
	CHECK(memcmp(&state, &before, game->state_size) == 0);
	/* his own first card is up as well */
	CHECK(judge(&state, 0, 0, 0) == RULING_FILLED);
	CHECK(game->refuse(&state, 0, RULING_FILLED, &event) && event.seat == 0);
	check_text(event.text, "hide 0 0");
	check_text(model_of(&state), "...cd1......cd1...efC......efD..................");
	CHECK(judge(&state, 0, 1, 0) == RULING_FILLED);
	CHECK(game->refuse(&state, 3, RULING_FILLED, &event) && event.seat == 3);
	check_text(event.text, "hide 1 2");
	CHECK(!game->refuse(&state, 3, RULING_FILLED, &event));
}

/* Rule 3: the order of refusals: frozen, wait, illegal, filled. */
static void test_rule_3_order_of_refusals(void)
{
	union game_state state;

	CHECK(game->read_model(&state, "abAcdA...efB", -1) == false);
	CHECK(game->read_model(&state, "abAcdAefB.......................................", -1));
	CHECK(!game->refuse(&state, 0, RULING_FILLED, NULL));
	CHECK(judge(&state, 0, 0, 0) == RULING_WAIT && judge(&state, 0, 9, 9) == RULING_WAIT);
	CHECK(judge(&state, 1, 4, 0) == RULING_ILLEGAL &&
	      judge(&state, 1, 0, -1) == RULING_ILLEGAL);
	CHECK(judge(&state, 1, 0, 0) == RULING_FILLED && judge(&state, 1, 3, 0) == RULING_FINE);
	for (int seat = 2; seat < SEATS; seat++)
		CHECK(send_away(&state, seat) == 1);
	CHECK(judge(&state, 1, 3, 0) == RULING_FINE);
	CHECK(judge(&state, 2, 3, 0) == RULING_ILLEGAL &&
	      judge(&state, -1, 3, 0) == RULING_ILLEGAL);
	CHECK(send_away(&state, 1) == 2);
	CHECK(judge(&state, 0, 9, 9) == RULING_FROZEN);
}

/* Rule 4: a first card without a second is turned down after five seconds. */
static void test_rule_4_five_seconds(void)
{
	union game_state state;

	start(&state, 5, 4, 2);
	pick(&state, 1, 6, 1000);
	CHECK(game->due(&state) == 6000 && !game->tick(&state, 5999, NULL));
	CHECK(game->tick(&state, 6000, &event) && event.seat == 1);
	check_text(event.text, "hide 2 1");
	CHECK(game->due(&state) == NEVER && strspn(model_of(&state), ".") == 48);
}

/* Rule 5: when all is locked, everyone with the most points wins. */
static void test_rule_5_most_points(void)
{
	union game_state state;

	CHECK(game->read_model(&state, "ab0ab0cd1cd1", -1) && winners_of(&state) == 3);
	CHECK(game->read_model(&state, "ab9cd9cd9ab9", -1) && winners_of(&state) == 1 << 9);
	CHECK(game->score(&state, 9) == 4 && game->score(&state, 0) == 0);
	CHECK(!game->may_move(&state, 9) && judge(&state, 9, 0, 0) == RULING_FILLED);
	CHECK(game->read_model(&state, "ab0ab0......", -1) && winners_of(&state) == -1);
}

/* Rule 6: seats are numbered by arrival, not used again, ten at most. */
static void test_rule_6_join(void)
{
	union game_state state, before;
	struct move moves[CARDS_MAX];

	start(&state, 6, 4, 2);
	CHECK(game->list_moves(&state, 2, moves) == 0 && !game->may_move(&state, 2));
	CHECK(send_away(&state, 0) == 1);
	CHECK(!game->may_move(&state, 1));
	for (int seat = 2; seat < SEATS; seat++) {
		game->join(&state, &event);
		CHECK(event.seat == seat && game->score(&state, seat) == 0);
		CHECK(game->list_moves(&state, seat, moves) == 16);
	}
	check_text(event.text, "join");
	CHECK(game->may_move(&state, 1) && !game->may_move(&state, 0));
	before = state;
	game->join(&state, &event);
	CHECK(event.seat == -1 && memcmp(&state, &before, game->state_size) == 0);
}

/* Rule 6: who leaves has his cards turned down first; his pairs and points stay, he cannot win. */
static void test_rule_6_leave(void)
{
	union game_state state;

	CHECK(game->read_model(&state, "abCcdC......ef2ef2..............................", -1));
	CHECK(game->leave(&state, 2, &event) && event.seat == 2);
	check_text(event.text, "hide 0 0 1 0");
	CHECK(game->leave(&state, 2, &event) && event.seat == 2);
	check_text(event.text, "leave");
	CHECK(send_away(&state, 2) == 0 && send_away(&state, -1) == 0);
	CHECK(!game->may_move(&state, 2) && game->score(&state, 2) == 2);
	check_text(model_of(&state), "............ef2ef2..............................");
	/* the best of those who are there win, with no points too */
	CHECK(game->read_model(&state, "ab0ab0ab0ab0", -1) == false);
	CHECK(game->read_model(&state, "ab0ab0cd0cd0", -1) && winners_of(&state) == 1);
	for (int seat = 3; seat < SEATS; seat++)
		CHECK(send_away(&state, seat) == 1);
	CHECK(send_away(&state, 0) == 1 && winners_of(&state) == 6);
	CHECK(game->score(&state, 0) == 4);
}

/* Each text twice; chance decides which texts, and where; the same seed deals the same. */
static void test_deal(void)
{
	static const int sizes[] = {2, 4, 6, 8, 10};
	union game_state state, again, other;
	int distinct = 0, partner[4] = {0};
	char last[3] = "", text[3];

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		int size = sizes[i], seen[26 * 26] = {0};

		start(&state, 77, size, 2);
		start(&again, 77, size, 2);
		start(&other, 78, size, 2);
		CHECK(memcmp(&state, &again, game->state_size) == 0);
		CHECK(memcmp(&state, &other, game->state_size) != 0);
		for (int cell = 0; cell < size * size; cell++) {
			peek(&state, size, cell, text);
			seen[(text[0] - 'a') * 26 + text[1] - 'a']++;
		}
		for (int t = 0; t < 26 * 26; t++)
			CHECK(seen[t] == 0 || seen[t] == 2);
	}
	for (uint64_t seed = 0; seed < 3000; seed++) {
		start(&state, seed, 2, 2);
		peek(&state, 2, 0, text);
		distinct += strcmp(text, last) != 0;
		strcpy(last, text);
		partner[find(&state, 2, true)]++;
	}
	CHECK(distinct > 2950);
	for (int cell = 1; cell < 4; cell++)
		CHECK(partner[cell] > 900 && partner[cell] < 1100);
	/* the default size, and seats that are out from the start */
	start(&state, 1, 0, 2);
	CHECK(strlen(model_of(&state)) == 48);
	game->begin(&state, &(struct setup){.seats = 3, .size = 2, .left = 2});
	CHECK(game->may_move(&state, 0) && !game->may_move(&state, 1) && game->may_move(&state, 2));
}

/* Nothing of what is face down is left in what others get; what shows does not change. */
static void test_blind(void)
{
	union game_state one, other;
	char model[GAME_MODEL_MAX];

	start(&one, 8, 4, 2);
	start(&other, 9, 4, 2);
	pick(&one, 0, 3, 0);
	CHECK(game->tick(&one, 5000, NULL));
	game->blind(&one, -1);
	game->blind(&other, 1);
	CHECK(memcmp(&one, &other, game->state_size) == 0);
	start(&one, 8, 4, 2);
	pick(&one, 0, 3, 0);
	strcpy(model, model_of(&one));
	game->blind(&one, 0);
	check_text(model_of(&one), model);
	/* to play on with unknown cards finds no pairs and says nothing that could be read */
	check_text(pick(&one, 1, 4, 0), "first 0 1 ??");
	check_text(pick(&one, 1, 5, 0), "wrong 0 1 ?? 1 1 ??");
	CHECK(!game->read_model(&other, model_of(&one), -1));
}

static bool is_model(const char *model)
{
	union game_state state;
	bool can = game->read_model(&state, model, -1);

	if (can)
		check_text(model_of(&state), model);
	return can;
}

static void test_models(void)
{
	static char long_model[GAME_MODEL_MAX];

	for (size_t length = 0; length < GAME_MODEL_MAX; length++) {
		bool known = length == 12 || length == 48 || length == 108 || length == 192 ||
			     length == 300;

		CHECK(is_model(long_model) == known);
		long_model[length] = '.';
	}
	CHECK(is_model("abAabB......") && is_model("abAcdB......") && is_model("abAcdA......"));
	CHECK(is_model("ab0cdBcdAab0") && is_model("abAcdAabBcdB"));
	/* a lone won card, a text thrice, one won by two, one won and up, three up, a pair not won
	 */
	CHECK(!is_model("ab0.........") && !is_model("ab0ab0abA...") && !is_model("ab0ab1......"));
	CHECK(!is_model("ab0abA......") && !is_model("abAcdAefA...") && !is_model("abAabA......"));
	CHECK(!is_model("abAab0......") && !is_model("ab0abB......") && !is_model("abAab0cd0cdB"));
	CHECK(!is_model("abAcdAefA......................................."));
	/* more partners wanted than there are cards face down */
	CHECK(!is_model("abAcdBefC...") && !is_model("ab0ab0cdAefB"));
	CHECK(!is_model("ABA.........") && !is_model("a1A.........") && !is_model("abK........."));
	CHECK(!is_model("ab:.........") && !is_model("..A.........") && !is_model("??A........."));
	CHECK(!is_model(".a..........") && !is_model("a..a..a..a.."));
}

static bool can_read(const char *line)
{
	static char copy[64];
	char *words[GAME_WORDS_MAX], *next = copy;
	int count = 0;
	struct move move;

	snprintf(copy, sizeof(copy), "%s", line);
	while (*line != '\0' && next != NULL)
		words[count++] = strsep(&next, " ");
	return game->read_move(&move, words, count);
}

static void test_moves(void)
{
	union game_state state;
	char text[GAME_MOVE_TEXT];
	struct move move = move_to(3, -7);

	CHECK(can_read("0 0") && can_read("-1 999999999999") && can_read("10 10"));
	CHECK(!can_read("") && !can_read("0") && !can_read("0 0 0") && !can_read("a 0"));
	CHECK(!can_read("0 -") && !can_read("0 1.5"));
	game->print_move(&move, text);
	check_text(text, "3 -7");
	start(&state, 1, 4, 2);
	for (int x = INT8_MIN; x <= INT8_MAX; x++)
		for (int y = INT8_MIN; y <= INT8_MAX; y++)
			CHECK((judge(&state, 0, x, y) == RULING_FINE) ==
			      (x >= 0 && x < 4 && y >= 0 && y < 4));
}

int main(void)
{
	game = game_find("memory");
	CHECK(game->seats_min == 2 && game->seats_max == 10 && game->rounds == 0);
	test_rule_1_first_and_second();
	test_rule_2_right();
	test_rule_2_wrong();
	test_rule_3_timers_before_picks();
	test_rule_3_filled();
	test_rule_3_order_of_refusals();
	test_rule_4_five_seconds();
	test_rule_5_most_points();
	test_rule_6_join();
	test_rule_6_leave();
	test_deal();
	test_blind();
	test_models();
	test_moves();
	return check_end();
}
