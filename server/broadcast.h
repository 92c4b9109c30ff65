/*
 * broadcast.h - the sockets that frames go out by: one for each broadcast port and interface,
 * already connected, opened by the server and inherited by every duel, which may send but not
 * connect.
 */
#ifndef SERVER_BROADCAST_H
#define SERVER_BROADCAST_H

#include "config.h"

struct broadcast {
	int ports, interfaces;
	int *fd; /* [port * interfaces + interface] */
};

/* Exits with 1 and a clear line when an interface is not there. */
void broadcast_open(struct broadcast *broadcast, const struct config *config);

/* One frame to a port, on every interface. What cannot be sent is lost, as UDP is. */
void broadcast_send(const struct broadcast *broadcast, int port, const char *frame, size_t length);

#endif
