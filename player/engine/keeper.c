/*
 * keeper.c - our side of a keeper. See keeper.h.
 *
 * Owns the two pipes to the keeper, and reaps it. It never touches the command's own pipes after it has
 * given them away. It waits in keeper_end(), with a deadline, and for a keeper that has just ended: half a
 * second at most, when that was killed and has left somebody behind.
 */
#include "player/engine/keeper.h"

#include "proto/time/timers.h"
#include "player/engine/family.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	CLEAN_TRIES = 50, /* 10 ms apart */
	NOT_STARTED = 126 << 8,
};

enum { PIPE_LIFE, PIPE_WORDS, PIPE_IN, PIPE_OUT, PIPES };

static void close_pipes(int pipes[PIPES][2])
{
	for (int i = 0; i < PIPES; i++)
		for (int end = 0; end < 2; end++)
			if (pipes[i][end] >= 0)
				close(pipes[i][end]);
}

static bool open_pipes(int pipes[PIPES][2])
{
	memset(pipes, -1, sizeof(int[PIPES][2]));
	for (int i = 0; i < PIPES; i++) {
		if (pipe2(pipes[i], O_CLOEXEC) < 0) {
			int error = errno;

			close_pipes(pipes);
			errno = error;
			return false;
		}
	}
	return true;
}

static int keep(int *fd)
{
	int kept = *fd;

	*fd = -1;
	return kept;
}

bool keeper_start(struct keeper *keeper, const char *command, const char *log, int *to, int *from)
{
	int pipes[PIPES][2], error;
	pid_t pid;

	if (!open_pipes(pipes))
		return false;
	/* so that its children are ours if it is killed itself */
	family_adopt();
	pid = fork();
	if (pid == 0) {
		const struct keeper_job job = {
		    .command = command,
		    .log = log,
		    .life = pipes[PIPE_LIFE][0],
		    .words = pipes[PIPE_WORDS][1],
		    .in = pipes[PIPE_IN][0],
		    .out = pipes[PIPE_OUT][1],
		};
		keeper_run(&job);
	}
	error = errno;
	if (pid > 0) {
		*keeper = (struct keeper){.pid = pid};
		keeper->life = keep(&pipes[PIPE_LIFE][1]);
		keeper->words = keep(&pipes[PIPE_WORDS][0]);
		*to = keep(&pipes[PIPE_IN][1]);
		*from = keep(&pipes[PIPE_OUT][0]);
		fcntl(keeper->words, F_SETFL, O_NONBLOCK);
	}
	close_pipes(pipes);
	errno = error;
	return pid > 0;
}

void keeper_stop(struct keeper *keeper)
{
	if (keeper->pid == 0 || keeper->life < 0)
		return;
	close(keeper->life);
	keeper->life = -1;
	keeper->until = clock_ms() + KEEPER_GONE_MS;
}

/* It was killed, or cannot end somebody: what it left has become ours. */
static void clean_up(void)
{
	pid_t pid = 0;

	for (int i = 0; i < CLEAN_TRIES && pid >= 0; i++) {
		family_kill();
		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		if (pid == 0)
			poll(NULL, 0, 10);
	}
}

static void forget(struct keeper *keeper)
{
	if (keeper->life >= 0)
		close(keeper->life);
	close(keeper->words);
	*keeper = (struct keeper){
	    .life = -1, .words = -1, .has_ended = keeper->has_ended, .status = keeper->status};
}

static void reap(struct keeper *keeper)
{
	int status = 0;

	/* it closes its pipe with its last breath */
	if (waitpid(keeper->pid, &status, 0) == keeper->pid && !WIFEXITED(status))
		clean_up();
	if (!keeper->has_ended) {
		keeper->has_ended = true;
		keeper->status = WIFEXITED(status) ? NOT_STARTED : SIGKILL;
	}
	forget(keeper);
}

bool keeper_step(struct keeper *keeper)
{
	ssize_t length;
	int status;

	if (keeper->pid == 0)
		return false;
	while ((length = read(keeper->words, &status, sizeof(status))) == sizeof(status)) {
		keeper->has_ended = true;
		keeper->status = status;
	}
	if (length == 0) {
		reap(keeper);
		return false;
	}
	if (keeper->until != 0 && clock_ms() >= keeper->until) {
		kill(keeper->pid, SIGKILL);
		reap(keeper);
		return false;
	}
	return true;
}

void keeper_end(struct keeper *keeper)
{
	keeper_stop(keeper);
	while (keeper_step(keeper)) {
		struct pollfd entry = {.fd = keeper->words, .events = POLLIN};

		poll(&entry, 1, clock_wait(keeper->until));
	}
}
