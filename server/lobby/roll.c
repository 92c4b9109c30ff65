/*
 * roll.c - people or tables in the order of their numbers. See roll.h.
 */
#include "server/lobby/roll.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <bsd/stdlib.h>

/* The place of the first that has this number or a higher one. */
static size_t find(const struct roll *roll, uint64_t number)
{
	size_t low = 0, high = roll->count;

	if (high > 0 && roll->entry[high - 1].number < number)
		return high; /* mostly */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (roll->entry[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void close_ranks(struct roll *roll)
{
	size_t count = 0;

	for (size_t i = 0; i < roll->count; i++)
		if (roll->entry[i].who != NULL)
			roll->entry[count++] = roll->entry[i];
	roll->count = count;
	roll->left = 0;
}

/* A place for one more. It grows only when half of it or more is in use. */
static bool has_place(struct roll *roll)
{
	size_t size = 2 * roll->size + 16;
	struct roll_entry *more;

	if (roll->count < roll->size)
		return true;
	if (roll->size > 0 && roll->left >= roll->size / 2) {
		close_ranks(roll);
		return true;
	}
	more = recallocarray(roll->entry, roll->size, size, sizeof(*more));
	if (more == NULL)
		return false;
	roll->entry = more;
	roll->size = size;
	return true;
}

bool roll_enter(struct roll *roll, uint64_t number, void *who)
{
	size_t at;

	if (!has_place(roll))
		return false;
	at = find(roll, number);
	if (at < roll->count && roll->entry[at].number == number) { /* is back */
		assert(roll->entry[at].who == NULL);
		roll->entry[at].who = who;
		roll->left--;
		return true;
	}
	memmove(roll->entry + at + 1, roll->entry + at,
		(roll->count - at) * sizeof(roll->entry[0]));
	roll->entry[at] = (struct roll_entry){.number = number, .who = who};
	roll->count++;
	return true;
}

void roll_leave(struct roll *roll, uint64_t number)
{
	size_t at = find(roll, number);

	assert(at < roll->count && roll->entry[at].number == number);
	roll->entry[at].who = NULL;
	if (++roll->left == roll->count)
		roll->count = roll->left = 0;
}

void *roll_next(const struct roll *roll, uint64_t *number)
{
	for (size_t at = find(roll, *number); at < roll->count; at++) {
		if (roll->entry[at].who == NULL)
			continue;
		*number = roll->entry[at].number + 1;
		return roll->entry[at].who;
	}
	return NULL;
}
