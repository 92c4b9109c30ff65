/*
 * picker.h - making a move by picking things, whatever the game.
 *
 * A legal move is a row of picks (game.h): cells, columns, pieces beside the board. What can be picked
 * next follows from the legal moves that begin with what has been picked so far. Pure.
 */
#ifndef VIEWER_SCENE_PICKER_H
#define VIEWER_SCENE_PICKER_H

#include "viewer/scene/scene.h"

enum { PICKER_TARGETS_MAX = 512 };

/* The moves one may choose from; borrowed. */
struct choice {
	const struct game *game;
	const struct move *move;
	int moves;
};

struct picker {
	int count;
	struct pick pick[GAME_PICKS_MAX];
};

enum picked {
	PICKED_NOTHING, /* this cannot be picked now */
	PICKED_MORE,	/* the move needs another pick */
	PICKED_MOVE,	/* the move is complete; the picker is empty again */
};

bool pick_equal(struct pick one, struct pick other);

/* Is this target picked by who picks there? A column by any of its cells. */
bool pick_meets(struct pick target, struct pick picked);

/* What can be picked next, each once; how many. */
int picker_targets(const struct picker *picker, const struct choice *choice,
		   struct pick targets[PICKER_TARGETS_MAX]);

enum picked picker_pick(struct picker *picker, const struct choice *choice, struct pick pick,
			struct move *move);

/* The moves, at most `most` of them, that are whole as picked so far, though a longer one may begin
 * so: their places in the choice; how many. A move without any pick, as one that passes, is made
 * so. */
int picker_wholes(const struct picker *picker, const struct choice *choice, int *wholes, int most);

/* The first of these. False: there is none. */
bool picker_whole(const struct picker *picker, const struct choice *choice, struct move *move);

/* Take the last pick back. False: there was none. */
bool picker_undo(struct picker *picker);

#endif
