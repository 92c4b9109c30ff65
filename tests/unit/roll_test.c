/*
 * roll_test - people in the order of their numbers: who comes, leaves and is back, and one who reads meanwhile.
 */
#include "server/lobby/roll.h"
#include "tests/unit/check.h"

#include <stdlib.h>

enum { PEOPLE = 300, STEPS = 20000 };

static struct roll roll;
static int people[PEOPLE]; /* each is a pointer to its own number */
static bool here[PEOPLE];

static void come(int who)
{
	people[who] = who;
	CHECK(roll_enter(&roll, (uint64_t)who, &people[who]));
	here[who] = true;
}

static void go(int who)
{
	roll_leave(&roll, (uint64_t)who);
	here[who] = false;
}

/* The numbers of those who are read from this one on. */
static const char *read_from(uint64_t number)
{
	static char numbers[256];
	size_t length = 0;
	const int *who;

	numbers[0] = '\0';
	while ((who = roll_next(&roll, &number)) != NULL)
		length += (size_t)snprintf(numbers + length, sizeof(numbers) - length, "%d ", *who);
	return numbers;
}

static void test_order(void)
{
	check_text(read_from(0), "");
	come(1);
	come(2);
	come(7);
	check_text(read_from(0), "1 2 7 ");
	check_text(read_from(2), "2 7 ");
	check_text(read_from(3), "7 ");
	check_text(read_from(8), "");
	go(2);
	check_text(read_from(0), "1 7 ");
	come(2); /* is back where they were */
	come(5); /* an earlier one comes late */
	check_text(read_from(0), "1 2 5 7 ");
	go(1);
	go(2);
	go(5);
	go(7);
	check_text(read_from(0), "");
	CHECK(roll.count == 0);
}

/* Whoever reads meanwhile hears of nobody twice, and of all who were there all the time. */
static void test_reading(void)
{
	uint64_t cursor = 0;
	const int *who;

	for (int i = 0; i < 100; i++)
		come(i);
	for (int i = 0; i < 100; i++) {
		who = roll_next(&roll, &cursor);
		CHECK(who != NULL && *who == i);
		go(i);
		come(100 + i);
		if (i % 3 == 0) {
			come(i);
			go(i);
		}
	}
	CHECK(roll.size < 1000);
	for (int i = 100; i < 200; i++)
		go(i);
}

static void test_chance(void)
{
	int count = 0;

	srandom(1);
	for (int step = 0; step < STEPS; step++) {
		int who = (int)(random() % PEOPLE);

		if (here[who])
			go(who);
		else
			come(who);
		if (step % 97 != 0)
			continue;
		uint64_t cursor = 0;
		const int *next;
		int expected = 0;

		while ((next = roll_next(&roll, &cursor)) != NULL) {
			while (expected < PEOPLE && !here[expected])
				expected++;
			CHECK(*next == expected);
			expected++;
			count++;
		}
		while (expected < PEOPLE && !here[expected])
			expected++;
		CHECK(expected == PEOPLE);
	}
	CHECK(count > STEPS / 97);
	CHECK(roll.size <= 4 * PEOPLE);
}

int main(void)
{
	test_order();
	test_reading();
	test_chance();
	free(roll.entry);
	return check_end();
}
