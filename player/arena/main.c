/*
 * main.c - holmgang-arena: many games between programs, and which is stronger.
 */
#include "player/arena/arena.h"
#include "player/session/signals.h"

#include "proto/wire/args.h"

#include <err.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Where there are many games to come, a folder that cannot be had is said first. */
static bool make_log(const struct arena_options *options)
{
	if (options->log == NULL || mkdir(options->log, 0700) == 0 || errno == EEXIST)
		return true;
	warnx("cannot make %s: %s (see -log)", options->log, strerror(errno));
	return false;
}

int main(int argc, char *argv[])
{
	static struct arena arena;
	bool whole = false;
	int signals;

	args_fill_standard();
	arena_options_read(&arena.options, argc, argv);
	arena.games = arena_count_games(&arena.options);
	if (!make_log(&arena.options) || !arena_results_open(&arena))
		return 1;
	signals = signals_open();
	if (arena_server_start(&arena))
		whole = arena_run(&arena, signals);
	arena_server_end(&arena);
	if (arena.played > 0)
		arena_report(&arena);
	if (!whole && !arena.failed)
		warnx("stopped after %ld of %ld games%s", arena.played, arena.games,
		      arena.options.out != NULL ? "; the same command with -recover goes on" : "");
	if (fflush(stdout) != 0 || ferror(stdout)) {
		warn("cannot write to standard output");
		return 1;
	}
	return whole ? 0 : 1;
}
