/*
 * broadcast.h - the sockets that frames go out by: one for each broadcast port and interface,
 * already connected, opened by the server. Those of its port are handed to a duel, which may send
 * but not connect.
 */
#ifndef SERVER_LOBBY_BROADCAST_H
#define SERVER_LOBBY_BROADCAST_H

#include "server/shared/config.h"

struct broadcast {
	int ports, interfaces;
	int *fd; /* [port * interfaces + interface] */
};

/* Exits with 1 and a clear line when an interface is not there. */
void broadcast_open(struct broadcast *broadcast, const struct config *config);

#endif
