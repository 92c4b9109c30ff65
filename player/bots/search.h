/*
 * search.h - one search for all games for two in which nothing is hidden and nothing is left to
 * chance.
 *
 * It is alpha-beta, one move deeper each time, with a table of what it has found out. It knows a
 * game by its rules alone; a game may add how good a position looks that is not the end, and which
 * positions are the same (`struct insight`). It works on copies of a state and never on text.
 */
#ifndef PLAYER_BOTS_SEARCH_H
#define PLAYER_BOTS_SEARCH_H

#include "player/bots/findings.h"

#include "proto/rules/game.h"

enum {
	SEARCH_DEPTH_MAX = 100, /* moves looked ahead */
	SEARCH_WIN = 30000,	/* a win now; one later is worth less by a point a move */
	SEARCH_WON = 29000,	/* from here on a value says that the game is won */
	SEARCH_MOVES = 16384,	/* of all positions on the way from the root to a leaf */
	SEARCH_HABITS = 4096,
};

/* What a search may know of a game besides its rules. */
struct insight {
	const struct game *game;

	/* May be NULL: then all that is not the end looks the same. How good the position is for
	 * seat 0, within SEARCH_WON / 2. */
	int (*value)(const void *state);

	/* May be NULL: then it is made of all bytes of the state. Equal for positions that are
	 * equally good for whose turn it is. */
	uint64_t (*key)(const void *state);
};

/* insight.c: NULL when nothing is known of this game. */
const struct insight *insight_find(const struct game *game);

/* When a search ends, if it has not seen all there is to see. */
struct search_limits {
	int64_t until;	/* of clock_ms() */
	int depth;	/* moves looked ahead; 0: no limit */
	long positions; /* looked at; 0: no limit */
};

/* A move that is to be tried. */
struct trial {
	struct move move;
	int32_t rank;  /* the higher, the earlier */
	int32_t place; /* in the list of legal moves */
};

/* All 0 is a search that has just been made; it may be used for many positions of one game. */
struct search {
	const struct game *game;
	const struct insight *insight; /* NULL: there is none */
	bool forgetful;		       /* do without the table: for tests */

	/* what came of it */
	int value; /* for whose turn it is */
	int depth; /* moves looked ahead, the last depth that was finished */
	long positions;

	struct search_limits limits;
	bool estimates; /* the insight has some */
	bool stopped;	/* a limit was reached */
	bool cut;	/* a line was not followed to its end */
	struct move listed[GAME_MOVES_MAX];
	struct trial trial[SEARCH_MOVES]; /* of all positions on the way from the root */
	int top;			  /* how many */
	/* How often a move was best, whatever the position, by seat and a hash of the move. */
	int habit[2][SEARCH_HABITS];
	struct findings findings;
};

/* Can this game be searched? */
bool search_fits(const struct game *game);

/*
 * The best of `moves` for whose turn it is, as an index; `count` is at least 1 and all are legal.
 * Of moves that look equally good the first is taken. It is back by `limits->until`, even if that is
 * now.
 */
int search_best(struct search *search, const void *state, const struct move *moves, int count,
		const struct search_limits *limits);

#endif
