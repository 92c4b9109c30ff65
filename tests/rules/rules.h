/*
 * rules.h - holmgang-rules: the rules of one game by hand, for study and for tests.
 *
 *      main.c    the command line
 *      session.c lines of standard input, and the position after each of them
 *      perft.c   how many sequences of moves there are, and how fast they are counted
 *
 * Everything goes through struct game; no game is known here by name.
 */
#ifndef TESTS_RULES_RULES_H
#define TESTS_RULES_RULES_H

#include "proto/rules/game.h"

enum { PERFT_MAX = 64 }; /* the longest sequences that can be counted */

/* Read lines and answer them until the end of the input. Exits with 2 at a line that is neither a
 * move nor any of session.c's words. */
void session_run(const struct game *game, const struct setup *setup);

/* Print the counts of all lengths up to this one, and the rate of the last. */
void perft_run(const struct game *game, const struct setup *setup, int length);

#endif
