/*
 * memory_scene_test - what memory looks like: every card tells without colour what it is and whose.
 */
#include "viewer/scene/scene.h"
#include "tests/unit/check.h"

static struct scene scene;

static void draw(const char *model, const char *verdict)
{
	struct frame frame = {
	    .game = game_find("memory"), .turn = -1, .seats = 3, .has_scores = true, .round = 2};

	strcpy(frame.model, model);
	strcpy(frame.verdict, verdict);
	strcpy(frame.name[0], "anna");
	strcpy(frame.name[1], "ben");
	strcpy(frame.name[2], "cem");
	frame.score[0] = frame.score[2] = 2;
	scene_of_frame(&scene, &frame, NULL);
}

static void check_cell(int x, int y, const char *symbol, char letter, const char *note, int paint)
{
	const struct cell *cell = scene_cell(&scene, x, y);

	check_text(cell->symbol, symbol);
	check_text(cell->note, note);
	CHECK(cell->letter == letter);
	CHECK(cell->paint == paint);
	/* nobody's move is known here; others mark what may be picked */
	CHECK(cell->marks == 0);
}

static void test_cells(void)
{
	draw("abAcd2......cd2........................efB......", "false");
	CHECK(scene.columns == 4 && scene.rows == 4);
	check_cell(0, 0, "a", 'a', "ab0", PAINT_SEAT_0);
	check_cell(1, 0, "2", '2', "CD2", PAINT_SEAT_0 + 2);
	check_cell(2, 0, "\u2592", '#', "", PAINT_NEUTRAL);
	check_cell(1, 3, "e", 'e', "ef1", PAINT_SEAT_0 + 1);
	CHECK(scene_cell(&scene, 0, 1)->ground == GROUND_SPECIAL);
	CHECK(scene_cell(&scene, 0, 0)->ground == GROUND_PLAIN);
	CHECK(scene.player[2].letter == '2' && strcmp(scene.player[2].symbol, "2") == 0);
}

static void test_sizes(void)
{
	char model[GAME_MODEL_MAX];

	for (int size = 2; size <= 10; size += 2) {
		memset(model, '.', sizeof(model));
		model[3 * size * size] = '\0';
		draw(model, "false");
		CHECK(scene.columns == size && scene.rows == size);
		check_cell(size - 1, size - 1, "\u2592", '#', "", PAINT_NEUTRAL);
	}
}

static void test_end(void)
{
	draw("ab0cd2cd2ab0", "points");
	check_text(scene.title, "Memory  round 2");
	check_text(scene.caption, "anna and cem share the win: all pairs found");
	CHECK(scene.player[0].winner && !scene.player[1].winner && scene.player[2].winner);
}

/* A board on which each of the seats has won so many pairs. */
static void deal_pairs(char model[GAME_MODEL_MAX], const int pairs[GAME_SEATS_MAX])
{
	struct text text = {.data = model, .size = GAME_MODEL_MAX};
	int pair = 0;

	for (int seat = 0; seat < GAME_SEATS_MAX; seat++)
		for (int i = 0; i < pairs[seat]; i++, pair++)
			for (int card = 0; card < 2; card++)
				text_add(&text, "%c%c%d", 'a' + pair / 10, 'a' + pair % 10, seat);
}

/* More names than a caption has room for: how many, and the stars say who. */
static void test_many_winners(void)
{
	static const int nine[GAME_SEATS_MAX] = {2, 2, 2, 0, 2, 2, 2, 2, 2, 2};
	static const int three[GAME_SEATS_MAX] = {2, 2, 2, 1, 1};
	struct frame frame = {
	    .game = game_find("memory"), .turn = -1, .seats = GAME_SEATS_MAX, .round = 1};

	strcpy(frame.verdict, "points");
	for (int seat = 0; seat < GAME_SEATS_MAX; seat++)
		snprintf(frame.name[seat], NAME_MAX_BYTES, "name-of-24-characters-0%c", '0' + seat);
	deal_pairs(frame.model, nine);
	scene_of_frame(&scene, &frame, NULL);
	check_text(scene.caption, "9 players share the win: all pairs found");
	CHECK(scene.player[0].winner && !scene.player[3].winner && scene.player[9].winner);
	deal_pairs(frame.model, three);
	scene_of_frame(&scene, &frame, NULL);
	check_text(scene.caption, "name-of-24-characters-00 and name-of-24-characters-01 and "
				  "name-of-24-characters-02 share the win: all pairs found");
}

/* Who has left keeps his points and cannot win. */
static void test_gone(void)
{
	struct frame frame = {.game = game_find("memory"), .turn = -1, .seats = 3, .round = 1};

	strcpy(frame.model, "ab0cd2cd2ab0");
	strcpy(frame.verdict, "points");
	strcpy(frame.name[0], "-");
	strcpy(frame.name[1], "ben");
	strcpy(frame.name[2], "cem");
	frame.score[0] = frame.score[2] = 2;
	for (int told = 0; told < 2; told++) {
		frame.has_scores = told == 1;
		scene_of_frame(&scene, &frame, NULL);
		check_text(scene.caption, "cem wins: all pairs found");
		CHECK(!scene.player[0].winner && scene.player[2].winner);
	}
}

static void test_picks(void)
{
	struct pick picks[GAME_PICKS_MAX];
	struct move move = {.arg = {3, 1}};

	CHECK(game_picks(&memory_game, &move, picks) == 1);
	CHECK(!picks[0].beside && picks[0].x == 3 && picks[0].y == 1);
	CHECK(memory_drawing.explain("left") == NULL);
}

int main(void)
{
	test_cells();
	test_sizes();
	test_end();
	test_many_winners();
	test_gone();
	test_picks();
	return check_end();
}
