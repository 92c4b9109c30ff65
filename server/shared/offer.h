/*
 * offer.h - the answer to GAMES, which the server and a duel give alike.
 */
#ifndef SERVER_SHARED_OFFER_H
#define SERVER_SHARED_OFFER_H

#include "proto/table/shape.h"
#include "server/shared/peer.h"

void offer_say_games(struct peer *peer, const struct shape_defaults *defaults);

#endif
