/*
 * qwirkle_scene_test - what Qwirkle looks like, and how it is picked.
 */
#include "viewer/scene/picker.h"
#include "viewer/scene/scene.h"
#include "tests/unit/check.h"

static const struct game *game;

static void make_frame(struct frame *frame, const char *model)
{
	*frame = (struct frame){.game = game, .seats = 3, .turn = 0, .verdict = "false"};
	snprintf(frame->model, sizeof(frame->model), "%s", model);
}

static void draw(struct scene *scene, const char *model)
{
	struct frame frame;

	make_frame(&frame, model);
	scene_of_frame(scene, &frame, NULL);
}

static bool spans(const struct scene *scene, int first_x, int first_y, int columns, int rows)
{
	return scene->first_x == first_x && scene->first_y == first_y &&
	       scene->columns == columns && scene->rows == rows;
}

/* The extent and a cell around it; what is too large is cut to its middle. */
static void test_extent(void)
{
	static struct scene scene;
	char model[GAME_MODEL_MAX] = "0";
	struct text text = {.data = model, .size = sizeof(model), .length = 1};

	draw(&scene, "96");
	CHECK(spans(&scene, -2, -2, 5, 5));
	draw(&scene, "96/a1,0,0");
	CHECK(spans(&scene, -1, -1, 3, 3));
	draw(&scene, "96/a1,-2,-1/a2,-1,-1/a3,0,-1/b3,0,0");
	CHECK(spans(&scene, -3, -2, 5, 4));
	/* stairs of six: five to the right and one down */
	for (int stair = 0; stair < 18; stair++)
		for (int step = 0; step < 6; step++)
			text_add(&text, "/%c%d,%d,%d", 'a' + stair % 6,
				 1 + (stair % 2 ? 5 - step : step), 5 * stair + step, stair);
	draw(&scene, model);
	CHECK(spans(&scene, 13, -1, 64, 20));
	CHECK(scene_cell(&scene, 45, 9)->letter != ' ' && scene_cell(&scene, 0, 0) == NULL);
	CHECK(scene_cell(&scene, 45, 10)->letter == ' ');
}

static void test_tiles(void)
{
	static struct scene scene;
	const struct cell *cell;

	draw(&scene, "90/b1,0,0/b4,1,0/f4,1,1");
	cell = scene_cell(&scene, 1, 0);
	check_text(cell->symbol, "\u25a0");
	check_text(cell->note, "b4");
	CHECK(cell->letter == 'b' && cell->paint == PAINT_PURPLE);
	cell = scene_cell(&scene, 1, 1);
	check_text(cell->symbol, "\u2731");
	check_text(cell->note, "f4");
	CHECK(scene_cell(&scene, 0, 1)->letter == ' ');
}

/* The last tile is marked, though the board has grown to where there was none. */
static void test_last(void)
{
	static struct scene scene;
	struct frame before, now;

	make_frame(&before, "90/a1,0,0");
	make_frame(&now, "90/a2,-1,0/a1,0,0");
	scene_of_frame(&scene, &now, &before);
	CHECK(scene_cell(&scene, -1, 0)->marks == MARK_LAST);
	CHECK(scene_cell(&scene, 0, 0)->marks == 0 && scene_cell(&scene, -2, 0)->marks == 0);
}

static void test_beside(void)
{
	static struct scene scene;
	struct frame frame;

	make_frame(&frame, "5/a1,0,0");
	drawing_of(game)->draw_beside(&scene, &frame, 0, "a1 c3 c3 c3 f6");
	CHECK(scene.pieces == 4);
	CHECK(scene.beside[1].count == 3 && scene.beside[1].piece == 14);
	check_text(scene.beside[1].cell.note, "c3");
	CHECK(scene.beside[1].cell.paint == PAINT_ORANGE && scene.beside[2].count == 1);
	/* the swap of all of them, for which the bag must hold as many */
	CHECK(scene.beside[3].piece == 64 && scene.beside[3].count == 1);
	make_frame(&frame, "4/a1,0,0");
	drawing_of(game)->draw_beside(&scene, &frame, 0, "a1 c3 c3 c3 f6");
	CHECK(scene.pieces == 3);
	drawing_of(game)->draw_beside(&scene, &frame, 0, "");
	CHECK(scene.pieces == 0);
	drawing_of(game)->draw_beside(&scene, &frame, 0, "?? x \033[2J");
	CHECK(scene.pieces == 0);
}

static void check_move(const struct move *move, const char *expected)
{
	char text[GAME_MOVE_TEXT];

	game->print_move(move, text);
	check_text(text, expected);
}

/* The generic picker makes all that is listed: plays, `pass` without a pick, and the swap. */
static void test_picks(void)
{
	static struct move moves[GAME_MOVES_MAX];
	union game_state state;
	struct choice choice = {.game = game, .move = moves};
	struct picker picker = {0};
	struct pick targets[PICKER_TARGETS_MAX];
	struct move move;
	char *const rack[] = {"a2", "b1"};

	CHECK(game->read_model(&state, "9/a1,0,0", 0) && game->read_rack(&state, 0, rack, 2));
	choice.moves = game->list_moves(&state, 0, moves);
	CHECK(choice.moves == 10 && picker_targets(&picker, &choice, targets) == 3);
	CHECK(picker_whole(&picker, &choice, &move));
	check_move(&move, "pass");
	CHECK(picker_pick(&picker, &choice, (struct pick){.beside = true, .x = 64}, &move) ==
	      PICKED_MOVE);
	check_move(&move, "swap a2 b1");
	CHECK(picker_pick(&picker, &choice, (struct pick){.beside = true, .x = 1}, &move) ==
	      PICKED_MORE);
	CHECK(picker_targets(&picker, &choice, targets) == 4);
	CHECK(picker_pick(&picker, &choice, (struct pick){.x = 0, .y = -1}, &move) == PICKED_MOVE);
	check_move(&move, "play a2 0 -1");
}

static void test_words(void)
{
	static struct scene scene;
	struct frame frame;

	make_frame(&frame, "0/a1,0,0");
	strcpy(frame.verdict, "points");
	frame.turn = -1;
	frame.has_scores = true;
	frame.score[1] = frame.score[2] = 7;
	scene_of_frame(&scene, &frame, NULL);
	check_text(scene.caption, "seat 1 and seat 2 share the win: most points");
	CHECK(drawing_of(game)->explain("timeout") == NULL);
}

int main(void)
{
	game = game_find("qwirkle");
	if (game == NULL)
		return 1;
	test_extent();
	test_tiles();
	test_last();
	test_beside();
	test_picks();
	test_words();
	return check_end();
}
