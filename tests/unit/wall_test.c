/*
 * wall_test.c - what a port shows, given frames and times; and how boards share a screen.
 */
#include "tests/unit/check.h"

#include "viewer/terminal/layout.h"
#include "viewer/watch/wall.h"

#include <string.h>

static const struct ports ports = {.count = 3, .port = {9003, 9001, 9002}};

static struct frame make_frame(char duel, unsigned n, const char *model, const char *verdict)
{
	struct frame frame = {.game = game_find("tictactoe"), .n = n, .seats = 2};

	memset(frame.duel, duel, UUID_TEXT - 1);
	strcpy(frame.model, model);
	strcpy(frame.verdict, verdict);
	strcpy(frame.name[0], "anna");
	strcpy(frame.name[1], "ben");
	return frame;
}

static bool hear(struct wall *wall, int index, char duel, unsigned n, int64_t now_ms)
{
	/* each state has a board of its own */
	static const char boards[3][10] = {".........", "X........", "XO......."};
	struct frame frame = make_frame(duel, n, boards[n % 3], "false");

	return wall_hear(wall, index, &frame, now_ms);
}

static void test_states(void)
{
	struct wall *wall = wall_new(&ports);
	const struct wall_place *place = wall_place(wall, 0);

	check(wall_count(wall) == 0, "at first nothing is shown");
	check(hear(wall, 0, 'a', 5, 0), "the first frame is new");
	check(wall_count(wall) == 1 && wall_at(wall, 0) == place, "its port is shown");
	check(!place->has_before, "there was nothing before it");
	check(!hear(wall, 0, 'a', 5, 10), "a repeated frame is not new");
	check(!hear(wall, 0, 'a', 4, 20), "an older frame is not new");
	check(place->frame.n == 5, "and is not shown");
	check(hear(wall, 0, 'a', 7, 30), "a later frame is new");
	check(place->has_before && place->before.n == 5, "the one before it is known");
	wall_free(wall);
}

/* A state that only ends the round leaves the last move marked. */
static void test_same_board(void)
{
	struct wall *wall = wall_new(&ports);
	struct frame end = make_frame('a', 2, "X........", "timeout");

	hear(wall, 0, 'a', 0, 0);
	hear(wall, 0, 'a', 1, 0);
	check(wall_hear(wall, 0, &end, 0), "the end is new");
	check(wall_place(wall, 0)->before.n == 0, "the board before the last move is kept");
	wall_free(wall);
}

/* What one seat does in one turn is one move, however many frames tell of it. */
static void test_same_turn(void)
{
	static const struct {
		const char *model;
		int turn;
		unsigned before;
	} states[] = {
	    {"96", 0, 0},
	    {"96/a1,0,0", 0, 0},
	    {"96/a1,0,0/a2,1,0", 0, 0},
	    {"94/a1,0,0/a2,1,0", 1, 0},
	    {"94/a1,0,0/a2,1,0/a3,2,0", 1, 3},
	    {"93/a1,0,0/a2,1,0/a3,2,0", 0, 3},
	};
	struct wall *wall = wall_new(&ports);

	for (unsigned n = 0; n < sizeof(states) / sizeof(states[0]); n++) {
		struct frame frame = make_frame('a', n, states[n].model, "false");

		frame.game = game_find("qwirkle");
		frame.turn = states[n].turn;
		wall_hear(wall, 0, &frame, 0);
		check(wall_place(wall, 0)->before.n == states[n].before,
		      "the position before a turn is kept until the next");
	}
	wall_free(wall);
}

static void test_order(void)
{
	struct wall *wall = wall_new(&ports);

	hear(wall, 2, 'c', 0, 0);
	hear(wall, 0, 'a', 0, 0);
	hear(wall, 1, 'b', 0, 0);
	hear(wall, 0, 'd', 0, 0);
	check(wall_count(wall) == 3, "each port is shown once");
	check(wall_at(wall, 0)->port == 9003 && wall_at(wall, 1)->port == 9001 &&
		  wall_at(wall, 2)->port == 9002,
	      "ports are in the order in which they were said");
	wall_free(wall);
}

static void test_next_duel(void)
{
	struct wall *wall = wall_new(&ports);
	const struct wall_place *place = wall_place(wall, 0);

	hear(wall, 0, 'a', 8, 0);
	check(hear(wall, 0, 'b', 0, 100), "another duel takes the port");
	check(place->frame.duel[0] == 'b' && !place->has_before, "and is shown");
	check(!hear(wall, 0, 'a', 8, 200), "a late frame does not turn it back");
	check(!hear(wall, 0, 'a', 9, 200), "nor does a late frame with more");
	check(!hear(wall, 0, 'a', 8, 9000), "not even when the port is quiet");
	check(place->frame.duel[0] == 'b', "the new duel is still shown");
	check(hear(wall, 0, 'a', 9, 9000), "a duel that goes on has a quiet port back");
	check(hear(wall, 0, 'c', 0, 9010) && hear(wall, 0, 'd', 0, 9020) &&
		  hear(wall, 0, 'e', 0, 9030),
	      "new duels go on taking the port");
	check(!hear(wall, 0, 'a', 9, 9040) && !hear(wall, 0, 'b', 0, 9040) &&
		  !hear(wall, 0, 'c', 0, 9040) && !hear(wall, 0, 'd', 0, 9040),
	      "several past duels are remembered");
	wall_free(wall);
}

static void test_silence(void)
{
	struct wall *wall = wall_new(&ports);
	const struct wall_place *place = wall_place(wall, 1);
	struct frame end = make_frame('a', 3, "XXX.OO...", "012");

	check(wall_next_silent(wall, 99999) == NULL, "a port without a duel is not silent");
	hear(wall, 1, 'a', 0, 1000);
	check(wall_silent_s(place, 3999) == 0, "a duel is not silent before its time");
	check(wall_silent_s(place, 4000) == 3 && wall_silent_s(place, 8500) == 7,
	      "then its seconds are counted");
	check(wall_next_silent(wall, 4000) == place, "it is told of");
	check(wall_next_silent(wall, 5000) == NULL, "once");
	hear(wall, 1, 'a', 0, 6000);
	check(wall_silent_s(place, 6000) == 0, "a repeated frame ends the silence");
	check(wall_next_silent(wall, 9000) == place, "the next silence is told of again");
	wall_hear(wall, 1, &end, 10000);
	check(wall_silent_s(place, 99999) == 0, "a duel that has ended may be silent");
	check(wall_next_silent(wall, 99999) == NULL, "and is not told of");
	wall_free(wall);
}

static bool inside(struct area inner, struct area outer)
{
	return inner.height == 0 || inner.width == 0 ||
	       (inner.top >= outer.top && inner.left >= outer.left &&
		inner.top + inner.height <= outer.top + outer.height &&
		inner.left + inner.width <= outer.left + outer.width);
}

static bool apart(struct area a, struct area b)
{
	return a.left + a.width <= b.left || b.left + b.width <= a.left ||
	       a.top + a.height <= b.top || b.top + b.height <= a.top;
}

/* In an area of any size nothing is outside it and nothing lies upon the board. */
static unsigned drawn(const struct wall *wall, int64_t now_ms)
{
	const struct frame *before;

	return wall_frame(wall_place(wall, 0), &before, now_ms)->n;
}

/* An end that is followed at once is seen for a moment, also where one end follows the other. */
static void test_end_stays(void)
{
	struct wall *wall = wall_new(&ports);
	struct frame end = make_frame('a', 2, "XXX.OO...", "012");
	struct frame other = make_frame('b', 5, "OOO.XX...", "012");
	const struct frame *before;

	hear(wall, 0, 'a', 1, 0);
	wall_hear(wall, 0, &end, 5000);
	check(drawn(wall, 5000) == 2, "the end is drawn");
	hear(wall, 0, 'b', 0, 5100);
	check(wall_place(wall, 0)->frame.n == 0, "what follows is heard");
	check(drawn(wall, 5100) == 2 && drawn(wall, 5999) == 2, "the end stays");
	check(wall_frame(wall_place(wall, 0), &before, 5999)->duel[0] == 'a' && before->n == 1,
	      "with its last move");
	check(drawn(wall, 6000) == 0, "for a second");
	wall_hear(wall, 0, &other, 6010);
	hear(wall, 0, 'c', 0, 6020);
	check(drawn(wall, 6030) == 5, "the next one stays as well");
	wall_free(wall);

	wall = wall_new(&ports);
	wall_hear(wall, 0, &end, 0);
	hear(wall, 0, 'b', 0, 1000);
	check(drawn(wall, 1000) == 0, "one that has been seen for so long gives way at once");
	wall_free(wall);
}

static void test_drop(void)
{
	struct wall *wall = wall_new(&ports);

	for (int i = 0; i < 3; i++)
		hear(wall, i, (char)('a' + i), 1, 0);
	check(wall_drop(wall, 1), "it was there");
	check(!wall_drop(wall, 1), "it is not any more");
	check(wall_count(wall) == 2 && wall_at(wall, 0)->port == 9003 &&
		  wall_at(wall, 1)->port == 9002,
	      "the others are");
	check(hear(wall, 1, 'd', 0, 10) && wall_count(wall) == 3 && wall_at(wall, 1)->port == 9001,
	      "another one comes to its place");
	wall_move(wall, 1, 9009);
	check(wall_at(wall, 1)->port == 9009, "which may be of another port");
	wall_free(wall);
}

static void test_layouts(void)
{
	struct frame frame = make_frame('a', 0, "X...O....", "false");
	struct scene scene;
	struct layout layout;
	int last_size = SIZE_DENSE;

	scene_of_frame(&scene, &frame, NULL);
	for (int height = 1; height <= 90; height++)
		for (int width = 1; width <= 200; width++) {
			struct area area = {3, 7, height, width};

			layout_scene(&layout, &scene, area);
			check(inside(layout.board, area) && inside(layout.title, area) &&
				  inside(layout.caption, area) && inside(layout.panel, area),
			      "all of a layout is inside its area");
			check(apart(layout.panel, layout.board) &&
				  apart(layout.title, layout.board) &&
				  apart(layout.caption, layout.board),
			      "nothing lies upon the board");
			check((width < 3 || layout.columns == 3) &&
				  (height < 3 || layout.rows == 3),
			      "the whole board is shown where it fits");
		}
	for (int height = 3; height <= 90; height++) {
		layout_scene(&layout, &scene, (struct area){0, 0, height, 3 * height});
		check(layout.size >= last_size, "a larger area never has a smaller board");
		last_size = layout.size;
	}
	check(last_size > 20, "a large area has a large board");
}

/* What is left to each side is not cut off where it fits below the board. */
static void test_panel(void)
{
	struct frame frame = {.game = game_find("quantik"), .seats = 2, .round = 1, .rounds = 2};
	struct scene scene;
	struct layout layout;

	strcpy(frame.model, "C...p...S.......");
	strcpy(frame.verdict, "false");
	strcpy(frame.name[0], "anna");
	strcpy(frame.name[1], "ben");
	scene_of_frame(&scene, &frame, NULL);
	layout_scene(&layout, &scene, (struct area){0, 0, 9, 40});
	check(!layout.side && !layout.cut && layout.rows == 4, "nothing of the players is cut off");
	layout_scene(&layout, &scene, (struct area){0, 0, 9, 60});
	check(layout.side, "beside the board is the better place where there is room");
}

/* A board of this size, with notes, and a cursor. */
static void make_large(struct scene *scene, int side, int x, int y)
{
	memset(scene, 0, sizeof(*scene));
	scene->columns = scene->rows = side;
	scene->first_x = scene->first_y = -side / 2;
	scene->players = GAME_SEATS_MAX;
	scene->has_scores = true;
	for (int seat = 0; seat < scene->players; seat++)
		strcpy(scene->player[seat].name, "somebody");
	for (int row = 0; row < side; row++)
		for (int column = 0; column < side; column++) {
			scene->cell[row][column].letter = 'b';
			strcpy(scene->cell[row][column].note, "b4");
		}
	scene_cell(scene, x, y)->marks = MARK_CURSOR;
}

static void test_large(void)
{
	static struct scene scene;
	struct area area = {1, 2, 20, 78};
	struct layout layout;

	for (int side = 1; side <= SCENE_SIDE_MAX; side++)
		for (int corner = 0; corner < 4; corner++) {
			int far = -side / 2 + side - 1, near = -side / 2;
			int x = corner & 1 ? far : near, y = corner & 2 ? far : near;

			make_large(&scene, side, x, y);
			layout_scene(&layout, &scene, area);
			check(inside(layout.board, area) && inside(layout.panel, area) &&
				  inside(layout.title, area) && inside(layout.more, area),
			      "a large board is inside as well");
			x -= scene.first_x + layout.column;
			y -= scene.first_y + layout.row;
			check(x >= 0 && x < layout.columns && y >= 0 && y < layout.rows,
			      "the part that is shown has the cursor in it");
			check((layout.columns < side || layout.rows < side) ==
				  (layout.more.height > 0),
			      "that there is more is said");
			check(layout.label >= 2 &&
				  layout.board.width >= layout.label * layout.columns,
			      "each cell has room for its note");
		}
}

static void check_scene(const char *game, const char *model, bool utf8, const char *expected)
{
	struct frame frame = make_frame('a', 0, model, "false");
	static char lines[SCENE_TEXT_MAX];
	struct text text = TEXT_IN(lines);
	struct scene scene;

	frame.game = game_find(game);
	frame.turn = frame.game->has & GAME_HAS_CLOCK ? 0 : -1;
	scene_of_frame(&scene, &frame, NULL);
	scene_print(&scene, utf8, &text);
	check_text(lines, expected);
}

static void test_notes(void)
{
	check_scene("qwirkle", "94/a1,0,0/b1,0,1", false,
		    "Qwirkle\n"
		    "     -1   0   1\n"
		    " -1  .   .   .\n"
		    "  0  .   a1  .\n"
		    "  1  .   b1  .\n"
		    "  2  .   .   .\n"
		    "> anna    ben\nanna to move\n\n");
	check_scene("qwirkle", "94/a1,0,0/b1,0,1", true,
		    "Qwirkle\n"
		    "      -1    0    1\n"
		    " -1  ·    ·    ·\n"
		    "  0  ·    ◆a1  ·\n"
		    "  1  ·    ■b1  ·\n"
		    "  2  ·    ·    ·\n"
		    "▸ anna    ben\nanna to move\n\n");
	check_scene("memory", "abB......cd0cd0ef1ef1......gh0gh0...............", false,
		    "Memory\n"
		    "       0    1    2    3\n"
		    "  0  ab1  #    #    CD0\n"
		    "  1  CD0  EF1  EF1  #\n"
		    "  2  #    GH0  GH0  #\n"
		    "  3  #    #    #    #\n"
		    "  0 anna    1 ben\nall play at once\n\n");
	check_scene("quantik", "C.......p.......", false,
		    "Quantik\n"
		    "     0  1  2  3\n"
		    "  0  C  .  .  .\n"
		    "  1  .  .  .  .\n"
		    "  2  p  .  .  .\n"
		    "  3  .  .  .  .\n"
		    "> W anna C1 P2 S2 T2    B ben c2 p1 s2 t2\nanna to move\n\n");
}

/* One board may be a win of either side; the last move tells whose. */
static void test_winner(void)
{
	struct frame before = make_frame('a', 5, "C...p...S.......", "false");
	struct frame end = make_frame('a', 6, "C...p...S...t...", "column-0");
	struct scene scene;

	before.game = end.game = game_find("quantik");
	before.turn = 1;
	end.turn = -1;
	scene_of_frame(&scene, &end, &before);
	check_text(scene.caption, "ben wins: four shapes in a column");
	check(scene.player[1].winner && !scene.player[0].winner, "and the sign is his");
	scene_of_frame(&scene, &end, NULL);
	check(!scene.player[0].winner && !scene.player[1].winner, "without it nobody is named");
}

static void test_tiles(void)
{
	static const struct area area = {0, 0, 60, 200}, small = {0, 0, 11, 40};
	struct frame frame = make_frame('a', 0, "X...O....", "false");
	struct scene scene;
	struct tiling tiling;

	scene_of_frame(&scene, &frame, NULL);
	for (int count = 1; count <= 20; count++) {
		layout_wall(&tiling, &scene, count, area);
		check(tiling.count == count, "a large screen has room for all boards");
		for (int i = 0; i < count; i++) {
			check(inside(layout_tile(&tiling, area, i), area), "tiles are inside");
			for (int j = 0; j < i; j++)
				check(apart(layout_tile(&tiling, area, i),
					    layout_tile(&tiling, area, j)),
				      "tiles are apart");
		}
	}
	layout_wall(&tiling, &scene, 4, area);
	check(tiling.columns == 2 && tiling.rows == 2, "four boards are two by two");
	layout_wall(&tiling, &scene, 500, small);
	check(tiling.count >= 4 && tiling.count < 20,
	      "a small screen has a page of readable boards");
}

int main(void)
{
	test_states();
	test_same_board();
	test_same_turn();
	test_order();
	test_next_duel();
	test_silence();
	test_end_stays();
	test_drop();
	test_layouts();
	test_panel();
	test_large();
	test_notes();
	test_winner();
	test_tiles();
	return check_end();
}
