/*
 * schedule.c - who plays whom, when, in which seat. Pure: it owns nothing and talks to nobody. See arena.h.
 *
 * Games are numbered round by round, in each round encounter by encounter (a set of entrants), in each
 * encounter game by game.
 */
#include "player/arena/arena.h"

#include <string.h>

/* How many ways there are to choose `k` of `n`. */
static long choose(int n, int k)
{
	long ways = 1;

	for (int i = 0; i < k; i++)
		ways = ways * (n - i) / (i + 1);
	return ways;
}

static long count_tables(const struct arena_options *options)
{
	if (options->gauntlet)
		return choose(options->entrants - 1, options->seats - 1);
	return choose(options->entrants, options->seats);
}

long arena_count_games(const struct arena_options *options)
{
	return options->rounds * count_tables(options) * options->games;
}

/* The `index`th set of `k` entrants, from `first` on, in the order of a dictionary. */
static void find_set(int set[], int k, int first, int count, long index)
{
	for (int i = 0; i < k; i++, first++) {
		while (index >= choose(count - first - 1, k - i - 1)) {
			index -= choose(count - first - 1, k - i - 1);
			first++;
		}
		set[i] = first;
	}
}

/* As good as random, and the same again for the same numbers. */
static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t mixed = (a + 1) * UINT64_C(0x9e3779b97f4a7c15) + b;

	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	return mixed ^ mixed >> 31;
}

static void shuffle(int entrant[], int count, uint64_t random)
{
	for (int i = count - 1; i > 0; i--) {
		int j = (int)(random % (uint64_t)(i + 1)), other = entrant[i];

		random = mix(random, 0);
		entrant[i] = entrant[j];
		entrant[j] = other;
	}
}

void arena_pairing(const struct arena_options *options, long game, struct pairing *pairing)
{
	long encounter = game / options->games, number = game % options->games;
	long table = encounter % count_tables(options);
	int set[GAME_SEATS_MAX] = {0}, seats = options->seats;
	int turn = options->repeat ? (int)(number % seats) : 0;

	if (options->gauntlet)
		find_set(set + 1, seats - 1, 1, options->entrants, table);
	else
		find_set(set, seats, 0, options->entrants, table);
	if (!options->repeat)
		shuffle(set, seats, mix(options->seed, (uint64_t)game));
	pairing->seats = seats;
	for (int seat = 0; seat < seats; seat++)
		pairing->entrant[seat] = set[(seat + turn) % seats];
}

double arena_score(const struct result *result, int seats, int seat)
{
	int halves = 0;

	for (int other = 0; other < seats; other++) {
		if (other == seat)
			continue;
		halves += result->place[seat] < result->place[other] ? 2 : 0;
		halves += result->place[seat] == result->place[other];
	}
	return halves / 2.0 / (seats - 1);
}
