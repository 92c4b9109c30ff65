/*
 * script.c - the duels that the load client plays. See script.h.
 *
 * The long one is found by playing at random until a game has lasted; that takes some milliseconds.
 */
#include "tests/bench/script.h"

#include "proto/rules/game.h"

#include <err.h>
#include <stdio.h>

enum { LONG_MOVES = 240, TRIES = 2000 };

static const struct script seven = {
    .play = "PLAY\n",
    .count = 7,
    .move = {"MOVE 0 0\n", "MOVE 1 0\n", "MOVE 1 1\n", "MOVE 2 2\n", "MOVE 0 1\n", "MOVE 2 1\n",
	     "MOVE 0 2\n"},
};

const struct script *script_short(void)
{
	return &seven;
}

/* False: the game was over too soon. */
static bool try_game(struct script *script, const struct game *game, uint64_t seed)
{
	static struct move moves[GAME_MOVES_MAX];
	static union game_state state;
	const struct setup setup = {.seats = 2};
	struct outcome outcome;
	char text[GAME_MOVE_TEXT];
	uint64_t chance;

	game_seed(&chance, seed);
	game->begin(&state, &setup);
	for (script->count = 0; script->count < LONG_MOVES; script->count++) {
		int seat = game->turn(&state);
		int count = game->list_moves(&state, seat, moves);
		const struct move *move = &moves[game_draw(&chance, (uint32_t)count)];

		game->play(&state, seat, move, 0, NULL);
		game->outcome(&state, &outcome);
		if (outcome.over)
			return false;
		game->print_move(move, text);
		snprintf(script->move[script->count], SCRIPT_MOVE_TEXT, "MOVE %s\n", text);
	}
	return true;
}

const struct script *script_long(void)
{
	static struct script script = {.play = "PLAY hnefatafl\n"};
	const struct game *game = game_find("hnefatafl");

	for (uint64_t seed = 1; script.count < LONG_MOVES; seed++)
		if (!try_game(&script, game, seed) && seed == TRIES)
			errx(1, "no game of Hnefatafl lasts %d moves", (int)LONG_MOVES);
	return &script;
}
