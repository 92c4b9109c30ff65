/*
 * two.h - how games for two are played in which all is open: by search.
 */
#ifndef PLAYER_BOTS_TWO_H
#define PLAYER_BOTS_TWO_H

#include "player/bots/bots.h"

extern const struct bot_kind two_kind;

#endif
