/*
 * inside.h - what the files that read the database have in common; the outside is games.h.
 */
#ifndef VIEWER_GAMES_INSIDE_H
#define VIEWER_GAMES_INSIDE_H

#include "proto/kept/archive.h"
#include "viewer/games/games.h"

struct games {
	sqlite3 *db;
	char path[ARCHIVE_PATH_MAX];
	char result[512]; /* of the present line of the list */
};

/* games.c: always false, with what SQLite says. */
bool games_explain(struct games *games, char why[GAMES_WHY_MAX]);

/* NULL: `why`. */
sqlite3_stmt *games_prepare(struct games *games, const char *sql, char why[GAMES_WHY_MAX]);

/* Never NULL. */
const char *games_text(sqlite3_stmt *statement, int column);

/* Milliseconds since 1970, in a year of four digits: what is none of ours is the nearest. */
int64_t games_time(sqlite3_stmt *statement, int column);

/* load.c: the record alone, played again once. False: `why`. */
bool games_read(struct games *games, const char *id, struct record *record,
		char why[GAMES_WHY_MAX]);

#endif
