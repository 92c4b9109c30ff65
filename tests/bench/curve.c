/*
 * curve.c - what a fork costs by the size of who forks, directly and through a spawner.
 *
 *	curve [TIMES]
 *
 * Prints lines "WAY DESCRIPTORS HEAP_MIB PARENT_US BORN_US LEAST_US": medians of TIMES forks (101) of how
 * long the parent is busy with one, and of how long it is until the child says that it is there, having
 * closed what is not its own; and the smallest of the latter.
 *
 * Each point is measured in a process of its own. What it opens and fills it has after the spawner has
 * been forked, as the server does.
 */
#include "server/shared/descriptors.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIMES_MAX = 1000, MIB = 1024 * 1024, AT_MOST = 20000 };

enum way { DIRECT, SPAWNER };
static const char *const way_name[] = {"direct", "spawner"};

struct point {
	enum way way;
	int descriptors;
	int heap; /* MiB */
	int times;
	int to_spawner;
};

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void __attribute__((noreturn)) be_child(int here)
{
	char byte = 'h';

	_exit(write(here, &byte, 1) == 1 ? 0 : 1);
}

static void __attribute__((noreturn)) be_spawner(int from_parent)
{
	struct parcel parcel;
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (descriptors_receive(from_parent, &byte, 1, &parcel, 0) > 0) {
		if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL) == 0)
			be_child(parcel.fd[0]);
		descriptors_close(&parcel);
	}
	_exit(0);
}

static int start_spawner(void)
{
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		err(1, "cannot make a socket for the spawner");
	pid = fork();
	if (pid < 0)
		err(1, "cannot fork the spawner");
	if (pid == 0) {
		close(ends[0]);
		be_spawner(ends[1]);
	}
	close(ends[1]);
	return ends[0];
}

/* Each is a file of its own to the kernel: a fork counts a reference to it. */
static void open_descriptors(int count)
{
	struct rlimit limit = {.rlim_cur = AT_MOST};

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max < AT_MOST ? limit.rlim_max : AT_MOST;
	setrlimit(RLIMIT_NOFILE, &limit);
	while (count-- > 0)
		if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
			err(1, "cannot open more descriptors; ulimit -n must allow %d", AT_MOST);
}

/* In pages of 4 KiB: a server's heap grows in small pieces. */
static void fill_heap(size_t bytes)
{
	void *heap;

	if (bytes == 0)
		return;
	heap = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (heap == MAP_FAILED)
		err(1, "cannot have %zu bytes", bytes);
	madvise(heap, bytes, MADV_NOHUGEPAGE);
	memset(heap, 1, bytes);
}

static void bear(const struct point *point, int here)
{
	struct parcel parcel = {.count = 1, .fd = {here}};
	pid_t pid;

	if (point->way == SPAWNER) {
		errno = descriptors_send(point->to_spawner, "f", 1, &parcel, NULL, 0);
		if (errno != 0)
			err(1, "cannot reach the spawner");
		return;
	}
	pid = fork();
	if (pid < 0)
		err(1, "cannot fork");
	if (pid == 0) {
		descriptors_close_others(&here, 1);
		be_child(here);
	}
}

static int compare(const void *one, const void *other)
{
	const double *a = one, *b = other;

	return (*a > *b) - (*a < *b);
}

static void measure(const struct point *point)
{
	double parent[TIMES_MAX], born[TIMES_MAX];
	int here[2];
	char byte;

	if (pipe2(here, O_CLOEXEC) != 0)
		err(1, "cannot make a pipe");
	open_descriptors(point->descriptors);
	fill_heap((size_t)point->heap * MIB);
	for (int i = 0; i < point->times; i++) {
		double begun = now_us();

		bear(point, here[1]);
		parent[i] = now_us() - begun;
		if (read(here[0], &byte, 1) != 1)
			err(1, "a child did not answer");
		born[i] = now_us() - begun;
		wait(NULL);
	}
	qsort(parent, (size_t)point->times, sizeof(double), compare);
	qsort(born, (size_t)point->times, sizeof(double), compare);
	printf("%s %d %d %.1f %.1f %.1f\n", way_name[point->way], point->descriptors, point->heap,
	       parent[point->times / 2], born[point->times / 2], born[0]);
	fflush(stdout);
}

static void measure_apart(enum way way, int descriptors, int heap, int times)
{
	struct point point = {way, descriptors, heap, times, -1};
	int status = 0;
	pid_t pid = fork();

	if (pid < 0)
		err(1, "cannot fork");
	if (pid == 0) {
		if (way == SPAWNER)
			point.to_spawner = start_spawner();
		measure(&point);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status != 0)
		errx(1, "%s with %d descriptors and %d MiB was not measured", way_name[way],
		     descriptors, heap);
}

int main(int argc, char *argv[])
{
	static const int descriptors[] = {10, 1000, 5000, 10000, 19000}, heaps[] = {16, 64};
	int times = argc > 1 ? atoi(argv[1]) : 101;

	if (argc > 2 || times < 1 || times > TIMES_MAX)
		errx(2, "usage: curve [TIMES]     1 to %d of each", TIMES_MAX);
	for (enum way way = DIRECT; way <= SPAWNER; way++) {
		for (size_t i = 0; i < sizeof(descriptors) / sizeof(descriptors[0]); i++)
			measure_apart(way, descriptors[i], 0, times);
		for (size_t i = 0; i < sizeof(heaps) / sizeof(heaps[0]); i++)
			measure_apart(way, descriptors[0], heaps[i], times);
	}
}
