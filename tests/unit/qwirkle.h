/*
 * qwirkle.h - positions of Qwirkle in words, for the drivers that test it.
 */
#ifndef TESTS_UNIT_QWIRKLE_H
#define TESTS_UNIT_QWIRKLE_H

#include "proto/rules/game.h"
#include "proto/wire/line.h"
#include "tests/unit/check.h"

static const struct game *game;

static inline void start(union game_state *state, int seats, uint64_t seed, bool cheat)
{
	memset(state, 0xa5, sizeof(*state));
	game->begin(state,
		    &(struct setup){.seats = seats, .seed = seed, .first = -1, .cheat = cheat});
}

static inline void give(union game_state *state, int seat, const char *rack)
{
	char text[GAME_RACK_TEXT];
	struct words words;

	snprintf(text, sizeof(text), "%s", rack);
	CHECK(line_split(text, &words) && game->read_rack(state, seat, words.word, words.count));
}

/* A position in which seat 0 is to move, and holds these. */
static inline void set(union game_state *state, const char *model, const char *rack)
{
	if (!game->read_model(state, model, 0))
		check_fail(model);
	give(state, 0, rack);
}

static inline bool read_words(struct move *move, const char *text)
{
	char line[128];
	struct words words;

	snprintf(line, sizeof(line), "%s", text);
	CHECK(line_split(line, &words));
	return game->read_move(move, words.word, words.count);
}

static inline bool can(const union game_state *state, const char *text)
{
	struct move move;

	if (!read_words(&move, text))
		check_fail(text);
	return game->judge(state, game->turn(state), &move) == RULING_FINE;
}

/* Whoever's turn it is makes the move; gives the event. */
static inline const char *make(union game_state *state, const char *text)
{
	static struct event event;
	struct move move;

	if (!can(state, text))
		check_fail(text);
	read_words(&move, text);
	game->play(state, game->turn(state), &move, 0, &event);
	return event.text;
}

static inline void check_model(const union game_state *state, const char *expected)
{
	char model[GAME_MODEL_MAX];

	CHECK(game->print_model(state, model) == strlen(model));
	check_text(model, expected);
}

static inline void check_rack(const union game_state *state, int seat, const char *expected)
{
	char rack[GAME_RACK_TEXT];

	game->print_rack(state, seat, rack);
	check_text(rack, expected);
}

static inline int rack_size(const union game_state *state, int seat)
{
	char rack[GAME_RACK_TEXT];

	game->print_rack(state, seat, rack);
	return (int)(strlen(rack) + 1) / 3;
}

static inline int bag_size(const union game_state *state)
{
	char model[GAME_MODEL_MAX];

	game->print_model(state, model);
	return atoi(model);
}

static inline struct outcome outcome_of(const union game_state *state)
{
	struct outcome outcome;

	game->outcome(state, &outcome);
	return outcome;
}

#endif
