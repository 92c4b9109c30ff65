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
static const char *const inserts[KEPT] = {
    [GAME] = "INSERT INTO game (id, name, started, ended, outcome, termination, private, seats,"
	     " options, seed, first, idle, grace, no_valid, moves, events)"
	     " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING",
    [PLAYER] = "INSERT OR FAIL INTO player VALUES (?,?,?,?,?,?,?,?)",
    [ROUND] = "INSERT OR FAIL INTO round VALUES (?,?,?,?,?)",
    [STANDING] = "INSERT OR FAIL INTO standing VALUES (?,?,?,?,?)",
};

struct archive {
	sqlite3 *db;
	sqlite3_stmt *insert[KEPT];
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

static bool prepare(struct archive *archive, bool durable, char why[ARCHIVE_WHY_MAX])
{
	sqlite3 *db = archive->db;

	sqlite3_busy_timeout(db, BUSY_MS);
	if (archive_check(db, why) < 0 || !run(db, "PRAGMA journal_mode = WAL", why) ||
	    !run(db, durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL", why) ||
	    !bring_up_to_date(db, why))
		return false;
	for (int kept = 0; kept < KEPT; kept++)
		if (!prepare_one(db, inserts[kept], &archive->insert[kept]))
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
		sqlite3_finalize(archive->insert[kept]);
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

/* A row of one table, value by value. */
struct row {
	sqlite3_stmt *statement;
	int values;
};

static struct row begin_row(struct archive *archive, enum kept kept)
{
	sqlite3_reset(archive->insert[kept]);
	return (struct row){.statement = archive->insert[kept]};
}

static void add_number(struct row *row, int64_t number)
{
	sqlite3_bind_int64(row->statement, ++row->values, number);
}

static void add_text(struct row *row, const char *text)
{
	sqlite3_bind_text(row->statement, ++row->values, text, -1, SQLITE_STATIC);
}

/* The texts need only live until here. */
static bool end_row(struct row *row)
{
	bool good = sqlite3_step(row->statement) == SQLITE_DONE;

	sqlite3_reset(row->statement);
	return good;
}

/* --- a game's rows ---------------------------------------------------------------------------- */

static bool add_game(struct archive *archive, const struct record *record, const char *events)
{
	const struct table_rules *rules = &record->rules;
	struct row row = begin_row(archive, GAME);
	char options[SHAPE_MAX], seed[24];

	record_print_options(record, options);
	text_print(seed, sizeof(seed), "%016" PRIx64, rules->seed);
	add_text(&row, rules->duel);
	add_text(&row, rules->shape.game->name);
	add_number(&row, record->started);
	add_number(&row, record->ended);
	add_text(&row, record->outcome);
	add_text(&row, record->termination);
	add_number(&row, record->is_private);
	add_number(&row, record->seats);
	add_text(&row, options);
	add_text(&row, seed);
	add_number(&row, rules->first);
	add_number(&row, rules->idle);
	add_number(&row, rules->grace);
	add_number(&row, rules->no_valid);
	add_number(&row, record->moves);
	add_text(&row, events);
	return end_row(&row);
}

static bool add_player(struct archive *archive, int64_t game, const struct record *record, int i)
{
	const struct record_player *player = &record->player[i];
	struct row row = begin_row(archive, PLAYER);

	add_number(&row, game);
	add_number(&row, i);
	add_number(&row, player->place);
	add_text(&row, player->id);
	add_text(&row, player->name);
	add_number(&row, player->full);
	add_number(&row, player->wait);
	add_number(&row, player->rounds_won);
	return end_row(&row);
}

static bool add_round(struct archive *archive, int64_t game, const struct record *record, int i)
{
	const struct record_round *round = &record->round[i];
	struct row row = begin_row(archive, ROUND);

	add_number(&row, game);
	add_number(&row, i + 1);
	add_number(&row, round->at);
	add_text(&row, round->why);
	add_number(&row, round->winners);
	return end_row(&row);
}

static bool add_standing(struct archive *archive, int64_t game, const struct record *record, int i)
{
	const struct record_standing *standing = &record->standing[i];
	struct row row = begin_row(archive, STANDING);

	add_number(&row, game);
	add_number(&row, standing->round);
	add_number(&row, standing->player);
	add_number(&row, standing->points);
	add_number(&row, standing->rank);
	return end_row(&row);
}

/* All that belongs to a game whose own row is there. */
static bool add_rest(struct archive *archive, int64_t game, const struct record *record)
{
	bool good = true;

	for (int i = 0; good && i < record->players; i++)
		good = add_player(archive, game, record, i);
	for (int i = 0; good && i < record->rounds; i++)
		good = add_round(archive, game, record, i);
	for (int i = 0; good && i < record->standings; i++)
		good = add_standing(archive, game, record, i);
	return good;
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
	if (add_rest(archive, game, record))
		return ARCHIVED;
	explain(archive->db, why);
	return is_to_blame(archive->db) && take_out(archive, game, why) ? ARCHIVE_REFUSED
									: ARCHIVE_FAILED;
}

bool archive_has(struct archive *archive, const char *duel)
{
	struct row asked = {.statement = archive->find};
	bool found;

	add_text(&asked, duel);
	found = sqlite3_step(asked.statement) == SQLITE_ROW;
	sqlite3_reset(asked.statement);
	return found;
}
