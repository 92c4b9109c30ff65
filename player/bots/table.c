/*
 * table.c - a transposition table. See table.h.
 *
 * A key may lie in one of two places: the first is for what took long to find out, the second for
 * what was found last.
 */
#include "player/bots/table.h"

#include <stddef.h>

void table_begin_search(struct table_of_findings *table)
{
	table->age++;
	if (table->mask == 0)
		table->mask = TABLE_FIRST - 1;
}

static uint32_t first_place(const struct table_of_findings *table, uint64_t key)
{
	return (uint32_t)key & table->mask & ~1u;
}

const struct finding *table_find(const struct table_of_findings *table, uint64_t key)
{
	const struct finding *place = &table->finding[first_place(table, key)];

	for (int i = 0; i < 2; i++)
		if (place[i].key == key && place[i].bound != BOUND_NONE)
			return &place[i];
	return NULL;
}

/* Of each pair of places, what the larger table has elsewhere moves there. */
static void grow(struct table_of_findings *table)
{
	uint32_t size = table->mask + 1;

	table->mask = 2 * size - 1;
	for (uint32_t i = 0; i < size; i++)
		if (table->finding[i].key & size) {
			table->finding[i + size] = table->finding[i];
			table->finding[i].bound = BOUND_NONE;
		}
}

void table_keep(struct table_of_findings *table, const struct finding *finding)
{
	struct finding *place = &table->finding[first_place(table, finding->key)];

	if (place->bound != BOUND_NONE && place->key != finding->key && place->age == table->age &&
	    place->depth > finding->depth)
		place++;
	table->filled += place->bound == BOUND_NONE;
	*place = *finding;
	place->age = table->age;
	if (table->filled > table->mask / 2 && table->mask < TABLE_MOST - 1)
		grow(table);
}
