/*
 * two_sided.h - for drivers of games for two with perfect information: positions given as models,
 * moves given as words, perft, and games of random moves.
 */
#ifndef TESTS_UNIT_TWO_SIDED_H
#define TESTS_UNIT_TWO_SIDED_H

#include "proto/rules/game.h"
#include "proto/wire/line.h"
#include "tests/unit/check.h"

#include <time.h>

static const struct game *game; /* the one that the driver tests */

static inline union game_state position(const char *model, int turn)
{
	union game_state state = {0};

	if (!game->read_model(&state, model, turn))
		check_fail(model);
	return state;
}

static inline union game_state start_position(int first)
{
	union game_state state = {0};

	game->begin(&state, &(struct setup){.seats = 2, .first = first});
	return state;
}

static inline bool read_words(struct move *move, const char *text)
{
	char copy[128];
	struct words words;

	snprintf(copy, sizeof(copy), "%s", text);
	return line_split(copy, &words) && game->read_move(move, words.word, words.count);
}

/* What do the rules say of this move by whose turn it is? */
static inline enum ruling judge_words(const union game_state *state, const char *text)
{
	struct move move;

	if (!read_words(&move, text))
		return RULING_UNREADABLE;
	return game->judge(state, game->turn(state), &move);
}

/* Make a move, which must be fine. */
static inline void make_move(union game_state *state, const char *text)
{
	int seat = game->turn(state);
	struct event event = {0};
	struct move move;

	if (judge_words(state, text) != RULING_FINE) {
		check_fail(text);
		return;
	}
	read_words(&move, text);
	game->play(state, seat, &move, 0, &event);
	CHECK(event.seat == seat);
	check_text(event.text, text);
}

static inline void check_model(const union game_state *state, const char *model)
{
	char text[GAME_MODEL_MAX];

	CHECK(game->print_model(state, text) == strlen(text));
	check_text(text, model);
}

/* The round is over so; `winner` -1 is unresolved. */
static inline void check_over(const union game_state *state, int winner, const char *why)
{
	struct outcome outcome;

	game->outcome(state, &outcome);
	CHECK(outcome.over && game->turn(state) == -1);
	CHECK(outcome.winners == (winner < 0 ? 0 : 1u << winner));
	check_text(outcome.why, why);
}

static inline void check_goes_on(const union game_state *state)
{
	struct outcome outcome;

	game->outcome(state, &outcome);
	CHECK(!outcome.over && game->turn(state) >= 0 && outcome.winners == 0);
	check_text(outcome.why, "");
}

/* Sequences of exactly `depth` moves. The last is counted, not made. */
static inline long perft(const union game_state *state, int depth)
{
	struct move moves[GAME_MOVES_MAX];
	int seat = game->turn(state);
	int count = game->list_moves(state, seat, moves);
	union game_state next;
	long leaves = 0;

	if (depth == 1)
		return count;
	for (int m = 0; m < count; m++) {
		memcpy(&next, state, game->state_size);
		game->play(&next, seat, &moves[m], 0, NULL);
		leaves += perft(&next, depth - 1);
	}
	return leaves;
}

/* For `driver perft`: how fast it is. */
static inline int print_speed(int depth)
{
	union game_state state = start_position(0);
	struct timespec before, after;
	double seconds;
	long leaves = 0;

	clock_gettime(CLOCK_MONOTONIC, &before);
	do {
		leaves += perft(&state, depth);
		clock_gettime(CLOCK_MONOTONIC, &after);
		seconds = (double)(after.tv_sec - before.tv_sec) +
			  (double)(after.tv_nsec - before.tv_nsec) / 1e9;
	} while (seconds < 1);
	printf("%s %.1f million leaves a second\n", game->name, (double)leaves / seconds / 1e6);
	return 0;
}

/* ---- random games ---- */

/* Bytes of a move that have no meaning are left out by saying it. */
static inline bool is_listed(const struct move *moves, int count, const struct move *move)
{
	char text[GAME_MOVE_TEXT];
	struct move said;

	game->print_move(move, text);
	if (!read_words(&said, text))
		check_fail(text);
	for (int m = 0; m < count; m++)
		if (memcmp(&moves[m], &said, sizeof(said)) == 0)
			return true;
	return false;
}

/* What is listed is fine, and nobody else's; one of it is said and read again. */
static inline void check_listed(const union game_state *state, const struct move *moves, int count,
				uint64_t *chance)
{
	int seat = game->turn(state);

	for (int m = 0; m < count; m++) {
		CHECK(game->judge(state, seat, &moves[m]) == RULING_FINE);
		CHECK(game->judge(state, !seat, &moves[m]) == RULING_ILLEGAL);
		CHECK(game->judge(state, -1, &moves[m]) == RULING_ILLEGAL);
	}
	if (count > 0)
		CHECK(is_listed(moves, count, &moves[game_draw(chance, (uint32_t)count)]));
}

/* Of moves of any bytes, and of those near the board, only the listed are fine. */
static inline void check_others(const union game_state *state, const struct move *moves, int count,
				uint64_t *chance)
{
	enum { TRIES = 16, BYTES = 256, NEAR = 11 };

	for (int i = 0; i < TRIES; i++) {
		struct move move = {.kind = (uint8_t)game_draw(chance, BYTES)};
		bool fine;

		for (size_t a = 0; a < sizeof(move.arg); a++)
			move.arg[a] = (int8_t)(i % 2 ? (int)game_draw(chance, BYTES)
						     : (int)game_draw(chance, NEAR) - 1);
		fine = game->judge(state, game->turn(state), &move) == RULING_FINE;
		CHECK(fine == is_listed(moves, count, &move));
	}
}

/* The model says all: who reads it sees the same position. */
static inline void check_read_back(const union game_state *state, const struct move *moves,
				   int count)
{
	struct move again[GAME_MOVES_MAX];
	char model[GAME_MODEL_MAX];
	union game_state read;
	int seat = game->turn(state);

	game->print_model(state, model);
	read = position(model, seat);
	check_model(&read, model);
	CHECK(game->turn(&read) == seat);
	CHECK(game->list_moves(&read, seat, again) == count);
	CHECK(memcmp(again, moves, (size_t)count * sizeof(*moves)) == 0);
}

/* All that must hold of a position; gives its legal moves. */
static inline int check_position(const union game_state *state, struct move *moves,
				 uint64_t *chance)
{
	union game_state before = *state;
	struct outcome outcome;
	int seat = game->turn(state);
	int count = game->list_moves(state, seat, moves);

	game->outcome(state, &outcome);
	CHECK(outcome.over == (count == 0) && outcome.over == (seat < 0));
	CHECK(game->list_moves(state, seat < 0 ? 0 : !seat, moves + count) == 0);
	check_listed(state, moves, count, chance);
	check_others(state, moves, count, chance);
	check_read_back(state, moves, count);
	CHECK(memcmp(&before, state, game->state_size) == 0);
	return count;
}

#endif
