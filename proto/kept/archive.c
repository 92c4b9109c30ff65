/*
 * archive.c - the database of games: making it, adding to it. See archive.h.
 *
 * Owns the connection to SQLite, and its statements. It never reads a game back, and never plays one.
 *
 * Its schema is a list of steps, each of which makes the next version out of the one before. A new
 * database goes through all of them, so each step is always tried.
 */
#include "proto/kept/archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BUSY_MS = 5000 };

/* Version 2 counts moves once, when a game is kept: counting them for each line of a list was slow.
 * It finds a player's games, and the newest ones, by an index. Version 3 has what happened in a game as one
 * text, which is kept faster than a row for each move. For who asks it is a table as before. */
static const char *const steps[ARCHIVE_VERSION] = {
    "CREATE TABLE game (game INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,"
    " started INTEGER NOT NULL, ended INTEGER NOT NULL, outcome TEXT NOT NULL,"
    " termination TEXT NOT NULL, private INTEGER NOT NULL, seats INTEGER NOT NULL,"
    " options TEXT NOT NULL, seed TEXT NOT NULL, first INTEGER NOT NULL, idle INTEGER NOT NULL, "
    "grace INTEGER NOT NULL, no_valid INTEGER NOT NULL);"
    "CREATE TABLE player (game INTEGER NOT NULL REFERENCES game, player INTEGER NOT NULL,"
    " place INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, full INTEGER NOT NULL,"
    " wait INTEGER NOT NULL, won INTEGER NOT NULL, PRIMARY KEY (game, player)) WITHOUT ROWID;"
    "CREATE TABLE event (game INTEGER NOT NULL REFERENCES game, n INTEGER NOT NULL,"
    " at INTEGER NOT NULL, player INTEGER, what TEXT NOT NULL, words TEXT NOT NULL,"
    " PRIMARY KEY (game, n)) WITHOUT ROWID;"
    "CREATE TABLE round (game INTEGER NOT NULL REFERENCES game, round INTEGER NOT NULL,"
    " at INTEGER NOT NULL, why TEXT NOT NULL, winners INTEGER NOT NULL,"
    " PRIMARY KEY (game, round)) WITHOUT ROWID;"
    "CREATE TABLE standing (game INTEGER NOT NULL REFERENCES game, round INTEGER NOT NULL,"
    " player INTEGER NOT NULL, points INTEGER NOT NULL, rank INTEGER NOT NULL,"
    " PRIMARY KEY (game, round, player)) WITHOUT ROWID;",

    "ALTER TABLE game ADD COLUMN moves INTEGER NOT NULL DEFAULT 0;"
    "UPDATE game SET moves ="
    " (SELECT count(*) FROM event WHERE event.game = game.game AND what = 'move');"
    "CREATE INDEX player_name ON player (name, game);"
    "CREATE INDEX game_started ON game (started);",

    "ALTER TABLE game ADD COLUMN events TEXT NOT NULL DEFAULT '[]';"
    "UPDATE game SET events ="
    " (SELECT json_group_array(json_array(at, player, what, words))"
    " FROM (SELECT * FROM event WHERE event.game = game.game ORDER BY n));"
    "DROP TABLE event;"
    "CREATE VIEW event AS SELECT game.game AS game, one.key + 1 AS n,"
    " json_extract(one.value, '$[0]') AS at, json_extract(one.value, '$[1]') AS player,"
    " json_extract(one.value, '$[2]') AS what, json_extract(one.value, '$[3]') AS words"
    " FROM game, json_each(game.events) AS one;",
};

enum kept { GAME, PLAYER, ROUND, STANDING, KEPT };

/* How a row comes into each of them. A game that is there already is no error, and changes nothing.
 * Whatever fails otherwise is taken out again, or all is rolled back: so SQLite need not be able to take one
 * statement back (OR FAIL). */
static const struct {
	const char *insert, *values, *rest;
} kinds[KEPT] = {
    [GAME] = {"INSERT INTO game (id, name, started, ended, outcome, termination, private, seats,"
	      " options, seed, first, idle, grace, no_valid, moves, events) VALUES ",
	      "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", " ON CONFLICT DO NOTHING"},
    [PLAYER] = {"INSERT OR FAIL INTO player VALUES ", "(?,?,?,?,?,?,?,?)", ""},
    [ROUND] = {"INSERT OR FAIL INTO round VALUES ", "(?,?,?,?,?)", ""},
    [STANDING] = {"INSERT OR FAIL INTO standing VALUES ", "(?,?,?,?,?)", ""},
};

/* Rows that come in one go, the most first: several cost less than one after another. */
static const int at_once[] = {16, 4, 2, 1};
enum { LOTS = sizeof(at_once) / sizeof(at_once[0]), SQL_MAX = 1024 };

struct archive {
	sqlite3 *db;
	sqlite3_stmt *insert[KEPT][LOTS];
	sqlite3_stmt *find;
	struct text events; /* of the game at hand */
};

/* --- opening ---------------------------------------------------------------------------------- */

bool archive_path(const char *state, char path[ARCHIVE_PATH_MAX])
{
	return snprintf(path, ARCHIVE_PATH_MAX, "%s/games.db", state) < ARCHIVE_PATH_MAX;
}

static bool explain(sqlite3 *db, char why[ARCHIVE_WHY_MAX])
{
	snprintf(why, ARCHIVE_WHY_MAX, "%s", db == NULL ? "no memory" : sqlite3_errmsg(db));
	return false;
}

static bool run(sqlite3 *db, const char *sql, char why[ARCHIVE_WHY_MAX])
{
	return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK || explain(db, why);
}

/* A number that a statement gives; -1: `why`. */
static int64_t ask(sqlite3 *db, const char *sql, char why[ARCHIVE_WHY_MAX])
{
	sqlite3_stmt *statement = NULL;
	int64_t number = -1;

	if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
	    sqlite3_step(statement) == SQLITE_ROW)
		number = sqlite3_column_int64(statement, 0);
	else
		explain(db, why);
	sqlite3_finalize(statement);
	return number;
}

int archive_check(sqlite3 *db, char why[ARCHIVE_WHY_MAX])
{
	int64_t application = ask(db, "PRAGMA application_id", why);
	int64_t version = ask(db, "PRAGMA user_version", why);
	int64_t tables = ask(db, "SELECT count(*) FROM sqlite_schema", why);

	if (application < 0 || version < 0 || tables < 0)
		return -1;
	if (application != ARCHIVE_APPLICATION && (application != 0 || tables > 0)) {
		snprintf(why, ARCHIVE_WHY_MAX, "it is a database of another program");
		return -1;
	}
	if (version > ARCHIVE_VERSION) {
		snprintf(why, ARCHIVE_WHY_MAX,
			 "it was made by a newer Holmgang (version %" PRId64
			 " of its tables, this one knows %d): use that one",
			 version, ARCHIVE_VERSION);
		return -1;
	}
	return (int)version;
}

/* One step in one transaction: whoever is killed has done all of it or nothing. The version is
 * looked at again inside of it, for two may be doing this at once. */
static bool bring_up_to_date(sqlite3 *db, char why[ARCHIVE_WHY_MAX])
{
	char note[96];

	for (;;) {
		int version;

		if (!run(db, "BEGIN IMMEDIATE", why))
			return false;
		version = archive_check(db, why);
		snprintf(note, sizeof(note), "PRAGMA application_id = %d; PRAGMA user_version = %d",
			 ARCHIVE_APPLICATION, version + 1);
		if (version < 0 || version == ARCHIVE_VERSION || !run(db, steps[version], why) ||
		    !run(db, note, why) || !run(db, "COMMIT", why)) {
			sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
			return version == ARCHIVE_VERSION;
		}
	}
}

static bool prepare_one(sqlite3 *db, const char *sql, sqlite3_stmt **statement)
{
	return sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) ==
	       SQLITE_OK;
}

static bool prepare_rows(sqlite3 *db, enum kept kept, int count, sqlite3_stmt **statement)
{
	char sql[SQL_MAX];
	struct text text = TEXT_IN(sql);

	text_add(&text, "%s", kinds[kept].insert);
	for (int i = 0; i < count; i++)
		text_add(&text, "%s%s", i == 0 ? "" : ",", kinds[kept].values);
	text_add(&text, "%s", kinds[kept].rest);
	return prepare_one(db, sql, statement);
}

static bool prepare(struct archive *archive, bool durable, char why[ARCHIVE_WHY_MAX])
{
	sqlite3 *db = archive->db;

	sqlite3_busy_timeout(db, BUSY_MS);
	if (archive_check(db, why) < 0 || !run(db, "PRAGMA journal_mode = WAL", why) ||
	    !run(db, durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL", why) ||
	    !bring_up_to_date(db, why))
		return false;
	for (int kept = 0; kept < KEPT; kept++)
		for (int lot = kept == GAME ? LOTS - 1 : 0; lot < LOTS; lot++)
			if (!prepare_rows(db, (enum kept)kept, at_once[lot],
					  &archive->insert[kept][lot]))
				return explain(db, why);
	return prepare_one(db, "SELECT 1 FROM game WHERE id = ?", &archive->find) ||
	       explain(db, why);
}

struct archive *archive_open(const char *path, bool durable, char why[ARCHIVE_WHY_MAX])
{
	struct archive *archive = calloc(1, sizeof(*archive));
	mode_t before;
	int opened;

	/* none of our programs has threads, so its locks are of no use, nor are its counts of memory. When
	 * another database has been opened before it is too late for that, and no harm */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);

	if (archive == NULL) {
		snprintf(why, ARCHIVE_WHY_MAX, "no memory");
		return NULL;
	}
	before = umask(0077); /* private games are in it */
	opened = sqlite3_open_v2(path, &archive->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
				 NULL);
	if (opened != SQLITE_OK)
		explain(archive->db, why);
	if (opened != SQLITE_OK || !prepare(archive, durable, why)) {
		archive_close(archive);
		archive = NULL;
	}
	umask(before);
	return archive;
}

void archive_close(struct archive *archive)
{
	if (archive == NULL)
		return;
	for (int kept = 0; kept < KEPT; kept++)
		for (int lot = 0; lot < LOTS; lot++)
			sqlite3_finalize(archive->insert[kept][lot]);
	sqlite3_finalize(archive->find);
	sqlite3_close(archive->db);
	free(archive->events.data);
	free(archive);
}

/* --- adding ----------------------------------------------------------------------------------- */

bool archive_begin(struct archive *archive, char why[ARCHIVE_WHY_MAX])
{
	return run(archive->db, "BEGIN IMMEDIATE", why);
}

bool archive_commit(struct archive *archive, char why[ARCHIVE_WHY_MAX])
{
	return run(archive->db, "COMMIT", why);
}

void archive_roll_back(struct archive *archive)
{
	sqlite3_exec(archive->db, "ROLLBACK", NULL, NULL, NULL);
}

/* Some rows of one table, value by value. */
struct rows {
	sqlite3_stmt *statement;
	int values;
	int count;
};

/* `left` are still to come: as many of them as go in at once. */
static struct rows begin_rows(struct archive *archive, enum kept kept, int left)
{
	struct rows rows;
	int lot = 0;

	while (at_once[lot] > left)
		lot++;
	rows = (struct rows){.statement = archive->insert[kept][lot], .count = at_once[lot]};
	sqlite3_reset(rows.statement);
	return rows;
}

static void add_number(struct rows *rows, int64_t number)
{
	sqlite3_bind_int64(rows->statement, ++rows->values, number);
}

static void add_text(struct rows *rows, const char *text)
{
	sqlite3_bind_text(rows->statement, ++rows->values, text, -1, SQLITE_STATIC);
}

/* The texts need only live until here. */
static bool end_rows(struct rows *rows)
{
	bool good = sqlite3_step(rows->statement) == SQLITE_DONE;

	sqlite3_reset(rows->statement);
	return good;
}

/* --- a game's rows ---------------------------------------------------------------------------- */

static bool add_game(struct archive *archive, const struct record *record, const char *events)
{
	const struct table_rules *rules = &record->rules;
	struct rows rows = begin_rows(archive, GAME, 1);
	char options[SHAPE_MAX], seed[24];

	record_print_options(record, options);
	text_print(seed, sizeof(seed), "%016" PRIx64, rules->seed);
	add_text(&rows, rules->duel);
	add_text(&rows, rules->shape.game->name);
	add_number(&rows, record->started);
	add_number(&rows, record->ended);
	add_text(&rows, record->outcome);
	add_text(&rows, record->termination);
	add_number(&rows, record->is_private);
	add_number(&rows, record->seats);
	add_text(&rows, options);
	add_text(&rows, seed);
	add_number(&rows, rules->first);
	add_number(&rows, rules->idle);
	add_number(&rows, rules->grace);
	add_number(&rows, rules->no_valid);
	add_number(&rows, record->moves);
	add_text(&rows, events);
	return end_rows(&rows);
}

static bool add_players(struct archive *archive, int64_t game, const struct record *record)
{
	for (int i = 0; i < record->players;) {
		struct rows rows = begin_rows(archive, PLAYER, record->players - i);

		for (int end = i + rows.count; i < end; i++) {
			const struct record_player *player = &record->player[i];

			add_number(&rows, game);
			add_number(&rows, i);
			add_number(&rows, player->place);
			add_text(&rows, player->id);
			add_text(&rows, player->name);
			add_number(&rows, player->full);
			add_number(&rows, player->wait);
			add_number(&rows, player->rounds_won);
		}
		if (!end_rows(&rows))
			return false;
	}
	return true;
}

static bool add_rounds(struct archive *archive, int64_t game, const struct record *record)
{
	for (int i = 0; i < record->rounds;) {
		struct rows rows = begin_rows(archive, ROUND, record->rounds - i);

		for (int end = i + rows.count; i < end; i++) {
			add_number(&rows, game);
			add_number(&rows, i + 1);
			add_number(&rows, record->round[i].at);
			add_text(&rows, record->round[i].why);
			add_number(&rows, record->round[i].winners);
		}
		if (!end_rows(&rows))
			return false;
	}
	return true;
}

static bool add_standings(struct archive *archive, int64_t game, const struct record *record)
{
	for (int i = 0; i < record->standings;) {
		struct rows rows = begin_rows(archive, STANDING, record->standings - i);

		for (int end = i + rows.count; i < end; i++) {
			const struct record_standing *standing = &record->standing[i];

			add_number(&rows, game);
			add_number(&rows, standing->round);
			add_number(&rows, standing->player);
			add_number(&rows, standing->points);
			add_number(&rows, standing->rank);
		}
		if (!end_rows(&rows))
			return false;
	}
	return true;
}

/* Is it this game that the database will never take? */
static bool is_to_blame(sqlite3 *db)
{
	int error = sqlite3_errcode(db);

	return error == SQLITE_CONSTRAINT || error == SQLITE_TOOBIG;
}

/* The rows that are there already. */
static bool take_out(struct archive *archive, int64_t game, char why[ARCHIVE_WHY_MAX])
{
	static const char *const tables[] = {"standing", "round", "player", "game"};
	char sql[64], trouble[ARCHIVE_WHY_MAX];

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		text_print(sql, sizeof(sql), "DELETE FROM %s WHERE game = %" PRId64, tables[i],
			   game);
		if (run(archive->db, sql, trouble))
			continue;
		strcpy(why, trouble);
		return false;
	}
	return true;
}

enum archived archive_add(struct archive *archive, const struct record *record,
			  char why[ARCHIVE_WHY_MAX])
{
	const char *events = record_print_events(record, &archive->events);
	int64_t game;

	if (events == NULL || !add_game(archive, record, events)) {
		explain(events == NULL ? NULL : archive->db, why);
		return events != NULL && is_to_blame(archive->db) ? ARCHIVE_REFUSED
								  : ARCHIVE_FAILED;
	}
	if (sqlite3_changes(archive->db) == 0)
		return ARCHIVED_BEFORE;
	game = sqlite3_last_insert_rowid(archive->db);
	if (add_players(archive, game, record) && add_rounds(archive, game, record) &&
	    add_standings(archive, game, record))
		return ARCHIVED;
	explain(archive->db, why);
	return is_to_blame(archive->db) && take_out(archive, game, why) ? ARCHIVE_REFUSED
									: ARCHIVE_FAILED;
}

bool archive_has(struct archive *archive, const char *duel)
{
	struct rows asked = {.statement = archive->find};
	bool found;

	add_text(&asked, duel);
	found = sqlite3_step(asked.statement) == SQLITE_ROW;
	sqlite3_reset(asked.statement);
	return found;
}
