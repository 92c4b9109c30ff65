/*
 * findings.h - what a search has found out about positions, by their keys: a transposition table.
 *
 * It grows while it is filled, so that a small game needs little memory. Two positions may have the
 * same key by chance; at 64 bits that is not reckoned with.
 */
#ifndef PLAYER_BOTS_FINDINGS_H
#define PLAYER_BOTS_FINDINGS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	FINDINGS_FIRST = 1 << 10, /* entries; a power of two, as the next */
	FINDINGS_MOST = 1 << 20,
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

/* All 0: nothing has been found out yet. Pages that are never touched cost nothing. */
struct findings {
	uint32_t mask;	 /* entries in use, less one; 0: none yet */
	uint32_t filled; /* entries */
	uint8_t age;
	struct finding finding[FINDINGS_MOST];
};

/* A new search begins: what is older gives way to what it finds. */
void findings_begin_search(struct findings *findings);

/* NULL: nothing is known. Valid until the next findings_keep(). */
const struct finding *findings_find(const struct findings *findings, uint64_t key);
void findings_keep(struct findings *findings, const struct finding *finding);

#endif
