/*
 * shape_test - the keys of PLAY: how each is read, what it is when it is left out, what is refused;
 * the shape as text and back; the lines of GAMES.
 *
 * Games that exist nowhere else have each kind of key, so that nothing here changes when a real
 * game comes.
 */
#include "proto/table/shape.h"
#include "proto/wire/text.h"
#include "tests/unit/check.h"

#define ALPHABET_24 "AZaz09._-012345678901234"

static const struct game sided = {
    .name = "sided",
    .seats_min = 2,
    .seats_max = 2,
    .has = GAME_HAS_SIDES | GAME_HAS_CLOCK,
    .side_name = {"black", "red"},
    .rounds = 3,
    .clock = 5,
    .strict = true,
};

static const struct game racks = {
    .name = "racks",
    .seats_min = 2,
    .seats_max = 4,
    .has = GAME_HAS_CLOCK | GAME_HAS_SEATS | GAME_HAS_CHEAT,
    .rounds = 1,
    .clock = 120,
};

static const struct game timeless = {
    .name = "timeless",
    .seats_min = 2,
    .seats_max = 10,
    .has = GAME_HAS_SIZE,
};

static const struct shape_defaults defaults = {.wait = 10};

/* Read the keys of a line into a default wish; "" or the reason why not. */
static const char *read_keys(struct wish *wish, const struct game *game, const char *line)
{
	static char copy[512];
	struct words words = {0};
	const char *reason;

	snprintf(copy, sizeof(copy), "%s", line);
	wish_default(wish, game, &defaults);
	if (*line != '\0')
		CHECK(line_split(copy, &words));
	reason = wish_read(wish, words.word, words.count);
	return reason == NULL ? "" : reason;
}

static void check_good(const struct game *game, const char *line)
{
	struct wish wish;

	check_text(read_keys(&wish, game, line), "");
}

/* Refused with these words. */
static void check_bad(const struct game *game, const char *line, const char *why)
{
	struct wish wish;

	check_text(read_keys(&wish, game, line), why);
}

#define UNKNOWN_KEY "this game has no such key (GAMES lists them)"

static void check_name_like(const char *key, const char *wants)
{
	static const char *const bad[] = {
	    "", "-", "a/b", "\xc3\xa4", "a,b", "a=b", (ALPHABET_24 "5")};
	char line[64], why[96];

	snprintf(why, sizeof(why), "%s= wants %s", key, wants);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(line, sizeof(line), "%s=%s", key, bad[i]);
		check_bad(&timeless, line, why);
	}
	snprintf(line, sizeof(line), "%s=%s", key, ALPHABET_24);
	check_good(&timeless, line);
	snprintf(line, sizeof(line), "%s=--", key);
	check_good(&timeless, line);
}

static void test_name_and_vs(void)
{
	struct wish wish;

	check_name_like("name", "1 to 24 of A-Z a-z 0-9 . _ -");
	check_name_like("vs", "a name");
	read_keys(&wish, &sided, "");
	check_text(wish.name, "anon");
	check_text(wish.vs, "");
	read_keys(&wish, &sided, "name=anna vs=ben");
	check_text(wish.name, "anna");
	check_text(wish.vs, "ben");
}

static void test_side(void)
{
	struct wish wish;

	read_keys(&wish, &sided, "");
	CHECK(wish.side == -1);
	check_text(read_keys(&wish, &sided, "side=black"), "");
	CHECK(wish.side == 0);
	check_text(read_keys(&wish, &sided, "side=red"), "");
	CHECK(wish.side == 1);
	check_text(read_keys(&wish, &sided, "side=any"), "");
	CHECK(wish.side == -1);
	check_bad(&sided, "side=", "side= wants a side of this game, or any");
	check_bad(&sided, "side=white", "side= wants a side of this game, or any");
	check_bad(&sided, "side=RED", "side= wants a side of this game, or any");
	check_bad(&racks, "side=any", UNKNOWN_KEY);
	check_bad(&timeless, "side=any", UNKNOWN_KEY);
}

static void test_table(void)
{
	static const char wants[] = "table= wants 1 to 32 of A-Z a-z 0-9 . _ -";
	struct wish wish;

	read_keys(&wish, &racks, "");
	check_text(wish.shape.table, "");
	check_text(read_keys(&wish, &racks, "table=" ALPHABET_24 "12345678"), "");
	check_text(wish.shape.table, ALPHABET_24 "12345678");
	check_good(&racks, "table=-");
	check_bad(&racks, "table=" ALPHABET_24 "123456789", wants);
	check_bad(&racks, "table=", wants);
	check_bad(&racks, "table=a,b", wants);
}

/* Every one of `bad` is refused with the same words. */
static void check_all_bad(const struct game *game, const char *key, const char *wants,
			  const char *const bad[])
{
	char line[64], why[96];

	snprintf(why, sizeof(why), "%s= wants %s", key, wants);
	for (; *bad != NULL; bad++) {
		snprintf(line, sizeof(line), "%s=%s", key, *bad);
		check_bad(game, line, why);
	}
}

static void test_rounds(void)
{
	static const char *const bad[] = {
	    "", "100", "-1", "x", "1.5", "0x1", "+1", "1e1", "99999999999999999999", NULL};
	static const char wants[] = "1 to 99, or 0 where rounds are endless";
	struct wish wish;

	read_keys(&wish, &sided, "");
	CHECK(wish.shape.rounds == 3);
	check_text(read_keys(&wish, &sided, "rounds=1"), "");
	CHECK(wish.shape.rounds == 1);
	check_text(read_keys(&wish, &sided, "rounds=99"), "");
	CHECK(wish.shape.rounds == 99);
	check_all_bad(&sided, "rounds", wants, (const char *const[]){"0", NULL});
	read_keys(&wish, &timeless, "");
	CHECK(wish.shape.rounds == 0);
	check_good(&timeless, "rounds=0");
	check_text(read_keys(&wish, &timeless, "rounds=7"), "");
	CHECK(wish.shape.rounds == 7);
	check_all_bad(&timeless, "rounds", wants, bad);
}

static void test_clock_and_strict(void)
{
	static const char *const bad_clock[] = {"0",	      "-1", "on",  "",
						"1000000000", "5s", "OFF", NULL};
	static const char *const bad_strict[] = {"", "yes", "1", "ON", "offf", NULL};
	static const struct shape_defaults no_clock = {.wait = 10, .no_clock = true};
	struct wish wish;

	read_keys(&wish, &sided, "");
	CHECK(wish.shape.clock == 5 && wish.shape.strict);
	read_keys(&wish, &racks, "");
	CHECK(wish.shape.clock == 120 && !wish.shape.strict);
	check_text(read_keys(&wish, &sided, "clock=off strict=off"), "");
	CHECK(wish.shape.clock == 0 && !wish.shape.strict);
	check_text(read_keys(&wish, &racks, "clock=999999999 strict=on"), "");
	CHECK(wish.shape.clock == 999999999 && wish.shape.strict);
	check_good(&racks, "clock=1");
	check_all_bad(&sided, "clock", "off or a number of seconds", bad_clock);
	check_all_bad(&sided, "strict", "on or off", bad_strict);
	check_bad(&timeless, "clock=off", UNKNOWN_KEY);
	check_bad(&timeless, "strict=off", UNKNOWN_KEY);
	read_keys(&wish, &timeless, "");
	CHECK(wish.shape.clock == 0 && !wish.shape.strict);
	wish_default(&wish, &sided, &no_clock);
	CHECK(wish.shape.clock == 0 && wish.shape.strict);
}

static void test_wait_and_legal(void)
{
	static const char *const bad_wait[] = {"0", "3601", "", "-5", "off", NULL};
	static const char *const bad_legal[] = {"1", "", "yes", NULL};
	struct wish wish;

	read_keys(&wish, &racks, "");
	CHECK(wish.wait == 10 && !wish.legal);
	check_text(read_keys(&wish, &racks, "wait=1 legal=on"), "");
	CHECK(wish.wait == 1 && wish.legal);
	check_text(read_keys(&wish, &racks, "wait=3600 legal=off bot=off"), "");
	CHECK(wish.wait == 3600 && !wish.legal);
	check_all_bad(&racks, "wait", "1 to 3600 seconds", bad_wait);
	check_all_bad(&racks, "legal", "on or off", bad_legal);
}

static void test_seats_and_cheat(void)
{
	static const char *const bad_seats[] = {"1", "5", "0", "", "two", "-2", NULL};
	static const char *const bad_cheat[] = {"", "yes", "1", NULL};
	struct wish wish;

	read_keys(&wish, &racks, "");
	CHECK(wish.shape.seats == 2 && !wish.shape.cheat);
	for (int seats = 2; seats <= 4; seats++) {
		char line[] = "seats=0";

		line[6] = (char)('0' + seats);
		check_text(read_keys(&wish, &racks, line), "");
		CHECK(wish.shape.seats == seats);
	}
	check_text(read_keys(&wish, &racks, "cheat=on"), "");
	CHECK(wish.shape.cheat);
	check_text(read_keys(&wish, &racks, "cheat=off"), "");
	CHECK(!wish.shape.cheat);
	check_all_bad(&racks, "seats", "as many as this game can have", bad_seats);
	check_all_bad(&racks, "cheat", "on or off", bad_cheat);
	check_bad(&sided, "seats=2", UNKNOWN_KEY);
	check_bad(&sided, "cheat=off", UNKNOWN_KEY);
	/* seats come and go there, so they are not for anybody to choose */
	check_bad(&timeless, "seats=2", UNKNOWN_KEY);
	read_keys(&wish, &timeless, "");
	CHECK(wish.shape.seats == 2);
}

static void test_size(void)
{
	struct wish wish;

	read_keys(&wish, &timeless, "");
	CHECK(wish.shape.size == 4);
	read_keys(&wish, &racks, "");
	CHECK(wish.shape.size == 0);
	for (int size = -2; size <= 12; size++) {
		char line[32];
		bool known = size >= 2 && size <= 10 && size % 2 == 0;

		snprintf(line, sizeof(line), "size=%d", size);
		check_text(read_keys(&wish, &timeless, line),
			   known ? "" : "size= wants 2, 4, 6, 8 or 10");
		CHECK(!known || wish.shape.size == size);
	}
	check_bad(&timeless, "size=", "size= wants 2, 4, 6, 8 or 10");
	check_bad(&timeless, "size=4x4", "size= wants 2, 4, 6, 8 or 10");
	check_bad(&sided, "size=4", UNKNOWN_KEY);
	check_bad(&racks, "size=4", UNKNOWN_KEY);
}

/* What is wrong with words, whatever they mean. */
static void test_words(void)
{
	check_bad(&sided, "colour=red", UNKNOWN_KEY);
	check_bad(&sided, "name", UNKNOWN_KEY);
	check_bad(&sided, "=a", UNKNOWN_KEY);
	check_bad(&sided, "NAME=a", UNKNOWN_KEY);
	check_bad(&sided, "names=a", UNKNOWN_KEY);
	check_bad(&sided, "name=a name=b", "name= was said twice");
	check_bad(&racks, "seats=2 wait=5 seats=2", "seats= was said twice");
	check_bad(&timeless, "size=4 size=4", "size= was said twice");
	check_bad(&timeless, "size=4 colour=red", UNKNOWN_KEY);
	/* every key at once, in any order */
	check_good(&racks, "cheat=on seats=4 legal=on wait=3 strict=on clock=off rounds=2 table=t "
			   "vs=b name=a");
}

static void check_games_line(const struct game *game, const struct shape_defaults *server,
			     const char *expected)
{
	char line[256] = "";
	struct text text = TEXT_IN(line);

	wish_print_defaults(game, server, &text);
	check_text(line, expected);
}

static void test_games_lines(void)
{
	static const struct shape_defaults server = {.wait = 7, .no_clock = true};

	check_games_line(&sided, &defaults,
			 "sided 2 2 name=anon side=any vs= table= rounds=3 clock=5 strict=on "
			 "wait=10 legal=off bot=off");
	check_games_line(&sided, &server,
			 "sided 2 2 name=anon side=any vs= table= rounds=3 clock=off strict=on "
			 "wait=7 legal=off bot=off");
	check_games_line(&racks, &defaults,
			 "racks 2 4 name=anon vs= table= rounds=1 clock=120 strict=off wait=10 "
			 "legal=off seats=2 cheat=off bot=off");
	check_games_line(
	    &timeless, &defaults,
	    "timeless 2 10 name=anon vs= table= rounds=0 wait=10 legal=off size=4 bot=off");
	check_games_line(
	    game_find("memory"), &defaults,
	    "memory 2 10 name=anon vs= table= rounds=0 wait=10 legal=off size=4 bot=off");
}

static void check_shape(const struct game *game, const char *keys, const char *expected)
{
	struct wish wish;
	char text[SHAPE_MAX];

	check_text(read_keys(&wish, game, keys), "");
	shape_print(&wish.shape, text);
	check_text(text, expected);
}

/* Only what shapes the table is part of its text, and the default is the same, said or not. */
static void test_shape_text(void)
{
	check_shape(&sided, "", "sided table= rounds=3 clock=5 strict=on");
	check_shape(&sided, "name=a vs=b side=red wait=3 legal=on rounds=3 clock=5 strict=on",
		    "sided table= rounds=3 clock=5 strict=on");
	check_shape(&sided, "table=t rounds=2 clock=off strict=off",
		    "sided table=t rounds=2 clock=off strict=off");
	check_shape(&racks, "", "racks table= rounds=1 clock=120 strict=off seats=2 cheat=off");
	check_shape(&racks, "cheat=on seats=3",
		    "racks table= rounds=1 clock=120 strict=off seats=3 cheat=on");
	check_shape(&timeless, "", "timeless table= rounds=0 size=4");
	check_shape(&timeless, "size=04", "timeless table= rounds=0 size=4");
	check_shape(&timeless, "size=10 rounds=99", "timeless table= rounds=99 size=10");
}

/* A shape of a game that the server has, as text, and back. */
static void check_round_trip(const struct shape *shape)
{
	struct shape again;
	struct words words;
	char text[SHAPE_MAX], copy[SHAPE_MAX];

	shape_print(shape, text);
	CHECK(strlen(text) < SHAPE_MAX - 1);
	strcpy(copy, text);
	CHECK(line_split(copy, &words));
	CHECK(shape_read(&again, words.word, words.count));
	CHECK(again.game == shape->game && strcmp(again.table, shape->table) == 0);
	CHECK(again.rounds == shape->rounds && again.clock == shape->clock);
	CHECK(again.strict == shape->strict && again.seats == shape->seats);
	CHECK(again.size == shape->size && again.cheat == shape->cheat);
	shape_print(&again, copy);
	check_text(copy, text);
}

static void test_round_trip(void)
{
	struct wish wish;

	for (int i = 0; game_at(i) != NULL; i++) {
		const struct game *game = game_at(i);

		wish_default(&wish, game, &defaults);
		check_round_trip(&wish.shape);
		memset(wish.shape.table, 'x', sizeof(wish.shape.table) - 1);
		wish.shape.rounds = 99;
		if (game->has & GAME_HAS_CLOCK) {
			wish.shape.clock = 86400;
			wish.shape.strict = !wish.shape.strict;
		}
		if (game->has & GAME_HAS_SEATS)
			wish.shape.seats = game->seats_max;
		if (game->has & GAME_HAS_SIZE)
			wish.shape.size = 10;
		wish.shape.cheat = (game->has & GAME_HAS_CHEAT) != 0;
		check_round_trip(&wish.shape);
	}
}

/* What others are told of it. */
static void check_told(const struct game *game, const struct shape_defaults *server,
		       const char *line, const char *expected)
{
	struct words words = {0};
	char copy[256], told[256] = "";
	struct text text = TEXT_IN(told);
	struct wish wish;

	strcpy(copy, line);
	wish_default(&wish, game, server);
	CHECK(*line == '\0' || line_split(copy, &words));
	CHECK(wish_read(&wish, words.word, words.count) == NULL);
	wish_print_told(&wish, server, &text);
	check_text(told, expected);
}

static void test_told(void)
{
	static const struct shape_defaults no_clock = {.wait = 10, .no_clock = true};

	check_told(&sided, &defaults, "", "");
	check_told(&sided, &defaults, "name=a side=red wait=9 legal=on clock=5 rounds=3", "");
	check_told(&sided, &defaults, "vs=ben strict=off clock=off rounds=1",
		   " rounds=1 clock=off strict=off vs=ben");
	check_told(&racks, &defaults, "table=t seats=3 cheat=on", " table=t seats=3 cheat=on");
	check_told(&timeless, &defaults, "size=6 rounds=0", " size=6");
	check_told(&racks, &no_clock, "clock=off", "");
	check_told(&racks, &no_clock, "clock=120", " clock=120");
}

static bool can_be_shape(const char *line)
{
	struct shape shape;
	struct words words;
	char copy[256];

	strcpy(copy, line);
	return line_split(copy, &words) && shape_read(&shape, words.word, words.count);
}

static void test_shape_refused(void)
{
	struct shape shape;

	CHECK(!shape_read(&shape, (char *[]){NULL}, 0));
	CHECK(can_be_shape("memory") && can_be_shape("memory table= size=8"));
	CHECK(!can_be_shape("chess table=") && !can_be_shape("memory size=3"));
	CHECK(!can_be_shape("memory clock=5") && !can_be_shape("memory x"));
	CHECK(!can_be_shape("tictactoe size=4") && !can_be_shape("tictactoe rounds=0"));
}

static void test_bot_names(void)
{
	check_text(bot_level_of("easy"), "easy");
	check_text(bot_level_of("strong-3"), "strong");
	CHECK(bot_has_name("random-2"));
	CHECK(!bot_has_name("easy-1") && !bot_has_name("easy-4") && !bot_has_name("easy-22") &&
	      !bot_has_name("easyer") && !bot_has_name("eas") && !bot_has_name(""));
}

int main(void)
{
	test_bot_names();
	test_name_and_vs();
	test_side();
	test_table();
	test_rounds();
	test_clock_and_strict();
	test_wait_and_legal();
	test_seats_and_cheat();
	test_size();
	test_words();
	test_games_lines();
	test_shape_text();
	test_round_trip();
	test_told();
	test_shape_refused();
	return check_end();
}
