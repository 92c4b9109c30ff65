/*
 * ports.h - the broadcast ports of -b: which duel has which, and the last frames of duels that have
 * ended.
 *
 * The last frame of a duel is sent three times in all, 100 ms apart, since UDP loses some. A duel sends
 * it once and hands it to the server with its port. It need not live on for it: that would be as many
 * processes more as duels end in 200 ms, each of which is woken twice, when all that it had in the
 * processor's caches has gone.
 */
#ifndef SERVER_LOBBY_PORTS_H
#define SERVER_LOBBY_PORTS_H

#include "proto/time/timers.h"

#include <stdbool.h>
#include <stddef.h>

struct lobby;

struct port {
	bool taken; /* by a duel, or by what it has left */
	struct timer timer;
	int left; /* times that `frame` will be sent */
	size_t length;
	char *frame;
};

void ports_open(struct lobby *lobby);

/* The first one that is free; -1: there is none. */
int ports_take(struct lobby *lobby);
void ports_give_back(struct lobby *lobby, int port);

/* The port of this index is ours from now on, until the frame has been sent as often as it has to be. */
void ports_repeat(struct lobby *lobby, int index, const char *frame, size_t length);

#endif
