/*
 * soak.c - what the server takes under load, minute by minute: memory, descriptors, tables.
 *
 * What it takes after the first minute is taken for what it needs; what it takes more at the end it
 * has lost.
 */
#include "tests/faults/faults.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	MINUTE_MS = 60000,
	MORE_MEMORY = 1024, /* KiB: what the allocator keeps for later goes up and down by less */
	CHILDREN = 4096,
};

static struct taken {
	long pss, rss;
	int descriptors, duels;
} first, last;

static int minutes;

static void look(struct taken *taken)
{
	static struct server_child children[CHILDREN];
	int count = server_children(children, CHILDREN);

	*taken = (struct taken){.descriptors = server_descriptors()};
	taken->pss = server_memory(&taken->rss);
	for (int i = 0; i < count; i++)
		taken->duels += children[i].kind == CHILD_DUEL;
}

void soak_run(int64_t now, int64_t begin)
{
	if (now - begin < (minutes + 1) * (int64_t)MINUTE_MS)
		return;
	look(&last);
	if (minutes++ == 0)
		first = last;
	printf("minute %2d: Pss %ld KiB, RSS %ld KiB, %d descriptors, %d tables, %lu in all\n",
	       minutes, last.pss, last.rss, last.descriptors, last.duels, played.begun);
}

void soak_judge(void)
{
	if (minutes < 2)
		fail("to compare minutes takes two of them");
	if (last.pss > first.pss + MORE_MEMORY)
		fail("the server's memory has grown from %ld to %ld KiB", first.pss, last.pss);
	if (last.descriptors > first.descriptors + first.descriptors / 10)
		fail("the server's descriptors have grown from %d to %d", first.descriptors,
		     last.descriptors);
}
