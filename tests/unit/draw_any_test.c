/*
 * draw_any_test - what holds for whatever game is shown: each of the list, and the null game.
 *
 * Chance plays a round of each, and every position of it is drawn and picked from. What only one game looks
 * like is checked by that game's own driver.
 */
#include "viewer/scene/picker.h"
#include "viewer/scene/scene.h"
#include "viewer/svg/svg.h"
#include "tests/unit/check.h"

enum { STEPS_MAX = 2000, LARGEST = 10 };

static const struct game *game;
static uint64_t chance;

/* --- the list -------------------------------------------------------------------------------- */

static void check_named(const struct game *one, const struct drawing *drawing, const char *name)
{
	check_text(one->name, name);
	check(game_find(name) == one, "a game is found by the name of its line");
	check(drawing_of(one) == drawing, "and its drawing with it");
	check(one->title[0] != '\0' && strlen(one->title) < SCENE_CAPTION / 2, "it has a title");
	check(!(one->has & GAME_HAS_SIDES) || one->side_paint[0] != one->side_paint[1],
	      "its sides have colours of their own");
}

static void test_list(void)
{
#define GAME(name) check_named(&name##_game, &name##_drawing, #name);
#include "proto/rules/list.h"
	CHECK(drawing_of(&null_game) == &null_drawing && game_find(null_game.name) == NULL);
	CHECK(game_at(GAME_COUNT - 1) != NULL && game_at(GAME_COUNT) == NULL);
}

/* --- positions ------------------------------------------------------------------------------- */

static struct frame make_frame(const union game_state *state, int seats)
{
	struct frame frame = {.game = game,
			      .seats = seats,
			      .turn = game->turn(state),
			      .rounds = 1,
			      .has_scores = game->score != NULL};
	struct outcome outcome;

	game->print_model(state, frame.model);
	game->outcome(state, &outcome);
	strcpy(frame.verdict, !outcome.over	     ? "false"
			      : outcome.winners == 0 ? "unresolved"
						     : outcome.why);
	for (int seat = 0; seat < seats; seat++) {
		snprintf(frame.name[seat], sizeof(frame.name[seat]), "player%d", seat);
		if (game->score != NULL)
			frame.score[seat] = game->score(state, seat);
	}
	return frame;
}

/* What is there has a symbol and a letter, so that it is seen without colour and without UTF-8. */
static void check_cells(const struct scene *scene)
{
	CHECK(scene->columns > 0 && scene->columns <= SCENE_SIDE_MAX);
	CHECK(scene->rows > 0 && scene->rows <= SCENE_SIDE_MAX);
	for (int row = 0; row < scene->rows; row++)
		for (int column = 0; column < scene->columns; column++) {
			const struct cell *cell = &scene->cell[row][column];

			CHECK((cell->letter == ' ') == (cell->symbol[0] == '\0'));
			CHECK(cell->letter >= ' ' && cell->letter <= '~');
		}
}

/* Two players' pieces differ by more than colour. */
static void check_players(const struct scene *scene)
{
	for (int seat = 0; seat < scene->players; seat++)
		for (int other = 0; other < seat; other++)
			CHECK(
			    scene->player[seat].letter == ' ' ||
			    (scene->player[seat].letter != scene->player[other].letter &&
			     strcmp(scene->player[seat].symbol, scene->player[other].symbol) != 0));
}

/* Cells that are won are on the board, and are somebody's win. */
static void check_won(const struct scene *scene, const struct frame *frame,
		      const union game_state *state)
{
	struct game_cell cells[GAME_WON_MAX];
	int count = game->list_won == NULL ? 0 : game->list_won(state, frame->verdict, cells);

	CHECK(count >= 0 && count <= GAME_WON_MAX);
	for (int i = 0; i < count; i++) {
		const struct cell *cell = scene_cell((struct scene *)scene, cells[i].x, cells[i].y);

		check(frame_is_over(frame), "nothing is won before the end");
		check(cell != NULL && cell->letter != ' ' && cell->marks & MARK_WIN,
		      "a cell that was won on is marked");
	}
}

/* As text, as a file, on the page. */
static void check_shown(const struct scene *scene)
{
	static char bytes[SVG_MAX];
	struct text text = TEXT_IN(bytes);

	scene_print(scene, false, &text);
	check(!text.cut && strstr(bytes, scene->title) == bytes, "its title is above the text");
	for (const char *byte = bytes; *byte != '\0'; byte++)
		CHECK(*byte == '\n' || (*byte >= ' ' && *byte <= '~'));
	text = TEXT_IN(bytes);
	svg_print_file(scene, &text);
	check(!text.cut && strstr(bytes, scene->title) != NULL, "a file has its title");
	text = TEXT_IN(bytes);
	svg_print_board(scene, &text);
	check(!text.cut && strstr(bytes, scene->title) != NULL, "and so has the page");
}

/* --- picking --------------------------------------------------------------------------------- */

static bool is_on_scene(const struct scene *scene, struct pick pick)
{
	if (pick.column)
		pick.y = scene->first_y;
	if (!pick.beside)
		return scene_cell((struct scene *)scene, pick.x, pick.y) != NULL;
	for (int i = 0; i < scene->pieces; i++)
		if (scene->beside[i].piece == pick.x)
			return true;
	return false;
}

/* A person who picks what can be picked, at random, makes a legal move. */
static void check_picked(const struct scene *scene, const struct choice *choice)
{
	struct pick targets[PICKER_TARGETS_MAX];
	struct picker picker = {0};
	struct move move;
	enum picked picked = PICKED_MORE;

	while (picked == PICKED_MORE) {
		int count = picker_targets(&picker, choice, targets);

		if (count == 0)
			break; /* one without picks, as one that passes */
		for (int i = 0; i < count; i++)
			check(is_on_scene(scene, targets[i]), "what can be picked is to be seen");
		picked = picker_pick(&picker, choice, targets[game_draw(&chance, (uint32_t)count)],
				     &move);
		check(picked != PICKED_NOTHING, "a target can be picked");
	}
	check(picked == PICKED_MOVE || picker_whole(&picker, choice, &move),
	      "picks lead to a move");
}

static void check_position(const union game_state *state, int seats, const struct frame *before)
{
	static struct move moves[GAME_MOVES_MAX];
	static struct scene scene;
	struct frame frame = make_frame(state, seats);
	char rack[GAME_RACK_TEXT] = "";

	scene_of_frame(&scene, &frame, before);
	check_cells(&scene);
	check_players(&scene);
	check_won(&scene, &frame, state);
	check_shown(&scene);
	for (int seat = 0; seat < seats; seat++) {
		struct choice choice = {game, moves, game->list_moves(state, seat, moves)};

		if (game->print_rack != NULL)
			game->print_rack(state, seat, rack);
		scene_add_beside(&scene, &frame, seat, rack);
		if (choice.moves > 0)
			check_picked(&scene, &choice);
	}
}

/* --- a round --------------------------------------------------------------------------------- */

/* Whoever may move does; where nobody may, time passes. */
static void take_step(union game_state *state, int seats, int step)
{
	static struct move moves[GAME_MOVES_MAX];
	int seat = game->turn(state), count;

	if (seat < 0)
		seat = step % seats;
	count = game->list_moves(state, seat, moves);
	if (count > 0)
		game->play(state, seat, &moves[game_draw(&chance, (uint32_t)count)], step, NULL);
	else if (game->due != NULL && game->due(state) != INT64_MAX)
		game->tick(state, game->due(state), NULL);
}

static void play_round(const struct setup *setup)
{
	union game_state state;
	struct outcome outcome;
	struct frame before;

	game->begin(&state, setup);
	check_position(&state, setup->seats, NULL);
	game->outcome(&state, &outcome);
	for (int step = 0; step < STEPS_MAX && !outcome.over; step++) {
		before = make_frame(&state, setup->seats);
		take_step(&state, setup->seats, step);
		check_position(&state, setup->seats, &before);
		game->outcome(&state, &outcome);
	}
}

static void test_game(const struct game *one)
{
	game = one;
	game_seed(&chance, 1);
	for (int seats = game->seats_min; seats <= game->seats_max; seats++)
		play_round(&(struct setup){.seed = (uint64_t)seats, .seats = seats, .size = 4});
	play_round(&(struct setup){.seed = 1, .seats = game->seats_max, .size = LARGEST});
}

int main(void)
{
	test_list();
	test_game(&null_game);
	for (int i = 0; i < GAME_COUNT; i++)
		test_game(game_at(i));
	return check_end();
}
