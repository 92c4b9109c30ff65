/*
 * cage.c - what it costs a duel to lock itself in: processes are made as the spawner makes duels,
 * in turns one that ends at once and one that locks itself in first, and their lives are timed.
 *
 *      usage: cage_bench [COUNT]      (2000 of each)
 */
#include "../../server/sandbox.h"

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

/* One process for each byte that comes; it becomes the child of our parent, as a duel does. */
static void __attribute__((noreturn)) spawn(int orders)
{
	char locked;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sandbox_enter_spawner(&config, 0);
	while (read(orders, &locked, 1) == 1) {
		if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL) == 0) {
			if (locked)
				sandbox_enter_duel(&config);
			_exit(0);
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
	double *sample[2];
	int orders[2];

	if (count == 0 || pipe(orders) != 0)
		errx(1, "usage: cage_bench [COUNT]");
	if (fork() == 0) {
		close(orders[1]);
		spawn(orders[0]);
	}
	for (int locked = 0; locked < 2; locked++) {
		sample[locked] = calloc(count, sizeof(double));
		if (sample[locked] == NULL)
			err(1, "no memory");
	}
	for (size_t i = 0; i < count; i++)
		for (int locked = 0; locked < 2; locked++)
			sample[locked][i] = time_one(orders[1], (char)locked);
	for (int locked = 0; locked < 2; locked++)
		qsort(sample[locked], count, sizeof(double), compare);
	printf("cage       %.1f us a process, %.1f us locked in: %.1f us (medians of %zu)\n",
	       sample[0][count / 2], sample[1][count / 2],
	       sample[1][count / 2] - sample[0][count / 2], count);
	return 0;
}
