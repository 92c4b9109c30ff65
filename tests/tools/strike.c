/*
 * strike.c - kills a process just as it is about to make one certain system call, so that the call
 * is not made: what a crash between two steps leaves behind can be looked at, every time.
 *
 *	strike [--child] [--hold] PID CALL WHAT [COUNT]
 *
 * Kills PID at its COUNTth (1) CALL (write, sendto, recvfrom, close) whose descriptor is WHAT: a
 * part of what /proc/PID/fd says of it, such as `journals/`, `pipe:` or `socket:`. CALL `any` is any
 * system call, whatever WHAT is. --child: not PID but the first child that it makes. --hold: keep it
 * there, until strike itself is ended.
 *
 * Says `ready` when it watches the process and `struck PID` when it has it. Ends with status 1 when
 * it may not trace it, and when the process ends before.
 */
#include <err.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANY_CALL (~0ul)

/* The status of a stop at which no signal has come. */
enum { QUIET = SIGTRAP << 8 | PTRACE_EVENT_STOP << 16 };

static const struct {
	const char *word;
	unsigned long number;
} calls[] = {{"write", SYS_write},
	     {"sendto", SYS_sendto},
	     {"recvfrom", SYS_recvfrom},
	     {"close", SYS_close},
	     {"any", ANY_CALL}};

static unsigned long number_of(const char *word)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(calls[i].word, word) == 0)
			return calls[i].number;
	errx(2, "no such call: \"%s\"", word);
}

static bool is_about(pid_t pid, unsigned long long fd, const char *what)
{
	char path[64], link[4096];
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/%d/fd/%llu", (int)pid, fd);
	length = readlink(path, link, sizeof(link) - 1);
	if (length < 0)
		return false;
	link[length] = '\0';
	return strstr(link, what) != NULL;
}

static bool is_it(pid_t pid, unsigned long call, const char *what)
{
	struct __ptrace_syscall_info info;

	return ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) > 0 &&
	       info.op == PTRACE_SYSCALL_INFO_ENTRY &&
	       (call == ANY_CALL ||
		(info.entry.nr == call && is_about(pid, info.entry.args[0], what)));
}

/* Until it stops; its status. */
static int wait_for(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, __WALL) != pid || !WIFSTOPPED(status))
		errx(1, "%d has ended", (int)pid);
	return status;
}

/* Lets it go on until the next system call, with the signal that it has been sent. */
static void go_on(pid_t pid, int status)
{
	bool is_signal = status >> 16 == 0 && WSTOPSIG(status) != (SIGTRAP | 0x80);

	if (ptrace(PTRACE_SYSCALL, pid, NULL, is_signal ? (long)WSTOPSIG(status) : 0L) != 0)
		err(1, "%d does not go on", (int)pid);
}

/* Until it has made a child; the child, which is traced as well. */
static pid_t wait_for_child(pid_t parent)
{
	unsigned long child;
	int status;

	for (;;) {
		status = wait_for(parent);
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_FORK << 8) ||
		    status >> 8 == (SIGTRAP | PTRACE_EVENT_CLONE << 8))
			break;
		go_on(parent, status);
	}
	if (ptrace(PTRACE_GETEVENTMSG, parent, NULL, &child) != 0)
		err(1, "the child is not known");
	wait_for((pid_t)child);
	ptrace(PTRACE_SETOPTIONS, parent, NULL, 0L);
	ptrace(PTRACE_DETACH, parent, NULL, 0L);
	return (pid_t)child;
}

/* Takes hold of it, or of the first child that it makes. */
static pid_t seize(pid_t pid, bool child)
{
	int options = PTRACE_O_TRACESYSGOOD;

	if (child)
		options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACECLONE;
	if (ptrace(PTRACE_SEIZE, pid, NULL, (long)options) != 0)
		err(1, "%d cannot be traced", (int)pid);
	ptrace(PTRACE_INTERRUPT, pid, NULL, NULL);
	wait_for(pid);
	puts("ready");
	fflush(stdout);
	if (child) {
		go_on(pid, QUIET);
		pid = wait_for_child(pid);
	}
	/* whatever becomes of us, it is killed: in the middle of a call that it then does not make */
	ptrace(PTRACE_SETOPTIONS, pid, NULL, (long)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL));
	go_on(pid, QUIET);
	return pid;
}

int main(int argc, char *argv[])
{
	bool child = false, hold = false;
	unsigned long call;
	int count;
	pid_t pid;

	for (; argc > 1 && strncmp(argv[1], "--", 2) == 0; argc--, argv++) {
		child = child || strcmp(argv[1], "--child") == 0;
		hold = hold || strcmp(argv[1], "--hold") == 0;
	}
	if (argc < 4)
		errx(2, "usage: strike [--child] [--hold] PID CALL WHAT [COUNT]");
	call = number_of(argv[2]);
	count = argc > 4 ? atoi(argv[4]) : 1;
	pid = seize((pid_t)atoi(argv[1]), child);
	for (;;) {
		int status = wait_for(pid);

		if (WSTOPSIG(status) == (SIGTRAP | 0x80) && is_it(pid, call, argv[3]) &&
		    --count == 0)
			break;
		go_on(pid, status);
	}
	printf("struck %d\n", (int)pid);
	fflush(stdout);
	if (hold)
		pause();
	return 0;
}
