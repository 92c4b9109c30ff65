/*
 * figures.h - many times of the same thing, and what the kernel counts.
 */
#ifndef BENCH_FIGURES_H
#define BENCH_FIGURES_H

#include <stdint.h>
#include <sys/types.h>

enum { TIMES_MAX = 100000 };

struct times {
	int count;
	int64_t ns[TIMES_MAX];
};

void times_add(struct times *times, int64_t ns);

/* Prints " NAME_us=median NAME_p99_us=..."; sorts. */
void times_print(struct times *times, const char *name);

long memory_available(void); /* KiB */
long datagrams_sent(void);   /* UDP over IPv4, by the whole machine */

/* Datagrams that a process's UDP sockets had no room for. */
long datagrams_dropped(pid_t pid);

#endif
