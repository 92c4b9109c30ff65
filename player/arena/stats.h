/*
 * stats.h - what results mean: Elo, its error, who is better, when enough has been played.
 *
 * Pure. A result is a score from 0 (lost) to 1 (won). Games of one group (the same players with
 * sides swapped) are no independent results, so it is the mean of each group that is counted.
 */
#ifndef PLAYER_ARENA_STATS_H
#define PLAYER_ARENA_STATS_H

/* Results that do not depend on each other. */
struct sample {
	long count;
	double sum, squares;
};

void sample_add(struct sample *sample, double score);
double sample_mean(const struct sample *sample);

/* The standard error of the mean. With fewer than two results it is not known: infinite. */
double sample_error(const struct sample *sample);

double elo_of_score(double score); /* infinite for 0 and 1 */
double score_of_elo(double elo);

/* The interval that holds the difference in strength in 95 of 100 cases. */
struct elo {
	double value, low, high;
};

void elo_of_sample(const struct sample *sample, struct elo *elo);

/* How likely it is that the true mean is above one half: the likelihood of superiority. */
double sample_superiority(const struct sample *sample);

/*
 * The sequential probability ratio test: is the difference elo0 or elo1? alpha: how often elo1 may
 * be accepted though elo0 is true; beta: the other way round. Scores are counted in bins: bin i of
 * `bins` is the score i / (bins - 1); 5 for pairs of games (pentanomial), 3 for single ones.
 */
enum { SPRT_BINS_MAX = 5 };

struct sprt {
	double elo0, elo1, alpha, beta;
};

enum verdict { VERDICT_GO_ON, VERDICT_ELO0, VERDICT_ELO1 };

double sprt_ratio(const struct sprt *sprt, const long count[], int bins);
double sprt_low(const struct sprt *sprt);
double sprt_high(const struct sprt *sprt);
enum verdict sprt_verdict(const struct sprt *sprt, double ratio);

#endif
