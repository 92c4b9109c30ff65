/*
 * draw_two_sided_test - what Hnefatafl and Quantik look like, and how their moves are picked.
 */
#include "viewer/scene/scene.h"
#include "tests/unit/check.h"

static struct frame make_frame(const char *name, const char *model, int turn, const char *verdict)
{
	struct frame frame = {.game = game_find(name), .seats = 2, .turn = turn};

	strcpy(frame.model, model);
	strcpy(frame.verdict, verdict);
	strcpy(frame.name[0], "anna");
	strcpy(frame.name[1], "ben");
	return frame;
}

static const char *print(const struct frame *frame, const struct frame *before, bool utf8)
{
	static struct scene scene;
	static char bytes[SCENE_TEXT_MAX];
	struct text text = TEXT_IN(bytes);

	scene_of_frame(&scene, frame, before);
	scene_print(&scene, utf8, &text);
	bytes[text.length] = '\0';
	return bytes;
}

static void test_hnefatafl_board(void)
{
	struct frame frame = make_frame("hnefatafl",
					"...AAA..."
					"....A...."
					"....D...."
					"A...D...A"
					"AADDKDDAA"
					"A...D...A"
					"....D...."
					"....A...."
					"...AAA...",
					0, "false");

	check_text(print(&frame, NULL, false), "Hnefatafl 9x9\n"
					       "     0  1  2  3  4  5  6  7  8\n"
					       "  0  +  .  .  A  A  A  .  .  +\n"
					       "  1  .  .  .  .  A  .  .  .  .\n"
					       "  2  .  .  .  .  D  .  .  .  .\n"
					       "  3  A  .  .  .  D  .  .  .  A\n"
					       "  4  A  A  D  D  K  D  D  A  A\n"
					       "  5  A  .  .  .  D  .  .  .  A\n"
					       "  6  .  .  .  .  D  .  .  .  .\n"
					       "  7  .  .  .  .  A  .  .  .  .\n"
					       "  8  +  .  .  A  A  A  .  .  +\n"
					       "> A anna    D ben\n"
					       "anna to move\n"
					       "\n");
	/* the symbols tell who is who without colour */
	CHECK(strstr(print(&frame, NULL, true), "  4  ●  ●  ○  ○  ♔  ○  ○  ●  ●\n") != NULL);
}

static void test_hnefatafl_last_move(void)
{
	char rows[] = "........."
		      "........."
		      ".AD....A."
		      "........."
		      "........."
		      "........."
		      "........."
		      ".......K."
		      ".........";
	struct frame before = make_frame("hnefatafl", rows, 0, "false"), frame;
	const char *text;

	rows[2 * 9 + 2] = rows[2 * 9 + 7] = '.';
	rows[2 * 9 + 3] = 'A';
	frame = make_frame("hnefatafl", rows, 1, "false");
	text = print(&frame, &before, false);
	CHECK(strstr(text, "  2  .  A (.)(A) .  .  . (.) .\n") != NULL);
	CHECK(strstr(text, "  4  .  .  .  .  +  .  .  .  .\n") != NULL);
	CHECK(strstr(text, "ben to move\n") != NULL);
}

static void test_hnefatafl_end(void)
{
	char rows[82];
	struct frame frame;

	memset(rows, '.', 81);
	rows[81] = '\0';
	rows[0] = 'K';
	rows[40 + 9] = 'A';
	frame = make_frame("hnefatafl", rows, -1, "king-escaped");
	CHECK(strstr(print(&frame, NULL, false), "  0 *K* .") != NULL);
	CHECK(strstr(print(&frame, NULL, false), "ben wins: the king escaped\n") != NULL);
	rows[0] = '.';
	rows[10] = 'K';
	rows[9] = rows[11] = 'A';
	frame = make_frame("hnefatafl", rows, -1, "king-captured");
	CHECK(strstr(print(&frame, NULL, false), "  1  A *K* A ") != NULL);
	CHECK(strstr(print(&frame, NULL, false), "anna wins: the king is captured\n") != NULL);
	rows[9] = '.';
	frame = make_frame("hnefatafl", rows, -1, "repetition");
	CHECK(strstr(print(&frame, NULL, false), "ended: three times the same position\n") != NULL);
	strcpy(frame.verdict, "move-limit");
	CHECK(strstr(print(&frame, NULL, false), "ended: 400 moves\n") != NULL);
	strcpy(frame.verdict, "timeout");
	CHECK(strstr(print(&frame, NULL, false), "ended: time ran out\n") != NULL);
}

static void test_hnefatafl_picks(void)
{
	const struct move move = {.arg = {3, 0, 2, 1}};
	struct pick picks[GAME_PICKS_MAX];

	CHECK(game_picks(&hnefatafl_game, &move, picks) == 2);
	CHECK(!picks[0].beside && picks[0].x == 3 && picks[0].y == 0);
	CHECK(!picks[1].beside && picks[1].x == 2 && picks[1].y == 1);
}

static void test_quantik_board(void)
{
	struct frame frame = make_frame("quantik", "CPSTcpst.......C", 1, "false");

	check_text(print(&frame, NULL, false), "Quantik\n"
					       "     0  1  2  3\n"
					       "  0  C  P  S  T\n"
					       "  1  c  p  s  t\n"
					       "  2  .  .  .  .\n"
					       "  3  .  .  .  C\n"
					       "  W anna P1 S1 T1  > B ben c1 p1 s1 t1\n"
					       "ben to move\n"
					       "\n");
	CHECK(strstr(print(&frame, NULL, true), "  0  ▯  □  ○  △\n  1  ▮  ■  ●  ▲\n") != NULL);
}

static void test_quantik_end(void)
{
	struct frame frame = make_frame("quantik", "C...P...S...T...", -1, "column-0");
	const char *text = print(&frame, NULL, false);

	CHECK(strstr(text, "  0 *C* .  .  .\n  1 *P* .") != NULL);
	CHECK(strstr(text, "anna wins: four shapes in a column\n") != NULL);
	frame = make_frame("quantik", "........c.p.s.t.", -1, "row-2");
	CHECK(strstr(print(&frame, NULL, false), "  2 *c**.**p**.*\n") != NULL);
	frame = make_frame("quantik", "..sp..ct........", -1, "square-1");
	text = print(&frame, NULL, false);
	CHECK(strstr(text, "  0  .  . *s**p*\n  1  .  . *c**t*\n") != NULL);
	CHECK(strstr(text, "ben wins: four shapes in a square\n") != NULL);
	/* who made the last move of these is not to be seen */
	frame = make_frame("quantik", "CPst............", -1, "row-0");
	CHECK(strstr(print(&frame, NULL, false), "ended: four shapes in a row\n") != NULL);
}

static void check_beside(const struct frame *frame, int seat, const char *expected)
{
	static struct scene scene;
	char bytes[128];
	struct text text = TEXT_IN(bytes);

	scene_of_frame(&scene, frame, NULL);
	drawing_of(frame->game)->draw_beside(&scene, frame, seat, "");
	bytes[0] = '\0';
	for (int i = 0; i < scene.pieces; i++) {
		const struct scene_piece *piece = &scene.beside[i];

		CHECK(piece->cell.paint == PAINT_SEAT_0 + seat);
		CHECK(piece->cell.note[0] == "CPST"[piece->piece]); /* as it is typed */
		text_add(&text, "%d%cx%d ", piece->piece, piece->cell.letter, piece->count);
	}
	bytes[text.length] = '\0';
	check_text(bytes, expected);
}

static void test_quantik_beside(void)
{
	struct frame frame = make_frame("quantik", "CP.....Cs......t", 0, "false");
	const struct move move = {.arg = {3, 1, 2}};
	struct pick picks[GAME_PICKS_MAX];

	check_beside(&frame, 0, "1Px1 2Sx2 3Tx2 ");
	check_beside(&frame, 1, "0cx2 1px2 2sx1 3tx1 ");
	check_beside(&frame, -1, "");
	CHECK(game_picks(frame.game, &move, picks) == 2);
	CHECK(picks[0].beside && picks[0].x == 2 && picks[0].y == 0);
	CHECK(!picks[1].beside && picks[1].x == 3 && picks[1].y == 1);
}

int main(void)
{
	test_hnefatafl_board();
	test_hnefatafl_last_move();
	test_hnefatafl_end();
	test_hnefatafl_picks();
	test_quantik_board();
	test_quantik_end();
	test_quantik_beside();
	return check_end();
}
