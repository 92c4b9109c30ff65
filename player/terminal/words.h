/*
 * words.h - what has happened, in words that people use. Pure.
 */
#ifndef PLAYER_TERMINAL_WORDS_H
#define PLAYER_TERMINAL_WORDS_H

#include "viewer/scene/scene.h"
#include "player/session/view.h"

/* How the last round ended: "You win: three in a row". */
void words_of_end(const struct view *view, struct text *text);

/* How the rounds stand: "Rounds won: you 1, ben 0 (1 of 3 played)", or with our name where several
 * read it. Nothing when there is only one. */
void words_of_rounds(const struct view *view, bool shared, struct text *text);

/* What the rules say, as a sentence: "That cell is taken." Nothing of nothing. */
void words_of_reason(const char *reason, struct text *text);

/* What our leaving the duel means to the others, not yet as a sentence: "you left the duel with ben: ben has won". */
void words_of_farewell(const struct view *view, bool shared, struct text *text);

/* Why the duel was ended, and what the last ERROR means: in the referee's words where it gives a reason. */
void words_of_abort(const struct view *view, struct text *text);
void words_of_error(const struct view *view, struct text *text);

/* What somebody has done, where the board does not show it: "ben: swap 3". Or nothing. */
void words_of_event(const struct view *view, struct text *text);

/* Who is away or whether the game stands still; nothing when all is well. `elapsed`: seconds since
 * each seat was last spoken of. */
void words_of_trouble(const struct view *view, const int elapsed[GAME_SEATS_MAX],
		      struct text *text);

#endif
