/*
 * hear.h - the sockets on which frames arrive.
 */
#ifndef VIEWER_WATCH_HEAR_H
#define VIEWER_WATCH_HEAR_H

#include "viewer/watch/watch.h"

#include "proto/table/frame.h"

#include <netinet/in.h>

enum { HEAR_BATCH = 32 };

/* Datagrams that were read at once. One that is longer than a frame can be has the length
 * FRAME_MAX + 1, so that frame_read() refuses it. */
struct hear_batch {
	int count;
	size_t length[HEAR_BATCH];
	struct in_addr from[HEAR_BATCH];
	char bytes[HEAR_BATCH][FRAME_MAX + 1];
};

/* A socket that hears this UDP port on every address, beside others that do so. -1: it cannot be
 * had, and `why` says so. */
int hear_open(uint16_t port, char why[WATCH_WHY_MAX]);

/* What has arrived, as far as it fits; never waits. Where from is said only if it is asked for. */
void hear_read(int fd, struct hear_batch *batch, bool want_from);

#endif
