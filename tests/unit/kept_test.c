/*
 * kept_test.c - what the page is told of kept games when not all goes well: the database cannot be
 * read for a while, the list is longer than an answer.
 */
#include "proto/kept/archive.h"
#include "viewer/web/kept.h"
#include "tests/unit/check.h"

#include <sqlite3.h>
#include <unistd.h>

#define MINUTE_MS 60000
#define GAMES	  8

static char folder[] = "/tmp/holmgang-kept-XXXXXX";
static char path[ARCHIVE_PATH_MAX];
static char answer[8192];

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

/* anna has won each of some games against ben. */
static void make_games(void)
{
	static const char sql[] =
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8)"
	    " INSERT INTO game (id, name, started, ended, outcome, termination, private, seats,"
	    " options, seed, first, idle, grace, no_valid, moves, events)"
	    " SELECT printf('5d0e9c1a-0000-4000-8000-%012d', i), 'tictactoe', i, i, 'won', "
	    "'normal',"
	    " 0, 2, '', '0', 0, 600, 30, 0, 5, '[]' FROM n;"
	    "INSERT INTO player (game, player, place, id, name, full, wait, won)"
	    " SELECT game, 0, 0, 'a', 'anna', 1, 10, 1 FROM game;"
	    "INSERT INTO player (game, player, place, id, name, full, wait, won)"
	    " SELECT game, 1, 1, 'b', 'ben', 1, 10, 0 FROM game;"
	    "INSERT INTO round (game, round, at, why, winners) SELECT game, 1, 1, '012', 1 FROM "
	    "game;"
	    "INSERT INTO standing (game, round, player, points, rank)"
	    " SELECT game, 1, player, 0, player + 1 FROM player;";
	char why[ARCHIVE_WHY_MAX] = "";
	struct archive *archive = archive_open(path, false, why);

	check(archive != NULL, why);
	archive_close(archive);
	run(sql);
}

static int count_of(const char *word)
{
	int count = 0;

	for (const char *at = answer; (at = strstr(at, word)) != NULL; at++)
		count++;
	return count;
}

/* --- ratings ---------------------------------------------------------------------------------- */

static const char *ask_ratings(struct kept *kept, int64_t now_ms)
{
	struct kept_question question = {.game = "tictactoe", .now_ms = now_ms};
	struct text text = TEXT_IN(answer);

	kept_page_find("/kept/ratings")->tell(kept, &question, &text);
	return answer;
}

/* What cannot be read is said each time, and is forgotten as soon as it can be read. */
static void test_ratings(void)
{
	static const char broken[] = "{\"why\":\"the ratings cannot be reckoned now\"}";
	struct kept *kept = kept_new(folder);

	run("ALTER TABLE standing RENAME TO lost");
	check_text(ask_ratings(kept, MINUTE_MS), broken);
	check_text(ask_ratings(kept, MINUTE_MS + 1), broken);
	run("ALTER TABLE lost RENAME TO standing");
	ask_ratings(kept, MINUTE_MS + 2);
	CHECK(count_of("\"name\":\"anna\"") == 1 && count_of("\"games\":8") == 2);
	/* for a minute nothing is read, then it is told that it cannot be, and then all is well */
	run("ALTER TABLE standing RENAME TO lost");
	ask_ratings(kept, 2 * MINUTE_MS);
	CHECK(count_of("\"name\":\"anna\"") == 1);
	check_text(ask_ratings(kept, 3 * MINUTE_MS), broken);
	run("ALTER TABLE lost RENAME TO standing");
	ask_ratings(kept, 3 * MINUTE_MS + 1);
	CHECK(count_of("\"name\":\"anna\"") == 1);
	kept_free(kept);
}

/* A day on which a player has played is a point of the course. */
static void test_player(void)
{
	struct kept_question question = {.player = "anna", .now_ms = MINUTE_MS};
	struct kept *kept = kept_new(folder);
	struct text text = TEXT_IN(answer);
	const char *course;

	kept_page_find("/kept/player")->tell(kept, &question, &text);
	course = strstr(answer, "\"course\":[[0,");
	CHECK(course != NULL && count_of("{\"of\":2,\"game\":\"tictactoe\",\"rank\":1,") == 1);
	CHECK(course != NULL && strchr(course, ']') + 1 == strstr(course, "],\"kinds\":"));
	run("UPDATE game SET started = started * 86400000");
	question = (struct kept_question){
	    .player = "ben", .game = "tictactoe", .now_ms = 3 * MINUTE_MS};
	text = TEXT_IN(answer);
	kept_page_find("/kept/player")->tell(kept, &question, &text);
	CHECK(count_of("\"rank\":2,") == 1 && count_of("[691200000,") == 1 &&
	      count_of(",[") == GAMES - 1);
	run("UPDATE game SET started = started / 86400000");
	question.player = "cem";
	text = TEXT_IN(answer);
	kept_page_find("/kept/player")->tell(kept, &question, &text);
	CHECK(count_of("\"rank\"") == 0 && count_of("\"kinds\":[{") == 1);
	question.player = NULL;
	text = TEXT_IN(answer);
	kept_page_find("/kept/player")->tell(kept, &question, &text);
	check_text(answer, "{\"why\":\"say which player\"}");
	kept_free(kept);
}

/* Of many days not all are told, but the last one. */
static void test_long_course(void)
{
	struct kept_question question = {
	    .player = "anna", .game = "tictactoe", .now_ms = MINUTE_MS};
	struct kept *kept = kept_new(folder);
	struct text text = TEXT_IN(answer);

	run("WITH RECURSIVE n(i) AS (SELECT 9 UNION ALL SELECT i + 1 FROM n WHERE i < 700)"
	    " INSERT INTO game (game, id, name, started, ended, outcome, termination, private, "
	    "seats,"
	    " options, seed, first, idle, grace, no_valid, moves, events)"
	    " SELECT i, i, name, i * 86400000, 0, outcome, termination, private, seats,"
	    " options, seed, first, idle, grace, no_valid, moves, events FROM game, n WHERE game = "
	    "1;"
	    "INSERT INTO player SELECT g.game, player, place, p.id, p.name, full, wait, won"
	    " FROM player p, game g WHERE p.game = 1 AND g.game > 8;"
	    "INSERT INTO round SELECT g.game, round, at, why, winners FROM round r, game g"
	    " WHERE r.game = 1 AND g.game > 8;"
	    "INSERT INTO standing SELECT g.game, round, player, points, rank FROM standing s, game "
	    "g"
	    " WHERE s.game = 1 AND g.game > 8");
	kept_page_find("/kept/player")->tell(kept, &question, &text);
	CHECK(count_of("[60480000000,") == 1 && count_of(",[") > 200 && count_of(",[") < 300);
	run("DELETE FROM standing WHERE game > 8; DELETE FROM round WHERE game > 8;"
	    "DELETE FROM player WHERE game > 8; DELETE FROM game WHERE game > 8");
	kept_free(kept);
}

/* --- the list --------------------------------------------------------------------------------- */

/* Whatever there is room for, it is whole: the last games are left out, and the end is there. */
static void test_list(void)
{
	struct kept_question question = {0};
	struct kept *kept = kept_new(folder);
	int before = GAMES;

	for (size_t size = sizeof(answer); size >= (size_t)120 * GAME_COUNT; size -= 10) {
		struct text text = {.data = answer, .size = size};
		size_t length;
		int games;

		kept_page_find("/kept")->tell(kept, &question, &text);
		length = strlen(answer);
		games = count_of("\"started\":");
		CHECK(!text.cut && games <= before && length == text.length);
		CHECK(strncmp(answer, "{\"games\":[", 10) == 0);
		CHECK(length > 2 && strcmp(answer + length - 2, "]}") == 0);
		CHECK(count_of("{") == count_of("}") && count_of("{") == games + 1 + GAME_COUNT);
		CHECK(count_of("},{") == (games > 0 ? games - 1 : 0) + GAME_COUNT - 1);
		CHECK(count_of("\"termination\":\"normal\"}") == games);
		CHECK(count_of(games < GAMES ? "],\"more\":true," : "],\"more\":false,") == 1);
		CHECK(count_of(",\"kinds\":[{\"game\":\"") == 1);
		before = games;
	}
	CHECK(before < GAMES);
	kept_free(kept);
}

/* Each page begins behind the last game of the one before, also where several began at the same time. */
static void test_pages(void)
{
	static const char *const last[] = {NULL, "5d0e9c1a-0000-4000-8000-000000000006",
					   "5d0e9c1a-0000-4000-8000-000000000001", "nobody"};
	static const int left[] = {GAMES, 5, 0, 0};
	struct kept *kept = kept_new(folder);

	run("UPDATE game SET started = 5 WHERE started IN (5, 6, 7)");
	for (int i = 0; i < 4; i++) {
		struct kept_question question = {.before = last[i]};
		struct text text = TEXT_IN(answer);

		kept_page_find("/kept")->tell(kept, &question, &text);
		CHECK(count_of("\"started\":") == left[i]);
	}
	run("UPDATE game SET outcome = 'drawn', termination = 'aborted stop' WHERE started = 5");
	for (int i = 0; i < 3; i++) {
		static const char *const result[] = {"drawn", "aborted", "won"};
		struct kept_question question = {.result = result[i], .player = "ben"};
		struct text text = TEXT_IN(answer);

		kept_page_find("/kept")->tell(kept, &question, &text);
		CHECK(count_of("\"started\":") == (i < 2 ? 3 : GAMES - 3));
	}
	kept_free(kept);
}

int main(void)
{
	if (mkdtemp(folder) == NULL || !archive_path(folder, path)) {
		perror(folder);
		return 1;
	}
	make_games();
	test_ratings();
	test_player();
	test_long_course();
	test_list();
	test_pages();
	run("PRAGMA journal_mode = DELETE");
	unlink(path);
	check(rmdir(folder) == 0, "nothing else is left in the folder");
	return check_end();
}
