/*
 * beside.c - one process of a program that lies beside ours. See beside.h.
 *
 * Owns nothing: who starts a process ends it. It never talks to what it has started.
 */
#include "player/beside/beside.h"

#include "proto/time/timers.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	READY_MS = 10000,
	END_MS = 5000, /* from SIGTERM to SIGKILL */
};

const char *beside_program(const char *name)
{
	static char path[PATH_MAX + 64];
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
	char *slash;

	path[length < 0 ? 0 : length] = '\0';
	slash = strrchr(path, '/');
	strcpy(slash == NULL ? path : slash + 1, name);
	return path;
}

static void __attribute__((noreturn)) run(const char *program, char *const argv[], int output,
					  int ready, const char *log, int at_our_end, pid_t parent)
{
	int null = open("/dev/null", O_RDWR);
	int error = log == NULL ? null : open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	sigset_t none;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, at_our_end);
	if (getppid() != parent)
		_exit(127);
	/* high enough that none of them is overwritten by another */
	output = fcntl(output < 0 ? null : output, F_DUPFD, BESIDE_READY_FD + 1);
	error = fcntl(error < 0 ? null : error, F_DUPFD, BESIDE_READY_FD + 1);
	ready = ready < 0 ? -1 : fcntl(ready, F_DUPFD, BESIDE_READY_FD + 1);
	dup2(null, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(error, STDERR_FILENO);
	if (ready >= 0)
		dup2(ready, BESIDE_READY_FD);
	close_range(ready >= 0 ? BESIDE_READY_FD + 1 : BESIDE_READY_FD, ~0U, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execv(program, argv);
	_exit(127);
}

pid_t beside_start(char *const argv[], int output, int ready, const char *log, int at_our_end)
{
	const char *program = beside_program(argv[0]);
	pid_t parent = getpid(), pid = fork();

	if (pid == 0)
		run(program, argv, output, ready, log, at_our_end, parent);
	return pid;
}

void beside_end(pid_t pid)
{
	int64_t until = clock_ms() + END_MS;

	if (pid <= 0)
		return;
	kill(pid, SIGTERM);
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		if (clock_ms() >= until) {
			kill(pid, SIGKILL);
			waitpid(pid, NULL, 0);
			return;
		}
		poll(NULL, 0, 5);
	}
}

bool beside_is_ready(int fd)
{
	struct pollfd entry = {.fd = fd, .events = POLLIN};
	char byte;

	return poll(&entry, 1, READY_MS) == 1 && read(fd, &byte, 1) == 1;
}
