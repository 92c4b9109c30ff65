/*
 * reader.h - one that follows a stream, and how far it has come.
 *
 * It is given the next bytes whenever it can take some. It holds at most one message, which it shares
 * with all others; what it is too slow for it skips. It knows no network: one that does not read at
 * all is found and closed by web.c (guests.h).
 */
#ifndef VIEWER_WEB_READER_H
#define VIEWER_WEB_READER_H

#include "viewer/watch/wall.h"
#include "viewer/web/post.h"
#include "viewer/web/ring.h"

#include <sys/types.h>

/* What there is to follow; it belongs to web.c, the newest state of it to all readers. */
struct streams {
	const struct wall *wall;
	const struct posts *posts;
	struct ring *ring;
};

enum reader_kind {
	READER_EVENTS, /* a page: the newest board of each port, as server-sent events */
	READER_FRAMES, /* a program with --from: every frame, as lines */
};

struct reader {
	enum reader_kind kind;
	bool beat; /* it is to be told that we are still there */

	/* events: what it is being told, how much of it it has, and the newest that it has been told */
	struct message *message;
	size_t given;
	uint64_t seen;
	bool greeted, caught_up;

	/* frames: its place in the ring; and the next port of the wall whose present frame it gets */
	uint64_t place;
	int next_place; /* -1: it has them all */
};

void reader_begin(struct reader *reader, enum reader_kind kind, const struct streams *streams);
void reader_end(struct reader *reader);

/* The next bytes for it, at most `size`; 0: it has all. `clock_ms` is the time of day. */
size_t reader_read(struct reader *reader, const struct streams *streams, int64_t clock_ms,
		   char *bytes, size_t size);

#endif
