/*
 * stats.c - what results mean. Pure: it owns nothing, talks to nobody and knows no game. See stats.h.
 */
#include "player/arena/stats.h"

#include <math.h>

static const double NORMAL_95 = 1.959963984540054;

void sample_add(struct sample *sample, double score)
{
	sample->count++;
	sample->sum += score;
	sample->squares += score * score;
}

double sample_mean(const struct sample *sample)
{
	return sample->count == 0 ? 0.5 : sample->sum / (double)sample->count;
}

double sample_error(const struct sample *sample)
{
	double count = (double)sample->count, mean = sample_mean(sample), variance;

	if (sample->count < 2)
		return INFINITY;
	variance = (sample->squares - count * mean * mean) / (count - 1);
	/* rounding may leave a little less than nothing */
	return variance <= 0 ? 0 : sqrt(variance / count);
}

double elo_of_score(double score)
{
	if (score <= 0)
		return -INFINITY;
	return score >= 1 ? INFINITY : -400 * log10(1 / score - 1);
}

double score_of_elo(double elo)
{
	return 1 / (1 + pow(10, -elo / 400));
}

void elo_of_sample(const struct sample *sample, struct elo *elo)
{
	double mean = sample_mean(sample), error = NORMAL_95 * sample_error(sample);

	elo->value = elo_of_score(mean);
	elo->low = elo_of_score(mean - error);
	elo->high = elo_of_score(mean + error);
}

double sample_superiority(const struct sample *sample)
{
	double above = sample_mean(sample) - 0.5, error = sample_error(sample);

	if (error == 0)
		return above > 0 ? 1 : above < 0 ? 0 : 0.5;
	return isinf(error) ? 0.5 : 0.5 * erfc(-above / error / sqrt(2));
}

/* How likely each bin is, at best, if the mean is `score`: p / (1 + t (value - score)) with that t
 * for which the mean comes out. */
static void fit(const double p[], int bins, double score, double fitted[])
{
	double low = -1 / (1 - score), high = 1 / score;

	for (int i = 0; i < 100; i++) {
		double t = (low + high) / 2, sum = 0;

		for (int b = 0; b < bins; b++) {
			double off = (double)b / (bins - 1) - score;

			sum += p[b] * off / (1 + t * off);
		}
		/* the sum falls as t rises */
		if (sum > 0)
			low = t;
		else
			high = t;
	}
	for (int b = 0; b < bins; b++)
		fitted[b] = p[b] / (1 + (low + high) / 2 * ((double)b / (bins - 1) - score));
}

double sprt_ratio(const struct sprt *sprt, const long count[], int bins)
{
	double p[SPRT_BINS_MAX] = {0}, p0[SPRT_BINS_MAX] = {0}, p1[SPRT_BINS_MAX] = {0};
	double sum = 0, ratio = 0;

	for (int b = 0; b < bins; b++) {
		/* what has not happened yet is not impossible */
		p[b] = count[b] == 0 ? 1e-3 : (double)count[b];
		sum += p[b];
	}
	for (int b = 0; b < bins; b++)
		p[b] /= sum;
	fit(p, bins, score_of_elo(sprt->elo0), p0);
	fit(p, bins, score_of_elo(sprt->elo1), p1);
	for (int b = 0; b < bins; b++)
		ratio += p[b] * log(p1[b] / p0[b]);
	return ratio * sum;
}

double sprt_low(const struct sprt *sprt)
{
	return log(sprt->beta / (1 - sprt->alpha));
}

double sprt_high(const struct sprt *sprt)
{
	return log((1 - sprt->beta) / sprt->alpha);
}

enum verdict sprt_verdict(const struct sprt *sprt, double ratio)
{
	if (ratio <= sprt_low(sprt))
		return VERDICT_ELO0;
	return ratio >= sprt_high(sprt) ? VERDICT_ELO1 : VERDICT_GO_ON;
}
