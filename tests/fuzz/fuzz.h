/*
 * fuzz.h - what the fuzzers share. Each is one file with the function that libFuzzer calls; what
 * must hold is asserted, the rest the sanitizers see.
 *
 * Those of a game are compiled once for each game, with -DFUZZED=name: move.c and model.c. They go
 * through struct game alone.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "proto/rules/game.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* assert() would be right, if a build without it did not make the fuzzers useless. */
#define MUST(holds)                                                                                \
	do                                                                                         \
		if (!(holds))                                                                      \
			abort();                                                                   \
	while (0)

#ifndef FUZZED
#define FUZZED null
#endif

#define FUZZ_WORD(word) #word
#define FUZZ_NAME(word) FUZZ_WORD(word)

static inline const struct game *fuzz_game(void)
{
	const struct game *game = game_find(FUZZ_NAME(FUZZED));

	MUST(game != NULL || strcmp(FUZZ_NAME(FUZZED), "null") == 0);
	return game != NULL ? game : &null_game;
}

#endif
