/*
 * people.c - players who go out, leave, are lost, come back and join, and who wait for others.
 *
 * Owns who is here, away or gone, and the countdown of the last one at a table. table.c tells the others.
 * It never makes a move.
 */
#include "proto/table/inside.h"

#include "proto/wire/text.h"
#include "proto/table/dialect.h"
#include "proto/time/timers.h"

#include <string.h>

/* --- out ------------------------------------------------------------------------------------- */

/* Those who still play in this round. */
static uint16_t active_seats(const struct table *table)
{
	uint16_t active = 0;

	for (int seat = 0; seat < table->seats; seat++)
		if (table->seat[seat].presence != SEAT_GONE && !table->seat[seat].out)
			active |= table_bit(seat);
	return active;
}

/* At a table of more than two the others hear that a seat is out, and go on. */
static void tell_out(struct table *table, int seat, int64_t now)
{
	struct event event;

	if (table->game->join == NULL &&
	    (table->seats == 2 || table->seat[seat].out || table_is_over(table)))
		return;
	table->seat[seat].out = true; /* its rack is not told any more */
	while (table->game->leave(&table->state, seat, &event))
		table_tell(table, &event, -1, now);
}

/* A seat has lost the round by something else than the rules. With it the round ends when it leaves
 * only one to play. */
void table_put_out(struct table *table, int seat, const char *why, int64_t now)
{
	struct outcome outcome = {.over = true};
	uint16_t active;

	tell_out(table, seat, now);
	table->seat[seat].out = true;
	active = active_seats(table);
	if (__builtin_popcount(active) < 2) {
		table_end_otherwise(table, why, active, false, now);
		return;
	}
	/* whoever wins, it is not this one */
	outcome.winners = active;
	text_print(outcome.why, sizeof(outcome.why), "%s", why);
	dialect_say_end(table, seat, &outcome, false);
	table->seat[seat].lost = true;
}

/* --- waiting for others ---------------------------------------------------------------------- */

/* The one who is left looks for others as anyone who waits does. */
static void say_countdown(struct table *table)
{
	for (int seat = 0; seat < table->seats; seat++)
		if (table->seat[seat].presence != SEAT_GONE)
			dialect_say(table, seat, "NO_OPPONENTS %d", table->countdown);
}

static void freeze(struct table *table, int64_t now)
{
	if (table->frozen)
		return;
	table->frozen = true;
	table->idle_by = TIMER_NEVER;
	dialect_say_to_full(table, -1, "FROZEN");
	for (int seat = 0; seat < table->seats; seat++)
		if (table->seat[seat].presence != SEAT_GONE)
			table->countdown = table->seat[seat].wait;
	table->countdown_at = now + 1000;
	say_countdown(table);
}

/* While that player is away it stands still: there is a time of grace. */
void table_count_down(struct table *table)
{
	bool here = false;

	table->countdown_at += 1000;
	for (int seat = 0; seat < table->seats; seat++)
		here = here || table->seat[seat].presence == SEAT_HERE;
	if (!here)
		return;
	table->countdown--;
	say_countdown(table);
	if (table->countdown == 0)
		table_abort(table, "left");
}

/* --- coming and going ------------------------------------------------------------------------ */

int table_room(const struct table *table)
{
	if (table->game->join == NULL || table->done)
		return 0;
	return table->game->seats_max - table->seats;
}

bool table_join(struct table *table, const struct seat *newcomer, int64_t now)
{
	int seat = table->seats;
	bool was_frozen = table->frozen;
	struct event event;

	if (table_room(table) == 0)
		return false;
	table->seat[seat] = *newcomer;
	table->seats++;
	table_note(table, DEED_JOIN, seat, "");
	table->frozen = false;
	table->countdown_at = TIMER_NEVER;
	table->game->join(&table->state, &event);
	table_tell(table, &event, seat, now);
	dialect_say_start(table, seat);
	dialect_say_position(table, seat, true);
	if (was_frozen)
		dialect_say_to_full(table, seat, "UNFROZEN");
	return true;
}

/* Somebody has left for good. When one is left to play, that one has won. But while the last one is
 * away the round waits, as long as the grace lasts. After it, those who are out are let go. */
static void settle_leaving(struct table *table, int64_t now)
{
	uint16_t active = active_seats(table);
	bool somebody = false, here = false, left = false;

	for (int seat = 0; seat < table->seats; seat++) {
		enum presence presence = table->seat[seat].presence;

		somebody = somebody || presence != SEAT_GONE;
		left = left || presence == SEAT_GONE;
		here = here || (presence == SEAT_HERE && (active & table_bit(seat)));
	}
	if (!left || table->done || __builtin_popcount(active) > 1)
		return;
	if (!somebody)
		table_abort(table, "left");
	else if (table->game->join != NULL)
		freeze(table, now);
	else if (here || active == 0)
		table_end_otherwise(table, "left", active, true, now);
	else
		table->clock_by = table->idle_by = TIMER_NEVER;
}

void table_leave_for_good(struct table *table, int seat, enum parting parting, int64_t now)
{
	unsigned n = table->n;

	table_part(table, seat, parting);
	tell_out(table, seat, now);
	table->seat[seat].out = table->seat[seat].lost = true;
	settle_leaving(table, now);
	/* that the seat is vacant the viewers see, whatever else there was to tell */
	if (table->n == n && !table->done && !table_is_over(table)) {
		table->last_seat = -1; /* no move has been made */
		table_show(table);
	}
}

void table_logout(struct table *table, int seat, int64_t now)
{
	table_note(table, DEED_LOGOUT, seat, "");
	dialect_say_aborted(table, seat, "logout");
	table_leave_for_good(table, seat, PARTING_LOGOUT, now);
}

void table_lose(struct table *table, int seat, int64_t now)
{
	struct seat *lost = &table->seat[seat];

	table_note(table, DEED_LOST, seat, "");
	if (!lost->full || table->rules.grace == 0) {
		table_leave_for_good(table, seat, PARTING_LOST, now);
		return;
	}
	lost->presence = SEAT_AWAY;
	lost->back_by = now + table->rules.grace * INT64_C(1000);
	if (table->sink->away != NULL)
		table->sink->away(table->owner, lost->place);
	dialect_say_to_full(table, seat, "AWAY %d %d", seat, table->rules.grace);
}

void table_return(struct table *table, int seat, bool was_here, int64_t now)
{
	struct seat *back = &table->seat[seat];

	table_note(table, DEED_BACK, seat, "");
	back->presence = SEAT_HERE;
	back->full = true;
	dialect_say_id(table, seat);
	dialect_say_start(table, seat);
	dialect_say_position(table, seat, true);
	if (table->frozen)
		dialect_say(table, seat, "FROZEN");
	if (!was_here)
		dialect_say_to_full(table, seat, "BACK %d", seat);
	settle_leaving(table, now);
}
