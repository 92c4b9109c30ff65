/*
 * bot_qwirkle_test - which turns the bot takes at Qwirkle, and how it says them.
 *
 * Whole rounds are played with the rules as the referee: no move may be refused, also when moves and
 * connections are lost. The number of rounds is the first argument.
 */
#include "player/bots/bots.h"
#include "player/bots/worlds.h"

#include "proto/time/timers.h"

#include "tests/unit/qwirkle.h"

enum { THINK_MS = 1, ENOUGH_WORLDS = 24, MINUTES_MS = 2000 * 1000 };

static uint64_t chance;

/* ---- one turn ---- */

static struct worlds_sight sight;

/* Seat 0 of two is to move. */
static void look(const char *model, const char *rack)
{
	char copy[GAME_RACK_TEXT];
	struct words words;
	struct qwirkle_hand hand;

	snprintf(copy, sizeof(copy), "%s", rack);
	CHECK(line_split(copy, &words) && hand_read(&hand, words.word, words.count));
	if (!worlds_read(&sight, model, &hand))
		check_fail(model);
	sight.seats = 2;
}

/* "e1 4 0, f1 5 0", "swap a1 a2", "pass" */
static void check_choice(const struct worlds_choice *choice, const char *expected)
{
	char text[128], word[3];
	struct text line = TEXT_IN(text);
	char rack[GAME_RACK_TEXT];

	*text = '\0';
	for (int i = 0; i < choice->turn.count; i++) {
		struct qwirkle_place place = grid_place(&choice->turn, i);

		qwirkle_print_tile(place.tile, word);
		text_add(&line, "%s%s %d %d", i == 0 ? "" : ", ", word, place.x, place.y);
	}
	hand_print(&choice->swap, rack);
	if (choice->turn.count == 0)
		text_add(&line, *rack == '\0' ? "pass" : "swap %s", rack);
	check_text(text, expected);
}

static void test_known(void)
{
	look("60/a1,0,0/b1,1,0", "a1 a1 c3");
	CHECK(sight.bag == 60 && sight.grid.count == 2);
	check(hand_size(&sight.unseen) == 108 - 2 - 3, "what is seen nowhere");
	CHECK(sight.unseen.count[0] == 0 && sight.unseen.count[QWIRKLE_KINDS] == 2);
	look("60/a1,0,0/a2,1,0/a1,1,1/a3,2,1/a1,2,2", "a1 a4");
	check(sight.rack.count[0] == 0 && hand_size(&sight.rack) == 1, "a fourth can lie nowhere");
	check(!worlds_read(&sight, "60/a1,0,0/b2,1,0", &sight.rack), "no such board can be");
}

static void test_greedy(void)
{
	struct worlds_choice choice;

	look("60/a1,0,0/b1,1,0", "c1 d1 e1 f1 a2");
	choice = worlds_greedy(&sight, QWIRKLE_RACK);
	check(choice.turn.count == 4 && choice.turn.points == 12, "a line of six is made");
	choice = worlds_greedy(&sight, 2);
	check(choice.turn.count == 2 && choice.turn.points == 6, "of two tiles at most");
	look("60/a1,0,0/b1,1,0/c1,2,0/d1,3,0", "e1 a2");
	choice = worlds_greedy(&sight, 1);
	check(choice.turn.count == 1 && choice.turn.points == 5, "the longer line");
}

static void test_swap(void)
{
	struct worlds_choice choice;

	look("60/a1,0,0", "b2 b3 b4 c5 c5 d6");
	choice = worlds_greedy(&sight, QWIRKLE_RACK);
	check_choice(&choice, "swap c5 c5 d6");
	choice = worlds_best(&sight, &chance, clock_ms() + MINUTES_MS, 2);
	check(choice.turn.count == 0 && hand_size(&choice.swap) > 0, "swap when nothing fits");
	look("2/a1,0,0", "b2 b3 b4 c5 c5 d6");
	choice = worlds_greedy(&sight, QWIRKLE_RACK);
	check_choice(&choice, "pass");
	choice = worlds_best(&sight, &chance, clock_ms() + MINUTES_MS, 2);
	check_choice(&choice, "pass");
}

/* The other holds f1 alone, and the bag is empty: who makes five gives him six. */
static void test_giving_away(void)
{
	struct worlds_choice choice;

	look("0/a1,0,0/b1,1,0/c1,2,0/d1,3,0", "e1 a2");
	memset(&sight.unseen, 0, sizeof(sight.unseen));
	sight.unseen.count[5 * QWIRKLE_KINDS] = 1;
	choice = worlds_greedy(&sight, QWIRKLE_RACK);
	CHECK(choice.turn.points == 5);
	choice = worlds_best(&sight, &chance, clock_ms() + MINUTES_MS, 4);
	check(choice.turn.count == 1 && choice.turn.points == 2,
	      "a line of five is not given away");
	choice = worlds_best(&sight, &chance, 0, 4);
	check(choice.turn.points == 5, "without any time it is the one that scores most");
}

/* ---- rounds ---- */

struct seat {
	struct bot bot;
	struct view view;
};

/* What the server would tell a seat. */
static void tell(const union game_state *state, struct seat *seat, int s, const struct event *event)
{
	struct view *view = &seat->view;

	view->turn_is_ours = game->turn(state) == s;
	view->last = *event;
	bot_see(&seat->bot, view, HEARD_STATE);
	game->print_model(state, view->now.model);
	game->print_rack(state, s, view->rack);
	view->has_board = true;
	bot_see(&seat->bot, view, HEARD_BOARD);
	view->moves = game->list_moves(state, s, view->move);
	if (view->moves > 0)
		bot_see(&seat->bot, view, HEARD_LEGAL);
}

static void sit_down(struct seat *seat, int s, int seats, int round)
{
	view_init(&seat->view);
	seat->view.game = game;
	seat->view.seat = s;
	seat->view.now.seats = seats;
	seat->view.now.round = round;
	seat->view.phase = VIEW_PLAYING;
	bot_see(&seat->bot, &seat->view, HEARD_START);
}

/* Now and then a connection is lost, with what was on its way to the server or back. */
static bool loses_connection(void)
{
	return game_draw(&chance, 10) == 0;
}

static void move(union game_state *state, struct seat *seats, int count, int round)
{
	const struct event nothing = {.seat = -1};
	int s = game->turn(state);
	struct seat *seat = &seats[s];
	int chosen = bot_choose(&seat->bot, &seat->view, clock_ms() + THINK_MS);
	struct move chosen_move;
	struct event event;

	CHECK(chosen == BOT_OWN || (chosen >= 0 && chosen < seat->view.moves));
	chosen_move = chosen == BOT_OWN ? seat->bot.own : seat->view.move[chosen];
	if (game->judge(state, s, &chosen_move) != RULING_FINE) {
		check_fail(seat->view.now.model);
		exit(1);
	}
	if (loses_connection()) {
		sit_down(seat, s, count, round);
		tell(state, seat, s, &nothing);
		return;
	}
	game->play(state, s, &chosen_move, 0, &event);
	for (int other = 0; other < count; other++)
		if (other != s || !loses_connection()) {
			tell(state, &seats[other], other, &event);
		} else {
			sit_down(seat, s, count, round);
			tell(state, seat, s, &nothing);
		}
}

/* Seat 0 of two is to move, and told so. */
static void show(struct seat *seat, const char *model, const char *rack, int last)
{
	union game_state state;

	set(&state, model, rack);
	tell(&state, seat, 0, &(struct event){.seat = last, .text = "pass"});
}

static void check_said_by(struct seat *seat, int64_t until, const char *expected)
{
	int chosen = bot_choose(&seat->bot, &seat->view, until);
	char text[GAME_MOVE_TEXT];

	game->print_move(chosen == BOT_OWN ? &seat->bot.own : &seat->view.move[chosen], text);
	check_text(text, expected);
}

static void check_said(struct seat *seat, const char *expected)
{
	check_said_by(seat, 0, expected);
}

static void test_saying(void)
{
	static struct seat seat;

	CHECK(bot_open(&seat.bot, game, BOT_EASY, 1));
	sit_down(&seat, 0, 2, 1);
	show(&seat, "60/a1,0,0", "b2 b3 b4 c5 c5 d6", 1);
	check_said(&seat, "swap c5 c5 d6");
	show(&seat, "60/a1,0,0", "c2 c3 c4 d5 d5 e6", 1);
	check_said(&seat, "swap d5 d5 e6");
	show(&seat, "60/a1,0,0/c1,0,1", "c2 d3 e4 f5 f5", 1);
	check_said(&seat, "play c2 -1 1");
	show(&seat, "60/a1,0,0/c2,-1,1/c1,0,1", "d3 e4 f5 f5", 0);
	check_said(&seat, "pass");
	sit_down(&seat, 0, 2, 1);
	show(&seat, "60/a1,0,0/c2,-1,1/c1,0,1", "d3 e4 f5 f5", -1);
	check_said(&seat, "pass");
	show(&seat, "60/a1,0,0/c2,-1,1/c1,0,1", "c4 d3 e4 f5 f5", 1);
	check_said(&seat, "play c4 -2 1");
	bot_close(&seat.bot);
}

/* The one who is left has won, so only a server that lies says that he may move, or that we are out
 * and may. */
static void test_nobody_else(void)
{
	static struct seat seat;

	for (int out = 1; out < 4; out++) {
		CHECK(bot_open(&seat.bot, game, BOT_STRONG, 1));
		sit_down(&seat, 0, 2, 1);
		seat.view.out = (uint16_t)out;
		show(&seat, "60/a1,0,0", "b2 b3 b4 c5 c5 d1", 1);
		check_said_by(&seat, clock_ms() + THINK_MS, "pass");
		bot_close(&seat.bot);
	}
}

static void play_round(struct seat *seats, int count, int round)
{
	const struct event nothing = {.seat = -1};
	union game_state state;

	start(&state, count, (uint64_t)round, false);
	for (int s = 0; s < count; s++) {
		sit_down(&seats[s], s, count, round);
		tell(&state, &seats[s], s, &nothing);
	}
	while (game->turn(&state) >= 0)
		move(&state, seats, count, round);
}

static void test_rounds(int rounds)
{
	static struct seat seats[WORLD_SEATS];
	static const enum bot_level levels[] = {BOT_STRONG, BOT_EASY, BOT_RANDOM, BOT_STRONG};

	for (int s = 0; s < WORLD_SEATS; s++)
		CHECK(bot_open(&seats[s].bot, game, levels[s], (uint64_t)s));
	for (int round = 1; round <= rounds; round++)
		play_round(seats, 2 + round % 3, round);
	for (int s = 0; s < WORLD_SEATS; s++)
		bot_close(&seats[s].bot);
}

/* ---- strength, in rounds that chance decides as it did before ---- */

static void take_turn(union game_state *state, int seat, const struct worlds_choice *choice)
{
	struct move said;

	for (int i = 0; i < choice->turn.count; i++) {
		struct qwirkle_place place = grid_place(&choice->turn, i);

		said = (struct move){.kind = QWIRKLE_PLAY,
				     .arg = {(int8_t)place.tile, place.x, place.y}};
		CHECK(game->judge(state, seat, &said) == RULING_FINE);
		game->play(state, seat, &said, 0, NULL);
	}
	if (game->turn(state) != seat)
		return;
	said = (struct move){.kind = QWIRKLE_PASS};
	if (choice->turn.count == 0 && hand_size(&choice->swap) > 0)
		hand_to_swap(&choice->swap, &said);
	CHECK(game->judge(state, seat, &said) == RULING_FINE);
	game->play(state, seat, &said, 0, NULL);
}

/* By how many points `strong` is ahead in the end. */
static int measure(int round)
{
	union game_state state;
	int strong = round % 2;

	start(&state, 2, (uint64_t)round / 2, false);
	while (game->turn(&state) >= 0) {
		int seat = game->turn(&state);
		char model[GAME_MODEL_MAX], rack[GAME_RACK_TEXT];
		struct worlds_choice choice;

		game->print_model(&state, model);
		game->print_rack(&state, seat, rack);
		look(model, rack);
		sight.seat = seat;
		if (seat == strong)
			choice = worlds_best(&sight, &chance, clock_ms() + MINUTES_MS,
					     ENOUGH_WORLDS);
		else
			choice = worlds_greedy(&sight, 2);
		take_turn(&state, seat, &choice);
	}
	return game->score(&state, strong) - game->score(&state, !strong);
}

static void test_strength(int rounds)
{
	int ahead = 0;

	game_seed(&chance, 1);
	for (int round = 0; round < rounds; round++)
		ahead += measure(round);
	check(ahead > 0, "strong is ahead of easy in the end");
}

int main(int argc, char *argv[])
{
	int rounds = argc > 1 ? atoi(argv[1]) : 4;

	game = game_find("qwirkle");
	game_seed(&chance, 1);
	test_known();
	test_greedy();
	test_swap();
	test_giving_away();
	test_saying();
	test_nobody_else();
	test_rounds(rounds);
	test_strength(rounds);
	return check_end();
}
