/*
 * games.c - the database of kept games: opening it to read, and the list. See games.h.
 *
 * It only reads, also while the server's recorder writes. Its tables are those of proto/kept; one of an
 * older version is refused, not brought up to date.
 */
#include "viewer/games/games.h"

#include "viewer/games/inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	BUSY_MS = 5000,
	MAKING_NAPS = 20, /* of 10 ms */
};

bool games_explain(struct games *games, char why[GAMES_WHY_MAX])
{
	snprintf(why, GAMES_WHY_MAX, "cannot read %.160s: %.80s", games->path,
		 sqlite3_errmsg(games->db));
	return false;
}

sqlite3_stmt *games_prepare(struct games *games, const char *sql, char why[GAMES_WHY_MAX])
{
	sqlite3_stmt *statement = NULL;

	if (sqlite3_prepare_v2(games->db, sql, -1, &statement, NULL) == SQLITE_OK)
		return statement;
	games_explain(games, why);
	return NULL;
}

const char *games_text(sqlite3_stmt *statement, int column)
{
	const unsigned char *text = sqlite3_column_text(statement, column);

	return text == NULL ? "" : (const char *)text;
}

int64_t games_time(sqlite3_stmt *statement, int column)
{
	const int64_t last = INT64_C(253402300799999); /* of the year 9999 */
	int64_t ms = sqlite3_column_int64(statement, column);

	return ms < 0 ? 0 : ms > last ? last : ms;
}

/* --- opening ---------------------------------------------------------------------------------- */

const char *games_state_folder(void)
{
	const char *state = getenv("HOLMGANG_STATE");

	return state == NULL || *state == '\0' ? "run" : state;
}

/* One that a recorder is just bringing up to date is of ours in a moment. */
static int wait_for_version(sqlite3 *db, char why[ARCHIVE_WHY_MAX])
{
	const struct timespec nap = {.tv_nsec = 10000000};
	int version = archive_check(db, why);

	for (int naps = 0; version > 0 && version < ARCHIVE_VERSION && naps < MAKING_NAPS; naps++) {
		nanosleep(&nap, NULL);
		version = archive_check(db, why);
	}
	return version;
}

static bool open_database(struct games *games, const char *state, char why[GAMES_WHY_MAX])
{
	char reason[ARCHIVE_WHY_MAX] = "no memory is left";
	int version;

	if (!archive_path(state, games->path) || access(games->path, F_OK) != 0) {
		snprintf(why, GAMES_WHY_MAX,
			 "there are no games in %.160s: %s (say the server's folder with --state)",
			 state, strerror(errno));
		return false;
	}
	if (sqlite3_open_v2(games->path, &games->db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
		return games_explain(games, why);
	sqlite3_busy_timeout(games->db, BUSY_MS);
	version = wait_for_version(games->db, reason);
	if (version == 0) {
		/* the recorder is just making it, or was killed while it did */
		snprintf(why, GAMES_WHY_MAX, "no game has been kept in %.160s yet", state);
		return false;
	}
	if (version > 0 && version < ARCHIVE_VERSION)
		snprintf(reason, sizeof(reason),
			 "its tables are of version %d: start the server on it once, that brings "
			 "them up to %d",
			 version, ARCHIVE_VERSION);
	if (version == ARCHIVE_VERSION)
		return true;
	snprintf(why, GAMES_WHY_MAX, "cannot read %.100s: %.140s", games->path, reason);
	return false;
}

struct games *games_open(const char *state, char why[GAMES_WHY_MAX])
{
	struct games *games = calloc(1, sizeof(*games));

	snprintf(why, GAMES_WHY_MAX, "no memory is left");
	if (games == NULL)
		return NULL;
	if (!open_database(games, state, why)) {
		games_close(games);
		return NULL;
	}
	return games;
}

void games_close(struct games *games)
{
	if (games == NULL)
		return;
	sqlite3_close(games->db);
	free(games);
}

/* --- the list --------------------------------------------------------------------------------- */

static void bind_text_or_null(sqlite3_stmt *statement, int number, const char *text)
{
	if (text == NULL)
		sqlite3_bind_null(statement, number);
	else
		sqlite3_bind_text(statement, number, text, -1, SQLITE_STATIC);
}

/* As record_print_result() does it. */
static const char *result_of(struct games *games, const struct game_line *line)
{
	bool drawn = strcmp(line->outcome, "drawn") == 0;

	if (strcmp(line->outcome, "unfinished") == 0)
		return "*";
	if (drawn && line->rounds == 1 && strcmp(line->won, "0,0") == 0)
		return "1/2-1/2";
	snprintf(games->result, sizeof(games->result), "%s", line->won);
	for (char *c = games->result; (c = strchr(c, ',')) != NULL;)
		*c = '-';
	return games->result;
}

static struct game_line line_of(struct games *games, sqlite3_stmt *row)
{
	struct game_line line = {
	    .id = games_text(row, 0),
	    .game = games_text(row, 1),
	    .started = games_time(row, 2),
	    .ended = games_time(row, 3),
	    .outcome = games_text(row, 4),
	    .termination = games_text(row, 5),
	    .moves = sqlite3_column_int(row, 6),
	    .is_private = sqlite3_column_int(row, 7) != 0,
	    .rounds = sqlite3_column_int(row, 8),
	    .names = games_text(row, 9),
	    .won = games_text(row, 10),
	};

	line.result = result_of(games, &line);
	return line;
}

bool games_list(struct games *games, const struct games_filter *filter,
		bool (*each)(void *owner, const struct game_line *line), void *owner,
		char why[GAMES_WHY_MAX])
{
	static const char sql[] =
	    "SELECT id, name, started, ended, outcome, termination, moves, private,"
	    " (SELECT count(*) FROM round r WHERE r.game = g.game),"
	    " (SELECT group_concat(p.name) FROM player p WHERE p.game = g.game),"
	    " (SELECT group_concat(CAST(p.won AS INTEGER)) FROM player p WHERE p.game = g.game)"
	    " FROM game g"
	    " WHERE (?1 IS NULL OR name = ?1)"
	    " AND (?2 IS NULL OR game IN (SELECT p.game FROM player p WHERE p.name = ?2))"
	    " AND (?3 IS NULL OR outcome = ?3 OR substr(termination, 1, length(?3)) = ?3)"
	    " AND started >= ?4 AND (?5 = 0 OR started < ?5) AND (?6 = 0 OR private = 0)"
	    /* the first of these two finds where to begin in the index */
	    " AND started <= coalesce((SELECT b.started FROM game b WHERE b.id = ?8), 9e999)"
	    " AND (?8 IS NULL OR"
	    " (started, game) < (SELECT b.started, b.game FROM game b WHERE b.id = ?8))"
	    " ORDER BY started DESC, game DESC LIMIT ?7";
	sqlite3_stmt *row = games_prepare(games, sql, why);
	int stepped = SQLITE_DONE;
	bool more = row != NULL;

	if (row == NULL)
		return false;
	bind_text_or_null(row, 1, filter->game);
	bind_text_or_null(row, 2, filter->player);
	bind_text_or_null(row, 3, filter->result);
	sqlite3_bind_int64(row, 4, filter->since);
	sqlite3_bind_int64(row, 5, filter->until);
	sqlite3_bind_int(row, 6, filter->public_only);
	sqlite3_bind_int(row, 7, filter->limit > 0 ? filter->limit : -1);
	bind_text_or_null(row, 8, filter->before);
	while (more && (stepped = sqlite3_step(row)) == SQLITE_ROW) {
		struct game_line line = line_of(games, row);

		more = each(owner, &line);
	}
	if (more && stepped != SQLITE_DONE)
		games_explain(games, why);
	sqlite3_finalize(row);
	return !more || stepped == SQLITE_DONE;
}
