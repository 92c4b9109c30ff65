/*
 * heap.c - no memory far from the program. See heap.h.
 *
 * The kernel lays the heap of a program in one piece far from all else, and what the C library needs before
 * it has one (the place of errno) too. So a duel, which has nothing there but a few bytes, would need
 * three pages of page tables for them, and a fork two mappings more. An idle table takes 101 KiB with this and 152 without
 * (build/bench/load crowd live=4000 count=200 -- build/holmgang-server ...). It is the one trick of this kind that has
 * stayed.
 *
 * Owns: the first piece of all that is allocated. What is beyond it the C library takes from the kernel
 * by itself, as it does wherever there is no heap.
 */
#include "server/duel/heap.h"

/* malloc() asks for 132 KiB at a time, and libseccomp has it ask twice. What is not touched is no memory. */
enum { ROOM = 320 * 1024 };

static char room[ROOM] __attribute__((aligned(4096)));
static size_t used;

/* It is called before there is a place for errno. */
void *heap_grow(intptr_t more)
{
	char *end = room + used;

	if (more > (intptr_t)(ROOM - used) || more < -(intptr_t)used)
		return (void *)-1;
	used = (size_t)((intptr_t)used + more);
	return end;
}

void *heap_first(size_t size)
{
	void *memory = heap_grow((intptr_t)(size + 15) & ~(intptr_t)15);

	return memory == (void *)-1 ? NULL : memory;
}
