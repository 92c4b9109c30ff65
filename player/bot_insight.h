/*
 * bot_insight.h - what a search knows of some games besides their rules, by game.
 */
#ifndef PLAYER_BOT_INSIGHT_H
#define PLAYER_BOT_INSIGHT_H

#include "bot_search.h"

/* NULL: nothing. */
const struct insight *insight_find(const struct game *game);

#endif
