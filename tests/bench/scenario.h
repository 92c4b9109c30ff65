/*
 * scenario.h - what is measured, each in a run of its own.
 */
#ifndef BENCH_SCENARIO_H
#define BENCH_SCENARIO_H

#include "tests/bench/player.h"
#include "tests/bench/subject.h"

struct settings {
	long at;      /* duels at once */
	long count;   /* of duels, moves or starts */
	long live;    /* tables that are there and do nothing */
	long kept;    /* players keep their connection */
	long moves;   /* long: of the long script */
	long seconds; /* wall: how long to look */
	char *const *viewer;
	int viewer_words;
};

/* Each prints its figures as words " what=number" in one line, without its end, and returns by what
 * the whole CPU time is to be divided; 0: it is not to be said. */
typedef long scenario(struct load *load, const struct subject *subject,
		      const struct settings *settings);

/* `count` whole duels, one after another, `at` at once. */
scenario duels_run;

/* `count` moves at `live` tables, one at a time, each at the table whose turn is longest ago. */
scenario moves_run;

/* `live` tables that do nothing: their memory; then `count` tables beside them, one at a time. */
scenario crowd_run;

/* As many tables as the server says that it can have: the first, the last, and one too many. */
scenario fill_run;

/* Long duels at `at` tables for some seconds, all of which a viewer shows. */
scenario wall_run;

#endif
