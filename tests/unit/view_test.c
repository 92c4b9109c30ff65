/*
 * view_test.c - what a player understands of the server's lines, and moves made by picking.
 */
#include "viewer/scene/picker.h"
#include "player/session/view.h"
#include "player/terminal/words.h"
#include "tests/unit/check.h"

#include <stdio.h>
#include <string.h>

#define DUEL  "11111111-2222-4333-8444-555555555555"
#define TOKEN "0123456789abcdef0123456789abcdef"

/* '@' stands for an id. */
static enum heard say(struct view *view, const char *line)
{
	char copy[512];
	struct text text = TEXT_IN(copy);

	for (; *line != '\0'; line++)
		if (*line == '@')
			text_add(&text, "%s", DUEL);
		else
			text_add(&text, "%c", *line);
	copy[text.length] = '\0';
	return view_hear(view, copy);
}

static bool is_same(const struct frame *one, const struct frame *other)
{
	return strcmp(one->duel, other->duel) == 0 && strcmp(one->model, other->model) == 0 &&
	       strcmp(one->verdict, other->verdict) == 0 && one->n == other->n &&
	       one->turn == other->turn && one->seats == other->seats &&
	       one->round == other->round && one->rounds == other->rounds &&
	       one->has_scores == other->has_scores && strcmp(one->name[0], other->name[0]) == 0 &&
	       strcmp(one->name[1], other->name[1]) == 0;
}

/* A player that has asked and sits as O against anna, who begins. */
static void seat(struct view *view)
{
	view_init(view);
	view_ask(view, game_find("tictactoe"));
	say(view, "ID @ " TOKEN);
	say(view, "START 0 CROSS 0 duel=@ seat=1 seats=2 round=1/2 names=anna,ben");
	say(view, "BOARD .........");
}

static void test_lobby(void)
{
	static struct view view;

	view_init(&view);
	check(say(&view, "START 1 CROSS 1 duel=@ seat=0 seats=2 round=1/1 names=a,b") ==
		  HEARD_NONSENSE,
	      "no duel begins that was not asked for");
	view_ask(&view, game_find("tictactoe"));
	check(say(&view, "ABORTED") == HEARD_NOTHING && view.phase == VIEW_ASKED,
	      "a late ABORTED does not end what has just been asked for");
	check(say(&view, "ID @ " TOKEN) == HEARD_ID && view.phase == VIEW_WAITING &&
		  view_can_resume(&view),
	      "ID registers, with a token");
	check(say(&view, "NO_OPPONENTS 7") == HEARD_COUNTDOWN && view.countdown == 7,
	      "the countdown is read");
	check(say(&view, "NO_OPPONENTS") == HEARD_NOBODY && view.phase == VIEW_IDLE &&
		  !view_can_resume(&view),
	      "the end of the looking is the end of the registration");
	view_ask(&view, game_find("tictactoe"));
	check(say(&view, "ERROR unknown-game no \033[31m such") == HEARD_ERROR &&
		  view.phase == VIEW_IDLE && strcmp(view.error_code, "unknown-game") == 0 &&
		  strcmp(view.error_text, "no ?[31m such") == 0,
	      "an ERROR refuses what was asked for, and holds nothing unprintable");
}

static void test_duel(void)
{
	static struct view view;

	seat(&view);
	check(view.phase == VIEW_PLAYING && view.seat == 1 && view.now.turn == 0 &&
		  !view_may_move(&view) && strcmp(view.now.name[0], "anna") == 0,
	      "START and BOARD: who sits where, whose turn it is");
	say(&view, "STATE 0 1 1 1");
	say(&view, "BOARD ....X....");
	check(view_may_move(&view) && view.moves == 8 && view.now.turn == 1 && view.has_before,
	      "STATE and BOARD: my turn, and the rules say what is legal");
	check(say(&view, "LEGAL 0 0;2 2") == HEARD_LEGAL && view.moves == 2 &&
		  view.move[1].arg[0] == 2 && view.move[1].arg[1] == 2,
	      "LEGAL is what the referee says is legal");
	view_move(&view);
	check(!view_may_move(&view), "one move at a time");
	check(say(&view, "ERROR illegal-move no") == HEARD_ERROR && view_may_move(&view),
	      "a move that was refused may be made anew");
	say(&view, "AWAY 0 30");
	check(view.away[0] == 30 && say(&view, "BACK 0") == HEARD_AWAY && view.away[0] == 0,
	      "AWAY and BACK");
	say(&view, "STATE 1 0 0 0");
	say(&view, "BOARD O...X....");
	check(!view_may_move(&view) && view.now.turn == 0, "the other's turn");
	check(say(&view, "WIN timeout") == HEARD_END && view.result == RESULT_WIN &&
		  view.phase == VIEW_BETWEEN && frame_is_over(&view.now),
	      "the end of a round");
	check(say(&view, "ROUND 1 2 0 1") == HEARD_ROUND && !view.is_done && view.won[1] == 1,
	      "ROUND: the table goes on");
	say(&view, "START 1 CROSS 0 duel=@ seat=1 seats=2 round=2/2 names=anna,ben");
	check(view.phase == VIEW_PLAYING && view.won[1] == 1 && view.result == RESULT_NONE,
	      "the next round keeps the score");
	say(&view, "BOARD .........");
	say(&view, "LOSE resigned");
	say(&view, "ROUND 2 2 1 1");
	check(view.is_done && view.phase == VIEW_IDLE && !view_can_resume(&view) &&
		  view_table_result(&view) == RESULT_DRAW,
	      "the last ROUND ends the table");
}

static void test_leaving(void)
{
	static struct view view;

	seat(&view);
	view_leave(&view);
	view_ask(&view, game_find("tictactoe"));
	check(say(&view, "STATE 0 1 1 1") == HEARD_NOTHING && view.phase == VIEW_ASKED,
	      "what was on its way when we left counts for nothing");
	say(&view, "ABORTED logout");
	check(say(&view, "ID @ " TOKEN) == HEARD_ID,
	      "after the answer to LOGOUT the next PLAY counts");
	seat(&view);
	check(say(&view, "ABORTED crashed") == HEARD_ABORTED && view.phase == VIEW_IDLE &&
		  strcmp(view.reason, "crashed") == 0 && frame_is_over(&view.now),
	      "ABORTED ends a duel");
	seat(&view);
	say(&view, "WIN left");
	say(&view, "ROUND 1 2 0 1");
	check(view.is_done, "a table that somebody left is done before its last round");
}

/* ---- the other games, in the words of the protocol ---- */

static void sit_down(struct view *view, const char *game, const char *start, const char *board)
{
	view_init(view);
	view_ask(view, game_find(game));
	say(view, "ID @ " TOKEN);
	check(say(view, start) == HEARD_START, start);
	check(say(view, board) == HEARD_BOARD, board);
}

static void test_sides(void)
{
	static const struct {
		const char *game, *start, *board, *move, *after;
	} talks[] = {
	    {"hnefatafl", "START 1 ATTACKER 1 duel=@ seat=0 seats=2 round=1/1 names=anna,ben",
	     "BOARD ...AAA.......A........D....A...D...AAADDKDDAAA...D...A....D........A.......AAA"
	     "...",
	     "STATE 0 3 0 2 0 0",
	     "BOARD ..A.AA.......A........D....A...D...AAADDKDDAAA...D...A....D........A.......AAA"
	     "..."},
	    {"quantik", "START 1 WHITE 1 duel=@ seat=0 seats=2 round=1/2 names=anna,ben",
	     "BOARD ................", "STATE 0 1 0 C 0", "BOARD .C.............."},
	    {"tictactoe", "START 1 CROSS 1 duel=@ seat=0 seats=2 round=1/1 names=anna,ben",
	     "BOARD .........", "STATE 0 1 0 0", "BOARD .X......."},
	};
	static struct view view;

	for (size_t i = 0; i < sizeof(talks) / sizeof(talks[0]); i++) {
		sit_down(&view, talks[i].game, talks[i].start, talks[i].board);
		check(view_may_move(&view) && view.moves > 0, talks[i].game);
		check(say(&view, talks[i].move) == HEARD_STATE, talks[i].move);
		check(say(&view, talks[i].after) == HEARD_BOARD && view.now.turn == 1 &&
			  !view_may_move(&view),
		      talks[i].after);
	}
	view_init(&view);
	view_ask(&view, game_find("quantik"));
	check(say(&view, "START 1 CROSS 1 duel=@ seat=0 seats=2 round=1/2 names=a,b") ==
		  HEARD_NONSENSE,
	      "a START with the side of another game makes no sense");
}

/* Three at a table of racks: we are seat 1, and carl begins. */
static void seat_three(struct view *view)
{
	sit_down(view, "qwirkle",
		 "START 0 SEAT 1 duel=@ seat=1 seats=3 round=1/2 names=anna,ben,carl", "BOARD 90");
	check(say(view, "RACK a1 a2 a2 c3 d4 e5") == HEARD_RACK &&
		  strcmp(view->rack, "a1 a2 a2 c3 d4 e5") == 0,
	      "RACK is kept");
	check(say(view, "SCORE 0 0 0") == HEARD_NEWS && view->now.has_scores, "SCORE of three");
}

static void test_racks(void)
{
	static struct view view;
	union game_state state;

	seat_three(&view);
	check(view.now.turn == -1, "who begins is not known, if it is not us");
	check(say(&view, "RACK b9") == HEARD_NONSENSE &&
		  say(&view, "RACK \033") == HEARD_NONSENSE &&
		  strcmp(view.rack, "a1 a2 a2 c3 d4 e5") == 0,
	      "a rack that cannot be leaves the rack as it was");
	say(&view, "STATE 2 play a5 0 0 0");
	say(&view, "BOARD 90/a5,0,0");
	check(view.now.turn == 2, "after a play it is still the turn of who made it");
	say(&view, "STATE 2 play a4 1 0 0");
	say(&view, "BOARD 90/a5,0,0/a4,1,0");
	check(strcmp(view.before.model, "90") == 0, "all of a turn is marked, not its last move");
	say(&view, "STATE 2 pass 0");
	say(&view, "BOARD 88/a5,0,0/a4,1,0");
	check(view.now.turn == 0, "after a pass the next seat's");
	say(&view, "SCORE 0 0 2");
	check(view.now.score[2] == 2, "points");
	say(&view, "STATE 0 swap 3 1");
	say(&view, "BOARD 88/a5,0,0/a4,1,0");
	say(&view, "LEGAL play a1 2 0;play a2 2 0;pass;swap a1 a2 a2 c3 d4 e5");
	check(view_may_move(&view) && view.moves == 4 && view.now.turn == 1,
	      "then ours, with LEGAL");
	check(strcmp(view.last.text, "swap 3") == 0 && strcmp(view.last_name, "anna") == 0,
	      "what somebody did, in words");
	check(view_state(&view, &state) &&
		  view.game->judge(&state, 1, &view.move[0]) == RULING_FINE &&
		  view.game->judge(&state, 1, &view.move[3]) == RULING_FINE,
	      "the position as we know it, with our rack");
	say(&view, "STATE 1 play a1 2 0 1");
	say(&view, "BOARD 88/a5,0,0/a4,1,0/a1,2,0");
	check(!view_may_move(&view), "no move is made with a rack that may be old");
	say(&view, "RACK a2 a2 c3 d4 e5");
	check(view_may_move(&view), "but with the new one");
}

/* Seat 1 runs out of time, the others play on; then the round ends without a word to seat 1. */
static void test_out(void)
{
	static struct view view;

	seat_three(&view);
	say(&view, "STATE 0 pass 1");
	say(&view, "BOARD 90");
	check(say(&view, "LOSE timeout") == HEARD_END && !view.is_out,
	      "LOSE may be the end of all");
	check(say(&view, "STATE 1 out 0") == HEARD_STATE && view.is_out && view.out == 2,
	      "a STATE after it is that of the others");
	say(&view, "BOARD 96");
	check(!frame_is_over(&view.now) && view.now.turn == 2 && !view_may_move(&view),
	      "who go on without us");
	say(&view, "STATE 2 play a5 0 0 0");
	say(&view, "BOARD 96/a5,0,0");
	say(&view, "STATE 2 pass 0");
	say(&view, "BOARD 95/a5,0,0");
	check(view.now.turn == 0, "the next turn");
	say(&view, "STATE 0 pass 0");
	say(&view, "BOARD 95/a5,0,0");
	check(view.now.turn == 2, "passes over who is out");
	check(say(&view, "ROUND 1 2 1 0 0") == HEARD_ROUND && !view.is_done &&
		  view.result == RESULT_LOSE && strcmp(view.why, "timeout") == 0,
	      "ROUND of three ends it");
	check(say(&view, "START 0 SEAT 1 duel=@ seat=1 seats=3 round=2/2 names=anna,ben,carl") ==
		      HEARD_START &&
		  !view.is_out && view.out == 0,
	      "in the next round all are there again");
}

static void test_no_turns(void)
{
	static struct view view;

	sit_down(&view, "memory", "START 1 SEAT 1 duel=@ seat=1 seats=2 round=1/0 names=anna,ben",
		 "BOARD ............");
	say(&view, "SCORE 0 0");
	check(view_may_move(&view) && view.moves == 4 && view.now.rounds == 0 &&
		  view.now.turn == -1,
	      "all may move, for as many rounds as they like");
	view_move(&view);
	say(&view, "STATE 0 first 0 0 ab 1");
	say(&view, "BOARD abA.........");
	check(!view_may_move(&view), "what others do does not answer our move");
	say(&view, "STATE 1 first 1 0 cd 1");
	say(&view, "BOARD abAcdB......");
	check(view_may_move(&view) && view.moves == 2, "the next pick is of what is face down");
	say(&view, "STATE 1 wrong 1 0 cd 0 1 ab 0");
	say(&view, "BOARD abAcdBabB...");
	check(!view_may_move(&view), "who has two cards up must wait");
	say(&view, "STATE 1 hide 1 0 0 1 1");
	say(&view, "BOARD abA.........");
	check(view_may_move(&view), "until they are turned down");
	view_move(&view);
	check(say(&view, "ERROR filled that card is up") == HEARD_ERROR && view_may_move(&view),
	      "a pick that came too late may be followed by another");
}

static void test_people(void)
{
	static struct view view;

	sit_down(&view, "memory",
		 "START 1 SEAT 0 duel=@ seat=0 seats=3 round=1/0 names=anna,-,carl",
		 "BOARD ............");
	check(say(&view, "STATE 3 join 1") == HEARD_STATE && view.now.seats == 4 &&
		  view.now.name[3][0] == '\0',
	      "somebody joins; the name is not told");
	check(say(&view, "BOARD ............") == HEARD_BOARD &&
		  say(&view, "SCORE 0 0 0 0") == HEARD_NEWS && view_may_move(&view),
	      "and the game goes on");
	say(&view, "STATE 2 leave 1");
	check(strcmp(view.now.name[2], "-") == 0 && strcmp(view.last_name, "carl") == 0,
	      "somebody leaves");
	say(&view, "STATE 3 leave 0");
	say(&view, "FROZEN");
	check(view.frozen && !view_may_move(&view), "one alone cannot play");
	check(say(&view, "NO_OPPONENTS 9") == HEARD_COUNTDOWN && view.phase == VIEW_PLAYING &&
		  view.countdown == 9 && say(&view, "NO_OPPONENTS") == HEARD_COUNTDOWN &&
		  view.phase == VIEW_PLAYING,
	      "but is told how long others are looked for, and keeps the seat");
	say(&view, "STATE 4 join 0");
	say(&view, "BOARD ............");
	say(&view, "UNFROZEN");
	check(view_may_move(&view) && view.countdown == -1,
	      "then it goes on, without another STATE");
	say(&view, "STATE 4 right 0 0 1 0 ab 0");
	say(&view, "BOARD ab4ab4cd0cd0");
	say(&view, "SCORE 2 0 0 0 2");
	check(say(&view, "WIN points") == HEARD_END &&
		  say(&view, "ROUND 1 0 1 0 0 0 1") == HEARD_ROUND && !view.is_done &&
		  view.won[4] == 1,
	      "a round of five seats, one of endlessly many");
	check(say(&view, "STATE 5 join 0") == HEARD_STATE && view.now.seats == 6 &&
		  view.phase == VIEW_BETWEEN && !view.is_out && frame_is_over(&view.now),
	      "people come in the pause as well");
	check(say(&view, "START 1 SEAT 0 duel=@ seat=0 seats=3 round=2/0 names=anna,e,f") ==
		      HEARD_START &&
		  view.now.seats == 3,
	      "the next round numbers them anew");
	check(say(&view, "ABORTED left") == HEARD_ABORTED, "the last one is sent away");
}

/* At a table that people leave and come to. */
static void test_words(void)
{
	static struct view view;
	const int elapsed[GAME_SEATS_MAX] = {[3] = 2};
	char line[128] = "";
	struct text text = TEXT_IN(line);

	sit_down(&view, "memory",
		 "START 1 SEAT 0 duel=@ seat=0 seats=3 round=1/0 names=anna,-,carl",
		 "BOARD ............");
	say(&view, "STATE 2 leave 1");
	say(&view, "STATE 3 join 1");
	view.won[0] = 1;
	view.won[3] = 2;
	words_of_rounds(&view, false, &text);
	check_text(line, "Rounds won: you 1, somebody 2");
	say(&view, "AWAY 3 30");
	text = TEXT_IN(line);
	words_of_trouble(&view, elapsed, &text);
	check_text(line, "Somebody lost the connection; 28 s left to come back.");
}

static const char *const nonsense[] = {
    "",
    " ",
    "ID",
    "ID nobody",
    "ID @ short",
    "NO_OPPONENTS x",
    "START",
    "START 1 CROSS 1",
    "START 2 CROSS 1 duel=@ seat=0 seats=2 round=1/1 names=a,b",
    "START 1 CROSS 1 duel=1 seat=0 seats=2 round=1/1 names=a,b",
    "START 1 CROSS 1 duel=@ seat=2 seats=2 round=1/1 names=a,b",
    "START 1 CROSS 1 duel=@ seat=0 seats=11 round=1/1 names=a,b",
    "START 1 CROSS 1 duel=@ seat=0 seats=3 round=1/1 names=a,b,c",
    "START 1 CROSS 1 duel=@ seat=0 seats=2 round=1/1 names=a,\033[2J",
    "START 1 CROSS 1 duel=@ seat=0 seats=2 round=1/1 names=a,b,c,d,e,f,g,h,i,j,k",
    "STATE 9 1 1 1",
    "STATE 0 1 1 2",
    "STATE 0 \033[2J 1",
    "STATE 0 play-a-tile-whose-name-is-much-too-long to-be-shown-anywhere 1",
    "START 1 NOUGHT 1 duel=@ seat=0 seats=2 round=1/1 names=a,b",
    "START 1 CROSS x duel=@ seat=0 seats=2 round=1/1 names=a,b",
    "SCORE 1 2 3",
    "STATE -1 1 1 1",
    "BOARD",
    "BOARD XX",
    "BOARD .........X",
    "BOARD \033[2J......",
    "LEGAL 0 0;1 0",
    "LEGAL ",
    "SCORE 1",
    "SCORE a b",
    "WIN",
    "WIN \033[2J",
    "WIN a-word-that-is-much-too-long",
    "LOSE 048 1 1",
    "ROUND 1 1 0 1",
    "AWAY 10 30",
    "AWAY 0 -1",
    "BACK 77777777777777777777",
    "ABORTED \033[2J",
    "ERROR \033[2J x",
    "FROZEN 1",
};

/* None of these may change anything, and none may crash. */
static void test_nonsense(void)
{
	static struct view view;
	struct frame before;
	bool good = true;

	seat(&view);
	before = view.now;
	for (size_t i = 0; i < sizeof(nonsense) / sizeof(nonsense[0]); i++)
		if (say(&view, nonsense[i]) != HEARD_NONSENSE || view.phase != VIEW_PLAYING ||
		    !is_same(&before, &view.now)) {
			printf("FAIL \"%s\"\n", nonsense[i]);
			good = false;
		}
	check(good, "lines that make no sense change nothing");
	check(say(&view, "TOMORROW 1 2 3") == HEARD_NOTHING &&
		  say(&view, "RACK a1 b2") == HEARD_NOTHING,
	      "lines of a later version are passed over");
	check(say(&view, "START 1 CROSS 1 duel=@"
			 " seat=0 seats=2 round=1/1 names=a,b mood=good") == HEARD_START,
	      "so are keys of a later version");
}

/* ---- picking, in a game of two kinds of moves: put a piece on a cell, or pass ---- */

enum { PUT, PASS };

static int picks(const struct move *move, struct pick into[GAME_PICKS_MAX])
{
	if (move->kind == PASS)
		return 0;
	into[0] = (struct pick){.beside = true, .x = move->arg[0]};
	into[1] = (struct pick){.x = move->arg[1], .y = move->arg[2]};
	return 2;
}

static void test_picker(void)
{
	static const struct game game = {.picks = picks};
	static const struct move moves[] = {
	    {PUT, {2, 1, 1}}, {PUT, {0, 2, 1}}, {PUT, {0, 1, 1}}, {PASS, {0}}};
	const struct choice choice = {&game, moves, 4};
	const struct pick piece_a = {.beside = true}, piece_c = {.beside = true, .x = 2};
	const struct pick cell = {.x = 2, .y = 1}, other = {.x = 1, .y = 1};
	struct pick targets[PICKER_TARGETS_MAX];
	struct picker picker = {0};
	struct move move = {0};
	int wholes[4];

	check(picker_targets(&picker, &choice, targets) == 2 && pick_equal(targets[0], piece_a) &&
		  pick_equal(targets[1], piece_c),
	      "first a piece, each once, from the left");
	check(picker_wholes(&picker, &choice, wholes, 4) == 1 && moves[wholes[0]].kind == PASS,
	      "a move without picks can be made");
	check(picker_pick(&picker, &choice, cell, &move) == PICKED_NOTHING && picker.count == 0,
	      "what is no target is not picked");
	check(picker_pick(&picker, &choice, piece_a, &move) == PICKED_MORE &&
		  picker_targets(&picker, &choice, targets) == 2 && pick_equal(targets[1], cell),
	      "then the cells for that piece");
	check(picker_undo(&picker) && picker_targets(&picker, &choice, targets) == 2 &&
		  targets[0].beside && !picker_undo(&picker),
	      "a pick can be taken back");
	picker_pick(&picker, &choice, piece_c, &move);
	check(picker_pick(&picker, &choice, cell, &move) == PICKED_NOTHING &&
		  picker_pick(&picker, &choice, other, &move) == PICKED_MOVE && move.kind == PUT &&
		  move.arg[0] == 2 && picker.count == 0,
	      "the last pick makes the move");
}

/* ---- picking a column, in a game where that is all there is to a move ---- */

static int pick_column(const struct move *move, struct pick into[GAME_PICKS_MAX])
{
	into[0] = (struct pick){.column = true, .x = move->arg[0]};
	return 1;
}

static void test_columns(void)
{
	static const struct game game = {.picks = pick_column};
	static const struct move moves[] = {{.arg = {4}}, {.arg = {0}}};
	const struct choice choice = {&game, moves, 2};
	struct pick targets[PICKER_TARGETS_MAX];
	struct picker picker = {0};
	struct move move = {0};

	check(picker_targets(&picker, &choice, targets) == 2 && targets[0].column &&
		  targets[0].x == 0 && targets[1].x == 4,
	      "each column is one target, from the left");
	for (int y = 0; y < 3; y++)
		check(picker_pick(&picker, &choice, (struct pick){.x = 4, .y = y}, &move) ==
			      PICKED_MOVE &&
			  move.arg[0] == 4,
		      "any of its cells picks it");
	check(picker_pick(&picker, &choice, (struct pick){.x = 1}, &move) == PICKED_NOTHING &&
		  picker_pick(&picker, &choice, (struct pick){.beside = true, .x = 4}, &move) ==
		      PICKED_NOTHING,
	      "no other cell does, and no piece beside the board");
}

int main(void)
{
	test_lobby();
	test_duel();
	test_leaving();
	test_sides();
	test_racks();
	test_out();
	test_no_turns();
	test_people();
	test_words();
	test_nonsense();
	test_picker();
	test_columns();
	return check_end();
}
