/*
 * table.c - seats, rounds and clocks. See table.h; what the players hear is in dialect.c.
 *
 * No game is known here by name.
 */
#include "dialect.h"

#include "timers.h"

#include <stdio.h>
#include <string.h>

enum {
	PAUSE_MS = 10000, /* between rounds, where people come and go */
};

uint16_t table_bit(int seat)
{
	return (uint16_t)(1u << seat);
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

/* --- rounds ---------------------------------------------------------------------------------- */

static void show(struct table *table)
{
	table->n++;
	table->sink->show(table->owner);
}

/* The clock of a turn runs from its first instant, however many moves it has; without clocks, the
 * patience of the house. */
static void start_clocks(struct table *table, int64_t now)
{
	int clock = table->rules.shape.clock;
	int turn = table_is_over(table) ? -1 : table_turn(table);

	if (turn != table->turn)
		table->clock_by = clock > 0 && turn >= 0 ? now + clock * INT64_C(1000)
							 : TIMER_NEVER;
	table->turn = turn;
	table->idle_by = clock > 0 ? TIMER_NEVER : now + table->rules.idle * INT64_C(1000);
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
	return (first + table->round - 1) % table->seats;
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
	table->turn = -1;
	table->clock_by = TIMER_NEVER;
	start_clocks(table, now);
	note_scores(table);
	for (int seat = 0; seat < table->seats; seat++) {
		dialect_say_start(table, seat);
		dialect_say_position(table, seat, true);
	}
	show(table);
}

void table_open(struct table *table, int64_t now)
{
	table->n = (unsigned)-1; /* the first state shown is 0 */
	table->pause_by = table->countdown_at = TIMER_NEVER;
	table->refused = -1;
	start_round(table, now);
}

static void part(struct table *table, int seat, enum parting parting)
{
	if (table->seat[seat].presence == SEAT_GONE)
		return;
	table->seat[seat].presence = SEAT_GONE;
	table->sink->part(table->owner, table->seat[seat].place, parting);
}

static void close_table(struct table *table)
{
	table->done = true;
	table->clock_by = table->idle_by = TIMER_NEVER;
	table->pause_by = table->countdown_at = TIMER_NEVER;
	for (int seat = 0; seat < table->seats; seat++)
		part(table, seat,
		     table->seat[seat].presence == SEAT_AWAY ? PARTING_LOST : PARTING_DONE);
}

static void set_verdict(struct table *table, const char *verdict)
{
	snprintf(table->verdict, sizeof(table->verdict), "%s", verdict);
}

/* The words that end a round, in their order; the state that goes with them has been said. */
static void end_round(struct table *table, const struct outcome *outcome, bool by_rules, bool last,
		      int64_t now)
{
	for (int seat = 0; seat < table->seats; seat++)
		if (outcome->winners & table_bit(seat) && __builtin_popcount(outcome->winners) == 1)
			table->seat[seat].rounds_won++;
	table->sink->result(table->owner, outcome->why, outcome->winners);
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
static void end_otherwise(struct table *table, const char *why, uint16_t winners, bool last,
			  int64_t now)
{
	struct outcome outcome = {.over = true, .winners = winners};

	snprintf(outcome.why, sizeof(outcome.why), "%s", why);
	set_verdict(table, why);
	show(table);
	end_round(table, &outcome, false, last, now);
}

static uint16_t all_but(const struct table *table, int seat)
{
	return (uint16_t)(((1u << table->seats) - 1) & ~table_bit(seat));
}

/* --- moves ----------------------------------------------------------------------------------- */

/* With --no-valid the last word of a move may claim the end. Which claim; -1: none. */
enum claim { CLAIM_NONE = -1, CLAIM_WIN, CLAIM_DRAW, CLAIM_LOSE };

static enum claim take_claim(char *words[], int *count)
{
	static const char *const claims[] = {"claim=win", "claim=draw", "claim=lose"};

	for (int claim = CLAIM_WIN; *count > 0 && claim <= CLAIM_LOSE; claim++) {
		if (strcmp(words[*count - 1], claims[claim]) == 0) {
			words[--*count] = NULL;
			return (enum claim)claim;
		}
	}
	return CLAIM_NONE;
}

/* Tell all but one what has happened; -1: all. */
static void tell(struct table *table, const struct event *event, int except, int64_t now)
{
	start_clocks(table, now);
	note_scores(table);
	strcpy(table->last_event, event->text);
	for (int seat = 0; seat < table->seats; seat++) {
		if (seat == except)
			continue;
		dialect_say_event(table, seat, event);
		dialect_say_position(table, seat, false);
	}
	show(table);
}

/* The same, and the end of the round when this was it. */
static void tell_move(struct table *table, const struct event *event, const struct outcome *outcome,
		      bool by_rules, int64_t now)
{
	if (outcome->over) {
		bool plain = outcome->winners == 0 && by_rules &&
			     table->game->drawn_verdict != NULL;

		set_verdict(table, plain ? table->game->drawn_verdict : outcome->why);
	}
	tell(table, event, -1, now);
	if (outcome->over)
		end_round(table, outcome, by_rules, false, now);
}

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
		tell(table, &event, -1, now);
}

/* A seat has lost the round by something else than the rules. With it the round ends when it leaves
 * only one to play. */
static void put_out(struct table *table, int seat, const char *why, int64_t now)
{
	struct outcome outcome = {.over = true};
	uint16_t active;

	tell_out(table, seat, now);
	table->seat[seat].out = true;
	active = active_seats(table);
	if (__builtin_popcount(active) < 2) {
		end_otherwise(table, why, active, false, now);
		return;
	}
	/* whoever wins, it is not this one */
	outcome.winners = active;
	snprintf(outcome.why, sizeof(outcome.why), "%s", why);
	dialect_say_end(table, seat, &outcome, false);
	table->seat[seat].lost = true;
}

static enum error answer_illegal(struct table *table, int seat, int64_t now)
{
	if (!table->rules.shape.strict || table->rules.no_valid)
		return ERROR_ILLEGAL_MOVE;
	put_out(table, seat, "illegal", now);
	return ERROR_NONE;
}

static enum error put_unjudged(struct table *table, int seat, const struct move *move,
			       enum claim claim, int64_t now)
{
	struct event event;
	struct outcome outcome = {.over = claim != CLAIM_NONE, .why = "claimed"};

	if (!table->game->put(&table->state, seat, move, &event))
		return ERROR_ILLEGAL_MOVE;
	if (claim == CLAIM_WIN)
		outcome.winners = table_bit(seat);
	else if (claim == CLAIM_LOSE)
		outcome.winners = all_but(table, seat);
	tell_move(table, &event, &outcome, false, now);
	return ERROR_NONE;
}

static enum error error_of(enum ruling ruling)
{
	switch (ruling) {
	case RULING_UNREADABLE:
		return ERROR_BAD_ARGUMENT;
	case RULING_FROZEN:
		return ERROR_FROZEN;
	case RULING_WAIT:
		return ERROR_WAIT;
	case RULING_FILLED:
		return ERROR_FILLED;
	case RULING_FINE:
	case RULING_ILLEGAL:
		break;
	}
	return ERROR_ILLEGAL_MOVE;
}

static void tick_game(struct table *table, int64_t now)
{
	struct event event;

	while (table->game->tick != NULL && !table->done && !table_is_over(table) &&
	       table->game->tick(&table->state, now, &event))
		tell(table, &event, -1, now);
}

void table_after_error(struct table *table, int64_t now)
{
	struct event event;
	int seat = table->refused;

	table->refused = -1;
	if (seat >= 0 && table->game->refuse != NULL &&
	    table->game->refuse(&table->state, seat, table->ruling, &event))
		tell(table, &event, -1, now);
}

enum error table_move(struct table *table, int seat, char *words[], int count, int64_t now,
		      const char **text)
{
	bool unjudged = table->rules.no_valid && table->game->put != NULL;
	enum claim claim = unjudged ? take_claim(words, &count) : CLAIM_NONE;
	struct event event;
	struct outcome outcome;
	struct move move;
	enum ruling ruling;

	tick_game(table, now); /* what is due comes before a move at the same instant */
	if (table_is_over(table) || (table->game->may_move == NULL && table_turn(table) != seat))
		return ERROR_NOT_YOUR_TURN;
	if (!table->game->read_move(&move, words, count)) {
		*text = table->game->move_help;
		return ERROR_BAD_ARGUMENT;
	}
	if (unjudged)
		return put_unjudged(table, seat, &move, claim, now);
	ruling = table->game->judge(&table->state, seat, &move);
	if (ruling == RULING_ILLEGAL)
		return answer_illegal(table, seat, now);
	if (ruling != RULING_FINE) {
		table->refused = seat;
		table->ruling = ruling;
		return error_of(ruling);
	}
	table->game->play(&table->state, seat, &move, now, &event);
	table->game->outcome(&table->state, &outcome);
	tell_move(table, &event, &outcome, true, now);
	return ERROR_NONE;
}

enum error table_resign(struct table *table, int seat, int64_t now)
{
	if (!table->seat[seat].full)
		return ERROR_UNKNOWN_COMMAND;
	if (table->game->join != NULL) {
		table_logout(table, seat, now);
		return ERROR_NONE;
	}
	if (table->seat[seat].out)
		return ERROR_NOT_YOUR_TURN;
	put_out(table, seat, "resigned", now);
	return ERROR_NONE;
}

/* --- coming and going ------------------------------------------------------------------------ */

/* The one who is left looks for others as anyone who waits does. */
static void say_countdown(struct table *table)
{
	for (int seat = 0; seat < table->seats; seat++)
		if (table->seat[seat].presence != SEAT_GONE)
			dialect_say_no_opponents(table, seat, table->countdown);
}

static void freeze(struct table *table, int64_t now)
{
	if (table->frozen)
		return;
	table->frozen = true;
	dialect_say_to_full(table, -1, "FROZEN");
	for (int seat = 0; seat < table->seats; seat++)
		if (table->seat[seat].presence != SEAT_GONE)
			table->countdown = table->seat[seat].wait;
	table->countdown_at = now + 1000;
	say_countdown(table);
}

static void count_down(struct table *table)
{
	table->countdown--;
	table->countdown_at += 1000;
	say_countdown(table);
	if (table->countdown == 0)
		table_abort(table, "left");
}

int table_seat_of(const struct table *table, int place)
{
	for (int seat = 0; seat < table->seats; seat++)
		if (table->seat[seat].place == place && table->seat[seat].presence != SEAT_GONE)
			return seat;
	return -1;
}

int table_room(const struct table *table)
{
	if (table->game->join == NULL || table->done)
		return 0;
	return table->game->seats_max - table->seats;
}

bool table_join(struct table *table, const struct seat *newcomer, int64_t now)
{
	int seat = table->seats;
	struct event event;

	if (table_room(table) == 0)
		return false;
	table->seat[seat] = *newcomer;
	table->seats++;
	table->game->join(&table->state, &event);
	tell(table, &event, seat, now);
	dialect_say_start(table, seat);
	dialect_say_position(table, seat, true);
	if (table->frozen) {
		table->frozen = false;
		table->countdown_at = TIMER_NEVER;
		dialect_say_to_full(table, seat, "UNFROZEN");
	}
	return true;
}

/* Somebody has left for good. When one is left to play he has won; but while he is away the round
 * waits for him: he may come back within his grace. */
static void settle_leaving(struct table *table, int64_t now)
{
	uint16_t active = active_seats(table);
	bool somebody = false, here = false, left = false;

	for (int seat = 0; seat < table->seats; seat++) {
		enum presence presence = table->seat[seat].presence;

		left = left || presence == SEAT_GONE;
		somebody = somebody || presence != SEAT_GONE;
		here = here || (presence == SEAT_HERE && (active & table_bit(seat)));
	}
	if (!left || table->done || __builtin_popcount(active) > 1)
		return;
	if (!somebody)
		table_abort(table, "left");
	else if (table->game->join != NULL)
		freeze(table, now);
	else if (here)
		end_otherwise(table, "left", active, true, now);
	else
		table->clock_by = table->idle_by = TIMER_NEVER;
}

static void leave_for_good(struct table *table, int seat, enum parting parting, int64_t now)
{
	part(table, seat, parting);
	tell_out(table, seat, now);
	table->seat[seat].out = table->seat[seat].lost = true;
	settle_leaving(table, now);
}

void table_logout(struct table *table, int seat, int64_t now)
{
	dialect_say_aborted(table, seat, "logout");
	leave_for_good(table, seat, PARTING_LOGOUT, now);
}

void table_lose(struct table *table, int seat, int64_t now)
{
	struct seat *lost = &table->seat[seat];

	if (!lost->full || table->rules.grace == 0) {
		leave_for_good(table, seat, PARTING_LOST, now);
		return;
	}
	lost->presence = SEAT_AWAY;
	lost->back_by = now + table->rules.grace * INT64_C(1000);
	table->sink->away(table->owner, table->seat[seat].place);
	dialect_say_to_full(table, seat, "AWAY %d %d", seat, table->rules.grace);
}

void table_return(struct table *table, int seat, bool was_here, int64_t now)
{
	struct seat *back = &table->seat[seat];

	back->presence = SEAT_HERE;
	back->full = true;
	dialect_say_id(table, seat);
	dialect_say_start(table, seat);
	dialect_say_position(table, seat, true);
	if (table->frozen)
		dialect_say_frozen(table, seat);
	if (!was_here)
		dialect_say_to_full(table, seat, "BACK %d", seat);
	settle_leaving(table, now);
}

void table_abort(struct table *table, const char *reason)
{
	set_verdict(table, "aborted");
	show(table);
	table->sink->result(table->owner, "aborted", 0);
	for (int seat = 0; seat < table->seats; seat++)
		dialect_say_aborted(table, seat, reason);
	close_table(table);
}

/* --- time ------------------------------------------------------------------------------------ */

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

int64_t table_due(const struct table *table)
{
	int64_t due = earlier(table->clock_by, table->idle_by);

	due = earlier(due, earlier(table->pause_by, table->countdown_at));
	if (table->game->due != NULL && !table_is_over(table))
		due = earlier(due, table->game->due(&table->state));

	for (int seat = 0; seat < table->seats; seat++)
		if (table->seat[seat].presence == SEAT_AWAY)
			due = earlier(due, table->seat[seat].back_by);
	return table->done ? TIMER_NEVER : due;
}

void table_tick(struct table *table, int64_t now)
{
	for (int seat = 0; seat < table->seats && !table->done; seat++) {
		if (table->seat[seat].presence == SEAT_AWAY && table->seat[seat].back_by <= now) {
			leave_for_good(table, seat, PARTING_LOST, now);
		}
	}
	tick_game(table, now);
	if (table->pause_by <= now) {
		table->pause_by = TIMER_NEVER;
		start_round(table, now);
	}
	if (table->countdown_at <= now)
		count_down(table);
	if (table->clock_by <= now)
		put_out(table, table->turn, "timeout", now);
	if (table->idle_by <= now)
		table_abort(table, "idle");
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
