#include "bot_search.h"
#include "../proto/hnefatafl.h"
static int value(const void *state)
{
	const struct hnefatafl *h = state;
	int v = 0;
	for (int c = FIRST; c <= LAST; c++)
		v += h->cell[c] == ATTACKER ? 10 : h->cell[c] == DEFENDER ? -20 : 0;
	return v;
}
static uint64_t key(const void *state)
{
	const struct hnefatafl *h = state;
	return h->past[h->moves] + (uint64_t)h->moves * UINT64_C(0x9e3779b97f4a7c15);
}
const struct insight hnefatafl_insight = {.game = "hnefatafl", .value = value, .key = key};
