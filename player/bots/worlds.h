/*
 * worlds.h - which turn of Qwirkle to take, seen from one seat.
 *
 * Pure but for the time it is given. What others hold is guessed: in each of many worlds the tiles
 * that our seat does not see are dealt out anew, and the next turns are played in it.
 */
#ifndef PLAYER_BOTS_WORLDS_H
#define PLAYER_BOTS_WORLDS_H

#include "player/bots/grid.h"

#include "proto/rules/qwirkle_hand.h"

enum { WORLD_SEATS = 4 };

/* What our seat knows when it is to move and has laid nothing yet. */
struct worlds_sight {
	struct grid grid;
	struct qwirkle_hand rack;   /* ours */
	struct qwirkle_hand unseen; /* in the bag or held by others */
	int bag;		    /* tiles in it */
	int seats, seat;
	unsigned out; /* a bit for each seat that plays no more */
};

/* What is done with a turn: tiles are laid, or else those of `swap` are swapped; or it is passed. */
struct worlds_choice {
	struct grid_turn turn;
	struct qwirkle_hand swap;
};

/* Everything from the public model, and from our rack. False: they do not fit together. */
bool worlds_read(struct worlds_sight *sight, const char *model, const struct qwirkle_hand *rack);

/* The turn that scores most, of those that lay at most `tiles`. */
struct worlds_choice worlds_greedy(struct worlds_sight *sight, int tiles);

/* The turn that turns out best. `until` is a time of clock_ms(); `worlds` are enough. */
struct worlds_choice worlds_best(struct worlds_sight *sight, uint64_t *chance, int64_t until,
				 int worlds);

#endif
