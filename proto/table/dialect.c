/*
 * dialect.c - what the players hear of a table: each message as a classic and as a full player hears it.
 * See table.h.
 *
 * Owns no state of the table, but for the RACK that each seat was last told. All lines go to the table's sink;
 * none is said to who is away or gone.
 */
#include "proto/table/dialect.h"

#include "proto/wire/text.h"

#include <stdarg.h>
#include <string.h>

static bool hears(const struct table *table, int seat)
{
	return table->sink->say != NULL && table->seat[seat].presence == SEAT_HERE;
}

void dialect_say(const struct table *table, int seat, const char *format, ...)
{
	/* START has the most, with ten names: below 500. Not far more, as a duel's stack is one page. */
	char line[1024];
	va_list args;

	if (!hears(table, seat))
		return;
	va_start(args, format);
	text_print_list(line, sizeof(line), format, args);
	va_end(args);
	table->sink->say(table->owner, table->seat[seat].place, line);
}

void dialect_say_to_full(const struct table *table, int except, const char *format, ...)
{
	char line[128];
	va_list args;

	va_start(args, format);
	text_print_list(line, sizeof(line), format, args);
	va_end(args);
	for (int seat = 0; seat < table->seats; seat++)
		if (seat != except && table->seat[seat].full)
			dialect_say(table, seat, "%s", line);
}

void dialect_say_id(const struct table *table, int seat)
{
	dialect_say(table, seat, "ID %s %s", table->seat[seat].id, table->seat[seat].token);
}

void dialect_say_start(const struct table *table, int seat)
{
	bool sided = table->game->has & GAME_HAS_SIDES;
	char names[GAME_SEATS_MAX * NAME_MAX_BYTES];
	struct text list = TEXT_IN(names);
	int value = sided ? seat == 0 : seat;

	if (!table->seat[seat].full) {
		dialect_say(table, seat, "START %d %s %d", table_may_move(table, seat),
			    table->game->side_word, value);
		return;
	}
	for (int s = 0; s < table->seats; s++)
		text_add(&list, "%s%s", s == 0 ? "" : ",",
			 table->seat[s].presence == SEAT_GONE ? "-" : table->seat[s].name);
	dialect_say(table, seat, "START %d %s %d duel=%s seat=%d seats=%d round=%d/%d names=%s",
		    table_may_move(table, seat), table->game->side_word, value, table->rules.duel,
		    seat, table->seats, table->round, table->rules.shape.rounds, names);
}

/* LEGAL can be longer than a line elsewhere: hundreds of moves. It is made in one piece. */
static void say_legal(const struct table *table, int seat)
{
	static struct move moves[GAME_MOVES_MAX];
	static char line[GAME_MOVES_MAX * 8];
	struct text text = TEXT_IN(line);
	int count;

	/* where everybody plays at once there is nothing to list: each card that is down is legal */
	if (!table->seat[seat].legal || !table_may_move(table, seat) || table_turn(table) != seat)
		return;
	count = table->game->list_moves(&table->state, seat, moves);
	if (count == 0)
		return; /* with --no-valid a full board goes on */
	text_add(&text, "LEGAL");
	for (int i = 0; i < count; i++) {
		char move[GAME_MOVE_TEXT];

		table->game->print_move(&moves[i], move);
		text_add(&text, "%s%s", i == 0 ? " " : ";", move);
	}
	table->sink->say(table->owner, table->seat[seat].place, line);
}

/* What a seat alone may see, when it has changed. */
static void say_rack(struct table *table, int seat, bool all)
{
	char rack[GAME_RACK_TEXT];

	if (table->game->print_rack == NULL || table->seat[seat].out)
		return;
	table->game->print_rack(&table->state, seat, rack);
	if (!all && strcmp(rack, table->rack[seat]) == 0)
		return;
	strcpy(table->rack[seat], rack);
	dialect_say(table, seat, "RACK%s%s", *rack == '\0' ? "" : " ", rack);
}

void dialect_say_position(struct table *table, int seat, bool all)
{
	char line[sizeof("BOARD ") + GAME_MODEL_MAX];

	if (!table->seat[seat].full || !hears(table, seat))
		return;
	table->game->print_model(&table->state, stpcpy(line, "BOARD "));
	table->sink->say(table->owner, table->seat[seat].place, line);
	say_rack(table, seat, all);
	if (table->game->score != NULL && (all || table->scores_new))
		dialect_say(table, seat, "SCORE%s", table->scores);
	say_legal(table, seat);
}

/* A classic mover knows what it did, and hears of the last move in the end line. */
void dialect_say_event(const struct table *table, int seat, const struct event *event)
{
	if (table->seat[seat].full)
		dialect_say(table, seat, "STATE %d %s %d", event->seat, event->text,
			    table_may_move(table, seat));
	else if (seat != event->seat && !table_is_over(table))
		dialect_say(table, seat, "STATE %s %d", event->text, table_may_move(table, seat));
}

/* `by_rules`: the game itself ended the round. Any other end is ABORTED for a classic player. */
void dialect_say_end(const struct table *table, int seat, const struct outcome *outcome,
		     bool by_rules)
{
	const char *word = outcome->winners == 0		? "UNRESOLVED"
			   : outcome->winners & table_bit(seat) ? "WIN"
								: "LOSE";

	if (table->seat[seat].full)
		dialect_say(table, seat, "%s %s", word, outcome->why);
	else if (!by_rules)
		dialect_say(table, seat, "ABORTED");
	else if (outcome->winners == 0)
		dialect_say(table, seat, "%s %s", word, table->last_event);
	else if (outcome->winners & table_bit(seat))
		dialect_say(table, seat, "%s %s", word, outcome->why);
	else
		dialect_say(table, seat, "%s %s %s", word, outcome->why, table->last_event);
}

void dialect_say_round(const struct table *table, int seat)
{
	char points[GAME_SEATS_MAX * 12];
	struct text list = TEXT_IN(points);

	if (!table->seat[seat].full)
		return;
	for (int s = 0; s < table->seats; s++)
		text_add(&list, " %d", table->seat[s].rounds_won);
	dialect_say(table, seat, "ROUND %d %d%s", table->round, table->rules.shape.rounds, points);
}

void dialect_say_aborted(const struct table *table, int seat, const char *reason)
{
	if (table->seat[seat].full)
		dialect_say(table, seat, "ABORTED %s", reason);
	else
		dialect_say(table, seat, "ABORTED");
}
