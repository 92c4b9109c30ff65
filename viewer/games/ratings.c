/*
 * ratings.c - how strong the names are, from all games that count. See games.h.
 *
 * A round is one result for each pair of those who played it: the better place has won. A period is
 * a day of the calendar (UTC); all of it counts at once, so the order of a day's games is nothing.
 * The last period is the day of the last game, not today: the same games give the same ratings.
 */
#include "viewer/games/glicko.h"
#include "viewer/games/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROUND_MAX = GAME_SEATS_MAX * 4, /* that have played one: people may come and go */
	DAY_MS = 24 * 60 * 60 * 1000,
	IDLE_MAX = 1000000, /* days: after so many nothing is known of anybody */
};

/* One of a pair, and how the round went for that one. */
struct pair {
	int one, other; /* in `names` */
	double score;
};

struct reckoning {
	int names, pairs;
	struct rating *rating; /* by number */
	int *sorted;	       /* numbers by name */
	size_t names_room, pairs_room;
	struct pair *pair; /* of the present period */
	struct rating_course course;
	size_t days_room;
	int64_t day;
};

static void *grow(void *array, int count, size_t *room, size_t size)
{
	void *more;

	if ((size_t)count < *room)
		return array;
	more = realloc(array, (2 * *room + 16) * size);
	if (more != NULL)
		*room = 2 * *room + 16;
	return more;
}

/* --- names ------------------------------------------------------------------------------------ */

/* Where a name is in `sorted`, or would be. */
static int place_of(const struct reckoning *reckoning, const char *name)
{
	int low = 0, high = reckoning->names;

	while (low < high) {
		int middle = (low + high) / 2;

		if (strcmp(reckoning->rating[reckoning->sorted[middle]].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool make_room(struct reckoning *reckoning)
{
	size_t room = reckoning->names_room;
	void *more = grow(reckoning->sorted, reckoning->names, &room, sizeof(int));

	if (more == NULL)
		return false;
	reckoning->sorted = more;
	more = grow(reckoning->rating, reckoning->names, &reckoning->names_room,
		    sizeof(struct rating));
	if (more == NULL)
		return false;
	reckoning->rating = more;
	return true;
}

/* The number of a name; -1: there is no memory. */
static int number_of(struct reckoning *reckoning, const char *name)
{
	struct glicko fresh = glicko_new();
	int place = place_of(reckoning, name);
	int number = reckoning->names;

	if (place < number && strcmp(reckoning->rating[reckoning->sorted[place]].name, name) == 0)
		return reckoning->sorted[place];
	if (!make_room(reckoning))
		return -1;
	memmove(reckoning->sorted + place + 1, reckoning->sorted + place,
		(size_t)(number - place) * sizeof(int));
	reckoning->sorted[place] = number;
	reckoning->rating[number] = (struct rating){.number = number,
						    .rating = fresh.rating,
						    .deviation = fresh.deviation,
						    .volatility = fresh.volatility};
	snprintf(reckoning->rating[number].name, NAME_MAX_BYTES, "%s", name);
	reckoning->names++;
	return number;
}

/* --- periods ---------------------------------------------------------------------------------- */

static struct glicko glicko_of(const struct rating *rating)
{
	return (struct glicko){rating->rating, rating->deviation, rating->volatility};
}

static int compare_pairs(const void *a, const void *b)
{
	const struct pair *one = a, *other = b;

	if (one->one != other->one)
		return one->one < other->one ? -1 : 1;
	/* so that sums are made in the same order, whatever sorts */
	if (one->other != other->other)
		return one->other < other->other ? -1 : 1;
	return (one->score > other->score) - (one->score < other->score);
}

static bool add_day(struct reckoning *reckoning, int number, const struct glicko *after)
{
	struct rating_course *course = &reckoning->course;
	void *more = grow(course->day, course->days, &reckoning->days_room, sizeof(*course->day));

	if (more == NULL)
		return false;
	course->day = more;
	course->day[course->days++] = (struct rating_day){number, reckoning->day * DAY_MS,
							  after->rating, after->deviation};
	return true;
}

/* How everybody is after the period, from how everybody was before. */
static bool settle_into(struct reckoning *reckoning, struct glicko after[],
			struct glicko_result results[])
{
	int at = 0;

	for (int number = 0; number < reckoning->names; number++) {
		int count = 0;

		for (; at < reckoning->pairs && reckoning->pair[at].one == number; at++)
			results[count++] = (struct glicko_result){
			    glicko_of(&reckoning->rating[reckoning->pair[at].other]),
			    reckoning->pair[at].score};
		after[number] = glicko_after(glicko_of(&reckoning->rating[number]), results, count);
		if (count > 0 && !add_day(reckoning, number, &after[number]))
			return false;
	}
	return true;
}

/* The period is over; the next one that has games is `day`. */
static bool settle(struct reckoning *reckoning, int64_t day)
{
	struct glicko *after = calloc((size_t)reckoning->names + 1, sizeof(*after));
	struct glicko_result *results = calloc((size_t)reckoning->pairs + 1, sizeof(*results));
	int64_t idle = day > reckoning->day + 1 ? day - reckoning->day - 1 : 0;
	bool good = after != NULL && results != NULL;

	if (good) {
		if (reckoning->pairs > 0)
			qsort(reckoning->pair, (size_t)reckoning->pairs, sizeof(struct pair),
			      compare_pairs);
		good = settle_into(reckoning, after, results);
	}
	for (int number = 0; good && number < reckoning->names; number++) {
		struct rating *rating = &reckoning->rating[number];
		struct glicko now = glicko_idle(after[number],
						idle > IDLE_MAX ? IDLE_MAX : (int)idle);

		rating->rating = now.rating;
		rating->deviation = now.deviation;
		rating->volatility = now.volatility;
	}
	free(after);
	free(results);
	reckoning->pairs = 0;
	reckoning->day = day;
	return good;
}

/* --- rounds ----------------------------------------------------------------------------------- */

static bool add_pair(struct reckoning *reckoning, int one, int other, double score)
{
	void *more = grow(reckoning->pair, reckoning->pairs, &reckoning->pairs_room,
			  sizeof(struct pair));

	if (more == NULL)
		return false;
	reckoning->pair = more;
	reckoning->pair[reckoning->pairs++] = (struct pair){one, other, score};
	return true;
}

/* Those who have played a round; `anon` is nobody's name, and no name plays against itself. */
struct round_of {
	int64_t game;
	int round, count;
	int name[ROUND_MAX], rank[ROUND_MAX];
};

static bool add_round(struct reckoning *reckoning, const struct round_of *round)
{
	for (int i = 0; i < round->count; i++) {
		bool met = false;

		for (int j = 0; j < round->count; j++) {
			double score = round->rank[i] == round->rank[j]	 ? 0.5
				       : round->rank[i] < round->rank[j] ? 1
									 : 0;

			if (round->name[i] == round->name[j])
				continue;
			met = true;
			if (!add_pair(reckoning, round->name[i], round->name[j], score))
				return false;
		}
		reckoning->rating[round->name[i]].games += met;
	}
	return true;
}

static bool add_row(struct reckoning *reckoning, struct round_of *round, sqlite3_stmt *row)
{
	int64_t day = sqlite3_column_int64(row, 0), game = sqlite3_column_int64(row, 1);
	int number = sqlite3_column_int(row, 2), name;

	if (round->count > 0 && (round->game != game || round->round != number)) {
		if (!add_round(reckoning, round))
			return false;
		round->count = 0;
	}
	if (day != reckoning->day && !settle(reckoning, day))
		return false;
	name = number_of(reckoning, games_text(row, 3));
	if (name < 0)
		return false;
	round->game = game;
	round->round = number;
	if (round->count < ROUND_MAX) {
		round->name[round->count] = name;
		round->rank[round->count++] = sqlite3_column_int(row, 4);
	}
	return true;
}

/* --- all of it -------------------------------------------------------------------------------- */

static int compare_ratings(const void *a, const void *b)
{
	const struct rating *one = a, *other = b;

	if (one->rating != other->rating)
		return one->rating > other->rating ? -1 : 1;
	return strcmp(one->name, other->name);
}

static bool reckon(struct games *games, struct reckoning *reckoning, sqlite3_stmt *row,
		   char why[GAMES_WHY_MAX])
{
	struct round_of round = {0};
	int stepped;

	snprintf(why, GAMES_WHY_MAX, "no memory is left");
	while ((stepped = sqlite3_step(row)) == SQLITE_ROW)
		if (!add_row(reckoning, &round, row))
			return false;
	if (stepped != SQLITE_DONE)
		return games_explain(games, why);
	return add_round(reckoning, &round) && settle(reckoning, reckoning->day);
}

struct rating *games_ratings(struct games *games, const char *game, int *count,
			     struct rating_course *course, char why[GAMES_WHY_MAX])
{
	static const char sql[] =
	    "SELECT g.started / 86400000, g.game, s.round, p.name, s.rank FROM game g"
	    " JOIN round r ON r.game = g.game"
	    " JOIN standing s ON s.game = g.game AND s.round = r.round"
	    " JOIN player p ON p.game = g.game AND p.player = s.player"
	    " WHERE g.name = ? AND g.private = 0 AND g.no_valid = 0 AND p.name <> 'anon'"
	    " AND instr(g.options, 'cheat=on') = 0 AND r.why <> 'aborted'"
	    " AND NOT (r.why = 'left' AND r.winners = 0)"
	    " ORDER BY g.started / 86400000, g.id, s.round, s.player";
	struct reckoning reckoning = {0};
	sqlite3_stmt *row = games_prepare(games, sql, why);

	*count = -1;
	if (row == NULL)
		return NULL;
	sqlite3_bind_text(row, 1, game, -1, SQLITE_STATIC);
	if (reckon(games, &reckoning, row, why)) {
		*count = reckoning.names;
		if (reckoning.names > 0)
			qsort(reckoning.rating, (size_t)reckoning.names, sizeof(struct rating),
			      compare_ratings);
	}
	sqlite3_finalize(row);
	free(reckoning.sorted);
	free(reckoning.pair);
	if (*count >= 0 && course != NULL)
		*course = reckoning.course;
	else
		free(reckoning.course.day);
	if (*count < 0) {
		free(reckoning.rating);
		return NULL;
	}
	return reckoning.rating;
}
