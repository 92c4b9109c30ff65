/*
 * own_server.h - a server for a player who finds none.
 */
#ifndef PLAYER_BESIDE_OWN_SERVER_H
#define PLAYER_BESIDE_OWN_SERVER_H

#include "player/session/options.h"

enum own_server { OWN_SERVER_NONE, OWN_SERVER_RUNS, OWN_SERVER_STOPPED };

/* Says, in a line on standard error, that no server was found, why (`trouble`), and which command starts one. */
void own_server_hint(const struct options *options, const char *trouble);

/* The same to a person, who may have one started at a key: it listens then where it was looked for, and ends
 * with this program. STOPPED: a signal wants us to end. */
enum own_server own_server_offer(const struct options *options, const char *trouble);

#endif
