/*
 * heritage.h - what a spawner has of its server.
 *
 * The spawner is the same program, started anew: the server forks, and the child executes its own file
 * with the word "spawner" before the server's command line. So it has the server's configuration, and
 * nothing of what the server has heard since: no player's token, no other table, other addresses in
 * memory, and few pages to copy for each duel. All else comes with the first message over its socket.
 *
 *      heritage SERVER LAUNCHES FRESH ADDRESS      the server's pid, the two counts below, and the
 *                                                  last characters of the datagram socket's name
 *
 * With it come descriptors: the folder of journals and, with --trace, its file and its memory.
 */
#ifndef SERVER_SHARED_HERITAGE_H
#define SERVER_SHARED_HERITAGE_H

#include "server/shared/config.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

struct recorder_memory;

/* Its own descriptors begin here: what is handed to it for a duel takes the numbers from 3 on. Below 64,
 * up to which the kernel has room for a process's descriptors without asking for more. */
enum { SPAWNER_SOCKET = 60 };

struct heritage {
	const struct config *config;
	char **words;		    /* the server's command line */
	struct sockaddr_un passing; /* the server's datagram socket, which passes descriptors */
	socklen_t passing_length;
	struct recorder_memory *kept; /* the server's; nobody else may have it. NULL: none */
	int journals;		      /* the folder of journals; -1: there is none */
	/* Both the server and the spawner count what one asks of the other, so a number is the same
	 * to both: of all launches, and of those that are no rebirths. */
	uint32_t launches, fresh;
};

/* The server's end: 0, or errno. The spawner's: false when it is not a server that is there. */
int heritage_send(const struct heritage *heritage, int socket);
bool heritage_receive(struct heritage *heritage, int socket, pid_t *server);

#endif
