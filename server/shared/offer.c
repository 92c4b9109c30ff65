/*
 * offer.c - which games this server has: the answer to GAMES. See offer.h.
 */
#include "server/shared/offer.h"

void offer_say_games(struct peer *peer, const struct shape_defaults *defaults)
{
	const struct game *game;
	char line[256];

	for (int i = 0; (game = game_at(i)) != NULL; i++) {
		struct text text = TEXT_IN(line);

		wish_print_defaults(game, defaults, &text);
		peer_say_line(peer, line);
	}
	peer_say_line(peer, "END");
}
