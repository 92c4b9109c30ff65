/*
 * drain.c - the server takes no new tables and ends with the last one.
 *
 * Whoever waits for opponents would wait in vain: he hears ABORTED shutdown at once, and is free to
 * go elsewhere. The door stays open, since a player who loses his connection has to find back to his
 * table with RESUME. Newcomers to a table that goes on are refused too: it might never end.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"

void drain_turn_away(struct lobby *lobby, struct visitor *visitor)
{
	visitor_unregister(lobby, visitor);
	visitor_say_aborted(visitor, "shutdown");
	visitor_let_out(lobby, visitor);
}

void drain_begin(struct lobby *lobby)
{
	if (lobby->draining || lobby->stopping)
		return;
	log_info("draining tables=%u", lobby->children_live);
	lobby->draining = true;
	for (size_t slot = 0; slot < lobby->visitors; slot++) {
		struct visitor *visitor = lobby->visitor[slot];

		if (visitor != NULL && visitor->state == VISITOR_WAITING)
			drain_turn_away(lobby, visitor);
	}
}

void drain_look(struct lobby *lobby)
{
	if (lobby->draining && !lobby->stopping && lobby->children_live == 0)
		lobby_stop(lobby);
}
