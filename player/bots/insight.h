/*
 * insight.h - what a search knows of some games besides their rules, by game.
 */
#ifndef PLAYER_BOTS_INSIGHT_H
#define PLAYER_BOTS_INSIGHT_H

#include "player/bots/search.h"

/* NULL: nothing. */
const struct insight *insight_find(const struct game *game);

#endif
