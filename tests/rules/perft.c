/*
 * perft.c - how many sequences of exactly so many moves there are from the start. See rules.h.
 *
 * Nothing is played on after an end. The last move of a sequence is not made: the moves that are
 * listed are counted. That is how others count, so that numbers and rates can be compared.
 */
#include "tests/rules/rules.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* What stays the same while counting. */
struct perft {
	const struct game *game;
	int seats;
	struct move
	    moves[GAME_MOVES_MAX * (PERFT_MAX + 1)]; /* of all lengths, one behind another */
};

static uint64_t count(const struct perft *perft, const union game_state *state, struct move *moves,
		      int length);

/* Most states are a few words, for which a call would take longer than the copy. */
static inline void copy_state(union game_state *to, const union game_state *from, size_t size)
{
	if (size <= sizeof(to->align))
		to->align = from->align;
	else
		memcpy(to, from, size);
}

static uint64_t count_seat(const struct perft *perft, const union game_state *state, int seat,
			   struct move *moves, int length)
{
	const struct game *game = perft->game;
	int legal = game->list_moves(state, seat, moves);
	union game_state next;
	uint64_t sum = 0;

	if (length == 1)
		return (uint64_t)legal;
	for (int i = 0; i < legal; i++) {
		copy_state(&next, state, game->state_size);
		game->play(&next, seat, &moves[i], 0, NULL);
		sum += count(perft, &next, moves + legal, length - 1);
	}
	return sum;
}

/* Where everybody may move, everybody does. */
static uint64_t count(const struct perft *perft, const union game_state *state, struct move *moves,
		      int length)
{
	const struct game *game = perft->game;
	int turn = game->turn(state);
	uint64_t sum = 0;

	if (turn >= 0)
		return count_seat(perft, state, turn, moves, length);
	for (int seat = 0; game->may_move != NULL && seat < perft->seats; seat++)
		if (game->may_move(state, seat))
			sum += count_seat(perft, state, seat, moves, length);
	return sum;
}

void perft_run(const struct game *game, const struct setup *setup, int length)
{
	static struct perft perft;
	union game_state start = {0};
	uint64_t leaves = 0, all = 0;
	double begin, seconds;

	perft.game = game;
	perft.seats = setup->seats;
	game->begin(&start, setup);
	for (int n = 1; n <= length; n++) {
		leaves = count(&perft, &start, perft.moves, n);
		printf("%d %llu\n", n, (unsigned long long)leaves);
		fflush(stdout);
	}
	/* one count may be too short to be timed */
	begin = now();
	do {
		all += count(&perft, &start, perft.moves, length);
		seconds = now() - begin;
	} while (seconds < 0.5);
	printf("%.1f million leaf positions a second (length %d)\n", (double)all / seconds / 1e6,
	       length);
}
