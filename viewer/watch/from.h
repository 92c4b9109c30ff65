/*
 * from.h - hearing what a holmgang-web hears, over TCP, where the broadcast does not reach.
 *
 * A holmgang-web gives all frames that it hears at /frames: lines "PORT FRAME", without an
 * end. This connects there, reads them and connects again whenever the connection is lost. It never
 * waits: its owner waits for its descriptor and looks at its clock.
 */
#ifndef VIEWER_WATCH_FROM_H
#define VIEWER_WATCH_FROM_H

#include "viewer/watch/watch.h"

#include "proto/table/frame.h"

/* What it says of the stream, so that nothing else is taken for one. */
#define FROM_PATH "/frames"
#define FROM_TYPE "text/x-holmgang-frames"

struct from;
struct link;

/* A datagram that holmgang-web has heard; not yet known to be a frame. */
struct from_frame {
	uint16_t port;
	size_t length;
	char bytes[FRAME_MAX + 2];
};

/* NULL: there is no such host, and `why` says so. That nobody answers there yet is no error. */
struct from *from_open(const char *host, uint16_t port, char why[WATCH_WHY_MAX]);
void from_close(struct from *from); /* NULL is allowed */

/* What to wait for, and what is wrong with it; then from_step(). */
const struct link *from_link(const struct from *from);
void from_step(struct from *from, int64_t now_ms);

/* The next one that has arrived; call it until there is none before from_step(). `malformed` counts
 * lines that cannot be any. */
bool from_next(struct from *from, struct from_frame *frame, unsigned long *malformed);

#endif
