/*
 * turns.c - each address has its share of a turn of the loop, so that nobody waits for long because
 * somebody else says much.
 *
 * What is heard from an address in one turn may take SHARE_NS. Those who say something beyond that stand
 * in the line of their address, and are not watched meanwhile. The lines are heard when all others of the
 * turn have been, each for what is left of its share; what remains comes in the next turn. Whoever has
 * something to say while others of their address stand in line, stands behind them: so all have their turns.
 *
 * It is time that is counted, since then it does not matter with what it is spent: matching, a LIST
 * of many, a search for a token. The loopback is an address like any other here.
 *
 * Owns: the lines of the addresses.
 * Never: lets the loop sleep while somebody stands in line; refuses or ends anybody.
 */
#include "server/lobby/lobby.h"

enum { SHARE_NS = 500000 };

/* --- the line of an address ------------------------------------------------------------------- */

static void note_crowded(struct lobby *lobby, struct origin *origin)
{
	if (origin->crowded)
		return;
	origin->crowded = true;
	SLIST_INSERT_HEAD(&lobby->crowded, origin, next_crowded);
}

static void stand_in_line(struct lobby *lobby, struct visitor *visitor, uint32_t events)
{
	struct origin *origin = visitor->origin;

	lobby_watch(lobby, &visitor->source, 0);
	visitor->came |= events;
	if (visitor->in_line)
		return;
	visitor->in_line = true;
	TAILQ_INSERT_TAIL(&origin->line, visitor, behind);
	note_crowded(lobby, origin);
}

void turns_leave_line(struct visitor *visitor)
{
	if (!visitor->in_line)
		return;
	TAILQ_REMOVE(&visitor->origin->line, visitor, behind);
	visitor->in_line = false;
	visitor->came = 0;
}

/* --- shares ----------------------------------------------------------------------------------- */

static bool has_share(const struct lobby *lobby, struct origin *origin)
{
	if (origin->turn != lobby->turn) {
		origin->turn = lobby->turn;
		origin->spent = 0;
	}
	return origin->spent < SHARE_NS;
}

/* What they say may be their last word; their address is known until that has been counted. */
static void hear(struct lobby *lobby, struct visitor *visitor, uint32_t events,
		 void (*heard)(struct lobby *lobby, struct visitor *visitor, uint32_t events))
{
	struct origin *origin = visitor->origin;
	int64_t begun = metrics_ns();

	origin->heard++;
	heard(lobby, visitor, events);
	origin->heard--;
	origin->spent += metrics_ns() - begun;
}

void turns_hear(struct lobby *lobby, struct visitor *visitor, uint32_t events)
{
	struct origin *origin = visitor->origin;

	if (origin == NULL)
		hear_visitor_now(lobby, visitor, events);
	else if (!TAILQ_EMPTY(&origin->line) || !has_share(lobby, origin))
		stand_in_line(lobby, visitor, events);
	else
		hear(lobby, visitor, events, hear_visitor_now);
}

static void hear_line(struct lobby *lobby, struct origin *origin)
{
	while (!TAILQ_EMPTY(&origin->line) && has_share(lobby, origin)) {
		struct visitor *visitor = TAILQ_FIRST(&origin->line);
		uint32_t events = visitor->came;
		int64_t begun = trace_begin();

		turns_leave_line(visitor);
		hear(lobby, visitor, events, hear_visitor_late);
		trace_end(begun, SLICE_HEAR_PLAYER);
	}
}

void turns_hear_lines(struct lobby *lobby)
{
	struct crowd crowd = lobby->crowded;

	SLIST_INIT(&lobby->crowded);
	while (!SLIST_EMPTY(&crowd)) {
		struct origin *origin = SLIST_FIRST(&crowd);

		SLIST_REMOVE_HEAD(&crowd, next_crowded);
		hear_line(lobby, origin);
		origin->crowded = false;
		if (!TAILQ_EMPTY(&origin->line))
			note_crowded(lobby, origin);
	}
}
