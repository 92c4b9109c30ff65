/*
 * table.c - rounds and clocks. See table.h. Moves are in moves.c, who comes and goes in people.c, what the
 * players hear in dialect.c.
 *
 * Owns the table's state. What it has to say goes to its sink; what may be played it asks the rules. It
 * never asks for the time, and knows no game by name.
 */
#include "proto/table/inside.h"

#include "proto/wire/text.h"
#include "proto/table/dialect.h"
#include "proto/time/timers.h"

#include <string.h>

enum {
	PAUSE_MS = 10000, /* between rounds, where people come and go */
};

uint16_t table_bit(int seat)
{
	return (uint16_t)(1u << seat);
}

int table_seat_of(const struct table *table, int place)
{
	for (int seat = 0; seat < table->seats; seat++)
		if (table->seat[seat].place == place && table->seat[seat].presence != SEAT_GONE)
			return seat;
	return -1;
}

int table_turn(const struct table *table)
{
	return table->game->turn(&table->state);
}

bool table_is_over(const struct table *table)
{
	return strcmp(table->verdict, "false") != 0;
}

bool table_may_move(const struct table *table, int seat)
{
	return !table_is_over(table) && game_may_move(table->game, &table->state, seat);
}

void table_note(struct table *table, enum deed deed, int seat, const char *words)
{
	if (table->sink->note != NULL)
		table->sink->note(table->owner, deed, seat < 0 ? -1 : table->seat[seat].place,
				  words);
}

/* --- rounds ---------------------------------------------------------------------------------- */

void table_show(struct table *table)
{
	table->n++;
	if (table->sink->show != NULL)
		table->sink->show(table->owner);
}

static void report_result(struct table *table, const char *why, uint16_t winners)
{
	if (table->sink->result != NULL)
		table->sink->result(table->owner, why, winners);
}

/* The clock of a turn runs from its first instant, however many moves it has; without clocks, the
 * patience of the house, but not with one who waits for others. */
static void start_clocks(struct table *table, int64_t now)
{
	int clock = table->rules.shape.clock;
	int turn = table_is_over(table) ? -1 : table_turn(table);

	if (turn != table->turn)
		table->clock_by = clock > 0 && turn >= 0 ? now + clock * INT64_C(1000)
							 : TIMER_NEVER;
	table->turn = turn;
	table->idle_by = clock > 0 || table->frozen ? TIMER_NEVER
						    : now + table->rules.idle * INT64_C(1000);
}

/* The scores as they stand, and whether that is news. */
static void note_scores(struct table *table)
{
	char now[sizeof(table->scores)];
	struct text text = TEXT_IN(now);

	if (table->game->score == NULL)
		return;
	for (int seat = 0; seat < table->seats; seat++)
		text_add(&text, " %d", table->game->score(&table->state, seat));
	table->scores_new = strcmp(now, table->scores) != 0;
	strcpy(table->scores, now);
}

static int first_of_round(const struct table *table)
{
	int first = table->game->first == FIRST_DRAWN ? table->rules.first : 0;

	if (table->game->first == FIRST_SEAT_0 || table->game->first == FIRST_BY_RULES)
		return 0;
	return (first + table->round - 1) & 1; /* those with sides, two, take turns to begin */
}

/* Where people come and go, a round's seats are those who are there. */
static void number_anew(struct table *table)
{
	int seats = 0;

	for (int seat = 0; seat < table->seats; seat++)
		if (table->seat[seat].presence != SEAT_GONE)
			table->seat[seats++] = table->seat[seat];
	table->seats = seats;
}

static void start_round(struct table *table, int64_t now)
{
	const struct shape *shape = &table->rules.shape;
	struct setup setup = {.size = shape->size, .cheat = shape->cheat};

	table->round++;
	if (table->game->join != NULL)
		number_anew(table);
	setup.seats = table->seats;
	setup.seed = table->rules.seed + (uint64_t)table->round;
	setup.first = first_of_round(table);
	for (int seat = 0; seat < table->seats; seat++) {
		struct seat *one = &table->seat[seat];

		one->out = one->lost = one->presence == SEAT_GONE;
		if (one->out)
			setup.left |= table_bit(seat);
	}
	table->game->begin(&table->state, &setup);
	strcpy(table->verdict, "false");
	table->last_event[0] = '\0';
	table->last_seat = table->turn = -1;
	table->clock_by = TIMER_NEVER;
	start_clocks(table, now);
	note_scores(table);
	for (int seat = 0; seat < table->seats; seat++) {
		dialect_say_start(table, seat);
		dialect_say_position(table, seat, true);
	}
	table_show(table);
}

void table_open(struct table *table, int64_t now)
{
	table->n = (unsigned)-1; /* the first state shown is 0 */
	table->pause_by = table->countdown_at = TIMER_NEVER;
	table->refused = table->asked.seat = -1;
	start_round(table, now);
}

void table_part(struct table *table, int seat, enum parting parting)
{
	if (table->seat[seat].presence == SEAT_GONE)
		return;
	table->seat[seat].presence = SEAT_GONE;
	if (table->sink->part != NULL)
		table->sink->part(table->owner, table->seat[seat].place, parting);
}

static void close_table(struct table *table)
{
	table->done = true;
	table->clock_by = table->idle_by = TIMER_NEVER;
	table->pause_by = table->countdown_at = TIMER_NEVER;
	for (int seat = 0; seat < table->seats; seat++)
		table_part(table, seat,
			   table->seat[seat].presence == SEAT_AWAY ? PARTING_LOST : PARTING_DONE);
}

static void set_verdict(struct table *table, const char *verdict)
{
	text_print(table->verdict, sizeof(table->verdict), "%s", verdict);
}

/* The words that end a round, in their order; the state that goes with them has been said. */
static void end_round(struct table *table, const struct outcome *outcome, bool by_rules, bool last,
		      int64_t now)
{
	for (int seat = 0; seat < table->seats; seat++)
		if (outcome->winners & table_bit(seat) && __builtin_popcount(outcome->winners) == 1)
			table->seat[seat].rounds_won++;
	report_result(table, outcome->why, outcome->winners);
	for (int seat = 0; seat < table->seats; seat++) {
		if (!table->seat[seat].lost)
			dialect_say_end(table, seat, outcome, by_rules);
		dialect_say_round(table, seat);
	}
	if (last || table->round == table->rules.shape.rounds)
		close_table(table);
	else if (table->game->join != NULL)
		table->pause_by = now + PAUSE_MS;
	else
		start_round(table, now);
}

/* A round that ends by something else than the rules: no move has been made. */
void table_end_otherwise(struct table *table, const char *why, uint16_t winners, bool last,
			 int64_t now)
{
	struct outcome outcome = {.over = true, .winners = winners};

	text_print(outcome.why, sizeof(outcome.why), "%s", why);
	set_verdict(table, why);
	table->last_seat = -1;
	table_show(table);
	end_round(table, &outcome, false, last, now);
}

/* Tell all but one what has happened; -1: all. */
void table_tell(struct table *table, const struct event *event, int except, int64_t now)
{
	start_clocks(table, now);
	note_scores(table);
	strcpy(table->last_event, event->text);
	table->last_seat = event->seat;
	for (int seat = 0; seat < table->seats; seat++) {
		if (seat == except)
			continue;
		dialect_say_event(table, seat, event);
		dialect_say_position(table, seat, false);
	}
	table_show(table);
}

/* The same, and the end of the round when this was it. */
void table_tell_move(struct table *table, const struct event *event, const struct outcome *outcome,
		     bool by_rules, int64_t now)
{
	if (outcome->over) {
		bool plain = outcome->winners == 0 && by_rules &&
			     table->game->drawn_verdict != NULL;

		set_verdict(table, plain ? table->game->drawn_verdict : outcome->why);
	}
	table_tell(table, event, -1, now);
	if (outcome->over)
		end_round(table, outcome, by_rules, false, now);
}

/* A round that has ended keeps its verdict: that is what viewers are left with. */
void table_abort(struct table *table, const char *reason)
{
	text_print(table->aborted, sizeof(table->aborted), "%s", reason);
	if (!table_is_over(table)) {
		set_verdict(table, "aborted");
		table->last_seat = -1;
		table_show(table);
		report_result(table, "aborted", 0);
	}
	for (int seat = 0; seat < table->seats; seat++)
		dialect_say_aborted(table, seat, reason);
	close_table(table);
}

void table_stop(struct table *table, const char *reason)
{
	table_note(table, DEED_STOP, -1, reason);
	table_abort(table, reason);
}

/* --- time ------------------------------------------------------------------------------------ */

void table_tick_game(struct table *table, int64_t now)
{
	struct event event;

	while (table->game->tick != NULL && !table->done && !table_is_over(table) &&
	       table->game->tick(&table->state, now, &event))
		table_tell(table, &event, -1, now);
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Nobody is blamed for a silence in which nobody may move. */
static int64_t idle_due(const struct table *table)
{
	return table->frozen || table_is_over(table) ? TIMER_NEVER : table->idle_by;
}

int64_t table_due(const struct table *table)
{
	int64_t due = earlier(table->clock_by, idle_due(table));

	due = earlier(due, earlier(table->pause_by, table->countdown_at));
	if (table->game->due != NULL && !table_is_over(table))
		due = earlier(due, table->game->due(&table->state));

	for (int seat = 0; seat < table->seats; seat++)
		if (table->seat[seat].presence == SEAT_AWAY)
			due = earlier(due, table->seat[seat].back_by);
	return table->done ? TIMER_NEVER : due;
}

/* The seat whose player has been away for too long since then; -1: none. */
static int find_overdue(const struct table *table, int64_t due)
{
	for (int seat = 0; seat < table->seats; seat++)
		if (table->seat[seat].presence == SEAT_AWAY && table->seat[seat].back_by == due)
			return seat;
	return -1;
}

/* One thing that was due then. */
static void do_due(struct table *table, int64_t due, int64_t now)
{
	int overdue = find_overdue(table, due);

	if (overdue >= 0) {
		table_leave_for_good(table, overdue, PARTING_LOST, now);
	} else if (table->pause_by == due) {
		table->pause_by = TIMER_NEVER;
		start_round(table, now);
	} else if (table->countdown_at == due) {
		table_count_down(table);
	} else if (table->clock_by == due) {
		table_put_out(table, table->turn, "timeout", now);
	} else if (idle_due(table) == due) {
		table_abort(table, "idle");
	} else {
		table_tick_game(table, now);
	}
}

/* What was due first is done first, also when this is late, as in a duel that was stopped. */
void table_tick(struct table *table, int64_t now)
{
	int64_t due;

	table_note(table, DEED_TICK, -1, "");
	while ((due = table_due(table)) <= now)
		do_due(table, due, now);
}

void table_fill_frame(const struct table *table, struct frame *frame)
{
	memset(frame, 0, sizeof(*frame));
	frame->game = table->game;
	strcpy(frame->duel, table->rules.duel);
	strcpy(frame->verdict, table->verdict);
	table->game->print_model(&table->state, frame->model);
	frame->n = table->n;
	frame->turn = table_is_over(table) ? -1 : table_turn(table);
	frame->seats = table->seats;
	frame->round = table->round;
	frame->rounds = table->rules.shape.rounds;
	frame->has_scores = table->game->score != NULL;
	for (int seat = 0; seat < table->seats; seat++) {
		/* of two the other has won, which needs no word */
		if (table->seats > 2 && table->seat[seat].out &&
		    table->seat[seat].presence != SEAT_GONE)
			frame->out |= (uint16_t)(1u << seat);
		if (table->game->score != NULL)
			frame->score[seat] = table->game->score(&table->state, seat);
		strcpy(frame->id[seat], table->seat[seat].id);
		strcpy(frame->name[seat],
		       table->seat[seat].presence == SEAT_GONE ? "-" : table->seat[seat].name);
	}
	if (frame->seats == 1) {
		/* a frame has two at least: the other seat is vacant */
		frame->seats = 2;
		strcpy(frame->id[1], "00000000-0000-0000-0000-000000000000");
		strcpy(frame->name[1], "-");
	}
}
