/*
 * core.h - what watch.c offers to the loops that show what is heard, and to nothing else.
 *
 * Each is: wait, hear, show. show.c is for terminals and text, svg.c for files, web/watch.c for
 * browsers.
 */
#ifndef VIEWER_WATCH_CORE_H
#define VIEWER_WATCH_CORE_H

#include "viewer/watch/from.h"
#include "viewer/watch/hear.h"
#include "viewer/watch/tables.h"
#include "viewer/watch/wall.h"
#include "viewer/watch/watch.h"

#include <poll.h>
#include <signal.h>

/* In the list of descriptors that are waited for; -1 where there is none. */
enum {
	SLOT_STOP,
	SLOT_KEYS,
	SLOT_WEB,
	SLOT_LINK,  /* the connection to a holmgang-web, or to a server */
	SLOT_PORTS, /* + index */
};

enum { WATCH_TICK_MS = 500 }; /* without anything new: seconds of silence are counted */

struct watch {
	struct ports
	    ports; /* what is watched; of a holmgang-web, or a server: what it has told of so far */
	struct watch_sources sources;
	struct wall *wall;
	struct from *from;	     /* a holmgang-web, or NULL */
	bool all_ports;		     /* of a holmgang-web, all that it has */
	struct tables *tables;	     /* of a server, or NULL */
	char unheard[WATCH_WHY_MAX]; /* why a port that it tells of cannot be heard, or "" */
	char told[WATCH_WHY_MAX];    /* what has been told of the note */
	unsigned long dropped;
	nfds_t slots;
	struct pollfd *slot;
	struct hear_batch batch;
};

/* What is called with all that is heard. `news`: the place has a new state; otherwise the state that
 * it has was told again. */
struct listener {
	void (*hear)(const struct wall_place *place, bool news, void *to);
	void *to;
};

int64_t watch_clock_ms(void);

/* When the seconds of the options are over; INT64_MAX: never. */
int64_t watch_deadline(const struct watch_options *options);

/* Wait until something comes, but not longer than to a time; what came is in `slot`. `mask` is the
 * signals that are blocked meanwhile, or NULL. */
void watch_wait(struct watch *watch, int64_t until_ms, const sigset_t *mask);

/* Wait until that time, or for a key or the end: what arrives meanwhile stays in the kernel, and costs
 * one waking for all of it instead of one for each. */
void watch_rest(const struct watch *watch, int64_t until_ms, const sigset_t *mask);

/* Take in what has arrived. True: there is a new state. `listener` may be NULL. */
bool watch_hear(struct watch *watch, const struct listener *listener);

/* May there be boards of several tables? */
bool watch_has_several(const struct watch *watch);

/* What there is to say of the holmgang-web or the server that is heard, in one line; "". */
const char *watch_note(struct watch *watch);

/* The same on standard error, once. */
void watch_tell_note(struct watch *watch);

#endif
