/*
 * ring.h - the last lines of a stream, for readers who each have their own place in it.
 *
 * A place is the number of bytes that were in the stream before it. A reader that is so slow that
 * its place has been written over learns so, and begins anew. It knows no network.
 */
#ifndef VIEWER_WEB_RING_H
#define VIEWER_WEB_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RING_BYTES = 1 << 20 };

struct ring {
	uint64_t end; /* bytes written so far */
	char bytes[RING_BYTES];
};

/* A line with its LF, shorter than the ring. */
void ring_add(struct ring *ring, const char *line, size_t length);

/* Is what follows this place still there? */
bool ring_reaches(const struct ring *ring, uint64_t place);

/* Copy whole lines from a place, as many as fit, and move it behind them. Returns how many bytes. */
size_t ring_read(const struct ring *ring, uint64_t *place, char *bytes, size_t size);

#endif
