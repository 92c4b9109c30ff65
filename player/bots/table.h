/*
 * table.h - what a search has found out about positions, by their keys: a transposition table.
 *
 * It grows while it is filled, so that a small game needs little memory. Two positions may have the
 * same key by chance; at 64 bits that is not reckoned with.
 */
#ifndef PLAYER_BOTS_TABLE_H
#define PLAYER_BOTS_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	TABLE_FIRST = 1 << 10, /* entries; a power of two, as the next */
	TABLE_MOST = 1 << 20,
};

/* What a value is: exact, or what the true one is at least or at most. */
enum bound { BOUND_NONE, BOUND_EXACT, BOUND_LOWER, BOUND_UPPER };

struct finding {
	uint64_t key;
	int16_t value;
	uint16_t move; /* the best, by its place in the list */
	uint8_t depth; /* moves looked ahead */
	uint8_t bound; /* enum bound; BOUND_NONE: this is an empty place */
	uint8_t age;   /* the search that found it */
	bool whole;    /* no line was cut short, so it holds for every depth */
};

/* All 0 is an empty table. Pages that are never touched cost nothing. */
struct table_of_findings {
	uint32_t mask;	 /* entries in use, less one; 0: none yet */
	uint32_t filled; /* entries */
	uint8_t age;
	struct finding finding[TABLE_MOST];
};

/* A new search begins: what is older gives way to what it finds. */
void table_begin_search(struct table_of_findings *table);

/* NULL: nothing is known. Valid until the next table_keep(). */
const struct finding *table_find(const struct table_of_findings *table, uint64_t key);
void table_keep(struct table_of_findings *table, const struct finding *finding);

#endif
