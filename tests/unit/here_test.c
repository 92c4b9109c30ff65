/*
 * here_test.c - what TABLES answers, as a list of who is here.
 */
#include "player/session/here.h"
#include "tests/unit/check.h"

#define ANNA "11111111-2222-4333-8444-555555555555"
#define DUEL "21111111-2222-4333-8444-555555555555"

static struct here here;

static enum here_line hear(const char *line)
{
	char copy[512];

	snprintf(copy, sizeof(copy), "%s", line);
	return here_hear(&here, copy, 7);
}

static int hear_one(const char *line)
{
	here_begin(&here);
	check(hear(line) == HERE_TOLD, line);
	hear("END");
	return here.now.count;
}

static void test_open(void)
{
	const struct here_entry *entry = &here.now.entry[0];
	static const struct shape_defaults defaults = {.wait = 10};
	struct wish wish;

	CHECK(hear_one("open hnefatafl anna 8 " ANNA " rounds=3 clock=60 vs=ben") == 1);
	CHECK(entry->waits && entry->game == game_find("hnefatafl") && entry->seconds == 8);
	check_text(entry->names, "anna");
	check_text(entry->id, ANNA);
	check_text(entry->keys, "rounds=3 clock=60 vs=ben");
	wish_default(&wish, entry->game, &defaults);
	here_wish(entry, &wish);
	CHECK(wish.shape.rounds == 3 && wish.shape.clock == 60);
	check_text(wish.vs, "ben");
	CHECK(hear_one("open quantik anon 0 " ANNA) == 1);
	check_text(entry->keys, "");
	wish_default(&wish, entry->game, &(struct shape_defaults){.wait = 10, .no_clock = true});
	here_wish(entry, &wish);
	check(wish.shape.clock == 0, "what is not said is the default of the server");
}

static void test_live(void)
{
	const struct here_entry *entry = &here.now.entry[0];

	CHECK(hear_one("live quantik anna,ben 1/2 " DUEL " 9001") == 1);
	CHECK(!entry->waits && entry->round == 1 && entry->rounds == 2 && entry->port == 9001);
	check_text(entry->names, "anna,ben");
	check_text(entry->id, DUEL);
	CHECK(hear_one("live memory anna,-,ben 7/0 " DUEL " -") == 1);
	CHECK(entry->port == 0 && entry->rounds == 0);
}

static void test_nonsense(void)
{
	static const char *const lines[] = {
	    "open quantik",
	    "open quantik anna 8",
	    "open quantik an/na 8 " ANNA,
	    "open quantik anna eight " ANNA,
	    "open quantik anna -1 " ANNA,
	    "open quantik anna 8 " ANNA " size=4",
	    "open quantik anna 8 " ANNA " rounds=0",
	    "open quantik anna 8 " ANNA " rounds=2 rounds=2",
	    "open quantik anna 8  " ANNA,
	    "open quantik anna 8 1234",
	    "open chess anna 8 " ANNA,
	    "open quantik \033[31m 8 " ANNA,
	    "live quantik anna,ben 1/2 " DUEL,
	    "live quantik anna,,ben 1/2 " DUEL " 9001",
	    "live quantik anna,ben 12 " DUEL " 9001",
	    "live quantik anna,ben 1/2 " DUEL " 0",
	    "live quantik anna,ben 1/2 " DUEL " 65536",
	    "live quantik a,b,c,d,e,f,g,h,i,j,k 1/2 " DUEL " 9001",
	    "live chess anna,ben 1/2 " DUEL " 9001",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		check(hear_one(lines[i]) == 0, lines[i]);
	check(hear("LEGAL 0 0") == HERE_OTHER && hear("opened") == HERE_OTHER,
	      "what is not of a list is left to others");
}

static void test_whole(void)
{
	char line[128];

	hear_one("open quantik anna 8 " ANNA);
	here_begin(&here);
	hear("open quantik ben 8 " DUEL);
	check(here.now.count == 1 && strcmp(here.now.entry[0].id, ANNA) == 0,
	      "a list counts when it is whole");
	hear("END");
	CHECK(here.now.count == 1 && strcmp(here.now.entry[0].id, DUEL) == 0 && here.told == 7);
	here_begin(&here);
	for (int i = 0; i < HERE_MAX + 5; i++) {
		snprintf(line, sizeof(line), "live tictactoe a,b 1/1 %08x%s 9001", i, &DUEL[8]);
		hear(line);
	}
	hear("END");
	check(here.now.count == HERE_MAX && here.now.more == 5, "what has no room is counted");
	here_begin(&here);
	hear("END");
	check(here.now.count == 0 && here.now.more == 0, "nobody is here");
}

int main(void)
{
	CHECK(!here.is_known);
	test_open();
	test_live();
	test_nonsense();
	test_whole();
	CHECK(here.is_known);
	return check_end();
}
