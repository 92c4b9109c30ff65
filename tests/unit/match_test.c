/*
 * match_test - who meets whom, as match.c says: arrival, shape, vs=, side=, readiness.
 */
#include "server/lobby/match.h"
#include "tests/unit/check.h"

#include <stdlib.h>
#include <time.h>

enum { PEOPLE = 8 };

static struct queues queues;
static struct waiting people[PEOPLE];
static uint64_t arrivals;

/* Somebody comes and says these words of PLAY; "" for none. */
static struct waiting *come_to(struct waiting *one, const char *game, const char *keys)
{
	static const struct shape_defaults defaults = {.wait = 10};
	struct words words = {0};
	char copy[128];

	*one = (struct waiting){.arrival = arrivals++, .ready = true};
	wish_default(&one->wish, game_find(game), &defaults);
	strcpy(copy, keys);
	if (*copy != '\0')
		CHECK(line_split(copy, &words));
	CHECK(wish_read(&one->wish, words.word, words.count) == NULL);
	match_enter(&queues, one);
	return one;
}

static struct waiting *come(int who, const char *keys)
{
	return come_to(&people[who], "tictactoe", keys);
}

static void all_go(void)
{
	for (int i = 0; i < PEOPLE; i++)
		if (people[i].queue != NULL)
			match_leave(&people[i]);
	for (int i = 0; i < MATCH_QUEUES; i++)
		CHECK(LIST_EMPTY(&queues.hashed[i]));
}

/* Whom this one meets: their numbers in order of arrival, "" for nobody. */
static const char *meets(struct waiting *one)
{
	static char numbers[GAME_SEATS_MAX + 1];
	struct waiting *chosen[GAME_SEATS_MAX];
	int count = match_find(one, chosen, false);

	for (int i = 0; i < count; i++)
		numbers[i] = (char)('0' + (chosen[i] - people));
	numbers[count] = '\0';
	return numbers;
}

static void test_arrival(void)
{
	check_text(meets(come(0, "")), "");
	come(1, "");
	check_text(meets(come(2, "")), "02");
	check_text(meets(&people[1]), "01");
	match_leave(&people[0]);
	check_text(meets(&people[2]), "12");
	/* who comes back to the queue has the place that his arrival gives him */
	match_enter(&queues, &people[0]);
	check_text(meets(&people[2]), "02");
	all_go();
}

static void test_shape(void)
{
	come(0, "");
	check_text(meets(come(1, "rounds=2")), "");
	check_text(meets(come(2, "table=a")), "");
	check_text(meets(come(3, "clock=off")), "");
	check_text(meets(come(4, "strict=on")), "");
	/* what does not shape the table does not matter, nor does saying a default */
	check_text(meets(come(5, "name=x side=cross legal=on wait=3 rounds=1 clock=120")), "05");
	all_go();
}

static void test_vs(void)
{
	come(0, "name=a vs=c");
	check_text(meets(come(1, "name=b")), "");
	check_text(meets(come(2, "name=c vs=x")), "");
	check_text(meets(come(3, "name=c")), "03");
	check_text(meets(come(4, "name=x vs=c")), "24");
	all_go();
}

/* At more than two seats vs= speaks of each of the others. */
static void test_vs_of_many(void)
{
	static const char *const words[] = {"name=n seats=3", "name=n vs=n seats=3",
					    "name=m seats=3", "name=m vs=n seats=3"};

	/* two named n wait who may meet one who only wants such, and so do not meet each other */
	come_to(&people[0], "qwirkle", words[3]);
	check_text(meets(come_to(&people[1], "qwirkle", words[1])), "");
	check_text(meets(come_to(&people[2], "qwirkle", words[0])), "");
	check_text(meets(come_to(&people[3], "qwirkle", words[0])), "023");
	check_text(meets(&people[1]), "123");
	check_text(meets(come_to(&people[4], "qwirkle", words[2])), "234");
	all_go();
}

/* The same, found by trying all. */
static bool meet(const struct waiting *a, const struct waiting *b)
{
	return (a->wish.vs[0] == '\0' || strcmp(a->wish.vs, b->wish.name) == 0) &&
	       (b->wish.vs[0] == '\0' || strcmp(b->wish.vs, a->wish.name) == 0);
}

static bool try_all(int seats, int from, int chosen[], int count)
{
	if (count == seats)
		return true;
	for (; from < PEOPLE; from++) {
		bool fits = from != chosen[0];

		for (int i = 0; i < count; i++)
			fits = fits && meet(&people[from], &people[chosen[i]]);
		chosen[count] = from;
		if (fits && try_all(seats, from + 1, chosen, count + 1))
			return true;
	}
	return false;
}

static bool was_tried(int seats, int who, const char *found)
{
	int chosen[GAME_SEATS_MAX] = {who};
	bool good = true;

	if (!try_all(seats, 0, chosen, 1))
		return *found == '\0';
	for (int i = 0; i < seats; i++)
		good = good && strchr(found, '0' + chosen[i]) != NULL;
	return good && strlen(found) == (size_t)seats;
}

/* Among few names, whoever looks finds those whom trying all combinations finds. */
static void test_vs_by_trying_all(void)
{
	static const char *const vs[] = {"", "", " vs=a", " vs=b", " vs=c"};
	char keys[64];

	srandom(1);
	for (int i = 0; i < 20000; i++) {
		int seats = 2 + i % 3;

		for (int who = 0; who < PEOPLE; who++) {
			snprintf(keys, sizeof(keys), "name=%c%s seats=%d",
				 'a' + (int)(random() % 3), vs[random() % 5], seats);
			come_to(&people[who], "qwirkle", keys);
		}
		for (int who = 0; who < PEOPLE; who++)
			CHECK(was_tried(seats, who, meets(&people[who])));
		all_go();
	}
}

/* Thousands wait whom vs= keeps apart. To try all pairs of them would take a tenth of a second, each
 * time that somebody comes. */
static void test_crowd(void)
{
	enum { CROWD = 6000, LOOKS = 20 };
	static struct waiting crowd[CROWD];
	struct waiting *chosen[GAME_SEATS_MAX];
	clock_t begin;

	for (int i = 0; i < CROWD; i++)
		come_to(&crowd[i], "qwirkle", "name=m vs=n seats=4");
	come_to(&people[0], "qwirkle", "name=n seats=4");
	begin = clock();
	for (int i = 0; i < LOOKS; i++)
		CHECK(match_find(&people[0], chosen, false) == 0);
	CHECK((clock() - begin) / LOOKS < CLOCKS_PER_SEC / 50);
	for (int i = 0; i < CROWD; i++)
		match_leave(&crowd[i]);
	all_go();
}

/* Tables that newcomers may join stand with those who wait, the oldest first. */
static void test_openings(void)
{
	struct opening table[3] = {{.serial = 0}, {.serial = 1}, {.serial = 2}};
	struct waiting *one = come(0, "");

	match_open(&queues, &table[1], one->queue->shape);
	match_open(&queues, &table[2], "another");
	CHECK(TAILQ_FIRST(&one->queue->openings) == &table[1] &&
	      TAILQ_LAST(&one->queue->openings, openings) == &table[1]);
	CHECK(table[2].queue != one->queue);
	match_open(&queues, &table[0], one->queue->shape);
	CHECK(TAILQ_FIRST(&one->queue->openings) == &table[0] &&
	      TAILQ_NEXT(&table[0], after) == &table[1]);
	match_leave(one);
	CHECK(match_find(come(1, ""), (struct waiting *[GAME_SEATS_MAX]){0}, false) == 0);
	CHECK(people[1].queue == table[0].queue);
	match_leave(&people[1]);
	for (int i = 0; i < 3; i++)
		match_shut(&table[i]);
	all_go();
}

static void test_ready(void)
{
	come(0, "")->ready = false;
	check_text(meets(come(1, "")), "");
	check_text(meets(&people[0]), "");
	people[0].ready = true;
	check_text(meets(&people[0]), "01");
	all_go();
}

/* Some addresses are slow just now: theirs are passed over, and met later. */
/* Who has asked for computers meets these and nobody else, and nobody else meets them. */
static void test_party(void)
{
	static const unsigned party[] = {0, 7, 7, 8, 7, 0, 0};

	for (int i = 0; i < 7; i++)
		come_to(&people[i], "qwirkle", i < 6 ? "seats=3" : "")->party = party[i];
	check_text(meets(&people[2]), "124");
	check_text(meets(&people[3]), "");
	check_text(meets(&people[5]), "");
	people[6].party = 7;
	match_leave(&people[4]);
	check_text(meets(&people[1]), "");
	all_go();
}

static void test_slow(void)
{
	struct waiting *chosen[GAME_SEATS_MAX];
	bool slow = true;

	come(0, "")->slow = &slow;
	come(1, "")->slow = &slow;
	check_text(meets(&people[1]), "");
	check_text(meets(come(2, "")), "");
	CHECK(match_find(&people[2], chosen, true) == 2 && chosen[0] == &people[0]);
	check_text(meets(come(3, "")), "23");
	/* being slow does not make up for not being ready */
	people[0].ready = people[1].ready = people[3].ready = false;
	CHECK(match_find(&people[2], chosen, true) == 0);
	people[0].ready = true;
	slow = false;
	check_text(meets(&people[2]), "02");
	all_go();
}

/* The seat of the one who came first, when these two are seated. */
static int seat_of_first(const char *first, const char *second, int coin)
{
	struct waiting *chosen[2] = {come(0, first), come(1, second)};

	match_seat(chosen, coin);
	CHECK(chosen[0] != chosen[1]);
	all_go();
	return chosen[0] == &people[0] ? 0 : 1;
}

static void test_sides(void)
{
	CHECK(seat_of_first("", "", 0) == 0);
	CHECK(seat_of_first("", "", 1) == 1);
	for (int coin = 0; coin < 2; coin++) {
		CHECK(seat_of_first("side=cross", "", coin) == 0);
		CHECK(seat_of_first("side=nought", "", coin) == 1);
		CHECK(seat_of_first("", "side=cross", coin) == 1);
		CHECK(seat_of_first("", "side=nought", coin) == 0);
		CHECK(seat_of_first("side=cross", "side=cross", coin) == 0);
		CHECK(seat_of_first("side=nought", "side=nought", coin) == 1);
		CHECK(seat_of_first("side=nought", "side=cross", coin) == 1);
	}
}

int main(void)
{
	test_arrival();
	test_shape();
	test_vs();
	test_vs_of_many();
	test_vs_by_trying_all();
	test_crowd();
	test_openings();
	test_ready();
	test_party();
	test_slow();
	test_sides();
	return check_end();
}
