/*
 * seat.h - an engine at our seat: told what the server says, asked for its moves.
 *
 * The server's lines reach it unchanged, from the answer to GAMES on. What it says is a client's
 * lines, of which it only needs MOVE. When it fails the round is given up and another one is
 * started, which is told of the next round from its START on.
 */
#ifndef PLAYER_ENGINE_SEAT_H
#define PLAYER_ENGINE_SEAT_H

#include "player/engine/engine.h"
#include "player/session/session.h"

enum {
	SEAT_COMPLAINTS_MAX = 5, /* moves refused in one round */
	SEAT_FAILURES_MAX = 3,	 /* in a row without a move, before it is given up */
	SEAT_GREETING_MAX = 4096,
};

struct engine_seat {
	struct engine engine;
	struct session *session;
	const struct options *options;
	struct text greeting; /* the server's answer to GAMES */
	char greeting_bytes[SEAT_GREETING_MAX];
	bool has_greeting;
	bool deaf;     /* this one was not there when the round began */
	bool awaiting; /* the server has not answered what it said last */
	bool thinking; /* it owes us a move */
	bool has_moved;
	int64_t think_until; /* ms; 0: it does not think */
	int64_t start_at;    /* ms; when the next one may be started */
	int complaints, failures;
	int noise; /* lines that were no moves, lately */
	int64_t quiet_at;
	enum failure failed; /* in the present duel */
	bool given_up;
};

/* False: `seat->engine.why` says what cannot be had. */
bool engine_seat_open(struct engine_seat *seat, const struct options *options,
		      struct session *session);
void engine_seat_close(struct engine_seat *seat);

/* May PLAY be said? */
bool engine_seat_is_ready(const struct engine_seat *seat);

/* What the server has said, before it is understood; and then what it was. */
void engine_seat_tell(void *owner, const char *line);
void engine_seat_heard(struct engine_seat *seat);

/* The connection to the server was lost. */
void engine_seat_lost(struct engine_seat *seat);

/* Do what it is time for. How long to wait at most, in ms, or -1. */
int engine_seat_act(struct engine_seat *seat);
int engine_seat_poll(const struct engine_seat *seat, struct pollfd entry[ENGINE_POLLS]);

#endif
