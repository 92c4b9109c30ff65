/*
 * command.h - what holmgang-viewer does with kept games: list, replay, export, import, ratings.
 */
#ifndef VIEWER_GAMES_COMMAND_H
#define VIEWER_GAMES_COMMAND_H

#include "viewer/games/games.h"

#include <stdio.h>

enum games_task {
	GAMES_NOTHING,
	GAMES_LIST,
	GAMES_REPLAY,
	GAMES_EXPORT,
	GAMES_IMPORT,
	GAMES_RATINGS,
};

enum games_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

struct games_options {
	enum games_task task;
	const char *what;  /* the id, file or game of the task */
	const char *state; /* the server's state folder */
	struct games_filter filter;
	enum games_format format;
	bool utf8;
	int width;	       /* of the terminal that lists are printed on; 0: it is none */
	const char *filtered;  /* an option that only a list knows … */
	const char *formatted; /* … or that lists and ratings know; NULL: none was said */
	const char *svg;       /* a replay becomes files of this name; NULL: it is shown */
	int stop_fd;	       /* a replay ends when it can be read */
};

/* The options of getopt_long(), in numbers that are no characters. */
enum {
	OPT_GAMES = 256,
	OPT_REPLAY,
	OPT_EXPORT,
	OPT_IMPORT,
	OPT_RATINGS,
	OPT_STATE,
	OPT_JSON,
	OPT_CSV,
	OPT_GAME,
	OPT_PLAYER,
	OPT_RESULT,
	OPT_SINCE,
	OPT_UNTIL,
	OPT_LIMIT,
};

/* The state folder and the limit where nothing is said. */
void games_options_init(struct games_options *options);

/* False: it is none of these. Exits with 2 when it cannot be meant. */
bool games_options_read(struct games_options *options, int code, const char *value);

/* All have been read: exits with 2 when one was said that does nothing. */
void games_options_check(const struct games_options *options);

/* The program's exit status; what went wrong has been said. */
int games_main(const struct games_options *options);

/* print.c: false: `why`, or the output has gone. */
bool games_print_list(struct games *games, const struct games_options *options, FILE *out,
		      char why[GAMES_WHY_MAX]);
bool games_print_ratings(struct games *games, const struct games_options *options, FILE *out,
			 char why[GAMES_WHY_MAX]);

/* svg.c: all positions as files, FILE-000.svg and so on. False: `why`. */
bool games_draw(const struct game_play *play, const char *file, char why[GAMES_WHY_MAX]);

/* replay.c: on the terminal, or as text where there is none. False: the output has gone. */
bool games_replay(const struct game_play *play, const struct games_options *options, FILE *out);

#endif
