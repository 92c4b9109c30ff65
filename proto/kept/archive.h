/*
 * archive.h - the database of games: writing it. Reading it is viewer/games/games.h; RECORDS.md says what
 * is in it.
 *
 * The recorder writes it while the server runs, and `holmgang-viewer --import`. SQLite lets one of
 * them write at a time; the other waits.
 */
#ifndef PROTO_KEPT_ARCHIVE_H
#define PROTO_KEPT_ARCHIVE_H

#include "proto/kept/record.h"

#include <sqlite3.h>

enum {
	ARCHIVE_WHY_MAX = 256,
	ARCHIVE_PATH_MAX = 4096,
	ARCHIVE_VERSION = 3,		  /* of what is in it; older ones are brought up to it */
	ARCHIVE_APPLICATION = 0x484f4c4d, /* so that it can be told from other databases */
};

struct archive;

/* Where it is. False: the name is too long. */
bool archive_path(const char *state, char path[ARCHIVE_PATH_MAX]);

/* Open it, make it if there is none, bring it up to date if it is old. `durable`: what has been
 * committed survives a power cut. NULL: `why`. */
struct archive *archive_open(const char *path, bool durable, char why[ARCHIVE_WHY_MAX]);
void archive_close(struct archive *archive);

/* Is this database ours, and one that we know? Its version; -1: `why`. */
int archive_check(sqlite3 *db, char why[ARCHIVE_WHY_MAX]);

enum archived {
	ARCHIVED,
	ARCHIVED_BEFORE,
	ARCHIVE_REFUSED, /* this one will never be taken; the others can */
	ARCHIVE_FAILED,
};

/* Between archive_begin() and archive_commit() games are added; when one has failed, or the commit
 * has, none of them is there. */
bool archive_begin(struct archive *archive, char why[ARCHIVE_WHY_MAX]);
enum archived archive_add(struct archive *archive, const struct record *record,
			  char why[ARCHIVE_WHY_MAX]);
bool archive_commit(struct archive *archive, char why[ARCHIVE_WHY_MAX]);
void archive_roll_back(struct archive *archive);

bool archive_has(struct archive *archive, const char *duel);

#endif
