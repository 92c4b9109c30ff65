/*
 * stop.c - how the server comes to its end: all moves between the states of the lobby.
 *
 *      RUNNING ──stop_drain──▶ DRAINING ──the last table has ended──┐
 *         └─────────────stop_begin──────────────────────────────────┴─▶ STOPPING ──▶ KILLING ──▶ FORCED
 *
 * DRAINING: whoever waits for opponents would wait in vain, hears ABORTED shutdown at once, and is free to
 * go elsewhere. The door stays open, since a player who loses their connection has to find back to their
 * table with RESUME. Newcomers to a table that goes on are refused too: it might never end.
 *
 * STOPPING: everyone who is registered hears ABORTED, now or from their duel. A duel that does not end in
 * time is killed; then whoever still does not let go is left.
 *
 * Owns: the state of the lobby (lobby.state), and the timer of the end.
 * Talks to: visitors who are at no table. Of those at a table the duels speak.
 * Never: waits; the loop goes on until stop_is_done().
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"

enum {
	STOP_MS = 1000,	      /* after which a duel that does not end is killed */
	STOP_FORCED_MS = 400, /* after which we end all the same */
	STOP_ALL_MS = 1500,   /* after which the recorder ends too */
};

void stop_turn_away(struct lobby *lobby, struct visitor *visitor)
{
	visitor_unregister(lobby, visitor);
	visitor_say_aborted(visitor, "shutdown");
	visitor_let_out(lobby, visitor);
}

void stop_drain(struct lobby *lobby)
{
	if (lobby->state != LOBBY_RUNNING)
		return;
	log_info("draining tables=%u", lobby->children_live);
	lobby->state = LOBBY_DRAINING;
	for (size_t slot = 0; slot < lobby->visitors; slot++) {
		struct visitor *visitor = lobby->visitor[slot];

		if (visitor != NULL && visitor->state == VISITOR_WAITING)
			stop_turn_away(lobby, visitor);
	}
}

void stop_look(struct lobby *lobby)
{
	if (lobby->state == LOBBY_DRAINING && lobby->children_live == 0)
		stop_begin(lobby);
}

static void on_overdue(struct timer *timer, void *owner)
{
	struct lobby *lobby = owner;

	lobby->state = lobby->state == LOBBY_STOPPING ? LOBBY_KILLING : LOBBY_FORCED;
	child_kill_all(lobby);
	launch_undo_all(lobby);
	timers_set(&lobby->timers, timer, lobby->now + STOP_FORCED_MS);
}

/* Of those at a table, and on their way back to it, the duels speak. */
static void let_visitors_out(struct lobby *lobby)
{
	for (size_t slot = 0; slot < lobby->visitors; slot++) {
		struct visitor *visitor = lobby->visitor[slot];

		if (visitor == NULL || visitor_has_place(visitor) ||
		    visitor->state == VISITOR_RETURNING)
			continue;
		if (visitor->state == VISITOR_WAITING)
			stop_turn_away(lobby, visitor);
		else
			visitor_let_out(lobby, visitor);
	}
}

void stop_begin(struct lobby *lobby)
{
	if (stop_has_begun(lobby))
		return;
	activation_say(&lobby->activation, "STOPPING=1");
	log_info("stopping tables=%u", lobby->children_live);
	lobby->state = LOBBY_STOPPING;
	lobby->stop_by = lobby->now + STOP_ALL_MS;
	listen_close(lobby);
	let_visitors_out(lobby);
	child_stop_all(lobby, "shutdown");
	lobby->stop_timer.fire = on_overdue;
	timers_set(&lobby->timers, &lobby->stop_timer, lobby->now + STOP_MS);
}

bool stop_has_begun(const struct lobby *lobby)
{
	return lobby->state >= LOBBY_STOPPING;
}

bool stop_is_done(const struct lobby *lobby)
{
	return lobby->state == LOBBY_FORCED ||
	       (stop_has_begun(lobby) && lobby->children_live == 0 && lobby->people == 0 &&
		lobby->ports_repeating == 0);
}
