/*
 * bot_two.h - how games for two are played in which all is open: by search.
 */
#ifndef PLAYER_BOT_TWO_H
#define PLAYER_BOT_TWO_H

#include "bot.h"

extern const struct bot_kind two_kind;

#endif
