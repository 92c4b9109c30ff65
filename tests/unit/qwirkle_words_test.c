/*
 * qwirkle_words_test - what Qwirkle says and hears: moves, models, racks, and what is hidden.
 */
#include "tests/unit/qwirkle.h"

/* What can be read, and how it is printed again. */
static void test_words(void)
{
	static const char *const bad[] = {
	    "play", "play a1", "play a1 0", "play a1 0 0 0", "play a1 x 0", "play a1 0 1.",
	    "swap", "pass a1", "Pass",	    "0 0",	     "play 0 0"};
	static const char *const good[][2] = {
	    {"play b4 -3 12", "play b4 -3 12"},
	    {"play b7 1000 -1000", "play ?? 127 -128"},
	    {"play tile 0 0", "play ?? 0 0"},
	    {"swap f6", "swap f6"},
	    {"swap f6 a0 g1 a1 b a11", "swap f6 ?? ?? a1 ?? ??"},
	    {"swap a1 a1 a1 b1 b1 b1 c1", "swap a1 a1 a1 b1 b1 b1 ??"},
	    {"pass", "pass"}};
	struct move move;
	char text[GAME_MOVE_TEXT];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (read_words(&move, bad[i]))
			check_fail(bad[i]);
	CHECK(!game->read_move(&move, NULL, 0));
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		CHECK(read_words(&move, good[i][0]));
		game->print_move(&move, text);
		check_text(text, good[i][1]);
	}
}

static void test_models(void)
{
	static const char *const bad[] = {"",
					  "-1",
					  "109",
					  "096",
					  "96 ",
					  "96/",
					  "x",
					  "40/a1,0,0/",
					  "40/a7,0,0",
					  "40/a,0,0",
					  "40/a1,00,0",
					  "40/a1,0",
					  "40/a1,0,0,0",
					  "40/a1,+0,0",
					  "40/a1, 0,0",
					  "40/a1,1,0",		       /* not at 0 0 */
					  "40/a2,1,0/a1,0,0",	       /* another order */
					  "40/a1,0,0/a1,0,0",	       /* twice in a cell */
					  "40/a1,0,0/a1,1,0",	       /* two that are the same */
					  "40/a1,0,0/b2,1,0",	       /* two that share nothing */
					  "40/a1,0,0/a2,2,0",	       /* a gap */
					  "40/a1,0,0/a2,1,0/b2,2,0",   /* a line of two kinds */
					  "40/a1,0,0/a2,999999999,0"}; /* out of reach */
	union game_state state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (game->read_model(&state, bad[i], 0))
			check_fail(bad[i]);
	CHECK(!game->read_model(&state, "96", 4));
	CHECK(game->read_model(&state, "96", 3) && game->turn(&state) == 3);
	CHECK(game->read_model(&state, "50/a1,0,0", -1) && outcome_of(&state).over);
	CHECK(outcome_of(&state).winners == 0);
	/* three of a kind, and four */
	CHECK(game->read_model(&state, "9/a1,0,0/a2,1,0/a1,1,1/a2,2,1/a1,2,2/a2,3,2", 0));
	CHECK(!game->read_model(&state, "9/a1,0,0/a2,1,0/a1,1,1/a2,2,1/a1,2,2/a2,3,2/a1,3,3", 0));
	check_rack(&state, 9, "");
}

/* Racks: any number of tiles up to six, no more than three of a kind. */
static void test_racks(void)
{
	union game_state state;
	char *const four[] = {"a1", "a1", "a1", "a1"}, *const bad[] = {"a7"};

	set(&state, "40", "f6 a1 c3 a1");
	check_rack(&state, 0, "a1 a1 c3 f6");
	CHECK(!game->read_rack(&state, 0, four, 4) && !game->read_rack(&state, 0, bad, 1));
	CHECK(!game->read_rack(&state, 4, four, 1) && !game->read_rack(&state, -1, four, 1));
	CHECK(game->read_rack(&state, 0, four, 0));
	check_rack(&state, 0, "");
}

/* Two rounds that differ only in what a seat may not know are the same to it. */
static void test_blind(void)
{
	union game_state one, other;
	uint64_t seed = 1;

	start(&one, 2, 0, false);
	do
		start(&other, 2, seed++, false);
	while (game->turn(&other) != game->turn(&one));
	CHECK(memcmp(&one, &other, game->state_size) != 0);
	give(&one, 0, "a1 a2 b3 c4 c4 d5");
	give(&other, 0, "a1 a2 b3 c4 c4 d5");
	game->blind(&one, 0);
	game->blind(&other, 0);
	CHECK(memcmp(&one, &other, game->state_size) == 0);
	check_rack(&one, 0, "a1 a2 b3 c4 c4 d5");
	check_rack(&one, 1, "?? ?? ?? ?? ?? ??");
	check_model(&one, "96");
	game->blind(&one, -1);
	check_rack(&one, 0, "?? ?? ?? ?? ?? ??");
}

/* The same tiles from the same seed. */
static void test_seeds(void)
{
	union game_state one, other;

	start(&one, 4, 77, false);
	start(&other, 4, 77, false);
	CHECK(memcmp(&one, &other, game->state_size) == 0);
	start(&other, 4, 78, false);
	CHECK(memcmp(&one, &other, game->state_size) != 0);
}

int main(void)
{
	game = game_find("qwirkle");
	if (game == NULL)
		return 1;
	test_words();
	test_models();
	test_racks();
	test_blind();
	test_seeds();
	return check_end();
}
