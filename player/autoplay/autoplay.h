/*
 * autoplay.h - a player that needs nobody.
 *
 *      autoplay.c     PLAY, a duel, PLAY, a duel: when to ask, when to stop, what to report
 *      ├─ bot_seat.c      its moves are a bot's (player/bots/): when one is made, how fast
 *      └─ engine/seat.c   or an engine's (player/engine/)
 */
#ifndef PLAYER_AUTOPLAY_AUTOPLAY_H
#define PLAYER_AUTOPLAY_AUTOPLAY_H

#include "player/session/options.h"

/* Play alone, again and again. The program's exit status. */
int autoplay_run(struct options *options);

#endif
