/*
 * list.h - the answer to GAMES, which the server and a duel give alike.
 */
#ifndef SERVER_LIST_H
#define SERVER_LIST_H

#include "../proto/shape.h"
#include "peer.h"

void list_say_games(struct peer *peer, const struct shape_defaults *defaults);

#endif
