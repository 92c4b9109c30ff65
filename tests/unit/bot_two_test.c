/*
 * bot_two_test.c - a bot hears what its seat hears: it chooses what is legal there, it remembers
 * what a board does not tell, it finds its way back when it has missed something.
 */
#include "player/bots/bots.h"
#include "tests/unit/check.h"

#include "proto/time/timers.h"

#include <stdio.h>
#include <string.h>

#define ID   "0c549916-1385-43fb-85eb-dc3f9af24b32"
#define DUEL "40bbc18d-1385-43fb-85eb-dc3f9af24b32"

static struct view view;
static struct bot bot;

static void hear(const char *line)
{
	char copy[4096];
	enum heard heard;

	snprintf(copy, sizeof(copy), "%s", line);
	heard = view_hear(&view, copy);
	if (heard == HEARD_NONSENSE || heard == HEARD_NOTHING)
		check_text(line, "a line that is understood");
	bot_see(&bot, &view, heard);
}

static void hear_board(const char *model)
{
	char line[GAME_MODEL_MAX + 8];

	snprintf(line, sizeof(line), "BOARD %s", model);
	hear(line);
}

/* A round of a game begins, as our seat hears it. */
static void sit_down(const char *name, enum bot_level level, uint64_t seed, const char *start)
{
	const struct game *game = game_find(name);

	check(bot_open(&bot, game, level, seed), "there is memory for a bot");
	view_init(&view);
	view_ask(&view, game);
	hear("ID " ID " 0123456789abcdef0123456789abcdef");
	hear(start);
}

static void stand_up(void)
{
	bot_close(&bot);
}

static const char *choose(int64_t until)
{
	static char text[GAME_MOVE_TEXT];

	if (!view_may_move(&view)) {
		check_fail("the bot may move");
		return "";
	}
	view.game->print_move(&view.move[bot_choose(&bot, &view, until)], text);
	return text;
}

#define START_DEFENDER(ours)                                                                       \
	"START " ours " ATTACKER 0 duel=" DUEL " seat=1 seats=2 round=1/1 names=anna,ben"

/* The king can be captured at (0,3) and at (1,3), and no other piece can help him. But the position
 * with him at (0,3) has stood twice: with the third time nobody wins. Who does not know it captures
 * two attackers while there is time. */
static void test_repetition(void)
{
#define BOARD_OF(row3, row8)                                                                       \
	"....DA.A."                                                                                \
	"........."                                                                                \
	"AA......." row3 ".A......."                                                               \
	"........."                                                                                \
	"......D.."                                                                                \
	"A........" row8
	static const char king_left[] = BOARD_OF("K.A......", ".....A...");
	static const char king_left_away[] = BOARD_OF("K.A......", "....A....");
	static const char king_right_away[] = BOARD_OF(".KA......", "....A....");
	static const char king_right[] = BOARD_OF(".KA......", ".....A...");

	for (uint64_t seed = 0; seed < 10; seed++) {
		sit_down("hnefatafl", BOT_STRONG, seed, START_DEFENDER("0"));
		hear_board(king_left);
		for (int time = 0; time < 2; time++) {
			hear("STATE 0 5 8 4 8 1");
			hear_board(king_left_away);
			hear("STATE 1 0 3 1 3 0");
			hear_board(king_right_away);
			hear("STATE 0 4 8 5 8 1");
			hear_board(king_right);
			if (time == 1)
				break;
			hear("STATE 1 1 3 0 3 0");
			hear_board(king_left);
		}
		check_text(choose(clock_ms() + 100), "1 3 0 3");
		stand_up();
	}
}

/* The same board without a past. */
static void test_missed(void)
{
	sit_down("hnefatafl", BOT_STRONG, 1, START_DEFENDER("0"));
	hear_board(BOARD_OF("K.A......", ".....A..."));
	/* taken up again after a lost connection: what happened meanwhile is not told */
	hear(START_DEFENDER("1"));
	hear_board(BOARD_OF(".KA......", ".....A..."));
	check_text(choose(clock_ms() + 100), "6 6 6 0");
	stand_up();
}

/* A list of its own, as a server with other rules would send. */
static void test_other_rules(void)
{
	const char *text;

	sit_down("tictactoe", BOT_STRONG, 1,
		 "START 1 CROSS 1 duel=" DUEL " seat=0 seats=2 round=1/1 names=anna,ben");
	hear_board(".........");
	hear("LEGAL 5 5;6 6");
	text = choose(clock_ms());
	check(strcmp(text, "5 5") == 0 || strcmp(text, "6 6") == 0,
	      "what the server says is legal is chosen from");
	stand_up();
}

/* Without time, at all levels. */
static void test_in_a_hurry(void)
{
	for (int level = 0; level < BOT_LEVELS; level++) {
		sit_down("quantik", (enum bot_level)level, 1,
			 "START 1 WHITE 1 duel=" DUEL " seat=0 seats=2 round=1/2 names=anna,ben");
		hear_board("................");
		check(strlen(choose(0)) == 5, "a bot without time moves all the same");
		stand_up();
	}
}

int main(void)
{
	test_repetition();
	test_missed();
	test_other_rules();
	test_in_a_hurry();
	return check_end();
}
