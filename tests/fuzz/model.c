/*
 * A model of one game, as it comes from the network, with a turn. Whatever is accepted can be
 * printed, judged, listed, played on, and drawn. The first byte of the input is the turn: 0 to 9,
 * or anything else for nobody's. A second line is a rack of seat 0.
 */
#include "tests/fuzz/fuzz.h"

#include "proto/wire/line.h"
#include "viewer/scene/scene.h"

#include <stdio.h>

static const struct game *game;

/* What was accepted may have been said in another way than it is printed. */
static void check_model(const union game_state *state, const char *said, int turn)
{
	char model[GAME_MODEL_MAX], again[GAME_MODEL_MAX];
	union game_state read;

	MUST(game->print_model(state, model) == strlen(model));
	MUST(game->read_model(&read, model, turn));
	MUST(strcmp(model, said) != 0 || memcmp(&read, state, game->state_size) == 0);
	game->print_model(&read, again);
	MUST(strcmp(model, again) == 0);
}

static void try_moves(const union game_state *state, int seat)
{
	static struct move moves[GAME_MOVES_MAX];
	int count = game->list_moves(state, seat, moves);
	char text[GAME_MODEL_MAX];
	struct outcome outcome;

	MUST(count <= GAME_MOVES_MAX);
	for (int i = 0; i < count; i++) {
		union game_state next = *state;
		struct event event;

		MUST(game->judge(state, seat, &moves[i]) == RULING_FINE);
		game->play(&next, seat, &moves[i], 0, &event);
		game->print_model(&next, text);
		game->outcome(&next, &outcome);
	}
}

/* All that can happen to a position without a move. */
static void try_the_rest(const union game_state *state, int seat)
{
	union game_state next = *state;
	char rack[GAME_RACK_TEXT];
	struct event event;

	game_may_move(game, state, seat);
	if (game->score != NULL)
		game->score(state, seat);
	if (game->print_rack != NULL)
		game->print_rack(state, seat, rack);
	if (game->blind != NULL)
		game->blind(&next, seat);
	next = *state;
	for (int i = 0; game->leave != NULL && game->leave(&next, seat, &event); i++)
		MUST(i < 100);
	next = *state;
	for (int i = 0; game->due != NULL && game->due(&next) != INT64_MAX; i++) {
		MUST(i < 100);
		MUST(game->tick(&next, game->due(&next), &event));
	}
}

/* The null game is in no registry, so no frame shows it. */
static void draw(const char *model, int turn)
{
	static struct scene scene;
	static char picture[SCENE_TEXT_MAX];
	char bytes[FRAME_MAX + 1], turn_word[4] = "-",
				   id[] = "00000000-0000-4000-8000-000000000000";
	struct text text = TEXT_IN(picture), line = TEXT_IN(bytes);
	struct frame frame;

	if (turn >= 0)
		snprintf(turn_word, sizeof(turn_word), "%d", turn);
	text_add(&line, "%s %s %s %s game=%s duel=%s n=0 turn=%s names=", id, id, model,
		 turn < 0 ? "left" : "false", game->name, id, turn_word);
	for (int seat = 0; seat < game->seats_max; seat++)
		text_add(&line, "%s%d", seat == 0 ? "" : ",", seat);
	text_add(&line, "\n");
	if (line.cut || !frame_read(&frame, bytes, line.length))
		return;
	scene_of_frame(&scene, &frame, NULL);
	scene_of_frame(&scene, &frame, &frame);
	MUST(scene.columns >= 0 && scene.columns <= SCENE_SIDE_MAX);
	MUST(scene.rows >= 0 && scene.rows <= SCENE_SIDE_MAX);
	if (drawing_of(game)->draw_beside != NULL)
		for (int seat = 0; seat < game->seats_max; seat++) {
			drawing_of(game)->draw_beside(&scene, &frame, seat, "");
			MUST(scene.pieces >= 0 && scene.pieces <= SCENE_BESIDE_MAX);
		}
	scene_print(&scene, true, &text);
	text = TEXT_IN(picture);
	scene_print(&scene, false, &text);
	MUST(!text.cut);
}

/* A rack that is accepted is printed as one that is accepted. */
static void give_rack(union game_state *state, char *text)
{
	char rack[GAME_RACK_TEXT], again[GAME_RACK_TEXT];
	struct words words;

	if (game->read_rack == NULL || !line_split(text, &words) ||
	    !game->read_rack(state, 0, words.word, words.count))
		return;
	game->print_rack(state, 0, rack);
	strcpy(again, rack);
	words.count = 0;
	MUST(again[0] == '\0' || line_split(again, &words));
	MUST(game->read_rack(state, 0, words.word, words.count));
	game->print_rack(state, 0, again);
	MUST(strcmp(rack, again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char model[2 * GAME_MODEL_MAX], *rack = model;
	union game_state state;
	struct outcome outcome;
	int turn;

	game = fuzz_game();
	if (size < 1 || size > sizeof(model))
		return 0;
	turn = data[0] >= '0' && data[0] <= '9' ? data[0] - '0' : -1;
	line_copy(model, (const char *)data + 1, size - 1);
	strsep(&rack, "\n");
	memset(&state, 0x5a, sizeof(state));
	if (!game->read_model(&state, model, turn))
		return 0;
	check_model(&state, model, turn);
	if (rack != NULL)
		give_rack(&state, rack);
	game->outcome(&state, &outcome);
	for (int seat = 0; seat < game->seats_max; seat++) {
		try_moves(&state, seat);
		try_the_rest(&state, seat);
	}
	draw(model, turn);
	return 0;
}
