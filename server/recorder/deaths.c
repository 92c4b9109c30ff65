/*
 * deaths.c - where recorders (not duels) have died. See deaths.h.
 *
 * Owns nothing: the memory is its caller's, and may be half written, since a recorder may die at any line.
 * Talks to nobody, and never opens a journal.
 */
#include "server/recorder/deaths.h"

#include <string.h>

struct deaths_spot deaths_chapter(const char *journal, off_t begin, const char *duel)
{
	struct deaths_spot spot = {.begin = begin};

	text_print(spot.journal, sizeof(spot.journal), "%s", journal);
	text_print(spot.duel, sizeof(spot.duel), "%s", duel);
	return spot;
}

struct deaths_spot deaths_journal(const char *journal)
{
	return deaths_chapter(journal, -1, "");
}

static bool is_same(const struct deaths_spot *a, const struct deaths_spot *b)
{
	return a->begin == b->begin && strcmp(a->journal, b->journal) == 0 &&
	       strcmp(a->duel, b->duel) == 0;
}

/* -1: nobody has died there. */
static int find(const struct deaths *deaths, const struct deaths_spot *spot)
{
	for (int i = 0; deaths->spots > 0 && i < DEATHS_SPOTS; i++)
		if (deaths->died[i].count > 0 && is_same(&deaths->died[i].spot, spot))
			return i;
	return -1;
}

static void forget(struct deaths *deaths, int i)
{
	deaths->died[i].count = 0;
	deaths->spots--;
}

/* A free entry, or that of the spot at which the fewest have died. */
static int find_place(struct deaths *deaths)
{
	int least = 0;

	for (int i = 0; i < DEATHS_SPOTS; i++)
		if (deaths->died[i].count < deaths->died[least].count)
			least = i;
	if (deaths->died[least].count > 0)
		forget(deaths, least);
	return least;
}

static void add(struct deaths *deaths, const struct deaths_spot *spot, int count)
{
	int i = find(deaths, spot);

	if (i < 0) {
		i = find_place(deaths);
		deaths->died[i].spot = *spot;
		deaths->spots++;
	}
	deaths->died[i].count += count;
}

/* Too many of its chapters have killed: who has written so many can write more. */
static void close_journal(struct deaths *deaths, const char *journal)
{
	struct deaths_spot whole = deaths_journal(journal);

	for (int i = 0; i < DEATHS_SPOTS; i++)
		if (deaths->died[i].count > 0 && strcmp(deaths->died[i].spot.journal, journal) == 0)
			forget(deaths, i);
	add(deaths, &whole, DEATHS_MAX);
}

static int spots_of(const struct deaths *deaths, const char *journal)
{
	int spots = 0;

	for (int i = 0; i < DEATHS_SPOTS; i++)
		spots += deaths->died[i].count > 0 &&
			 strcmp(deaths->died[i].spot.journal, journal) == 0;
	return spots;
}

void deaths_count(struct deaths *deaths)
{
	if (deaths->at.journal[0] == '\0')
		return;
	add(deaths, &deaths->at, 1);
	if (spots_of(deaths, deaths->at.journal) > DEATHS_SPOTS_JOURNAL)
		close_journal(deaths, deaths->at.journal);
	deaths->at.journal[0] = '\0';
}

bool deaths_enter(struct deaths *deaths, const struct deaths_spot *spot)
{
	int i = find(deaths, spot);

	if (i >= 0 && deaths->died[i].count >= DEATHS_MAX)
		return false;
	deaths->at.journal[0] = '\0'; /* as long as only half of it is here */
	deaths->at.begin = spot->begin;
	strcpy(deaths->at.duel, spot->duel);
	strcpy(deaths->at.journal, spot->journal);
	return true;
}

void deaths_leave(struct deaths *deaths)
{
	int i = find(deaths, &deaths->at);

	deaths->at.journal[0] = '\0';
	if (i >= 0)
		forget(deaths, i);
}
