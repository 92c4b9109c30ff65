/*
 * bot_memory_test - what the bot remembers and picks, and bots at tables of Memory.
 *
 * At the tables time is only a number, and the rules are the referee: no pick may be refused, and
 * every round must come to its end, whoever comes late and leaves early. The number of rounds for
 * each pair of levels is the first argument; with a second one their results are printed.
 */
#include "player/bots/bots.h"
#include "tests/unit/check.h"

enum { PACE_MS = 250, ROUND_MS = 3600 * 1000, PLAYERS_MAX = 4, JOIN_MS = 5000, NEVER = -1 };

struct player {
	struct bot bot;
	struct view view;
	int64_t pick_at;
};

static const struct game *game;
static uint64_t chance;
static bool prints;

/* ---- a table ---- */

struct table {
	union game_state state;
	struct player *player;
	int players; /* that come in the end */
	int here;    /* that have come */
	bool somebody_leaves;
	int64_t now;
};

/* As autoplay.c does it, and some time on the way. */
static int pace(const struct view *view)
{
	int pace = PACE_MS + (int)game_draw(&chance, 20);

	if (view->moves <= 3 && game_draw(&chance, 4) == 0)
		pace += (int)game_draw(&chance, 3000);
	return pace;
}

/* What the server would say of a new position; the one before if there was an event. */
static void tell(struct table *table, const struct event *event)
{
	for (int p = 0; p < table->here; p++) {
		struct player *player = &table->player[p];
		struct view *view = &player->view;
		union game_state seen = table->state;

		game->blind(&seen, p);
		view->last = *event;
		bot_see(&player->bot, view, HEARD_STATE);
		game->print_model(&seen, view->now.model);
		view->has_board = true;
		view->moves = game->list_moves(&seen, p, view->move);
		bot_see(&player->bot, view, HEARD_BOARD);
		if (view->moves == 0)
			player->pick_at = NEVER;
		else if (player->pick_at == NEVER)
			player->pick_at = table->now + pace(view);
	}
}

/* Seat `p` hears of a round. */
static void sit_down(struct table *table, int p, int round)
{
	struct view *view = &table->player[p].view;

	view_init(view);
	view->game = game;
	view->seat = p;
	view->now.seats = table->players;
	view->now.round = round;
	strcpy(view->now.duel, "5d0e1f7a-0c1e-4b57-9a55-0d7f3c2b9e10");
	view->phase = VIEW_PLAYING;
	table->player[p].pick_at = NEVER;
	bot_see(&table->player[p].bot, view, HEARD_START);
}

/* Two begin. */
static void begin(struct table *table, int size, int round)
{
	const struct setup setup = {.seed = game_draw(&chance, 1u << 30), .seats = 2, .size = size};
	const struct event nothing = {.seat = -1};

	game->begin(&table->state, &setup);
	table->now = 0;
	table->here = 2;
	for (int p = 0; p < table->here; p++)
		sit_down(table, p, round);
	tell(table, &nothing);
}

static void join(struct table *table, int round)
{
	struct event event;

	game->join(&table->state, &event);
	sit_down(table, table->here++, round);
	tell(table, &event);
}

static void leave(struct table *table, int p)
{
	struct event event;

	while (game->leave(&table->state, p, &event))
		tell(table, &event);
	for (int other = 0; other < table->here; other++)
		strcpy(table->player[other].view.now.name[p], "-");
}

static void pick(struct table *table, int p)
{
	struct player *player = &table->player[p];
	int chosen = bot_choose(&player->bot, &player->view, 0);
	struct event event;

	player->pick_at = NEVER;
	if (chosen == BOT_WAIT) {
		player->pick_at = table->now + 1 + game_draw(&chance, PACE_MS);
		return;
	}
	if (game->judge(&table->state, p, &player->view.move[chosen]) != RULING_FINE) {
		check_fail("a pick is refused");
		exit(1);
	}
	game->play(&table->state, p, &player->view.move[chosen], table->now, &event);
	tell(table, &event);
}

/* The next thing that happens: a card is turned down, or somebody picks. */
static void step(struct table *table)
{
	int64_t due = game->due(&table->state);
	struct event event;
	int first = -1;

	for (int p = 0; p < table->here; p++)
		if (table->player[p].pick_at != NEVER &&
		    (first < 0 || table->player[p].pick_at < table->player[first].pick_at))
			first = p;
	if (first >= 0 && table->player[first].pick_at < due) {
		table->now = table->player[first].pick_at;
		pick(table, first);
		return;
	}
	table->now = due;
	game->tick(&table->state, table->now, &event);
	tell(table, &event);
}

/* Who has won; 0: it has not come to an end. */
static unsigned play_round(struct table *table, int size, int round)
{
	struct outcome outcome = {0};

	begin(table, size, round);
	while (!outcome.over && table->now < ROUND_MS) {
		if (table->here < table->players && table->now > table->here * JOIN_MS)
			join(table, round);
		if (table->here == table->players && table->somebody_leaves &&
		    table->now > (table->players + 1) * JOIN_MS)
			leave(table, 1);
		step(table);
		game->outcome(&table->state, &outcome);
	}
	return outcome.winners;
}

/* How many of the rounds the first level has won, a shared one in part; all others play the
 * second. */
static double measure(struct table *table, int size, enum bot_level one, enum bot_level other,
		      int rounds)
{
	double won = 0;
	int64_t time = 0;

	for (int p = 0; p < table->players; p++)
		CHECK(bot_open(&table->player[p].bot, game, p == 0 ? one : other, (uint64_t)p));
	for (int round = 1; round <= rounds; round++) {
		unsigned winners = play_round(table, size, round);

		check(winners != 0, "a round comes to its end");
		if (winners & 1)
			won += 1. / __builtin_popcount(winners);
		time += table->now;
	}
	for (int p = 0; p < table->players; p++)
		bot_close(&table->player[p].bot);
	if (prints)
		printf("%d players%s, size %d, %s against %s: %.3f of %d rounds, %.1f s each\n",
		       table->players, table->somebody_leaves ? ", one leaves" : "", size,
		       level_at((int)one)->name, level_at((int)other)->name, won / rounds, rounds,
		       (double)time / rounds / 1000);
	return won / rounds;
}

static void test_tables(int rounds)
{
	static struct player player[PLAYERS_MAX];

	for (int players = 2; players <= PLAYERS_MAX; players++)
		for (int size = 2; size <= 8; size += 2)
			for (int leaves = 0; leaves < (players > 2 ? 2 : 1); leaves++) {
				struct table table = {.player = player,
						      .players = players,
						      .somebody_leaves = leaves};
				bool is_fair = players == 2 && size >= 6;
				double strong, easy;

				measure(&table, size, BOT_STRONG, BOT_STRONG, rounds);
				measure(&table, size, BOT_RANDOM, BOT_RANDOM, rounds);
				strong = measure(&table, size, BOT_STRONG, BOT_EASY, rounds);
				easy = measure(&table, size, BOT_EASY, BOT_RANDOM, rounds);
				check(!is_fair || strong > 0.9, "strong wins against easy");
				check(!is_fair || easy > 0.9, "easy wins against random");
			}
}

/* ---- what is remembered and picked, seat 0 looking on ---- */

static struct bot bot;
static struct view view;

static void sit_down_alone(enum bot_level level)
{
	bot_close(&bot);
	CHECK(bot_open(&bot, game, level, 1));
	view_init(&view);
	view.game = game;
	view.now.seats = 2;
	view.now.round = 1;
	bot_see(&bot, &view, HEARD_START);
}

static void show(const char *model)
{
	union game_state state;

	if (!game->read_model(&state, model, -1))
		check_fail(model);
	strcpy(view.now.model, model);
	view.moves = game->list_moves(&state, 0, view.move);
	bot_see(&bot, &view, HEARD_BOARD);
}

/* The cell that is picked now, or BOT_WAIT. */
static int picked(int size)
{
	int chosen = bot_choose(&bot, &view, 0);

	return chosen < 0 ? chosen : view.move[chosen].arg[1] * size + view.move[chosen].arg[0];
}

static bool is_picked(int one, int other)
{
	int cell = picked(4);

	return cell == one || cell == other;
}

#define DOWN4 "............"

static void test_memory(void)
{
	sit_down_alone(BOT_STRONG);
	show(DOWN4 DOWN4 DOWN4 DOWN4);
	show("abBcdB......" DOWN4 DOWN4 DOWN4);
	show(DOWN4 DOWN4 DOWN4 DOWN4);
	CHECK(picked(4) > 1);
	show("......efB...abB........." DOWN4 DOWN4);
	show(DOWN4 DOWN4 DOWN4 DOWN4);
	for (int i = 0; i < 20; i++)
		check(is_picked(0, 4), "a known pair is picked first");
	show("...cdA......" DOWN4 DOWN4 DOWN4);
	for (int i = 0; i < 20; i++)
		check(!is_picked(0, 4) && !is_picked(2, 2),
		      "a second card is one that is not known");
	show("abA........." DOWN4 DOWN4 DOWN4);
	CHECK(picked(4) == 4);
	show("abA.........abB........." DOWN4 DOWN4);
	check(picked(4) == BOT_WAIT, "a partner that another has up is waited for");

	bot_see(&bot, &view, HEARD_START);
	show("......ghBijB" DOWN4 DOWN4 DOWN4);
	show(DOWN4 DOWN4 DOWN4 DOWN4);
	check(is_picked(0, 4), "what was seen before a connection was lost is still known");
	view.now.round = 2;
	bot_see(&bot, &view, HEARD_START);
	show("...abB...efB" DOWN4 DOWN4 DOWN4);
	show("abA........." DOWN4 DOWN4 DOWN4);
	check(picked(4) == 1, "in a new round it is another board");
}

static void test_others(void)
{
	/* he has found nothing, and must turn this one down: so its partner is held for it */
	sit_down_alone(BOT_STRONG);
	show("abBcdB......" DOWN4 DOWN4 DOWN4);
	show(DOWN4 DOWN4 DOWN4 DOWN4);
	show("......abBefB" DOWN4 DOWN4 DOWN4);
	CHECK(picked(4) == 0);
	view.now.seats = 3;
	CHECK(picked(4) == 0);
	show("......abB..." DOWN4 DOWN4 DOWN4);
	for (int i = 0; i < 20; i++)
		check(picked(4) > 3, "among three nobody is waited for who can wait himself");
	strcpy(view.now.name[2], "-");
	CHECK(picked(4) == 0);
}

/* Eight cards are turned up between two of a pair. */
static void test_forgetting(void)
{
	static const enum bot_level levels[] = {BOT_STRONG, BOT_EASY};

	for (int i = 0; i < 2; i++) {
		bool sure = true;

		sit_down_alone(levels[i]);
		show("abBqqB......" DOWN4 DOWN4 DOWN4);
		show(DOWN4 "ghBijB......" DOWN4 DOWN4);
		show(DOWN4 "......klBmnB" DOWN4 DOWN4);
		show(DOWN4 DOWN4 "opBrrB......" DOWN4);
		show(DOWN4 DOWN4 "......stB..." DOWN4);
		show(DOWN4 DOWN4 DOWN4 "abA.........");
		for (int n = 0; n < 50; n++)
			sure = sure && picked(4) == 0;
		check(sure == (levels[i] == BOT_STRONG), "easy forgets, strong does not");
	}
}

int main(int argc, char *argv[])
{
	int rounds = argc > 1 ? atoi(argv[1]) : 10;

	prints = argc > 2;
	game = game_find("memory");
	game_seed(&chance, 1);
	test_memory();
	test_others();
	test_forgetting();
	bot_close(&bot);
	test_tables(rounds);
	return check_end();
}
