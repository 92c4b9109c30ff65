/*
 * bot_search.h - choosing a move in any game whose rules are known.
 *
 * Pure: it searches on copies of the state, never in text, and knows no clock.
 */
#ifndef PLAYER_BOT_SEARCH_H
#define PLAYER_BOT_SEARCH_H

#include "bot.h"

enum {
	SEARCH_DEPTH_MAX = 12,	   /* moves looked ahead */
	SEARCH_POSITIONS = 100000, /* looked at before it makes up its mind */
};

/*
 * The best of the legal moves of `seat`, as an index; `count` is at least 1. Moves that are equally
 * good are chosen from by `random`. It wins when it can win at once, does not let others win at
 * once when that can be helped, and looks as far ahead as SEARCH_POSITIONS allows: small games are
 * played to their end. Where there are points, it goes for those. What others hold and chance
 * brings is not known, so in a game of racks it looks no further than its own turn.
 */
int search_choose(const struct game *game, const void *state, int seat, const struct move *legal,
		  int count, uint32_t random);

/* May this game be searched? */
bool search_fits(const struct game *game);

extern const struct bot_kind search_kind;

#endif
