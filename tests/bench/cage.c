/*
 * cage.c - what it costs a duel to lock itself in: processes are made as the spawner makes duels,
 * in turns one that ends at once and one that locks itself in first, and their lives are timed.
 *
 *      usage: cage_bench [COUNT]      (2000 of each)
 */
#include "server/duel/cage.h"

#include <err.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct config config; /* all closed */

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* One process for each byte that comes; it becomes the child of our parent, as a duel does. It tells
 * how long it took to lock itself in. */
static void __attribute__((noreturn)) spawn(int orders, int answers)
{
	double start;
	char locked;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); /* as the server does */
	cage_enter_spawner(&config);
	while (read(orders, &locked, 1) == 1) {
		if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0) == 0) {
			start = now_us();
			if (locked)
				cage_enter_duel(&config, 0);
			start = now_us() - start;
			_exit(write(answers, &start, sizeof(start)) != sizeof(start));
		}
	}
	_exit(0);
}

static double time_one(int orders, char locked)
{
	double start = now_us();
	int status;

	if (write(orders, &locked, 1) != 1 || waitpid(-1, &status, 0) < 0 || status != 0)
		errx(1, "a process was not made, or did not end well");
	return now_us() - start;
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

int main(int argc, char *argv[])
{
	size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
	double *life[2], *inside[2];
	int orders[2], answers[2];

	if (count == 0 || pipe(orders) != 0 || pipe(answers) != 0)
		errx(1, "usage: cage_bench [COUNT]");
	if (fork() == 0) {
		close(orders[1]);
		spawn(orders[0], answers[1]);
	}
	for (int locked = 0; locked < 2; locked++) {
		life[locked] = calloc(count, sizeof(double));
		inside[locked] = calloc(count, sizeof(double));
		if (life[locked] == NULL || inside[locked] == NULL)
			err(1, "no memory");
	}
	for (size_t i = 0; i < count; i++)
		for (int locked = 0; locked < 2; locked++) {
			life[locked][i] = time_one(orders[1], (char)locked);
			if (read(answers[0], &inside[locked][i], sizeof(double)) != sizeof(double))
				err(1, "a process did not say how long it took");
		}
	for (int locked = 0; locked < 2; locked++) {
		qsort(life[locked], count, sizeof(double), compare);
		qsort(inside[locked], count, sizeof(double), compare);
	}
	printf(
	    "cage       %.1f us to lock oneself in; a life that does nothing else takes %.1f us, "
	    "without %.1f (medians of %zu)\n",
	    inside[1][count / 2] - inside[0][count / 2], life[1][count / 2], life[0][count / 2],
	    count);
	return 0;
}
