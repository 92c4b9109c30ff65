/*
 * replay_test.c - drives server/duel/replay.c without a server: a chapter in which something stands that no
 * duel of ours has written is refused, whoever plays it.
 */
#include "server/duel/duel.h"
#include "proto/time/timers.h"

#include "tests/unit/check.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define DUEL "11111111-1111-4111-8111-111111111111"
#define HEAD "\nholmgang 1 2026-11-18T15:04:05Z\n"
#define ANNA "00000000-0000-4000-8000-000000000001 - anna full off 200 10\n"
#define BEN  "00000000-0000-4000-8000-000000000002 - ben full off 200 10\n"
#define CEM  "00000000-0000-4000-8000-000000000003 - cem full off 200 10"

#define TABLE(shape)  HEAD "table 0 " DUEL " open 0123456789abcdef 0 " shape "\n"
#define RULES	      "rules 600 30 off 200 50\n"
#define TWO	      "seat " ANNA "seat " BEN
#define TWO_AT	      "at 0 0 0 0\nat 1 1 0 0\n"
#define FOR_TWO(game) TABLE(game) TWO RULES TWO_AT "open\n"

static struct duel played;

int64_t duel_clock(const struct duel *duel)
{
	return clock_ms() - duel->opened_at;
}

static void on_away(void *owner, int place)
{
	(void)owner;
	players_drop_socket(&played, place);
}

static void on_part(void *owner, int place, enum parting parting)
{
	(void)owner;
	(void)parting;
	played.player[place].stay = LEAVING;
}

static enum replayed play(const char *text)
{
	static const struct config config = {.defaults = {.wait = 10}};
	struct ends ends = {.up = -1, .down = -1, .handoff = -1, .journal = {-1, -1, 0, 0}};
	static const struct table_sink sink = {.away = on_away, .part = on_part};
	static struct birth birth;
	int fd = memfd_create("journal", MFD_CLOEXEC);
	enum replayed replayed;

	/* as the spawner hands it over: behind its empty line */
	text++;
	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	memset(&played, 0, sizeof(played));
	birth = (struct birth){.duel = DUEL, .again = true};
	played.config = &config;
	played.ends = &ends;
	played.birth = &birth;
	played.table.sink = &sink;
	played.table.owner = &played;
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		played.player[place].peer.fd = -1;
	ends.journal.chapter = fd;
	journal_open(&played.journal, -1, SYNC_NEVER);
	replayed = replay_journal(&played);
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		peer_close(&played.player[place].peer);
	if (replayed == REPLAY_REFUSED)
		close(fd); /* otherwise it has been closed */
	return replayed;
}

static void test_good(void)
{
	CHECK(play(FOR_TWO("tictactoe") "10 said 0 9 RESIGN\n20 over\n") == REPLAY_DONE);
	CHECK(play(FOR_TWO("memory") "10 join 2 2 0 0 " CEM " warrant\n20 said 0 9 LOGOUT\n") ==
	      REPLAY_DONE);
}

/* A third one who leaves a game for two: its rules have no word for that. */
static void test_seats(void)
{
	CHECK(play(TABLE("tictactoe") TWO
		   "seat " CEM "\n" RULES TWO_AT
		   "at 2 2 0 0\nopen\n10 said 0 9 RESIGN\n20 over\n") == REPLAY_REFUSED);
	CHECK(play(TABLE("qwirkle seats=3") TWO RULES TWO_AT "open\n") == REPLAY_REFUSED);
	CHECK(play(TABLE("tictactoe") "seat " ANNA RULES "at 0 0 0 0\nopen\n") == REPLAY_REFUSED);
	CHECK(play(FOR_TWO("tictactoe") "10 join 2 2 0 0 " CEM " warrant\n20 said 0 9 RESIGN\n") ==
	      REPLAY_REFUSED);
}

/* A head says what its table was told at its birth, all of it, and nothing of the sockets of a later one. */
static void test_head(void)
{
	CHECK(play(TABLE("tictactoe") TWO TWO_AT "open\n") == REPLAY_REFUSED);
	CHECK(play(TABLE("tictactoe") TWO "here 0 5\n" RULES TWO_AT "open\n") == REPLAY_REFUSED);
	CHECK(play(HEAD "again 0 " DUEL " open 0 0 tictactoe\n" TWO RULES TWO_AT "open\n") ==
	      REPLAY_REFUSED);
}

/* From near the largest number there is, no clock can be set. */
static void test_times(void)
{
	CHECK(play(FOR_TWO("tictactoe clock=9") "315360000000 tick\n") == REPLAY_DONE);
	CHECK(play(FOR_TWO("tictactoe") "315360000001 tick\n") == REPLAY_REFUSED);
	CHECK(play(FOR_TWO("memory") "9223372036854775807 said 0 9 MOVE 0 0\n") == REPLAY_REFUSED);
	CHECK(play(FOR_TWO("memory") "9223372036854775808 tick\n") == REPLAY_REFUSED);
	CHECK(play(FOR_TWO("memory") "-1 tick\n") == REPLAY_REFUSED);
	CHECK(play(FOR_TWO("memory") "20 tick\n10 tick\n") == REPLAY_REFUSED);
}

int main(void)
{
	CHECK(freopen("/dev/null", "w", stderr) != NULL); /* what is refused is logged */
	test_good();
	test_seats();
	test_head();
	test_times();
	return check_end();
}
