/*
 * table_test - tables as table.h has them, without a server: who is away, who has left, how it ends.
 */
#include "proto/table/table.h"
#include "tests/unit/check.h"

#include "proto/time/timers.h"

enum { GRACE = 30, IDLE = 600, WAIT = 10, SECOND = 1000 };

static struct table table;
static char said[GAME_SEATS_MAX][65536]; /* by place, since hush() */
static char results[256];
static int shown;

static void on_say(void *owner, int place, const char *line)
{
	struct text text = TEXT_IN(said[place]);

	(void)owner;
	text.length = strlen(said[place]);
	text_add(&text, "%s\n", line);
	CHECK(!text.cut);
}

static void on_show(void *owner)
{
	(void)owner;
	shown++;
}

static void on_away(void *owner, int place)
{
	(void)owner;
	CHECK(place >= 0);
}

static void on_part(void *owner, int place, enum parting parting)
{
	(void)owner;
	(void)parting;
	CHECK(place >= 0);
}

static void on_result(void *owner, const char *why, uint16_t winners)
{
	struct text text = TEXT_IN(results);

	(void)owner;
	text.length = strlen(results);
	text_add(&text, "%s %d;", why, winners);
}

static void hush(void)
{
	memset(said, 0, sizeof(said));
}

static bool was_said(int place, const char *words)
{
	return strstr(said[place], words) != NULL;
}

/* A table of this game with so many people, who speak the full dialect; `keys` as behind PLAY. */
static void sit(const char *game, int seats, const char *keys)
{
	static const struct table_sink sink = {on_show, on_result, on_say, on_away, on_part, NULL};
	static const struct shape_defaults defaults = {.wait = WAIT};
	char copy[64];
	struct words words = {0};
	struct wish wish;

	memset(&table, 0, sizeof(table));
	results[0] = '\0';
	wish_default(&wish, game_find(game), &defaults);
	snprintf(copy, sizeof(copy), "%s", keys);
	CHECK(*copy == '\0' || line_split(copy, &words));
	CHECK(wish_read(&wish, words.word, words.count) == NULL);
	table.game = wish.shape.game;
	table.rules = (struct table_rules){
	    .shape = wish.shape, .seed = 1, .idle = IDLE, .grace = GRACE};
	table.seats = seats;
	table.sink = &sink;
	for (int seat = 0; seat < seats; seat++) {
		table.seat[seat] = (struct seat){.place = seat, .full = true, .wait = WAIT};
		snprintf(table.seat[seat].name, NAME_MAX_BYTES, "p%d", seat);
	}
	table_open(&table, 0);
	hush();
}

/* Let time pass, as a duel does: whatever is due, when it is due. */
static void pass_time(int64_t from, int64_t to)
{
	while (from < to && !table.done) {
		int64_t due = table_due(&table);

		from = due < from + 1 ? from + 1 : due < to ? due : to;
		table_tick(&table, from);
	}
}

static void pick(int seat, int cell, int64_t now)
{
	char x[2] = {(char)('0' + cell % 2)}, y[2] = {(char)('0' + cell / 2)};
	char *words[] = {x, y};
	const char *text;

	CHECK(table_move(&table, seat, words, 2, now, &text) == ERROR_NONE);
}

/* Seat 0 wins all pairs of a board of four cards. */
static int64_t win_memory(void)
{
	int64_t now = 0;

	for (int other = 1; other < 4; other++, now += 3 * SECOND) {
		pick(0, 0, now);
		pick(0, other, now);
		if (was_said(0, "right")) {
			pick(0, other == 1 ? 2 : 1, now);
			pick(0, other == 3 ? 2 : 3, now);
			break;
		}
		pass_time(now, now + 3 * SECOND);
	}
	CHECK(was_said(0, "WIN points"));
	return now;
}

/* A round that has ended has its verdict and its result, however the table ends. */
static void test_abort_in_the_pause(void)
{
	int shown_before;

	sit("memory", 2, "size=2");
	win_memory();
	shown_before = shown;
	table_stop(&table, "shutdown");
	CHECK(table.done && was_said(0, "ABORTED shutdown") && was_said(1, "ABORTED shutdown"));
	check_text(table.verdict, "points");
	check_text(results, "points 1;");
	CHECK(shown == shown_before);

	sit("memory", 2, "size=2");
	table_stop(&table, "shutdown");
	check_text(table.verdict, "aborted");
	check_text(results, "aborted 0;");
}

static void test_all_leave_in_the_pause(void)
{
	int64_t now;

	sit("memory", 2, "size=2");
	now = win_memory();
	table_logout(&table, 0, now);
	table_logout(&table, 1, now);
	CHECK(table.done);
	check_text(table.verdict, "points");
}

/* Who is left and away may come back within his grace, however short he would look for others. */
static void test_countdown_waits_for_the_one_away(void)
{
	sit("memory", 2, "");
	table_lose(&table, 0, 0);
	table_logout(&table, 1, 0);
	pass_time(0, 20 * SECOND);
	CHECK(!table.done);
	table_return(&table, 0, false, 20 * SECOND);
	CHECK(was_said(0, "FROZEN"));
	pass_time(20 * SECOND, 25 * SECOND);
	CHECK(was_said(0, "NO_OPPONENTS") && !table.done);
	pass_time(25 * SECOND, 20 * SECOND + (WAIT + 1) * SECOND);
	CHECK(was_said(0, "NO_OPPONENTS 0\nABORTED left\n") && table.done);

	sit("memory", 2, "");
	table_lose(&table, 0, 0);
	table_logout(&table, 1, 0);
	pass_time(0, (GRACE - 1) * SECOND);
	CHECK(!table.done);
	pass_time((GRACE - 1) * SECOND, GRACE * SECOND);
	CHECK(table.done);
	check_text(table.verdict, "aborted");
}

/* Nobody can move while a table is frozen, so nobody is idle: he looks for others as long as he said
 * that he would. */
static void test_idle(void)
{
	struct seat newcomer = {.place = 1, .full = true, .wait = WAIT, .name = "new"};

	sit("memory", 2, "");
	table.seat[0].wait = 3 * IDLE;
	table_logout(&table, 1, 0);
	pass_time(0, 2 * IDLE * SECOND);
	CHECK(!table.done);
	CHECK(table_join(&table, &newcomer, 2 * IDLE * SECOND));
	pass_time(2 * IDLE * SECOND, 3 * IDLE * SECOND - 1);
	CHECK(!table.done);
	pass_time(3 * IDLE * SECOND - 1, 3 * IDLE * SECOND);
	CHECK(table.done && was_said(0, "ABORTED idle") && was_said(1, "ABORTED idle"));
}

/* One is out and listens, one has left, the last one is away and does not come back. */
static void test_nobody_left_to_play(void)
{
	sit("qwirkle", 3, "seats=3");
	CHECK(table_resign(&table, 0, 0) == ERROR_NONE);
	table_lose(&table, 2, 0);
	table_logout(&table, 1, 0);
	CHECK(!table.done);
	pass_time(0, (GRACE + 1) * SECOND);
	CHECK(table.done && was_said(0, "ROUND 1 1 0 0 0"));
	check_text(table.verdict, "left");

	/* he comes back, and has won */
	sit("qwirkle", 3, "seats=3");
	CHECK(table_resign(&table, 0, 0) == ERROR_NONE);
	table_lose(&table, 2, 0);
	table_logout(&table, 1, 0);
	table_return(&table, 2, false, SECOND);
	CHECK(table.done && was_said(2, "WIN left"));
}

/* Wins are counted for as long as people play. */
static void test_many_rounds(void)
{
	sit("memory", 10, "size=2");
	for (int seat = 0; seat < 10; seat++)
		table.seat[seat].rounds_won = 12345;
	win_memory();
	CHECK(was_said(9, "ROUND 1 0 12346 12345 12345 12345 12345 12345 12345 12345 12345 12345"));
}

/* A full table takes nobody, and nothing of it changes. */
static void test_join(void)
{
	struct seat newcomer = {.place = 9, .full = true, .wait = WAIT, .name = "new"};
	int shown_before;

	sit("memory", 9, "");
	CHECK(table_room(&table) == 1);
	CHECK(table_join(&table, &newcomer, 0));
	CHECK(was_said(9, "START 1 SEAT 9") && was_said(0, "STATE 9 join 1"));
	CHECK(table_room(&table) == 0);
	hush();
	shown_before = shown;
	CHECK(!table_join(&table, &newcomer, 0));
	CHECK(table.seats == 10 && shown == shown_before && !was_said(0, "join"));

	sit("memory", 2, "");
	table_stop(&table, "shutdown");
	CHECK(table_room(&table) == 0 && !table_join(&table, &newcomer, 0));
}

/* A duel may be stopped for a while: then several things are due at once. */
static void test_late(void)
{
	sit("tictactoe", 2, "clock=1");
	table_lose(&table, 1 - table_turn(&table), 10);
	/* his clock ran out long before the other's grace */
	table_tick(&table, (GRACE + 5) * SECOND);
	CHECK(strncmp(results, "timeout ", 8) == 0);
	/* and the other way round */
	sit("tictactoe", 2, "clock=60");
	table_lose(&table, 1 - table_turn(&table), 10);
	table_tick(&table, 100 * SECOND);
	CHECK(strncmp(results, "left ", 5) == 0);
	/* a countdown goes down second by second */
	sit("memory", 2, "size=2");
	table_logout(&table, 1, 10);
	hush();
	table_tick(&table, 3500);
	CHECK(was_said(0, "NO_OPPONENTS 9\nNO_OPPONENTS 8\nNO_OPPONENTS 7\n"));
	CHECK(!was_said(0, "NO_OPPONENTS 6"));
}

/* Viewers see that a seat is vacant, also where the players have nothing to hear. */
static void test_vacant_seats_are_shown(void)
{
	struct frame frame;
	int before;

	sit("qwirkle", 3, "seats=3");
	CHECK(table_resign(&table, 0, 10) == ERROR_NONE);
	before = shown;
	table_logout(&table, 0, 20);
	CHECK(shown == before + 1);
	table_fill_frame(&table, &frame);
	CHECK(strcmp(frame.name[0], "-") == 0 && frame.out == 0);
	CHECK(table.last_seat == -1);
	sit("tictactoe", 2, "");
	table_lose(&table, 0, 10);
	before = shown;
	table_logout(&table, 1, 20);
	CHECK(shown == before + 1 && !table.done);
	table_fill_frame(&table, &frame);
	CHECK(strcmp(frame.name[1], "-") == 0 && strcmp(frame.verdict, "false") == 0);
	/* once */
	table_return(&table, 0, false, 30);
	CHECK(strcmp(results, "left 1;") == 0);
}

int main(void)
{
	test_abort_in_the_pause();
	test_all_leave_in_the_pause();
	test_countdown_waits_for_the_one_away();
	test_idle();
	test_nobody_left_to_play();
	test_many_rounds();
	test_join();
	test_late();
	test_vacant_seats_are_shown();
	return check_end();
}
