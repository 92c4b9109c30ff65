/*
 * findings.c - what a search has found out. See findings.h.
 *
 * A key may lie in one of two places: the first is for what took long to find out, the second for
 * what was found last.
 */
#include "player/bots/findings.h"

#include <stddef.h>

void findings_begin_search(struct findings *findings)
{
	findings->age++;
	if (findings->mask == 0)
		findings->mask = FINDINGS_FIRST - 1;
}

static uint32_t first_place(const struct findings *findings, uint64_t key)
{
	return (uint32_t)key & findings->mask & ~1u;
}

const struct finding *findings_find(const struct findings *findings, uint64_t key)
{
	const struct finding *place = &findings->finding[first_place(findings, key)];

	for (int i = 0; i < 2; i++)
		if (place[i].key == key && place[i].bound != BOUND_NONE)
			return &place[i];
	return NULL;
}

/* Of each pair of places, what the larger table has elsewhere moves there. */
static void grow(struct findings *findings)
{
	uint32_t size = findings->mask + 1;

	findings->mask = 2 * size - 1;
	for (uint32_t i = 0; i < size; i++)
		if (findings->finding[i].key & size) {
			findings->finding[i + size] = findings->finding[i];
			findings->finding[i].bound = BOUND_NONE;
		}
}

void findings_keep(struct findings *findings, const struct finding *finding)
{
	struct finding *place = &findings->finding[first_place(findings, finding->key)];

	if (place->bound != BOUND_NONE && place->key != finding->key &&
	    place->age == findings->age && place->depth > finding->depth)
		place++;
	findings->filled += place->bound == BOUND_NONE;
	*place = *finding;
	place->age = findings->age;
	if (findings->filled > findings->mask / 2 && findings->mask < FINDINGS_MOST - 1)
		grow(findings);
}
