/*
 * step.h - the map of holmgang-step-kill: it kills a duel at every stop of a move, before and after
 * each system call, and compares all that the players heard with a run in which nobody died.
 *
 *      step.c         options, the scenarios, the count
 *      step_play.c    one run: players, their script, what they heard
 *      step_trace.c   the duel under ptrace
 *      step_text.c    what differs from run to run, made the same
 *      server.c       the server under test, as holmgang-faults has it
 */
#ifndef TESTS_FAULTS_STEP_H
#define TESTS_FAULTS_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { STEP_CLIENTS = 3, STEPS_MAX = 16 };

/*
 * One thing that a player does, and what has to come before the next: "0:STATE,1:BOARD" is a line
 * that begins so, of each. In a line "$legal" is the first move of the LEGAL that was heard last,
 * "$rack" the first tile of the RACK, "$token0" the token of player 0. NULL: he hangs up; a client -1 does nothing, time does.
 */
struct step {
	int client;
	const char *line;
	const char *await;
	const char *require; /* or chance played otherwise: again, another table */
};

struct scenario {
	const char *name;
	const char *play[2];
	const char *start; /* how the START of player 0 must begin; else another table */
	int probe;	   /* the step during which the duel is killed */
	bool long_lasting; /* takes seconds */
	bool seen;	   /* with a broadcast port, whose last frames take a while */
	struct step step[STEPS_MAX];
};

/* Where a duel is to be killed. -1: not at all. */
struct kill_at {
	int stop;  /* of the move */
	int again; /* of the process that goes on after that */
};

/* What became of it. */
struct killed {
	bool was, was_again; /* false: there were not so many stops */
	bool before;	     /* the call was made, or to be made */
	long call;
};

/* step_play.c: true: played to the end; `heard` is what every player heard, to be freed. False: it
 * was not the draw that is wanted. */
bool step_run(const struct scenario *scenario, struct kill_at at, struct killed *killed,
	      char *heard[STEP_CLIENTS]);

/* Have all heard what they have to, up to now? Takes what there is. */
bool step_heard_all(void);

/* step_trace.c: stop the duel, and get hold of the spawner when it is to be killed twice; then let
 * it do what it has to do, up to its end. */
void trace_begin(pid_t duel, pid_t spawner, struct kill_at at);
void trace_run(struct kill_at at, struct killed *killed);
const char *trace_call_name(long call);

/* step_text.c: ids, tokens, addresses, cards by their order; racks are checked and left out. */
char *step_normal(const char *bytes, bool cards);

#endif
