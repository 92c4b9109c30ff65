/*
 * channel.h - lines to and from an engine, over two pipes or a socket.
 *
 * It never waits, and holds no more than it has room for: an engine that sends a line without
 * an end, or does not take what it is told, is found out here. What is told before there is a descriptor is kept.
 */
#ifndef PLAYER_ENGINE_CHANNEL_H
#define PLAYER_ENGINE_CHANNEL_H

#include "proto/wire/line.h"

#include <poll.h>

enum {
	CHANNEL_LINE_MAX = 1024,      /* bytes of an engine's line with its LF, as of a client's */
	CHANNEL_HELD_MAX = 512 << 10, /* bytes that have not been taken yet */
};

enum channel_trouble {
	CHANNEL_FINE,
	CHANNEL_ENDED,	  /* the other side has closed it; what it said before is still given */
	CHANNEL_TOO_LONG, /* a line without an end */
	CHANNEL_FULL,	  /* it does not read */
};

struct channel {
	int in, out; /* -1: not yet; the same for a socket */
	bool closed; /* nothing more comes */
	bool broken; /* nothing more is taken */
	bool full;
	size_t told, waiting; /* in `out_bytes`: those before `told` are written */
	char out_bytes[CHANNEL_HELD_MAX];
	bool too_long; /* a line was */
	struct line_reader reader;
};

void channel_init(struct channel *channel);
void channel_open(struct channel *channel, int in, int out);
void channel_close(struct channel *channel);

void channel_tell(struct channel *channel, const char *line);

/* What to wait for: two entries. Reads only when `wanted`; then a flood stays where it is. */
void channel_poll(const struct channel *channel, bool wanted, struct pollfd entry[2]);
void channel_step(struct channel *channel, const struct pollfd entry[2]);

/* The next line, valid until the next call; NULL when there is none. */
char *channel_next(struct channel *channel);

enum channel_trouble channel_trouble(const struct channel *channel);

/* Has the other side read all that it was told? Only a pipe knows. */
bool channel_is_drained(const struct channel *channel);

#endif
