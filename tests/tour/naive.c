/*
 * naive.c - what a handler of SIGCHLD loses. For the tour; see README.md beside it.
 *
 *	naive [loop]
 *
 * Five children end while their parent is busy. Signals are not counted, so it hears of all of them
 * once. The naive handler reaps one child; with `loop` it asks until there is none. At last the
 * parent becomes `ps` and shows the children that are left: exec keeps the pid, and so the children.
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 5 };

static bool is_loop;
static volatile sig_atomic_t signals, reaped;

static void on_sigchld(int number)
{
	int before = errno;

	(void)number;
	signals++;
	if (!is_loop && waitpid(-1, NULL, 0) > 0)
		reaped++;
	while (is_loop && waitpid(-1, NULL, WNOHANG) > 0)
		reaped++;
	errno = before;
}

/* "Busy" is: the signal is blocked. It goes on when all children are zombies. */
static void have_children(void)
{
	pid_t pid[CHILDREN];
	siginfo_t end;

	for (int i = 0; i < CHILDREN; i++) {
		pid[i] = fork();
		if (pid[i] == 0)
			_exit(0);
		if (pid[i] < 0)
			err(1, "cannot fork");
	}
	for (int i = 0; i < CHILDREN; i++)
		waitid(P_PID, (id_t)pid[i], &end, WEXITED | WNOWAIT);
}

int main(int argc, char *argv[])
{
	struct sigaction action = {.sa_handler = on_sigchld};
	sigset_t sigchld;
	char self[16];

	is_loop = argc > 1 && strcmp(argv[1], "loop") == 0;
	sigemptyset(&sigchld);
	sigaddset(&sigchld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &sigchld, NULL);
	sigaction(SIGCHLD, &action, NULL);
	have_children();
	sigprocmask(SIG_UNBLOCK, &sigchld, NULL);

	printf("%d children ended, %d signal, %d reaped\n", CHILDREN, (int)signals, (int)reaped);
	fflush(stdout);
	snprintf(self, sizeof(self), "%d", (int)getpid());
	execlp("ps", "ps", "-p", self, "--ppid", self, "-o", "pid,ppid,stat,comm", (char *)NULL);
	err(1, "cannot become ps");
}
