/*
 * activation.h - talk with systemd, without its library: listening sockets that it has opened for us,
 * and a word to it when we are ready, when we stop, and that we are alive.
 */
#ifndef SERVER_LOBBY_ACTIVATION_H
#define SERVER_LOBBY_ACTIVATION_H

#include "server/shared/config.h"

#include <sys/socket.h>
#include <sys/un.h>

enum { ACTIVATION_FIRST = 3 }; /* the descriptor of the first socket that is passed */

/* Whom we tell. */
struct activation {
	int fd; /* -1: nobody */
	struct sockaddr_un to;
	socklen_t length;
	int64_t every, next; /* ms: how often it wants to hear that we are alive; 0: never */
};

/* The sockets that were passed to this process go into the config. They and the variables that speak
 * of them are ours alone from now on. Exits with 1 when one of them is not for players. */
void activation_take(struct config *config);

void activation_open(struct activation *activation);

/* One state, as sd_notify(3) has them: "READY=1". */
void activation_say(const struct activation *activation, const char *state);

/* Now and then: we are alive, if that is to be told by now; and what we are at. */
void activation_tick(struct activation *activation, int64_t now, unsigned tables,
		     size_t connections);

#endif
