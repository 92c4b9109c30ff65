/*
 * report.c - what has been played, as tables on standard output and as a bar on standard error.
 *
 * Owns the bar. It reads the results, asks stats.c what they mean, and never changes them.
 */
#include "player/arena/arena.h"

#include "player/arena/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 24 };

struct standing {
	int entrant;
	long games, wins, draws, losses, fault[FAULT_ILLEGAL + 1];
	double points;
	struct sample sample; /* of whole groups */
};

/* How many games a group has. */
static long group_size(const struct arena_options *options)
{
	return options->repeat ? options->seats : 1;
}

static int seat_of(const struct pairing *pairing, int entrant)
{
	for (int seat = 0; seat < pairing->seats; seat++)
		if (pairing->entrant[seat] == entrant)
			return seat;
	return -1;
}

/* The mean score of an entrant in the group that begins with this game. False: it has no part in
 * it, or not all of it has been played. */
static bool group_score(const struct arena *arena, long first, int entrant, double *score)
{
	long size = group_size(&arena->options);

	*score = 0;
	for (long game = first; game < first + size; game++) {
		struct pairing pairing;
		int seat;

		arena_pairing(&arena->options, game, &pairing);
		seat = seat_of(&pairing, entrant);
		if (seat < 0 || !arena->result[game].played)
			return false;
		*score += arena_score(&arena->result[game], pairing.seats, seat) / (double)size;
	}
	return true;
}

enum verdict arena_sprt(const struct arena *arena, double *ratio)
{
	long count[SPRT_BINS_MAX] = {0}, size = group_size(&arena->options), groups = 0;
	int bins = size == 2 ? 5 : 3;

	*ratio = 0;
	for (long game = 0; game < arena->reach; game += size) {
		double score;

		if (!group_score(arena, game, 0, &score))
			continue;
		count[lround(score * (bins - 1))]++;
		groups++;
	}
	if (groups > 0)
		*ratio = sprt_ratio(&arena->options.sprt, count, bins);
	return sprt_verdict(&arena->options.sprt, *ratio);
}

static void add_game(const struct arena *arena, long game, struct standing standing[])
{
	const struct result *result = &arena->result[game];
	struct pairing pairing;

	arena_pairing(&arena->options, game, &pairing);
	for (int seat = 0; seat < pairing.seats; seat++) {
		struct standing *one = &standing[pairing.entrant[seat]];
		double score = arena_score(result, pairing.seats, seat);

		one->games++;
		one->wins += score >= 1;
		one->losses += score <= 0;
		one->draws += score > 0 && score < 1;
		one->points += score;
		one->fault[result->fault[seat]]++;
	}
}

static void count_all(const struct arena *arena, struct standing standing[])
{
	const struct arena_options *options = &arena->options;
	long size = group_size(options);
	double score;

	memset(standing, 0, (size_t)options->entrants * sizeof(standing[0]));
	for (int e = 0; e < options->entrants; e++)
		standing[e].entrant = e;
	for (long game = 0; game < arena->reach; game++) {
		if (arena->result[game].played)
			add_game(arena, game, standing);
		for (int e = 0; game % size == 0 && e < options->entrants; e++)
			if (group_score(arena, game, e, &score))
				sample_add(&standing[e].sample, score);
	}
}

static double share(const struct standing *one)
{
	return one->games == 0 ? 0 : one->points / (double)one->games;
}

static int compare(const void *a, const void *b)
{
	double one = share(a), other = share(b);

	return one < other ? 1 : one > other ? -1 : 0;
}

/* "+100 ±25", or what is known of it. */
static void print_elo(const struct sample *sample, char text[32])
{
	struct elo elo;

	elo_of_sample(sample, &elo);
	if (sample->count == 0)
		snprintf(text, 32, "?");
	else if (isinf(elo.value))
		snprintf(text, 32, "%s", elo.value > 0 ? "+inf" : "-inf");
	else if (isinf(elo.low) || isinf(elo.high) || isnan(elo.low) || isnan(elo.high))
		snprintf(text, 32, "%+ld +-?", lround(elo.value));
	else
		snprintf(text, 32, "%+ld +-%ld", lround(elo.value),
			 lround((elo.high - elo.low) / 2));
}

/* "1  anna": who a row is of. */
static void tell_name(struct sheet *table, const struct arena *arena, int place, int entrant)
{
	sheet_tell(table, "%2d  %s", place + 1, arena->options.entrant[entrant].name);
}

static void print_standings(const struct arena *arena, const struct standing standing[])
{
	static struct sheet table;

	sheet_begin(&table, "    name", 28);
	sheet_add(&table, "games", 6);
	sheet_add(&table, "wins", 6);
	sheet_add(&table, "draws", 6);
	sheet_add(&table, "losses", 6);
	sheet_add(&table, "points", 8);
	sheet_add(&table, "score", 6);
	sheet_add(&table, "Elo", -14);
	sheet_add(&table, "LOS", 6);
	sheet_add(&table, "timeout", 7);
	sheet_add(&table, "crash", 7);
	sheet_add(&table, "illegal", 7);
	for (int i = 0; i < arena->options.entrants; i++) {
		const struct standing *one = &standing[i];
		char elo[32];

		print_elo(&one->sample, elo);
		tell_name(&table, arena, i, one->entrant);
		sheet_tell(&table, "%ld", one->games);
		sheet_tell(&table, "%ld", one->wins);
		sheet_tell(&table, "%ld", one->draws);
		sheet_tell(&table, "%ld", one->losses);
		sheet_tell(&table, "%.1f", one->points);
		sheet_tell(&table, "%.1f%%", 100 * share(one));
		sheet_tell(&table, "%s", elo);
		sheet_tell(&table, "%.1f%%", 100 * sample_superiority(&one->sample));
		sheet_tell(&table, "%ld", one->fault[FAULT_TIMEOUT]);
		sheet_tell(&table, "%ld", one->fault[FAULT_CRASH]);
		sheet_tell(&table, "%ld", one->fault[FAULT_ILLEGAL]);
	}
	sheet_print(&table);
}

/* What one has scored against the other, of how many games; among more than two, each pair that is
 * in a game counts. */
static void count_between(const struct arena *arena, int one, int other, double *points,
			  long *games)
{
	*points = 0;
	*games = 0;
	for (long game = 0; game < arena->reach; game++) {
		const struct result *result = &arena->result[game];
		struct pairing pairing;
		int seat, against;

		if (!result->played)
			continue;
		arena_pairing(&arena->options, game, &pairing);
		seat = seat_of(&pairing, one);
		against = seat_of(&pairing, other);
		if (seat < 0 || against < 0)
			continue;
		++*games;
		*points += result->place[seat] < result->place[against]	   ? 1
			   : result->place[seat] == result->place[against] ? 0.5
									   : 0;
	}
}

static void print_cross(const struct arena *arena, const struct standing standing[])
{
	static struct sheet table;

	sheet_begin(&table, "points against", 28);
	for (int i = 0; i < arena->options.entrants; i++) {
		char place[16];

		snprintf(place, sizeof(place), "%d", i + 1);
		sheet_add(&table, place, 12);
	}
	for (int i = 0; i < arena->options.entrants; i++) {
		tell_name(&table, arena, i, standing[i].entrant);
		for (int j = 0; j < arena->options.entrants; j++) {
			double points;
			long games;

			count_between(arena, standing[i].entrant, standing[j].entrant, &points,
				      &games);
			if (i != j && games > 0)
				sheet_tell(&table, "%.1f/%ld", points, games);
			else
				sheet_tell(&table, "-");
		}
	}
	printf("\n");
	sheet_print(&table);
}

static void print_sprt(const struct arena *arena)
{
	static const char *const words[] = {"not decided yet", "elo0 is accepted",
					    "elo1 is accepted"};
	const struct sprt *sprt = &arena->options.sprt;
	double ratio;
	enum verdict verdict = arena_sprt(arena, &ratio);

	printf("\nSPRT elo0=%g elo1=%g alpha=%g beta=%g: LLR %.2f (%.2f, %.2f), %s\n", sprt->elo0,
	       sprt->elo1, sprt->alpha, sprt->beta, ratio, sprt_low(sprt), sprt_high(sprt),
	       words[verdict]);
}

void arena_report(const struct arena *arena)
{
	static struct standing standing[ARENA_PLAYERS_MAX];

	count_all(arena, standing);
	qsort(standing, (size_t)arena->options.entrants, sizeof(standing[0]), compare);
	printf("%s: %ld of %ld games\n\n", arena->options.game->name, arena->played, arena->games);
	print_standings(arena, standing);
	print_cross(arena, standing);
	if (arena->options.has_sprt)
		print_sprt(arena);
}

/* A bar is drawn in one line, which has no end yet. */
static bool bar_is_open;

void arena_end_progress(void)
{
	if (bar_is_open)
		fprintf(stderr, "\n");
	bar_is_open = false;
}

void arena_show_progress(const struct arena *arena, int running)
{
	static long shown = -1;
	char bar[BAR_WIDTH + 1], elo[32], line[256];
	int full = (int)(arena->played * BAR_WIDTH / arena->games), width;
	struct standing standing[ARENA_PLAYERS_MAX];

	if (!isatty(STDERR_FILENO) || shown == arena->played)
		return;
	shown = arena->played;
	memset(bar, '.', BAR_WIDTH);
	memset(bar, '#', (size_t)full);
	bar[BAR_WIDTH] = '\0';
	count_all(arena, standing);
	print_elo(&standing[0].sample, elo);
	snprintf(line, sizeof(line), "[%s] %ld of %ld, %d at once  %s %.1f%%  Elo %s", bar,
		 arena->played, arena->games, running, arena->options.entrant[0].name,
		 100 * share(&standing[0]), elo);
	/* in one row, or the next would not be drawn over it */
	width = sheet_room(STDERR_FILENO);
	fprintf(stderr, "\r%.*s\033[K", width > 1 ? width - 1 : (int)sizeof(line), line);
	bar_is_open = true;
	if (arena->played == arena->games)
		arena_end_progress();
}
