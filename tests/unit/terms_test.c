/*
 * terms_test.c - the terms of a table: what is set, what others ask for, as keys and in words.
 */
#include "player/terminal/terms.h"
#include "tests/unit/check.h"

#define ANNA "11111111-2222-4333-8444-555555555555"
#define BEN  "21111111-2222-4333-8444-555555555555"

static struct session session;
static struct here here;
static struct terms terms;

static int game_number(const char *name)
{
	int i = 0;

	while (game_at(i) != game_find(name))
		i++;
	return i;
}

static void check_keys(const struct options *options, const char *expected)
{
	char keys[256] = "";
	struct text text = TEXT_IN(keys);

	for (int k = 0; k < options->keys; k++)
		text_add(&text, "%s%s", k == 0 ? "" : " ", options->key[k]);
	check_text(keys, expected);
}

static struct options ask_for(const char *game)
{
	struct options options = {.game = game_find(game), .name = "anna"};

	return options;
}

static void test_clock(void)
{
	struct options options = ask_for("quantik");

	terms_apply(&terms, &session, &options);
	check_keys(&options, "clock=60");
	options = ask_for("hnefatafl");
	terms_apply(&terms, &session, &options);
	check_keys(&options, "");
	options = ask_for("memory");
	terms_apply(&terms, &session, &options);
	check_keys(&options, "");
	options = ask_for("quantik");
	options.key[options.keys++] = "clock=5";
	terms_apply(&terms, &session, &options);
	check_keys(&options, "clock=5");
	/* a server without clocks gives time enough */
	session.has_game[game_number("quantik")] = true;
	options = ask_for("quantik");
	terms_apply(&terms, &session, &options);
	check_keys(&options, "");
	session.server_clock[game_number("quantik")] = 5;
	terms_apply(&terms, &session, &options);
	check_keys(&options, "clock=60");
}

static void test_steps(void)
{
	struct options options = ask_for("quantik"), asked;

	CHECK(terms_has(&options, TERMS_CLOCK) && terms_has(&options, TERMS_ROUNDS) &&
	      !terms_has(&options, TERMS_SEATS) && !terms_has(&options, TERMS_SIZE));
	terms_step(&terms, &session, &options, TERMS_CLOCK, 1);
	terms_step(&terms, &session, &options, TERMS_ROUNDS, -1);
	terms_step(&terms, &session, &options, TERMS_ROUNDS, -1);
	asked = options;
	terms_apply(&terms, &session, &asked);
	/* rounds without an end are not for this game */
	check_keys(&asked, "clock=120 rounds=20");
	options = ask_for("qwirkle");
	asked = options;
	terms_apply(&terms, &session, &asked);
	check_keys(&asked, "");
	options.key[options.keys++] = "seats=4";
	terms_step(&terms, &session, &options, TERMS_SEATS, 1);
	terms_apply(&terms, &session, &options);
	check_keys(&options, "seats=2");
	options = ask_for("qwirkle");
	options.people = 3;
	check(!terms_has(&options, TERMS_SEATS), "those at one terminal are as many as they are");
	memset(&terms, 0, sizeof(terms));
}

static void test_against(void)
{
	struct options options = ask_for("quantik");

	options.key[options.keys++] = "vs=ben";
	options.key[options.keys++] = "rounds=3";
	options.key[options.keys++] = "table=secret";
	strcpy(options.rival, "ben");
	terms_against(&options, "strong");
	check_keys(&options, "rounds=3");
	check_text(options.computer, "strong");
	check_text(options.rival, "");
}

static void hear(const char *line)
{
	char copy[256];

	snprintf(copy, sizeof(copy), "%s", line);
	here_hear(&here, copy, 0);
}

static void test_join(void)
{
	struct options options = ask_for("tictactoe");
	char keys[HERE_KEYS];

	here_begin(&here);
	hear("open quantik ben 8 " BEN " rounds=3 vs=anna");
	hear("open qwirkle ben 8 " BEN " seats=3");
	hear("open memory ben 8 " BEN);
	hear("END");
	options.side = "cross";
	options.key[options.keys++] = "rounds=9";
	options.key[options.keys++] = "wait=60";
	terms_join(&options, &here.now.entry[0], keys);
	check_keys(&options, "wait=60 rounds=3");
	CHECK(options.game == game_find("quantik") && options.side == NULL);
	check_text(options.rival, "ben");
	CHECK(terms_is_open(&here.now.entry[0], "anna") &&
	      !terms_is_open(&here.now.entry[0], "carl"));
	terms_join(&options, &here.now.entry[1], keys);
	check_keys(&options, "wait=60 seats=3");
	check_text(options.rival, "");
	terms_join(&options, &here.now.entry[2], keys);
	check_keys(&options, "wait=60");
	check_text(options.rival, "");
}

static void test_others(void)
{
	struct options options = ask_for("quantik");

	session.here = &here;
	here_begin(&here);
	hear("open quantik anna 8 " ANNA " rounds=3");
	hear("open hnefatafl ben 8 " BEN);
	hear("open quantik ben 8 " BEN " vs=carl rounds=3");
	hear("open quantik ben 8 " BEN);
	hear("END");
	check(terms_find_other(&session, &options, ANNA) < 0,
	      "we, another game, somebody else's friend, and who would meet us anyway");
	options.key[options.keys++] = "clock=60";
	CHECK(terms_find_other(&session, &options, ANNA) == 3);
}

static void check_words(const char *line, const char *expected)
{
	char said[192] = "";
	struct text text = TEXT_IN(said);

	here_begin(&here);
	hear(line);
	hear("END");
	terms_print_entry(&session, &here.now.entry[0], &text);
	check_text(said, expected);
}

static void test_words(void)
{
	struct wish ours, theirs;
	char said[192] = "";
	struct text text = TEXT_IN(said);

	check_words("open quantik ben 8 " BEN, "2 rounds, 5 s a turn");
	check_words("open quantik ben 8 " BEN " clock=off strict=off vs=carl",
		    "only with carl, 2 rounds, no clock, wrong moves are forgiven");
	check_words("open tictactoe ben 8 " BEN " strict=on",
		    "1 round, 120 s a turn, a wrong move loses");
	check_words("open qwirkle ben 8 " BEN " seats=3 cheat=on",
		    "1 round, 120 s a turn, 3 seats, cheating allowed");
	check_words("open memory ben 8 " BEN " size=6", "until people leave, 6 x 6");
	session_defaults(&session, game_find("quantik"), &ours);
	theirs = ours;
	theirs.shape.clock = 60;
	terms_print(&ours.shape, &theirs.shape, &text);
	check_text(said, "5 s a turn");
}

int main(void)
{
	test_clock();
	test_steps();
	test_against();
	test_join();
	test_others();
	test_words();
	return check_end();
}
