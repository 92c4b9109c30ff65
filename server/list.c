/*
 * list.c - who is here: the answer to LIST, made as fast as its reader takes it.
 *
 * A place in the list is a slot in the table of visitors. A visitor keeps his slot, so nobody is
 * told twice; who comes or goes meanwhile may be missing or may be gone.
 */
#include "list.h"

#include "server.h"

const struct visitor *list_next(const struct lobby *lobby, const struct visitor *asker,
				size_t *cursor)
{
	while (*cursor < lobby->visitors) {
		const struct visitor *visitor = lobby->visitor[(*cursor)++];

		if (visitor != NULL && visitor != asker &&
		    (visitor->state == VISITOR_WAITING || visitor->state == VISITOR_SEATED))
			return visitor;
	}
	return NULL;
}

const char *list_state(const struct visitor *visitor)
{
	return visitor->state == VISITOR_WAITING ? "waiting" : "playing";
}

void list_go_on(struct lobby *lobby, struct visitor *asker)
{
	struct peer *peer = &asker->peer;

	while (asker->listing && peer_unsent_now(peer) < PEER_UNSENT_PAUSE) {
		const struct visitor *visitor = list_next(lobby, asker, &asker->cursor);

		if (visitor == NULL) {
			peer_say_in_list(peer, "END");
			peer_release(peer);
			asker->listing = false;
		} else if (asker->full) {
			peer_say_in_list(peer, "%s %s %s %s %s", visitor->id, visitor->address,
					 visitor->waiting.wish.name,
					 visitor->waiting.wish.shape.game->name,
					 list_state(visitor));
		} else {
			peer_say_in_list(peer, "%s %s", visitor->id, visitor->address);
		}
	}
}

void list_say_games(struct peer *peer, const struct shape_defaults *defaults)
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
