/*
 * step.c - holmgang-step-kill: the duel is killed before and after every system call of a move, and
 * every player's whole stream must be that of a run in which nobody died. See step.h.
 */
#include "tests/faults/step.h"

#include "tests/faults/faults.h"

#include "proto/wire/args.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	DRAWS = 200, /* tables until the one that is wanted */
	STOPS_MAX = 2000,
	SHORT_EVERY = 9, /* a short run kills at each so manieth stop */
	AGAIN_EVERY = 7, /* of a long run, where the second kill comes */
};

static const char usage[] = "Usage: holmgang-step-kill [option ...]\n"
			    "Kills a duel before and after every system call of a move, and "
			    "compares what the players heard\n"
			    "with a run in which nobody died. Exit 1 at the first difference.\n"
			    "\n"
			    "  --short        a few of the stops of each scenario\n"
			    "  --from K       begin with stop K (0)\n"
			    "  --only NAME    this scenario alone; --list says which there are\n"
			    "  --list\n"
			    "  --server FILE  the server (holmgang-server beside this program)\n"
			    "  --help\n";

#define FULL_A "PLAY tictactoe name=anna side=cross table=s"
#define FULL_B "PLAY tictactoe name=ben legal=on table=s"
#define HNEF_A "PLAY hnefatafl name=anna side=attacker legal=on"
#define HNEF_B "PLAY hnefatafl name=ben side=defender legal=on"
#define QWIR   "PLAY qwirkle cheat=on name="
#define MEMO   "PLAY memory size=2 rounds=1 name="

/* clang-format off */
#define CLASSIC_GAME \
	{{0, "MOVE 0 0", "1:STATE", NULL}, {1, "MOVE 0 1", "0:STATE", NULL}, {0, "MOVE 1 0", "1:STATE", NULL}, \
	 {1, "MOVE 1 1", "0:STATE", NULL}, {0, "MOVE 2 0", "0:WIN,1:LOSE", NULL}}
#define MIXED_GAME \
	{{0, "MOVE 0 0", "0:BOARD,1:STATE", NULL}, {1, "MOVE 0 1", "0:LEGAL", NULL}, {0, "MOVE 1 0", "0:BOARD,1:STATE", NULL}, \
	 {1, "MOVE 1 1", "0:LEGAL", NULL}, {0, "MOVE 2 0", "0:ROUND,1:LOSE", NULL}}
#define FULL_REST \
	{0, "MOVE 0 0", "0:BOARD,1:LEGAL", NULL}, {1, "MOVE 0 1", "0:BOARD,1:BOARD", NULL}, {0, "MOVE 1 0", "0:BOARD,1:LEGAL", NULL}, \
	{1, "MOVE 1 1", "0:BOARD,1:BOARD", NULL}, {0, "MOVE 2 0", "0:ROUND,1:ROUND", NULL}
#define RESUMED_GAME \
	{{0, "MOVE 0 0", "0:BOARD,1:LEGAL", NULL}, {1, "MOVE 0 1", "0:BOARD,1:BOARD", NULL}, {0, NULL, "1:AWAY", NULL}, \
	 {2, "RESUME $token0", "2:BOARD,1:BACK", NULL}, {2, "MOVE 1 0", "2:BOARD,1:LEGAL", NULL}, \
	 {1, "MOVE 1 1", "2:BOARD,1:BOARD", NULL}, {2, "MOVE 2 0", "2:ROUND,1:ROUND", NULL}}
#define HNEF_GAME \
	{{0, "MOVE $legal", "0:BOARD,1:LEGAL", NULL}, {1, "MOVE $legal", "0:LEGAL,1:BOARD", NULL}, \
	 {0, "MOVE $legal", "0:BOARD,1:LEGAL", NULL}, {1, "RESIGN", "0:ROUND,1:ROUND", NULL}}
#define QWIR_GAME \
	{{0, "MOVE play a1 0 0", "0:BOARD,1:BOARD", NULL}, {0, "MOVE pass", "0:SCORE,1:SCORE", "BOARD 96"}, \
	 {1, "MOVE play a2 1 0", "0:BOARD,1:BOARD", NULL}, {1, "MOVE pass", "0:SCORE,1:SCORE", "BOARD 96"}, \
	 {0, "RESIGN", "0:ROUND,1:ROUND", NULL}}
#define MEMO_GAME \
	{{0, "MOVE 0 0", "0:BOARD,1:BOARD", NULL}, {0, "MOVE 1 0", "0:BOARD,1:BOARD", "wrong"}, \
	 {0, "LOGOUT", "0:ABORTED,1:NO_OPPONENTS", NULL}, {1, "LOGOUT", "1:ABORTED", NULL}}

static const struct scenario scenarios[] = {
	{"classic-move", {"PLAY", "PLAY"}, "START 1 CROSS 1", 2, false, false, CLASSIC_GAME},
	{"classic-win", {"PLAY", "PLAY"}, "START 1 CROSS 1", 4, false, false, CLASSIC_GAME},
	{"mixed-full-moves", {"PLAY tictactoe name=anna side=cross legal=on", "PLAY"}, "START 1", 2, false, false, MIXED_GAME},
	{"mixed-classic-moves", {"PLAY tictactoe name=anna side=cross legal=on", "PLAY"}, "START 1", 3, false, false, MIXED_GAME},
	{"mixed-win", {"PLAY tictactoe name=anna side=cross legal=on", "PLAY"}, "START 1", 4, false, false, MIXED_GAME},
	{"mixed-broadcast", {"PLAY tictactoe name=anna side=cross legal=on", "PLAY"}, "START 1", 2, false, true, MIXED_GAME},
	{"win-broadcast", {"PLAY tictactoe name=anna side=cross legal=on", "PLAY"}, "START 1", 4, false, true, MIXED_GAME},
	{"hnefatafl", {HNEF_A, HNEF_B}, "START 1", 1, false, false, HNEF_GAME},
	{"resign", {HNEF_A, HNEF_B}, "START 1", 3, false, false, HNEF_GAME},
	{"qwirkle-play", {QWIR "anna", QWIR "ben"}, "START 1 SEAT 0", 2, false, false, QWIR_GAME},
	{"qwirkle-turn-ends", {QWIR "anna", QWIR "ben"}, "START 1 SEAT 0", 3, false, false, QWIR_GAME},
	{"qwirkle-swap", {QWIR "anna", QWIR "ben"}, "START 1 SEAT 0", 1, false, false,
	 {{0, "MOVE swap $rack", "0:BOARD,1:BOARD", NULL}, {1, "MOVE swap $rack", "0:BOARD,1:BOARD", NULL},
	  {0, "RESIGN", "0:ROUND,1:ROUND", NULL}}},
	{"memory-first", {MEMO "anna", MEMO "ben"}, "START 1 SEAT 0", 0, false, false, MEMO_GAME},
	{"memory-second", {MEMO "anna", MEMO "ben"}, "START 1 SEAT 0", 1, false, false, MEMO_GAME},
	{"memory-leave", {MEMO "anna", MEMO "ben"}, "START 1 SEAT 0", 2, false, false, MEMO_GAME},
	{"memory-join", {MEMO "anna", MEMO "ben"}, "START 1 SEAT 0", 1, false, false,
	 {{0, "MOVE 0 0", "0:BOARD,1:BOARD", NULL},
	  {2, MEMO "cem", "0:SCORE,1:SCORE,2:SCORE", NULL},
	  {0, "LOGOUT", "0:ABORTED,1:STATE 0 leave,2:STATE 0 leave", NULL},
	  {1, "LOGOUT", "1:ABORTED,2:NO_OPPONENTS", NULL},
	  {2, "LOGOUT", "2:ABORTED", NULL}}},
	{"memory-tick", {MEMO "anna", MEMO "ben"}, "START 1 SEAT 0", 2, true, false,
	 {{0, "MOVE 0 0", "0:BOARD,1:BOARD", NULL},
	  {0, "MOVE 1 0", "0:BOARD,1:BOARD", "wrong"},
	  {-1, "", "0:BOARD,1:BOARD", NULL},
	  {0, "LOGOUT", "0:ABORTED,1:NO_OPPONENTS", NULL},
	  {1, "LOGOUT", "1:ABORTED", NULL}}},
	{"error", {FULL_A, FULL_B}, "START 1", 0, false, false, {{0, "MOVE 9 9", "0:ERROR", NULL}, FULL_REST}},
	{"list", {FULL_A, FULL_B}, "START 1", 0, false, false, {{1, "LIST", "1:END", NULL}, FULL_REST}},
	{"games", {FULL_A, FULL_B}, "START 1", 0, false, false, {{1, "GAMES", "1:END", NULL}, FULL_REST}},
	{"lost", {FULL_A, FULL_B}, "START 1", 2, false, false, RESUMED_GAME},
	{"resume", {FULL_A, FULL_B}, "START 1", 3, false, false, RESUMED_GAME},
	{"move-after-resume", {FULL_A, FULL_B}, "START 1", 4, false, false, RESUMED_GAME},
	{"logout", {FULL_A, FULL_B}, "START 1", 1, false, false,
	 {{0, "MOVE 0 0", "0:BOARD,1:LEGAL", NULL}, {0, "LOGOUT", "0:ABORTED,1:ROUND", NULL}}},
};
/* clang-format on */

enum { SCENARIOS = sizeof(scenarios) / sizeof(scenarios[0]) };

static bool is_short;
static int from;
static const char *only;
static unsigned long windows, twice;

int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void fail(const char *format, ...)
{
	va_list args;

	printf("FAILED: ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\nstate folder: %s\n", server.state);
	server_end();
	fflush(stdout);
	_exit(1);
}

/* --- one scenario ------------------------------------------------------------------------------ */

static void run_until_drawn(const struct scenario *scenario, struct kill_at at,
			    struct killed *killed, char *heard[STEP_CLIENTS])
{
	for (int tries = 0; tries < DRAWS; tries++)
		if (step_run(scenario, at, killed, heard))
			return;
	fail("%s: in %d tables not one with the draw that is wanted", scenario->name, DRAWS);
}

static void free_heard(char *heard[STEP_CLIENTS])
{
	for (int i = 0; i < STEP_CLIENTS; i++)
		free(heard[i]);
}

static void compare(const struct scenario *scenario, struct kill_at at, const struct killed *killed,
		    char *expected[], char *heard[])
{
	for (int i = 0; i < STEP_CLIENTS; i++) {
		size_t same = 0;

		if (strcmp(expected[i], heard[i]) == 0)
			continue;
		while (expected[i][same] == heard[i][same])
			same++;
		while (same > 0 && heard[i][same - 1] != '\n')
			same--;
		printf("player %d should hear\n%.600s\nand hears\n%.600s\n", i, expected[i] + same,
		       heard[i] + same);
		fail("%s: killed %s %s, stop %d%s", scenario->name,
		     killed->before ? "before" : "after", trace_call_name(killed->call), at.stop,
		     killed->was_again ? ", the second time" : "");
	}
}

static void print_undisturbed(const struct scenario *scenario, char *expected[])
{
	char *again[STEP_CLIENTS];
	struct killed killed;

	run_until_drawn(scenario, (struct kill_at){-1, -1}, &killed, expected);
	run_until_drawn(scenario, (struct kill_at){-1, -1}, &killed, again);
	compare(scenario, (struct kill_at){-1, -1}, &killed, expected, again);
	free_heard(again);
}

/* A second kill, of the process that goes on, here and there. */
static void kill_twice(const struct scenario *scenario, int stop, char *expected[])
{
	int every = is_short ? 20 * AGAIN_EVERY : AGAIN_EVERY;

	for (int again = stop % AGAIN_EVERY; again < STOPS_MAX; again += every) {
		char *heard[STEP_CLIENTS];
		struct killed killed;
		struct kill_at at = {stop, again};

		run_until_drawn(scenario, at, &killed, heard);
		compare(scenario, at, &killed, expected, heard);
		free_heard(heard);
		if (!killed.was_again)
			return;
		twice++;
	}
}

static void run_scenario(const struct scenario *scenario)
{
	char *expected[STEP_CLIENTS];
	int every = is_short ? SHORT_EVERY : 1, count = 0, stop;
	unsigned long before = twice;

	print_undisturbed(scenario, expected);
	for (stop = from; stop < STOPS_MAX; stop += every) {
		char *heard[STEP_CLIENTS];
		struct killed killed;
		struct kill_at at = {stop, -1};

		run_until_drawn(scenario, at, &killed, heard);
		compare(scenario, at, &killed, expected, heard);
		free_heard(heard);
		if (!killed.was)
			break;
		count++;
		if (stop % AGAIN_EVERY == 0 && !scenario->long_lasting)
			kill_twice(scenario, stop, expected);
	}
	free_heard(expected);
	windows += (unsigned long)count;
	printf("%-20s %3d windows, %3lu killed twice\n", scenario->name, count, twice - before);
}

static void end_server(void)
{
	server_expect_as_at_first();
	server_leave_nothing();
}

static void provide_server(bool seen)
{
	if (server.pid > 0 && server.unseen == !seen)
		return;
	if (server.pid > 0)
		end_server();
	server.unseen = !seen;
	server_start();
	server_note_first();
}

static void read_options(int argc, char **argv)
{
	static const struct option options[] = {{"short", no_argument, NULL, 's'},
						{"only", required_argument, NULL, 'o'},
						{"from", required_argument, NULL, 'f'},
						{"list", no_argument, NULL, 'l'},
						{"server", required_argument, NULL, 'S'},
						{"help", no_argument, NULL, 'h'},
						{NULL, 0, NULL, 0}};
	static char beside[4096];
	const char *slash = strrchr(argv[0], '/');
	int code;

	snprintf(beside, sizeof(beside), "%.*sholmgang-server",
		 (int)(slash != NULL ? slash + 1 - argv[0] : 0), argv[0]);
	server.program = beside;
	while ((code = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (code == 's') {
			is_short = true;
		} else if (code == 'o') {
			only = optarg;
		} else if (code == 'f') {
			from = (int)args_number("--from", optarg, 0, STOPS_MAX - 1);
		} else if (code == 'l') {
			for (int i = 0; i < SCENARIOS; i++)
				puts(scenarios[i].name);
			exit(0);
		} else if (code == 'S') {
			server.program = optarg;
		} else if (code == 'h') {
			exit(fputs(usage, stdout) < 0);
		} else {
			exit(2);
		}
	}
	if (optind < argc)
		args_refuse("\"%s\" is not known; --help says what is", argv[optind]);
}

int main(int argc, char **argv)
{
	bool found = false;

	setvbuf(stdout, NULL, _IOLBF, 0);
	read_options(argc, argv);
	for (int i = 0; i < SCENARIOS; i++) {
		if (only != NULL ? strcmp(only, scenarios[i].name) != 0
				 : is_short && scenarios[i].long_lasting)
			continue;
		provide_server(scenarios[i].seen);
		run_scenario(&scenarios[i]);
		found = true;
	}
	if (!found)
		fail("there is no scenario \"%s\"; --list says which there are", only);
	end_server();
	server_clean_up();
	printf("%lu windows, and %lu in the process that went on\nok\n", windows, twice);
	return 0;
}
