/*
 * bot.c - starts a bot: holmgang-player, which takes a seat at the server with a token and plays it to the table's end.
 *
 * Owns: nothing that lasts. What a bot is given: its command line; nothing of the environment; its token in a pipe,
 * since a command line can be read by all; and /dev/null for what it would say.
 * Never: waits for it.
 */
#include "server/house/house.h"

#include "server/house/cage.h"
#include "server/shared/cage.h"
#include "server/shared/descriptors.h"
#include "server/shared/helper.h"
#include "server/trace/trace.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The house hears of SIGINT and the like by its end of the pipe; a bot can be asked to end by SIGTERM. */
static void reset_signals(void)
{
	sigset_t none;

	signal(SIGTERM, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* What it complains of is shown where everything can be looked at. */
static void take_descriptors(const struct house *house, int token)
{
	int keep[] = {token, house->player};

	dup2(house->nothing, STDIN_FILENO);
	dup2(house->nothing, STDOUT_FILENO);
	if (cage_openness(house->config) == CAGE_CLOSED)
		dup2(house->nothing, STDERR_FILENO);
	descriptors_close_others(keep, sizeof(keep) / sizeof(keep[0]));
}

static void __attribute__((noreturn))
become(const struct house *house, const struct house_seat *seat, int token)
{
	char clock[24], fd[12];
	const char *words[] = {"holmgang-player",
			       "--bot",
			       seat->level,
			       "-g",
			       seat->game->name,
			       "-n",
			       seat->name,
			       "--resume-fd",
			       fd,
			       house->address,
			       house->port,
			       NULL,
			       NULL,
			       NULL};
	char *const no_environment[] = {NULL};

	snprintf(fd, sizeof(fd), "%d", token);
	snprintf(clock, sizeof(clock), "clock=%d", seat->clock);
	if (seat->game->has & GAME_HAS_CLOCK) {
		words[11] = "--key";
		words[12] = seat->clock > 0 ? clock : "clock=off";
	}
	fexecve(house->player, (char *const *)(uintptr_t)words, no_environment);
	_exit(127);
}

/* In the new process. */
static void __attribute__((noreturn))
be(const struct house *house, const struct house_seat *seat, pid_t parent, int token)
{
	helper_die_with(parent);
	trace_start_process();
	trace_name_process("bot %s", seat->name);
	trace_flush();
	reset_signals();
	take_descriptors(house, token);
	cage_enter_bot(house->config);
	become(house, seat, token);
}

pid_t bot_start(const struct house *house, const struct house_seat *seat)
{
	pid_t parent = getpid(), pid = -1;
	int ends[2], error;

	if (pipe2(ends, 0) != 0)
		return -1;
	/* a pipe has room for it */
	if (write(ends[1], seat->token, TOKEN_TEXT - 1) == TOKEN_TEXT - 1)
		pid = fork();
	if (pid == 0) {
		close(ends[1]);
		be(house, seat, parent, ends[0]);
	}
	error = errno;
	close(ends[0]);
	close(ends[1]);
	errno = error;
	return pid;
}
