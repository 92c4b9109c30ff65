/*
 * wall.h - what each port shows: which duel, its newest state, and whether it is still heard.
 *
 * Pure: it hears nothing itself and has no clock; frames and times are given to it, in milliseconds
 * of any clock that only goes forward.
 */
#ifndef VIEWER_WATCH_WALL_H
#define VIEWER_WATCH_WALL_H

#include "proto/wire/args.h"
#include "proto/table/frame.h"

enum {
	WALL_SILENT_MS = 3000, /* without a frame: the duel, if it has not ended, is silent */
	WALL_END_MS = 1000,    /* so long the end of a round is seen before what follows */
	WALL_PAST = 4,	       /* duels remembered a port, besides the one shown */
};

/* A duel that a port has shown, and how far. */
struct wall_past {
	char duel[UUID_TEXT];
	unsigned n;
};

/* One port. It belongs to one duel at a time. */
struct wall_place {
	uint16_t port;
	bool used;	     /* a duel has been heard here; otherwise all below is empty */
	struct frame frame;  /* the newest state */
	struct frame before; /* the last one with another board and turn, if has_before */
	bool has_before, told_silent;
	int64_t heard_ms; /* when the duel was last heard */
	int64_t new_ms;	  /* when `frame` was new */

	struct frame end, end_before; /* an end that was followed at once … */
	bool end_has_before;
	int64_t end_until_ms; /* … and until when it is still shown */
	struct wall_past past[WALL_PAST];
	int past_next;
};

struct wall;

struct wall *wall_new(const struct ports *ports);
void wall_free(struct wall *wall); /* NULL is allowed */

/* One more port, behind the others. False: no memory is left. */
bool wall_add(struct wall *wall, uint16_t port);

/* What is shown there is no longer to be seen. True: something was. */
bool wall_drop(struct wall *wall, int index);

/* It is of another port from now on. */
void wall_move(struct wall *wall, int index, uint16_t port);

/* The port with this index in `ports` has heard a frame. True: there is a new state to be shown. */
bool wall_hear(struct wall *wall, int index, const struct frame *frame, int64_t now_ms);

/* The ports on which a duel has been heard, in their order: how many, and one of them. */
int wall_count(const struct wall *wall);
const struct wall_place *wall_at(const struct wall *wall, int shown);

/* The port with this index in `ports`. */
const struct wall_place *wall_place(const struct wall *wall, int index);

/* What is to be drawn there: the newest state, or for a moment an end that was followed at once. `before`: the state
 * before it, or NULL. */
const struct frame *wall_frame(const struct wall_place *place, const struct frame **before,
			       int64_t now_ms);

/* For how many seconds the duel has been silent; 0: it is not, or it has ended. */
int wall_silent_s(const struct wall_place *place, int64_t now_ms);

/* The next place that has become silent and has not been told of; NULL: there is none. */
const struct wall_place *wall_next_silent(struct wall *wall, int64_t now_ms);

#endif
