/*
 * keys.c - keys of PLAY on a command line. See keys.h.
 */
#include "player/session/keys.h"

#include <stdio.h>

const char *keys_check(const struct game *game, char *const words[], int count)
{
	static const struct shape_defaults defaults = {.wait = 10};
	static char reason[256];
	const char *wrong;
	struct wish wish;

	for (int i = 0; i < count; i++) {
		wish_default(&wish, game, &defaults);
		wrong = wish_read(&wish, words + i, 1);
		if (wrong != NULL) {
			snprintf(reason, sizeof(reason), "%s cannot be played with %.80s: %s",
				 game->name, words[i], wrong);
			return reason;
		}
	}
	/* each is fine by itself; together they need not be */
	wish_default(&wish, game, &defaults);
	wrong = wish_read(&wish, words, count);
	if (wrong == NULL)
		return NULL;
	snprintf(reason, sizeof(reason), "%s cannot be played so: %s", game->name, wrong);
	return reason;
}
