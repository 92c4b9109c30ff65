/*
 * direct.h - --spawn direct: the server forks the duels itself, without a spawner. It is there to be
 * compared: in the timeline, and by tests/bench/run.
 */
#ifndef SERVER_LOBBY_DIRECT_H
#define SERVER_LOBBY_DIRECT_H

#include "server/duel/spawner.h"

/* In place of spawner_start(): the socket over which duels will say that they are born. 0: there is
 * no process; -1 with errno. */
pid_t direct_start(int *socket);

/* In place of a message to the spawner. 0, or errno. */
int direct_spawn(const struct heritage *heritage, struct birth *birth, const struct parcel *parcel);

#endif
