/*
 * archive.c - the database of games: making it, adding to it. See archive.h.
 *
 * Its schema is a list of steps, each of which makes the next version out of the one before. A new
 * database goes through all of them, so each step is always tried.
 */
#include "archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BUSY_MS = 5000 };

/* Version 2 counts moves once, when a game is kept: counting them for each line of a list was slow.
 * It finds a player's games, and the newest ones, by an index. */
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
};

enum insertion { INSERT_GAME, INSERT_PLAYER, INSERT_EVENT, INSERT_ROUND, INSERT_STANDING, FIND };
enum { STATEMENTS = FIND + 1 };

/* A game that is there already is no error, and changes nothing. */
static const char insert_game[] =
    "INSERT INTO game (id, name, started, ended, outcome, termination, private, seats, options,"
    " seed, first, idle, grace, no_valid, moves) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
    " ON CONFLICT DO NOTHING";

static const char *const statements[STATEMENTS] = {
    [INSERT_GAME] = insert_game,
    [INSERT_PLAYER] = "INSERT INTO player VALUES (?,?,?,?,?,?,?,?)",
    [INSERT_EVENT] = "INSERT INTO event VALUES (?,?,?,?,?,?)",
    [INSERT_ROUND] = "INSERT INTO round VALUES (?,?,?,?,?)",
    [INSERT_STANDING] = "INSERT INTO standing VALUES (?,?,?,?,?)",
    [FIND] = "SELECT 1 FROM game WHERE id = ?",
};

struct archive {
	sqlite3 *db;
	sqlite3_stmt *statement[STATEMENTS];
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

static bool prepare(struct archive *archive, bool durable, char why[ARCHIVE_WHY_MAX])
{
	sqlite3 *db = archive->db;

	sqlite3_busy_timeout(db, BUSY_MS);
	if (archive_check(db, why) < 0 || !run(db, "PRAGMA journal_mode = WAL", why) ||
	    !run(db, durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL", why) ||
	    !bring_up_to_date(db, why))
		return false;
	for (int i = 0; i < STATEMENTS; i++)
		if (sqlite3_prepare_v3(db, statements[i], -1, SQLITE_PREPARE_PERSISTENT,
				       &archive->statement[i], NULL) != SQLITE_OK)
			return explain(db, why);
	return true;
}

struct archive *archive_open(const char *path, bool durable, char why[ARCHIVE_WHY_MAX])
{
	struct archive *archive = calloc(1, sizeof(*archive));
	mode_t before;
	int opened;

	/* none of our programs has threads: its locks, and its counts of memory, would cost a tenth. When
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
	for (int i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(archive->statement[i]);
	sqlite3_close(archive->db);
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

/* A row, value by value. */
struct row {
	sqlite3_stmt *statement;
	int values;
};

static struct row begin_row(struct archive *archive, enum insertion insertion)
{
	sqlite3_reset(archive->statement[insertion]);
	return (struct row){.statement = archive->statement[insertion]};
}

static void add_number(struct row *row, int64_t number)
{
	sqlite3_bind_int64(row->statement, ++row->values, number);
}

static void add_text(struct row *row, const char *text)
{
	sqlite3_bind_text(row->statement, ++row->values, text, -1, SQLITE_STATIC);
}

/* Who did it; nobody is NULL. */
static void add_player_or_null(struct row *row, int player)
{
	if (player >= 0)
		add_number(row, player);
	else
		sqlite3_bind_null(row->statement, ++row->values);
}

/* The texts need only live until here. */
static bool end_row(struct row *row)
{
	bool good = sqlite3_step(row->statement) == SQLITE_DONE;

	sqlite3_reset(row->statement);
	return good;
}

static bool add_game(struct archive *archive, const struct record *record)
{
	const struct table_rules *rules = &record->rules;
	struct row row = begin_row(archive, INSERT_GAME);
	char options[SHAPE_MAX], seed[24];

	record_print_options(record, options);
	snprintf(seed, sizeof(seed), "%016" PRIx64, rules->seed);
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
	return end_row(&row);
}

static bool add_players(struct archive *archive, int64_t game, const struct record *record)
{
	for (int i = 0; i < record->players; i++) {
		const struct record_player *player = &record->player[i];
		struct row row = begin_row(archive, INSERT_PLAYER);

		add_number(&row, game);
		add_number(&row, i);
		add_number(&row, player->place);
		add_text(&row, player->id);
		add_text(&row, player->name);
		add_number(&row, player->full);
		add_number(&row, player->wait);
		add_number(&row, player->rounds_won);
		if (!end_row(&row))
			return false;
	}
	return true;
}

static bool add_events(struct archive *archive, int64_t game, const struct record *record)
{
	for (int i = 0; i < record->deeds; i++) {
		const struct record_deed *deed = &record->deed[i];
		struct row row = begin_row(archive, INSERT_EVENT);

		add_number(&row, game);
		add_number(&row, i + 1);
		add_number(&row, deed->at);
		add_player_or_null(&row, deed->player);
		add_text(&row, record_deed_word(deed->deed));
		add_text(&row, deed->words);
		if (!end_row(&row))
			return false;
	}
	return true;
}

static bool add_rounds(struct archive *archive, int64_t game, const struct record *record)
{
	for (int i = 0; i < record->rounds; i++) {
		struct row row = begin_row(archive, INSERT_ROUND);

		add_number(&row, game);
		add_number(&row, i + 1);
		add_number(&row, record->round[i].at);
		add_text(&row, record->round[i].why);
		add_number(&row, record->round[i].winners);
		if (!end_row(&row))
			return false;
	}
	for (int i = 0; i < record->standings; i++) {
		struct row row = begin_row(archive, INSERT_STANDING);

		add_number(&row, game);
		add_number(&row, record->standing[i].round);
		add_number(&row, record->standing[i].player);
		add_number(&row, record->standing[i].points);
		add_number(&row, record->standing[i].rank);
		if (!end_row(&row))
			return false;
	}
	return true;
}

enum archived archive_add(struct archive *archive, const struct record *record,
			  char why[ARCHIVE_WHY_MAX])
{
	int64_t game;

	if (!add_game(archive, record)) {
		explain(archive->db, why);
		return ARCHIVE_FAILED;
	}
	if (sqlite3_changes(archive->db) == 0)
		return ARCHIVED_BEFORE;
	game = sqlite3_last_insert_rowid(archive->db);
	if (add_players(archive, game, record) && add_events(archive, game, record) &&
	    add_rounds(archive, game, record))
		return ARCHIVED;
	explain(archive->db, why);
	return ARCHIVE_FAILED;
}

bool archive_has(struct archive *archive, const char *duel)
{
	struct row row = begin_row(archive, FIND);
	bool found;

	add_text(&row, duel);
	found = sqlite3_step(row.statement) == SQLITE_ROW;
	sqlite3_reset(row.statement);
	return found;
}
