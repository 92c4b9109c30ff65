/*
 * memory.h - what a server's recorders share, one after the other, with it. No duel has it.
 */
#ifndef SERVER_RECORDER_MEMORY_H
#define SERVER_RECORDER_MEMORY_H

#include "server/recorder/deaths.h"

#include <stdint.h>

enum { RECORDER_TABLES = 65536 }; /* journals of tables with higher numbers are never begun anew */

struct recorder_memory {
	/* by table: the sign of the last duel of its journal whose game is in the database; see folder.h */
	uint64_t kept[RECORDER_TABLES];

	struct deaths deaths;
};

/* A descriptor of it, and in `memory` where it is mapped; -1 with errno, and NULL. */
int recorder_memory_make(struct recorder_memory **memory);

/* NULL: it cannot be mapped. */
struct recorder_memory *recorder_memory_map(int fd);

/* The server: what it may tell the spawner; 0: nothing. */
uint64_t recorder_memory_kept(const struct recorder_memory *memory, unsigned table);

/* The recorder: this is in the database. */
void recorder_memory_keep(struct recorder_memory *memory, unsigned table, uint64_t sign);

#endif
