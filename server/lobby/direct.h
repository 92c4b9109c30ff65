/*
 * direct.h - --spawn direct: the server starts a process for each duel by itself, without a spawner. It is there to
 * be compared: in the timeline, and by tests/bench/run.
 */
#ifndef SERVER_LOBBY_DIRECT_H
#define SERVER_LOBBY_DIRECT_H

#include "server/shared/descriptors.h"

#include <stddef.h>

struct lobby;
struct trace_link;

/* In place of a spawner: the socket over which duels will say that they are born. 0, or -1 with errno. */
int direct_start(struct lobby *lobby);

/* In place of a message to the spawner. 0, or errno. */
int direct_spawn(struct lobby *lobby, struct trace_link *link, const char *text, size_t length,
		 const struct parcel *parcel);

#endif
