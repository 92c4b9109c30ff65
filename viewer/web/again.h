/*
 * again.h - one kept game again, for the page: a position, the list of its moves, and both as files to take away.
 *
 * It is given a game that has been loaded (kept.c keeps those), and adds to a text; it holds nothing.
 */
#ifndef VIEWER_WEB_AGAIN_H
#define VIEWER_WEB_AGAIN_H

#include "proto/wire/text.h"
#include "viewer/games/games.h"

/* A long game's list is told in parts of so many steps. */
enum { AGAIN_PART = 500 };

/* The board of a step, as the wall has boards. */
void again_step(const struct game_play *play, int step, struct text *text);

/* Who played, when and how it ended, and the part of the moves that has this step: each in the game's
 * own words, by its number in the round. */
void again_moves(const struct game_play *play, int step, struct text *text);

/* The whole game as `holmgang-viewer --export` prints it, in memory that the caller frees. NULL: there is none. */
char *again_text(const struct game_play *play, size_t *length);

/* A step as a drawing of its own, as `--svg` writes it. */
void again_drawing(const struct game_play *play, int step, struct text *text);

#endif
