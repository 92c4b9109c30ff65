/*
 * games_test.c - kept games without a server: an old database is brought up to date, records are
 * played again, the worked example of Glickman's paper.
 */
#include "proto/kept/archive.h"
#include "viewer/games/games.h"
#include "viewer/games/glicko.h"
#include "tests/unit/check.h"

#include <math.h>
#include <unistd.h>

#define GAME_ID "5d0e9c1a-0000-4000-8000-000000000001"
#define ANNA_ID "11111111-1111-4111-8111-111111111111"
#define BEN_ID	"22222222-2222-4222-8222-222222222222"
#define STARTED INT64_C(1795014245000)
#define DAY_MS	INT64_C(86400000)

static char folder[] = "/tmp/holmgang-games-XXXXXX";
static char path[ARCHIVE_PATH_MAX];

/* --- ratings ---------------------------------------------------------------------------------- */

static bool is_near(double number, double expected, double within)
{
	return fabs(number - expected) <= within;
}

/* Glickman, "Example of the Glicko-2 system": 1500, 200, 0.06 after these three. */
static void test_worked_example(void)
{
	static const struct glicko_result results[] = {
	    {{1400, 30, 0.06}, 1}, {{1550, 100, 0.06}, 0}, {{1700, 300, 0.06}, 0}};
	struct glicko after = glicko_after((struct glicko){1500, 200, 0.06}, results, 3);

	CHECK(is_near(after.rating, 1464.06, 0.01));
	CHECK(is_near(after.deviation, 151.52, 0.01));
	CHECK(is_near(after.volatility, 0.05999, 0.00001));
}

static void test_idle(void)
{
	struct glicko idle = glicko_idle((struct glicko){1500, 200, 0.06}, 1);

	CHECK(is_near(idle.deviation, 200.2714, 0.001));
	CHECK(is_near(glicko_idle((struct glicko){1500, 200, 0.06}, 1000000).deviation, 350, 0));
}

/* --- games ------------------------------------------------------------------------------------ */

static void set_player(struct record *record, const char *name, const char *id)
{
	struct record_player *player = record_add_player(record);

	player->place = record->players - 1;
	player->full = true;
	player->wait = 10;
	strcpy(player->name, name);
	strcpy(player->id, id);
}

static void add_deed(struct record *record, int64_t at, int player, enum deed deed,
		     const char *words)
{
	struct record_deed *made = record_add_deed(record);

	made->at = at;
	made->player = player;
	made->deed = deed;
	strcpy(made->words, words);
}

/* anna, who begins, wins in the first column: 036. `number` makes the id. */
static struct record won_game(int number, const char *winner, const char *loser)
{
	struct record record = {
	    .seats = 2, .started = STARTED, .rules = {.seed = 7, .idle = 600, .grace = 30}};

	CHECK(record_read_options(&record, "tictactoe", "rounds=1 clock=120 strict=off"));
	snprintf(record.rules.duel, UUID_TEXT, "5d0e9c1a-0000-4000-8000-%012d", number);
	set_player(&record, winner, ANNA_ID);
	set_player(&record, loser, BEN_ID);
	add_deed(&record, 1000, 0, DEED_MOVE, "0 0");
	add_deed(&record, 2000, 1, DEED_MOVE, "1 0");
	add_deed(&record, 3000, 0, DEED_MOVE, "0 1");
	add_deed(&record, 4000, 1, DEED_MOVE, "1 1");
	add_deed(&record, 5000, 0, DEED_MOVE, "0 2");
	return record;
}

static void test_record(void)
{
	struct record record = won_game(1, "anna", "ben");
	char why[RECORD_WHY_MAX];
	int wrong = 0;

	CHECK(record_play(&record, NULL, NULL, why, &wrong));
	check_text(record.outcome, "won");
	check_text(record.termination, "normal");
	CHECK(record.ended == STARTED + 5000 && record.moves == 5 && record.rounds == 1);
	check_text(record.round[0].why, "036");
	CHECK(record.standings == 2 && record.standing[0].rank == 1);
	CHECK(record.standing[1].rank == 2 && record.player[0].rounds_won == 1);
	/* the same again, and what cannot have been so */
	CHECK(record_play(&record, NULL, NULL, why, &wrong) && record.rounds == 1);
	strcpy(record.deed[3].words, "0 0");
	CHECK(!record_play(&record, NULL, NULL, why, &wrong) && wrong == 3);
	check_text(why, "the rules do not allow this move");
	record.deed[3].at = 1;
	CHECK(!record_play(&record, NULL, NULL, why, &wrong) && wrong == 3);
	record.player[0].place = 5;
	CHECK(!record_play(&record, NULL, NULL, why, &wrong) && wrong == -1);
	record_free(&record);
}

/* --- the database ----------------------------------------------------------------------------- */

static enum archived keep(struct record *record)
{
	char why[ARCHIVE_WHY_MAX] = "", reason[RECORD_WHY_MAX];
	struct archive *archive = archive_open(path, false, why);
	enum archived archived = ARCHIVE_FAILED;

	check(archive != NULL, why);
	if (archive != NULL && record_play(record, NULL, NULL, reason, NULL) &&
	    archive_begin(archive, why)) {
		archived = archive_add(archive, record, why);
		check(archive_commit(archive, why), why);
	}
	archive_close(archive);
	record_free(record);
	return archived;
}

static void remove_database(void)
{
	static const char *const ends[] = {"", "-wal", "-shm"};
	char name[ARCHIVE_PATH_MAX + 8];

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		snprintf(name, sizeof(name), "%s%s", path, ends[i]);
		unlink(name);
	}
}

static void run(const char *sql)
{
	sqlite3 *db = NULL;
	char *said = NULL;

	CHECK(sqlite3_open(path, &db) == SQLITE_OK);
	sqlite3_exec(db, sql, NULL, NULL, &said);
	check(said == NULL, said == NULL ? "" : said);
	sqlite3_free(said);
	sqlite3_close(db);
}

/* The one text that a statement gives. */
static void check_asked(const char *sql, const char *wanted)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *row = NULL;

	CHECK(sqlite3_open(path, &db) == SQLITE_OK);
	CHECK(sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK);
	CHECK(sqlite3_step(row) == SQLITE_ROW);
	check_text((const char *)sqlite3_column_text(row, 0), wanted);
	sqlite3_finalize(row);
	sqlite3_close(db);
}

/* Version 1 as it was, with one game in it. */
static const char version_1[] =
    "CREATE TABLE game (game INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,"
    " started INTEGER NOT NULL, ended INTEGER NOT NULL, outcome TEXT NOT NULL,"
    " termination TEXT NOT NULL, private INTEGER NOT NULL, seats INTEGER NOT NULL,"
    " options TEXT NOT NULL, seed TEXT NOT NULL, first INTEGER NOT NULL, idle INTEGER NOT NULL,"
    " grace INTEGER NOT NULL, no_valid INTEGER NOT NULL);"
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
    " PRIMARY KEY (game, round, player)) WITHOUT ROWID;"
    "INSERT INTO game VALUES (1, '" GAME_ID "', 'tictactoe', 1795014245000, 1795014248000,"
    " 'won', 'resigned', 0, 2, 'rounds=1 clock=120 strict=off', '0000000000000007', 0, 600, 30, 0);"
    "INSERT INTO player VALUES (1, 0, 0, '" ANNA_ID "', 'anna', 1, 10, 1),"
    " (1, 1, 1, '" BEN_ID "', 'ben', 1, 10, 0);"
    "INSERT INTO event VALUES (1, 1, 1000, 0, 'move', '0 0'), (1, 2, 2000, 1, 'move', '1 0'),"
    " (1, 3, 3000, 1, 'resign', '');"
    "INSERT INTO round VALUES (1, 1, 3000, 'resigned', 1);"
    "INSERT INTO standing VALUES (1, 1, 0, 0, 1), (1, 1, 1, 0, 2);"
    "PRAGMA application_id = 1213156429; PRAGMA user_version = 1;";

static bool see_line(void *owner, const struct game_line *line)
{
	snprintf(owner, 256, "%s %s %s %s %d %d", line->names, line->result, line->outcome,
		 line->termination, line->rounds, line->moves);
	return true;
}

static void test_migration(void)
{
	struct games_filter filter = {.player = "anna"};
	char why[GAMES_WHY_MAX] = "", seen[256] = "";
	struct record record = won_game(2, "cem", "dora");
	struct game_play *play;
	struct games *games;

	run(version_1);
	games = games_open(folder, why);
	CHECK(games == NULL && strstr(why, "its tables are of version 1") != NULL);
	CHECK(keep(&record) == ARCHIVED);
	games = games_open(folder, why);
	check(games != NULL, why);
	if (games == NULL)
		return;
	check(games_list(games, &filter, see_line, seen, why), why);
	check_text(seen, "anna,ben 1-0 won resigned 1 2");
	play = game_load(games, GAME_ID, why);
	check(play != NULL, why);
	if (play != NULL) {
		CHECK(play->steps == 4 && play->step[1].seat == 0 && play->step[3].seat == -1);
		check_text(play->step[1].event, "0 0");
		check_text(play->step[2].frame.model, "XO.......");
		check_text(play->step[3].frame.verdict, "resigned");
	}
	game_free(play);
	games_close(games);
	remove_database();
}

/* What happened stands in one text, and is a table for who asks. */
static void test_events(void)
{
	struct record one = won_game(1, "anna", "ben"), odd = won_game(2, "anna", "ben");
	char why[ARCHIVE_WHY_MAX] = "", reason[RECORD_WHY_MAX];
	struct archive *archive;

	CHECK(keep(&one) == ARCHIVED);
	check_asked("SELECT count(*) || max(n) || sum(at) || sum(player) FROM event", "55150002");
	check_asked("SELECT what || ' ' || words FROM event WHERE game = 1 AND n = 5", "move 0 2");
	/* words that no game prints: whatever they are, they stay what they are */
	CHECK(record_play(&odd, NULL, NULL, reason, NULL));
	strcpy(odd.deed[0].words, "a\"b\\c\td\xc3\xa9");
	odd.deed[1].player = -1;
	archive = archive_open(path, false, why);
	check(archive != NULL, why);
	if (archive != NULL) {
		CHECK(archive_begin(archive, why) && archive_add(archive, &odd, why) == ARCHIVED);
		check(archive_commit(archive, why), why);
	}
	archive_close(archive);
	record_free(&odd);
	check_asked("SELECT words FROM event WHERE game = 2 AND n = 1", "a\"b\\c\td\xc3\xa9");
	check_asked("SELECT n FROM event WHERE game = 2 AND player IS NULL", "2");
	remove_database();
}

static void test_twice(void)
{
	struct record one = won_game(1, "anna", "ben"), same = won_game(1, "anna", "ben");
	char why[GAMES_WHY_MAX];
	struct games *games;

	CHECK(keep(&one) == ARCHIVED);
	CHECK(keep(&same) == ARCHIVED_BEFORE);
	games = games_open(folder, why);
	check(games != NULL, why);
	if (games == NULL)
		return;
	CHECK(game_load(games, "5d0e9c1b", why) == NULL && strstr(why, "there is no game") != NULL);
	CHECK(game_load(games, "%", why) == NULL && game_load(games, "", why) == NULL);
	games_close(games);
	remove_database();
}

/* A game that the database does not take: nothing of it stays, and it does not keep others out. */
static void test_refused(void)
{
	struct record one = won_game(1, "anna", "ben"), odd = won_game(2, "anna", "ben");
	char why[ARCHIVE_WHY_MAX] = "", reason[RECORD_WHY_MAX];
	struct archive *archive = archive_open(path, false, why);

	check(archive != NULL, why);
	CHECK(record_play(&one, NULL, NULL, reason, NULL));
	CHECK(record_play(&odd, NULL, NULL, reason, NULL));
	odd.standing[1] = odd.standing[0];
	if (archive != NULL) {
		CHECK(archive_begin(archive, why));
		CHECK(archive_add(archive, &odd, why) == ARCHIVE_REFUSED);
		CHECK(strstr(why, "UNIQUE") != NULL);
		CHECK(archive_add(archive, &one, why) == ARCHIVED);
		check(archive_commit(archive, why), why);
	}
	archive_close(archive);
	record_free(&one);
	record_free(&odd);
	check_asked("SELECT (SELECT count(*) FROM game) || (SELECT count(*) FROM player)"
		    " || (SELECT count(*) FROM round) || (SELECT count(*) FROM standing)",
		    "1212");
	remove_database();
}

static void test_foreign(void)
{
	char why[GAMES_WHY_MAX] = "";

	run("CREATE TABLE recipes (cake TEXT)");
	CHECK(games_open(folder, why) == NULL && strstr(why, "of another program") != NULL);
	CHECK(archive_open(path, false, why) == NULL && strstr(why, "of another program") != NULL);
	remove_database();
	run("PRAGMA application_id = 1213156429; PRAGMA user_version = 99");
	CHECK(games_open(folder, why) == NULL && strstr(why, "newer Holmgang (version 99") != NULL);
	CHECK(archive_open(path, false, why) == NULL && strstr(why, "newer Holmgang") != NULL);
	remove_database();
	CHECK(games_open(folder, why) == NULL && strstr(why, "there are no games in") != NULL);
}

/* --- ratings of a database -------------------------------------------------------------------- */

static void rate(struct rating found[3])
{
	char why[GAMES_WHY_MAX] = "";
	struct games *games = games_open(folder, why);
	int count = 0;
	struct rating *ratings;

	check(games != NULL, why);
	if (games == NULL)
		return;
	ratings = games_ratings(games, "tictactoe", &count, NULL, why);
	CHECK(count == 3);
	if (count == 3)
		memcpy(found, ratings, 3 * sizeof(*ratings));
	free(ratings);
	games_close(games);
}

/* Two days; the order in which games were put there is nothing; some do not count. */
static void test_ratings(void)
{
	struct rating one[3] = {0}, other[3] = {0};

	for (int turn = 0; turn < 2; turn++) {
		for (int i = 0; i < 6; i++) {
			int number = turn == 0 ? i : 5 - i;
			struct record record = number == 5  ? won_game(number, "cem", "anon")
					       : number < 3 ? won_game(number, "anna", "ben")
							    : won_game(number, "ben", "cem");

			record.started += number % 2 * 3 * DAY_MS;
			record.is_private = number == 4;
			CHECK(keep(&record) == ARCHIVED);
		}
		rate(turn == 0 ? one : other);
		remove_database();
	}
	for (int i = 0; i < 3; i++) {
		check_text(one[i].name, other[i].name);
		CHECK(is_near(one[i].rating, other[i].rating, 0));
		CHECK(is_near(one[i].deviation, other[i].deviation, 0));
	}
	check_text(one[0].name, "anna");
	check_text(one[1].name, "ben");
	check_text(one[2].name, "cem");
	CHECK(one[0].games == 3 && one[1].games == 4 && one[2].games == 1);
	CHECK(one[0].rating > 1600 && one[2].rating < 1500);
}

int main(void)
{
	if (mkdtemp(folder) == NULL || !archive_path(folder, path))
		return 1;
	test_worked_example();
	test_idle();
	test_record();
	test_migration();
	test_events();
	test_twice();
	test_refused();
	test_foreign();
	test_ratings();
	rmdir(folder);
	return check_end();
}
