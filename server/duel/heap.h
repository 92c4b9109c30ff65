/*
 * heap.h - what the linker puts in the place of two functions of the C library (see OWN_HEAP in the
 * Makefile): __sbrk(), which makes the heap longer and gives where it ended, and _dl_early_allocate().
 */
#ifndef SERVER_DUEL_HEAP_H
#define SERVER_DUEL_HEAP_H

#include <stddef.h>
#include <stdint.h>

/* (void *)-1: no. */
void *heap_grow(intptr_t more);
void *heap_first(size_t size);

#endif
