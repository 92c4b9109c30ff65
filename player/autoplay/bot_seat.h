/*
 * bot_seat.h - a bot at our seat: told what is heard, it moves when it may.
 *
 * It is to a bot what player/engine/seat.h is to an engine.
 */
#ifndef PLAYER_AUTOPLAY_BOT_SEAT_H
#define PLAYER_AUTOPLAY_BOT_SEAT_H

#include "player/bots/bots.h"
#include "player/session/session.h"

struct bot_seat {
	struct bot bot;
	struct session *session;
	const struct options *options;
	int64_t turn_since; /* ms; when our turn began; 0: it is not ours */
	int64_t move_at;    /* ms; when it is time to; 0: never */
	int complaints;	    /* moves refused in this round */
};

/* False: there is no memory for it. */
bool bot_seat_open(struct bot_seat *seat, const struct options *options, struct session *session);
void bot_seat_close(struct bot_seat *seat);

/* The session has heard something. */
void bot_seat_heard(struct bot_seat *seat);

/* Do what it is time for. How long to wait at most, in ms, or -1. */
int bot_seat_act(struct bot_seat *seat);

#endif
