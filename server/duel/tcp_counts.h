/*
 * tcp_counts.h - how far a TCP socket has been read and written, by all processes that ever had it, as
 * the kernel counts.
 *
 * A process that dies takes its own counts along. The kernel's go on, and they are exact: a write
 * that was cut short by a kill is counted for as much of it as was taken.
 */
#ifndef SERVER_DUEL_TCP_COUNTS_H
#define SERVER_DUEL_TCP_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes since the connection began, but for a constant: only differences mean something. */
struct tcp_counts {
	uint64_t in;  /* that somebody has taken */
	uint64_t out; /* that have been handed to the kernel */
	bool gone;    /* reset: the counts mean nothing any more */
};

/* False: this is no TCP socket. */
bool tcp_counts_look(int fd, struct tcp_counts *counts);

#endif
