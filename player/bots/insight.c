/*
 * insight.c - the list of what is known of games. A new one is one file and one line here.
 */
#include "player/bots/search.h"

#include <stddef.h>

extern const struct insight hnefatafl_insight;
extern const struct insight quantik_insight;

static const struct insight *const insights[] = {
    &hnefatafl_insight,
    &quantik_insight,
    NULL,
};

const struct insight *insight_find(const struct game *game)
{
	for (int i = 0; insights[i] != NULL; i++)
		if (insights[i]->game == game)
			return insights[i];
	return NULL;
}
