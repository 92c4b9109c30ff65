/*
 * deaths_test.c - drives server/recorder/deaths.c: who has killed too often is left out, also when there are several
 * who take turns, and nobody else is.
 */
#include "server/recorder/deaths.h"

#include "tests/unit/check.h"

#include <stdio.h>
#include <string.h>

enum {
	RECORDERS = 10000, /* that would die, if nothing was learned */
	JOURNALS = DEATHS_SPOTS - DEATHS_SPOTS_JOURNAL,
};

static struct deaths deaths;

static struct deaths_spot spot(int number)
{
	char duel[UUID_TEXT];

	snprintf(duel, sizeof(duel), "00000000-0000-4000-8000-%012d", number);
	return deaths_chapter("3", number * 1000, duel);
}

/* A recorder that reads a journal of so many chapters, of which some kill. Returns how many it has read; -1: it
 * has died. */
static int read_journal(const char *journal, int chapters, bool (*kills)(int number))
{
	struct deaths_spot whole = deaths_journal(journal);
	int done = 0;

	if (!deaths_enter(&deaths, &whole))
		return 0;
	for (int number = 0; number < chapters; number++) {
		struct deaths_spot one = spot(number);

		strcpy(one.journal, journal);
		if (!deaths_enter(&deaths, &one))
			continue;
		if (kills(number))
			return -1;
		deaths_leave(&deaths);
		deaths_enter(&deaths, &whole);
		done++;
	}
	deaths_leave(&deaths);
	return done;
}

static bool never(int number)
{
	(void)number;
	return false;
}

static bool all(int number)
{
	(void)number;
	return true;
}

static bool two(int number)
{
	return number == 3 || number == 8;
}

/* How many die until one has read it all, and what that one has read. */
static int deaths_until_read(const char *journal, int chapters, bool (*kills)(int number),
			     int *done)
{
	int died = 0;

	while ((*done = read_journal(journal, chapters, kills)) < 0 && died < RECORDERS) {
		died++;
		deaths_count(&deaths);
	}
	return died;
}

static void test_several(void)
{
	int done;

	memset(&deaths, 0, sizeof(deaths));
	CHECK(deaths_until_read("3", 10, two, &done) == 2 * DEATHS_MAX && done == 8);
	/* the next one begins with the first journal again */
	deaths_count(&deaths);
	CHECK(deaths_until_read("3", 10, two, &done) == 0 && done == 8);
	CHECK(deaths_until_read("4", 10, never, &done) == 0 && done == 10);
}

/* The others have their say, however many of one journal there are. */
static void test_many(void)
{
	char journal[12];
	int done;

	memset(&deaths, 0, sizeof(deaths));
	for (int number = 0; number < JOURNALS; number++) {
		snprintf(journal, sizeof(journal), "%d", number);
		CHECK(deaths_until_read(journal, 1000, all, &done) <=
		      DEATHS_MAX * (DEATHS_SPOTS_JOURNAL + 1));
		CHECK(done == 0);
	}
	CHECK(deaths_until_read("honest", 10, never, &done) == 0 && done == 10);
	for (int number = 0; number < JOURNALS; number++) {
		snprintf(journal, sizeof(journal), "%d", number);
		CHECK(deaths_until_read(journal, 1000, all, &done) == 0 && done == 0);
	}
}

/* Only those in a row: a recorder may be killed by somebody. */
static void test_innocent(void)
{
	struct deaths_spot one = spot(1), same_id = one, other;

	memset(&deaths, 0, sizeof(deaths));
	for (int i = 0; i < 3 * DEATHS_MAX; i++) {
		CHECK(deaths_enter(&deaths, &one));
		if (i % DEATHS_MAX == DEATHS_MAX - 1)
			deaths_leave(&deaths);
		deaths_count(&deaths);
	}
	CHECK(deaths.spots == 0);
	/* and whoever says that he is somebody else takes nobody with him */
	for (int i = 0; i < DEATHS_MAX; i++) {
		CHECK(deaths_enter(&deaths, &one));
		deaths_count(&deaths);
	}
	same_id.begin++;
	other = spot(2);
	other.begin = one.begin;
	CHECK(!deaths_enter(&deaths, &one));
	CHECK(deaths_enter(&deaths, &same_id) && deaths_enter(&deaths, &other));
}

int main(void)
{
	test_several();
	test_many();
	test_innocent();
	return check_end();
}
