/*
 * board.h - what the page shows of each port, as messages: made once a change, for everybody.
 *
 * A board is drawn again at most every BOARD_EVERY_MS, however often it changes. A round that has
 * ended stays for BOARD_HOLD_MS, whatever has begun on its port meanwhile; what is no longer heard
 * goes. It knows no network and has no clock: times are given to it.
 */
#ifndef VIEWER_WEB_BOARD_H
#define VIEWER_WEB_BOARD_H

#include "viewer/watch/wall.h"
#include "viewer/web/post.h"

enum {
	BOARD_EVERY_MS = 100,
	BOARD_HOLD_MS = 4000,
	BOARD_ENDED_MS = 12000,	 /* a duel that has ended goes, when its last frame is so old; */
	BOARD_SILENT_MS = 60000, /* one that has not ended, then */
	BOARD_RESULTS = 12,	 /* rounds remembered with who has won */
};

struct boards;

/* NULL: no memory is left. */
struct boards *boards_new(void);
void boards_free(struct boards *boards); /* NULL is allowed */

/* A port has a new state, or has told its state again. `clock_ms` is the time of day. */
void boards_hear(struct boards *boards, const struct wall_place *place, bool news, int64_t now_ms,
		 int64_t clock_ms);

/* Make the messages that are due; true: there are new ones. */
bool boards_update(struct boards *boards, const struct wall *wall, int64_t now_ms);

/* When boards_update() has something to do, at the earliest; INT64_MAX: when something is heard. */
int64_t boards_due_ms(const struct boards *boards);

const struct posts *boards_posts(const struct boards *boards);

#endif
