/*
 * glicko.h - the Glicko-2 system of Mark E. Glickman: how strong somebody is, how sure that
 * is, and how much it goes up and down. Pure.
 */
#ifndef VIEWER_GAMES_GLICKO_H
#define VIEWER_GAMES_GLICKO_H

struct glicko {
	double rating, deviation, volatility;
};

/* The rating of somebody of whom nothing is known. */
struct glicko glicko_new(void);

/* One result: the opponent as before the period, and 1 won, 0.5 drawn, 0 lost. */
struct glicko_result {
	struct glicko opponent;
	double score;
};

/* The rating of somebody after a period with these results. */
struct glicko glicko_after(struct glicko before, const struct glicko_result *results, int count);

/* The rating of somebody who has not played for so many periods: it is less sure. */
struct glicko glicko_idle(struct glicko before, int periods);

#endif
