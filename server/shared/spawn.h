/*
 * spawn.h - what the server and its spawner say to each other over the spawner's socket, from both ends.
 *
 *      server ──"told" …──────────────▶ spawner      the first message
 *             ──birth, descriptors────▶              for each duel: birth.h
 *             ◀──"failed table errno"──              it could not be made
 *             ◀──"born table pid …"──── duel         it says so itself, before anything else
 *
 * The first message is `told LAUNCHES FRESH ADDRESS`: the two counts below, and the last characters of the name of
 * the server's datagram socket.
 */
#ifndef SERVER_SHARED_SPAWN_H
#define SERVER_SHARED_SPAWN_H

#include "server/shared/birth.h"

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

/* What a spawner has to know beside the configuration. */
struct spawn_told {
	/* Both ends count what one asks of the other, so a number is the same to both: of all launches, and of
	 * those that are no rebirths. */
	uint32_t launches, fresh;
	struct sockaddr_un handoff; /* the server's datagram socket, which hands over descriptors */
	socklen_t handoff_length;
};

/* The order of the descriptors with a birth: the duel's ends of its pipes up and down, then those for frames
 * and those of the players in the order in which the birth lists them. */
enum { SPAWN_PARCEL_UP, SPAWN_PARCEL_DOWN, SPAWN_PARCEL_MORE };

/* How a duel's process ends when its journal cannot be played again. */
enum { DUEL_CANNOT_GO_ON = 65 };

/* The server: 0, or errno. The spawner: false when it is not a server that is there. */
int spawn_tell(const struct spawn_told *told, int socket);
bool spawn_hear(struct spawn_told *told, int socket);

/* Both: one more launch. */
void spawn_count(struct spawn_told *told, const struct birth *birth);

#endif
