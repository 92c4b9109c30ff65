/*
 * feed.h - a duel's board for its viewers: each change as one frame to the broadcast port that the
 * server has given us, the present frame again every second. The last one goes back to the server with
 * the port: see ports.h.
 */
#ifndef SERVER_DUEL_FEED_H
#define SERVER_DUEL_FEED_H

#include "proto/table/frame.h"

#include <stdint.h>

struct feed {
	int count; /* of the sockets, one for each interface; 0: nobody can watch, or not any more */
	const int *socket; /* connected to our port */
	int64_t again_at;
	unsigned sent; /* datagrams */
	size_t length;
	char frame[FRAME_MAX + 1]; /* the present one */
};

void feed_open(struct feed *feed, const int *socket, int count);

/* The board has changed. */
void feed_frame(struct feed *feed, const struct frame *frame, int64_t now);

int64_t feed_due(const struct feed *feed);

/* Let time pass. */
void feed_tick(struct feed *feed, int64_t now);

/* Nothing more will be shown: true, once, if there is a port to be given back. */
bool feed_end(struct feed *feed);

#endif
