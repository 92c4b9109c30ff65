/*
 * help.h - the rules of a game and the keys of a screen, on one screen.
 *
 * Who shows it goes on with what it does: it draws the sheet instead of its own, and gives it what comes from
 * keyboard and mouse. Who has nothing else to do calls help_run().
 */
#ifndef PLAYER_TERMINAL_HELP_H
#define PLAYER_TERMINAL_HELP_H

#include "viewer/terminal/terminal.h"

struct page;

/* What a game must have for a key to do something in it. */
enum {
	HELP_BESIDE = 1 << 0, /* pieces beside the board */
	HELP_RACK = 1 << 1,   /* a rack, of which several tiles can be given at once */
	HELP_TURNS = 1 << 2,  /* turns: where all play at once, to resign is to leave */
};

struct help_key {
	const char *key, *does;
	unsigned needs;
};

struct help {
	const struct game *game;
	const struct help_key *keys; /* borrowed */
	size_t count;
	int top;	 /* the first line that is shown … */
	int lines, rows; /* … of so many, in so many rows, as it was drawn last */
};

void help_open(struct help *help, const struct game *game, const struct help_key *keys,
	       size_t count);

/* What does not fit into the area is there when it is scrolled. */
void help_draw(struct help *help, struct area area);

/* Which keys do what now. */
const char *help_keys(const struct help *help);

/* False: the sheet is closed by that. */
bool help_takes(struct help *help, const struct terminal_input *input);

/* Show it until a key closes it; what servers say meanwhile is kept for later. */
void help_run(struct page *page, const struct game *game, const struct help_key *keys,
	      size_t count);

#endif
