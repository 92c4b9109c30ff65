/*
 * ends.h - one table as one process: the child's loop.
 */
#ifndef SERVER_DUEL_ENDS_H
#define SERVER_DUEL_ENDS_H

#include "server/shared/birth.h"
#include "server/duel/open_journal.h"
#include "server/shared/config.h"
#include "server/trace/trace.h"

/* What a duel is born with. The descriptors are its own. */
struct duel_ends {
	int up;	     /* pipe to the server */
	int down;    /* pipe from the server */
	int passing; /* datagram socket, by which the server passes sockets of returning players */
	struct open_journal journal;
	int show[BROADCAST_INTERFACES_MAX]; /* the birth's `shows`, connected to its port */
	int socket[2 * GAME_SEATS_MAX];	    /* in the order of the birth's sockets */
	struct trace_link link;
	bool crash; /* --crash-duel means this one */
};

/* A spawner, before its first duel: what they log they will say over their pipes. Here, since a newborn should
 * write to as few pages as can be. */
void duel_divert_log(void);

/* Play the table to its end. */
void duel_run(struct birth *birth, const struct duel_ends *ends, const struct config *config);

#endif
