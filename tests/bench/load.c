/*
 * load.c - the load client: starts a server, drives it, says how it did, ends it.
 *
 *	load SCENARIO [KEY=NUMBER ...] -- SERVER WORD... [-- VIEWER WORD...]
 *
 * It runs on the first processor, the server on the others. It prints one line of what=number.
 *
 * Never: runs longer than its alarm; talks to anybody outside 127.0.0.0/8.
 */
#include "tests/bench/scenario.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LONGEST_S = 120 };

static const struct {
	const char *name;
	scenario *run;
	bool full; /* plays the long script */
} scenarios[] = {
    {"duels", duels_run, false}, {"long", duels_run, true}, {"moves", moves_run, true},
    {"crowd", crowd_run, false}, {"fill", fill_run, false}, {"wall", wall_run, true},
};

static void read_setting(struct settings *settings, const char *word)
{
	const struct {
		const char *name;
		long *value;
		long most;
	} keys[] = {
	    {"at", &settings->at, 1000},	 {"count", &settings->count, 90000},
	    {"live", &settings->live, 5900},	 {"kept", &settings->kept, 1},
	    {"seconds", &settings->seconds, 60},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t length = strlen(keys[i].name);
		char *end;

		if (strncmp(word, keys[i].name, length) != 0 || word[length] != '=')
			continue;
		*keys[i].value = strtol(word + length + 1, &end, 10);
		if (*end != '\0' || *keys[i].value < 0 || *keys[i].value > keys[i].most)
			errx(2, "%s is a number up to %ld", keys[i].name, keys[i].most);
		return;
	}
	errx(2, "\"%s\" is not known: at= count= live= kept= seconds=", word);
}

/* Where the next -- is, or the end. */
static int find_dashes(int argc, char *argv[], int from)
{
	while (from < argc && strcmp(argv[from], "--") != 0)
		from++;
	return from;
}

int main(int argc, char *argv[])
{
	static struct load load;
	struct subject subject;
	struct settings settings = {.at = 16, .count = 100, .live = 1, .seconds = 3};
	int server = find_dashes(argc, argv, 1), viewer = find_dashes(argc, argv, server + 1);
	struct rlimit limit;
	long faults, units = 0, number = 0, count = sizeof(scenarios) / sizeof(scenarios[0]);
	int64_t cpu;

	while (argc > 1 && number < count && strcmp(scenarios[number].name, argv[1]) != 0)
		number++;
	if (argc < 2 || number == count)
		errx(2, "usage: load duels|long|moves|crowd|fill|wall [KEY=NUMBER ...] -- SERVER "
			"WORD...");
	for (int i = 2; i < server; i++)
		read_setting(&settings, argv[i]);
	settings.moves = scenarios[number].full;
	if (viewer < argc) {
		settings.viewer = argv + viewer + 1;
		settings.viewer_words = argc - viewer - 1;
	}
	alarm(LONGEST_S);
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	subject_start(&subject, argv + server + 1, viewer - server - 1);
	pin_to_first();
	load_open(&load, subject.port, settings.moves ? script_long() : script_short());
	printf("pid=%d", (int)subject.pid);
	units = scenarios[number].run(&load, &subject, &settings);
	for (int i = 0; i < PLAYERS_MAX; i++)
		if (load.player[i].fd >= 0)
			player_leave(&load.player[i]);
	cpu = subject_stop(&subject, &faults);
	if (units > 0)
		printf(" cpu_us=%.3f faults=%.2f", (double)cpu / 1e3 / (double)units,
		       (double)faults / (double)units);
	printf("\n");
}
