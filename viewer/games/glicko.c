/*
 * glicko.c - Glicko-2. See glicko.h.
 *
 * The steps are numbered as in Glickman's "Example of the Glicko-2 system". Inside, ratings are on
 * its scale: mu around 0, phi for the deviation.
 */
#include "viewer/games/glicko.h"

#include <math.h>

static const double SCALE = 173.7178;
static const double MIDDLE = 1500;
static const double NEW_DEVIATION = 350;
static const double NEW_VOLATILITY = 0.06;
static const double TAU = 0.5; /* how far a volatility can go in one period */
static const double CLOSE = 1e-9;

struct glicko glicko_new(void)
{
	return (struct glicko){MIDDLE, NEW_DEVIATION, NEW_VOLATILITY};
}

static double mu(struct glicko one)
{
	return (one.rating - MIDDLE) / SCALE;
}

static double phi(struct glicko one)
{
	return one.deviation / SCALE;
}

/* How much a result against an opponent with this deviation tells. */
static double weight(double deviation)
{
	return 1 / sqrt(1 + 3 * deviation * deviation / (M_PI * M_PI));
}

static double expected(struct glicko one, struct glicko opponent)
{
	return 1 / (1 + exp(-weight(phi(opponent)) * (mu(one) - mu(opponent))));
}

/* What step 5 looks for the zero of. */
struct curve {
	double delta2, phi2, v, a;
};

static double curve_at(const struct curve *curve, double x)
{
	double e = exp(x), sum = curve->phi2 + curve->v + e;

	return e * (curve->delta2 - sum) / (2 * sum * sum) - (x - curve->a) / (TAU * TAU);
}

/* Step 5: the new volatility, between two points on either side of the zero that come together. */
static double find_volatility(struct glicko before, double delta, double v)
{
	struct curve curve = {delta * delta, phi(before) * phi(before), v,
			      log(before.volatility * before.volatility)};
	double a = curve.a, b = a - TAU, fa, fb;

	if (curve.delta2 > curve.phi2 + v)
		b = log(curve.delta2 - curve.phi2 - v);
	else
		while (curve_at(&curve, b) < 0)
			b -= TAU;
	fa = curve_at(&curve, a);
	fb = curve_at(&curve, b);
	/* it comes together in a few rounds; the bound is for numbers that are none */
	for (int i = 0; i < 100 && fabs(b - a) > CLOSE; i++) {
		double c = a + (a - b) * fa / (fb - fa), fc = curve_at(&curve, c);

		if (fc * fb <= 0) {
			a = b;
			fa = fb;
		} else {
			fa /= 2;
		}
		b = c;
		fb = fc;
	}
	return exp(a / 2);
}

struct glicko glicko_after(struct glicko before, const struct glicko_result *results, int count)
{
	double known = 0, gain = 0, v, sigma, phi_star, phi_new;

	if (count == 0)
		return glicko_idle(before, 1);
	for (int i = 0; i < count; i++) { /* steps 3 and 4 */
		double g = weight(phi(results[i].opponent));
		double e = expected(before, results[i].opponent);

		known += g * g * e * (1 - e);
		gain += g * (results[i].score - e);
	}
	v = 1 / known;
	sigma = find_volatility(before, v * gain, v);
	phi_star = sqrt(phi(before) * phi(before) + sigma * sigma); /* step 6 */
	phi_new = 1 / sqrt(1 / (phi_star * phi_star) + known);	    /* step 7 */
	return (struct glicko){MIDDLE + SCALE * (mu(before) + phi_new * phi_new * gain),
			       SCALE * phi_new, sigma};
}

struct glicko glicko_idle(struct glicko before, int periods)
{
	double sigma2 = before.volatility * before.volatility;

	before.deviation = SCALE * sqrt(phi(before) * phi(before) + periods * sigma2);
	if (before.deviation > NEW_DEVIATION)
		before.deviation = NEW_DEVIATION;
	return before;
}
