/*
 * feed.h - a duel's board for its viewers: each change as one frame to the broadcast port that the
 * server has given us, the present frame again every second. The last one goes back to the server with
 * the port: see ports.h.
 */
#ifndef SERVER_DUEL_FEED_H
#define SERVER_DUEL_FEED_H

#include "proto/table/frame.h"

#include <stdint.h>

struct show {
	int count; /* of the sockets, one for each interface; 0: nobody can watch, or not any more */
	const int *socket; /* connected to our port */
	int64_t again_at;
	unsigned sent; /* datagrams */
	size_t length;
	char frame[FRAME_MAX + 1]; /* the present one */
};

void show_open(struct show *show, const int *socket, int count);

/* The board has changed. */
void show_frame(struct show *show, const struct frame *frame, int64_t now);

int64_t show_due(const struct show *show);

/* Let time pass. */
void show_tick(struct show *show, int64_t now);

/* Nothing more will be shown: true, once, if there is a port to be given back. */
bool show_end(struct show *show);

#endif
