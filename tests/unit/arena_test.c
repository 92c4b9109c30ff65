/*
 * The arena's statistics against values that are known, and the SPRT against its own promise; its
 * schedules.
 */
#include "tests/unit/check.h"

#include "player/arena/arena.h"

#include <math.h>

enum { RUNS = 1000, PAIRS_MAX = 100000, SEED = 20261118 };

static bool is_near(double value, double expected, double within)
{
	return fabs(value - expected) <= within;
}

static void check_near(double value, double expected, double within, const char *what)
{
	char text[160];

	if (is_near(value, expected, within))
		return;
	snprintf(text, sizeof(text), "%s: %.6f instead of %.6f", what, value, expected);
	check_fail(text);
}

static void test_elo(void)
{
	check_near(score_of_elo(100), 0.640065, 1e-6, "a score");
	check_near(score_of_elo(0), 0.5, 1e-12, "a score");
	check_near(score_of_elo(-400), 1.0 / 11, 1e-12, "a score");
	check_near(elo_of_score(0.64), 99.95, 0.01, "an Elo difference");
	check_near(elo_of_score(0.75), 190.848502, 1e-6, "an Elo difference");
	for (int elo = -800; elo <= 800; elo += 50)
		check_near(elo_of_score(score_of_elo(elo)), elo, 1e-6, "there and back");
	CHECK(isinf(elo_of_score(1)) && elo_of_score(1) > 0);
	CHECK(isinf(elo_of_score(0)) && elo_of_score(0) < 0);
}

static void add(struct sample *sample, double score, int times)
{
	for (int i = 0; i < times; i++)
		sample_add(sample, score);
}

/* By hand: 500 games of +200 =150 -150 are a mean of 0.55 and a variance of 0.1725. */
static void test_error_of_games(void)
{
	struct sample sample = {0};
	struct elo elo;

	add(&sample, 1, 200);
	add(&sample, 0.5, 150);
	add(&sample, 0, 150);
	elo_of_sample(&sample, &elo);
	check_near(sample_mean(&sample), 0.55, 1e-12, "a mean");
	check_near(sample_error(&sample), sqrt(0.1725 / 499), 1e-9, "an error");
	check_near(elo.value, 34.86, 0.01, "Elo");
	check_near((elo.high - elo.low) / 2, 25.66, 0.05, "its error");
	check_near(sample_superiority(&sample), 0.9964, 1e-4, "superiority");
}

/* Pairs whose games hang together: the same scores, another error. */
static void test_error_of_pairs(void)
{
	struct sample swing = {0}, even = {0};

	/* whoever has the better side wins: each pair is 1-1, and nothing is uncertain */
	add(&even, 0.5, 100);
	check_near(sample_error(&even), 0, 1e-12, "an error of pairs");
	check_near(sample_superiority(&even), 0.5, 1e-12, "superiority of equals");
	/* 0, 1/2, 1, 3/2, 2 points: 5, 10, 30, 40, 15 times */
	add(&swing, 0, 5);
	add(&swing, 0.25, 10);
	add(&swing, 0.5, 30);
	add(&swing, 0.75, 40);
	add(&swing, 1, 15);
	check_near(sample_mean(&swing), 0.625, 1e-12, "a mean of pairs");
	check_near(sample_error(&swing), sqrt((0.45625 - 0.390625) / 99), 1e-9,
		   "an error of pairs");
	check_near(sample_superiority(&swing), 0.999999, 1e-5, "superiority");
}

static void test_few_results(void)
{
	struct sample sample = {0};

	CHECK(isinf(sample_error(&sample)));
	check_near(sample_superiority(&sample), 0.5, 1e-12, "superiority of nothing");
	sample_add(&sample, 1);
	CHECK(isinf(sample_error(&sample)));
	check_near(sample_superiority(&sample), 0.5, 1e-12, "superiority after one game");
	sample_add(&sample, 1);
	check_near(sample_superiority(&sample), 1, 1e-12, "superiority after two wins");
}

/* With two bins there is no choice of how a mean comes about, so the ratio is that of Wald. */
static void test_ratio_of_coin(void)
{
	const struct sprt sprt = {.elo0 = 0, .elo1 = 100, .alpha = 0.05, .beta = 0.05};
	const long count[] = {40, 60};
	double p0 = score_of_elo(0), p1 = score_of_elo(100);

	check_near(sprt_ratio(&sprt, count, 2), 60 * log(p1 / p0) + 40 * log((1 - p1) / (1 - p0)),
		   1e-6, "a ratio");
	check_near(sprt_high(&sprt), 2.944439, 1e-6, "a bound");
	check_near(sprt_low(&sprt), -2.944439, 1e-6, "a bound");
	CHECK(sprt_verdict(&sprt, 2.95) == VERDICT_ELO1);
	CHECK(sprt_verdict(&sprt, -2.95) == VERDICT_ELO0);
	CHECK(sprt_verdict(&sprt, 2.9) == VERDICT_GO_ON);
}

/* The usual approximation: N (s1 - s0) (2 mean - s0 - s1) / (2 variance) is near for small steps. */
static void test_ratio_of_pairs(void)
{
	const struct sprt sprt = {.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05};
	const long count[] = {100, 900, 2000, 1000, 150};
	double s0 = score_of_elo(0), s1 = score_of_elo(5), games = 0, mean = 0, variance = 0;

	for (int b = 0; b < 5; b++) {
		games += (double)count[b];
		mean += (double)count[b] * b / 4;
		variance += (double)count[b] * b * b / 16;
	}
	mean /= games;
	variance = variance / games - mean * mean;
	check_near(sprt_ratio(&sprt, count, 5),
		   games * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance), 0.01,
		   "a ratio of pairs");
}

static uint64_t state;

static double chance(void)
{
	uint64_t mixed = (state += UINT64_C(0x9e3779b97f4a7c15));

	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	return (double)(mixed >> 11) / 9007199254740992.0;
}

/* One match of a coin with this strength, in pairs of games of which some are drawn. */
static enum verdict toss(const struct sprt *sprt, double elo, double draws, long *pairs)
{
	double wins = score_of_elo(elo) - draws / 2;
	long count[5] = {0};

	for (*pairs = 1; *pairs <= PAIRS_MAX; ++*pairs) {
		int points = 0;
		enum verdict verdict;

		for (int game = 0; game < 2; game++) {
			double c = chance();

			points += c < wins ? 2 : c < wins + draws ? 1 : 0;
		}
		count[points]++;
		verdict = sprt_verdict(sprt, sprt_ratio(sprt, count, 5));
		if (verdict != VERDICT_GO_ON)
			return verdict;
	}
	check_fail("an SPRT does not end");
	return VERDICT_GO_ON;
}

/* How often a coin is taken for elo1. Not more often, when it is elo0, than alpha says; nor less
 * often, when it is elo1, than 1 - beta. 2.6 standard deviations of the count are chance. */
static void test_error_rates(double elo0, double elo1, double alpha, double beta, double draws)
{
	const struct sprt sprt = {.elo0 = elo0, .elo1 = elo1, .alpha = alpha, .beta = beta};
	long wrong0 = 0, wrong1 = 0, all = 0, pairs;
	char what[240];

	for (int run = 0; run < RUNS; run++) {
		wrong0 += toss(&sprt, elo0, draws, &pairs) == VERDICT_ELO1;
		all += pairs;
		wrong1 += toss(&sprt, elo1, draws, &pairs) == VERDICT_ELO0;
		all += pairs;
	}
	snprintf(what, sizeof(what),
		 "SPRT %g %g: wrong %ld of %d at elo0 (alpha %g), %ld at elo1 (beta %g), %ld pairs "
		 "a run",
		 elo0, elo1, wrong0, RUNS, alpha, wrong1, beta, all / (2L * RUNS));
	if (getenv("SHOW") != NULL)
		printf("%s\n", what);
	check((double)wrong0 <= RUNS * alpha + 2.6 * sqrt(RUNS * alpha * (1 - alpha)), what);
	check((double)wrong1 <= RUNS * beta + 2.6 * sqrt(RUNS * beta * (1 - beta)), what);
	/* a test that is never wrong asks for more games than it needs */
	check(wrong0 > 0 && wrong1 > 0, what);
}

/* --- schedules -------------------------------------------------------------------------------- */

static void test_pairs(void)
{
	const struct arena_options options = {
	    .entrants = 4, .seats = 2, .rounds = 3, .games = 2, .repeat = true};
	int met[4][4] = {{0}};

	check(arena_count_games(&options) == 36, "games of a round robin");
	for (long game = 0; game < 36; game++) {
		struct pairing pairing, next;

		arena_pairing(&options, game, &pairing);
		met[pairing.entrant[0]][pairing.entrant[1]]++;
		arena_pairing(&options, game ^ 1, &next);
		CHECK(pairing.entrant[0] == next.entrant[1] &&
		      pairing.entrant[1] == next.entrant[0]);
	}
	for (int one = 0; one < 4; one++)
		for (int other = 0; other < 4; other++)
			CHECK(met[one][other] == (one == other ? 0 : 3));
}

static void test_gauntlet(void)
{
	const struct arena_options options = {
	    .entrants = 5, .seats = 2, .rounds = 2, .games = 1, .gauntlet = true, .seed = 7};
	int first = 0;

	check(arena_count_games(&options) == 8, "games of a gauntlet");
	for (long game = 0; game < 8; game++) {
		struct pairing pairing, again;

		arena_pairing(&options, game, &pairing);
		arena_pairing(&options, game, &again);
		CHECK(pairing.entrant[0] == 0 || pairing.entrant[1] == 0);
		CHECK(pairing.entrant[0] + pairing.entrant[1] == game % 4 + 1);
		CHECK(memcmp(pairing.entrant, again.entrant, sizeof(int[2])) == 0);
		first += pairing.entrant[0] == 0;
	}
	CHECK(first > 0 && first < 8);
}

static void test_more_seats(void)
{
	const struct arena_options options = {
	    .entrants = 5, .seats = 3, .rounds = 1, .games = 3, .repeat = true};
	struct result result = {.place = {2, 1, 2, 4}};
	int sat[5][3] = {{0}};

	check(arena_count_games(&options) == 30, "games of three of five");
	for (long game = 0; game < 30; game++) {
		struct pairing pairing;

		arena_pairing(&options, game, &pairing);
		for (int seat = 0; seat < 3; seat++)
			sat[pairing.entrant[seat]][seat]++;
	}
	for (int entrant = 0; entrant < 5; entrant++)
		for (int seat = 0; seat < 3; seat++)
			CHECK(sat[entrant][seat] == 6);
	check_near(arena_score(&result, 4, 0), 0.5, 1e-12, "a shared second place");
	check_near(arena_score(&result, 4, 1), 1, 1e-12, "a first place");
	check_near(arena_score(&result, 4, 3), 0, 1e-12, "a last place");
}

int main(void)
{
	state = SEED;
	test_elo();
	test_error_of_games();
	test_error_of_pairs();
	test_few_results();
	test_ratio_of_coin();
	test_ratio_of_pairs();
	test_error_rates(0, 100, 0.05, 0.05, 0);
	test_error_rates(-20, 60, 0.1, 0.02, 0.3);
	test_pairs();
	test_gauntlet();
	test_more_seats();
	return check_end();
}
