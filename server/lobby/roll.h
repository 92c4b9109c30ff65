/*
 * roll.h - people or tables in the order of their numbers, which only grow: those who came earlier stand first.
 *
 * It can be read piece by piece while they come and go: whoever reads keeps a number, and no pointer, so nobody
 * is read twice. Coming is mostly a place more at the end; to leave or to go on reading is a search in a sorted
 * array. Pure.
 */
#ifndef SERVER_LOBBY_ROLL_H
#define SERVER_LOBBY_ROLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct roll_entry {
	uint64_t number;
	void *who; /* NULL: has left */
};

/* Empty when it is zero. */
struct roll {
	struct roll_entry *entry;
	size_t count, size; /* those who have left are counted … */
	size_t left;	    /* … and are so many */
};

/* Nobody else there has this number. False: there is no memory. */
bool roll_enter(struct roll *roll, uint64_t number, void *who);
void roll_leave(struct roll *roll, uint64_t number);

/* The first from this number on, which is then the number behind theirs; NULL: there is none. */
void *roll_next(const struct roll *roll, uint64_t *number);

#endif
