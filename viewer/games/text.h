/*
 * text.h - a kept game as text that people and programs can read, and back.
 *
 *      ; a game of Holmgang. Number, seat, move, {seconds}; what begins with ! is no move.
 *      [Game "hnefatafl"]
 *      [Id "5d0e9c1a-…"]
 *      [Date "2026.11.18"]
 *      [Time "15:04:05"]           both UTC
 *      [Seat0 "anna"]
 *      [Seat0Id "91c2a8f0-… full 0 10"]     id, dialect, place at the table, wait=
 *      …
 *      [Result "1-0"]
 *      [Termination "time forfeit"]
 *
 *      1. 0 3 0 3 2 {1.530}
 *      2. 1 5 4 5 6 {2.807}
 *      3. - !tick {122.807}
 *
 * Reading believes nothing: the game is played again by the rules, and its result has to be the one
 * that the text says.
 */
#ifndef VIEWER_GAMES_TEXT_H
#define VIEWER_GAMES_TEXT_H

#include "proto/kept/record.h"

#include <stdio.h>

/* A record that has been played. */
void games_text_print(const struct record *record, FILE *out);

/* What is wrong with a text, and where; from 1. */
struct games_text_error {
	int line, column;
	char why[RECORD_WHY_MAX + 64];
};

/* A time of the calendar in UTC, in the format of strptime() and nothing behind it, as milliseconds since
 * 1970. False: it is none, like February 30. */
bool games_text_time(const char *text, const char *format, int64_t *ms);

/* Into an empty record, which is played. False: `error`; the record is to be freed all the same. */
bool games_text_read(struct record *record, FILE *in, struct games_text_error *error);

#endif
