/*
 * ports.h - the broadcast ports of -b: which duel has which, and the last frames of duels that have
 * ended.
 *
 * The last frame of a duel is sent three times in all, 100 ms apart, since UDP loses some. A duel sends
 * it once and hands it to the server with its port. It need not live on for it: that would be as many
 * processes more as duels end in 200 ms, each of which is woken twice, when all that it had in the
 * processor's caches has gone.
 *
 * Ports are handed out in the order in which duels ask, the first that is free. But who plays on, that is, players of the
 * same names at the same game, gets the port again that they had, while nobody else plays there: so a viewer need not
 * look for them. They play on at once, mostly: then what is left of their last frame is sent before they begin.
 */
#ifndef SERVER_LOBBY_PORTS_H
#define SERVER_LOBBY_PORTS_H

#include "proto/time/timers.h"

#include <stdbool.h>
#include <stddef.h>

#include "proto/table/table.h"

struct lobby;
struct birth;

/* A game and the names of those who began it. */
enum { PEOPLE_MAX = (GAME_SEATS_MAX + 1) * NAME_MAX_BYTES };

struct port {
	bool taken; /* by a duel, or by what it has left */
	char people
	    [PEOPLE_MAX]; /* who has it, or had it last; "": nobody who would be known again */
	struct timer timer;
	int left; /* times that `frame` will be sent */
	size_t length;
	char *frame; /* what a duel has left; NULL: nothing */
};

void ports_open(struct lobby *lobby);

/* For a duel that is about to be born; -1: there is none. */
int ports_take(struct lobby *lobby, const struct birth *birth);
void ports_give_back(struct lobby *lobby, int port);

/* The port of this index is ours from now on, until the frame has been sent as often as it has to be. */
void ports_repeat(struct lobby *lobby, int index, const char *frame, size_t length);

#endif
