/*
 * ends.h - what a duel is born with: the spawner makes it ready, the duel has it for life.
 */
#ifndef SERVER_DUEL_ENDS_H
#define SERVER_DUEL_ENDS_H

#include "server/shared/birth.h"
#include "server/duel/open_journal.h"
#include "server/shared/config.h"
#include "server/trace/trace.h"

/* The descriptors are its own. */
struct ends {
	int up;	  /* pipe to the server */
	int down; /* pipe from the server */
	int handoff; /* datagram socket, by which the server hands over sockets of those who come later */
	struct open_journal journal;
	int feed[BROADCAST_INTERFACES_MAX]; /* the birth's `feeds`, connected to its port */
	int socket[2 * GAME_SEATS_MAX];	    /* in the order of the birth's sockets */
	struct trace_link link;
	bool crash; /* --crash-duel means this one */
};

#endif
