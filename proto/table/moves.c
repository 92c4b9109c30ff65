/*
 * moves.c - a player moves or resigns: whose turn it is, what the rules say, what follows.
 *
 * Owns what was asked last. The rules judge, table.c tells. It never changes a position itself.
 */
#include "proto/table/inside.h"

#include "proto/wire/text.h"
#include "proto/table/dialect.h"
#include "proto/time/timers.h"

#include <string.h>

static uint16_t all_but(const struct table *table, int seat)
{
	return (uint16_t)(((1u << table->seats) - 1) & ~table_bit(seat));
}

/* With --no-valid the last word of a move may claim the end. Which claim; -1: none. */
enum claim { CLAIM_NONE = -1, CLAIM_WIN, CLAIM_DRAW, CLAIM_LOSE };

static const char *const claims[] = {"claim=win", "claim=draw", "claim=lose"};

static enum claim take_claim(char *words[], int *count)
{
	for (int claim = CLAIM_WIN; *count > 0 && claim <= CLAIM_LOSE; claim++) {
		if (strcmp(words[*count - 1], claims[claim]) == 0) {
			words[--*count] = NULL;
			return (enum claim)claim;
		}
	}
	return CLAIM_NONE;
}

/* In the words of the game. They follow from the position, so a duel that is played again says them again. */
static void explain(struct table *table, int seat, const struct move *move, const char **text)
{
	table->game->why_not(&table->state, seat, move, table->why_not);
	*text = table->why_not;
}

static enum error put_unjudged(struct table *table, int seat, const struct move *move,
			       enum claim claim, int64_t now, const char **text)
{
	struct event event;
	struct outcome outcome = {.over = claim != CLAIM_NONE, .why = "claimed"};

	if (!table->game->put(&table->state, seat, move, &event)) {
		explain(table, seat, move, text);
		return ERROR_ILLEGAL_MOVE;
	}
	if (claim == CLAIM_WIN)
		outcome.winners = table_bit(seat);
	else if (claim == CLAIM_LOSE)
		outcome.winners = all_but(table, seat);
	table_tell_move(table, &event, &outcome, false, now);
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

void table_after_error(struct table *table, int64_t now)
{
	struct event event;
	int seat = table->refused, asker = table->asked.seat;

	table->refused = table->asked.seat = -1;
	if (seat >= 0 && table->game->refuse != NULL &&
	    table->game->refuse(&table->state, seat, table->ruling, &event))
		table_tell(table, &event, -1, now);
	if (asker >= 0 && table->n != table->asked.n)
		table_note(table, DEED_REFUSED, asker, table->asked.words);
}

/* A move that the rules do not allow. Of these only one that is just not allowed loses a strict round. */
static enum error answer_refused(struct table *table, int seat, const struct move *move,
				 enum ruling ruling, int64_t now, const char **text)
{
	if (ruling == RULING_ILLEGAL && table->rules.shape.strict && !table->rules.no_valid) {
		table_put_out(table, seat, "illegal", now);
		return ERROR_NONE;
	}
	explain(table, seat, move, text);
	if (ruling != RULING_ILLEGAL) {
		table->refused = seat;
		table->ruling = ruling;
	}
	return error_of(ruling);
}

/* A move as it is noted. */
static void print_asked(struct table *table, const struct move *move, enum claim claim)
{
	char printed[GAME_MOVE_TEXT];

	table->game->print_move(move, printed);
	text_print(table->asked.words, sizeof(table->asked.words), "%s%s%s", printed,
		   claim == CLAIM_NONE ? "" : " ", claim == CLAIM_NONE ? "" : claims[claim]);
}

static enum error make_move(struct table *table, int seat, char *words[], int count, int64_t now,
			    const char **text)
{
	bool unjudged = table->rules.no_valid && table->game->put != NULL;
	enum claim claim = unjudged ? take_claim(words, &count) : CLAIM_NONE;
	struct event event;
	struct outcome outcome;
	struct move move;
	enum ruling ruling;

	table_tick_game(table, now); /* what is due comes before a move at the same instant */
	if (table_is_over(table) || (table->game->may_move == NULL && table_turn(table) != seat))
		return ERROR_NOT_YOUR_TURN;
	if (!table->game->read_move(&move, words, count)) {
		text_print(table->why_not, sizeof(table->why_not), "MOVE wants %s",
			   table->game->move_help);
		*text = table->why_not;
		return ERROR_BAD_ARGUMENT;
	}
	if (table->sink->note != NULL)
		print_asked(table, &move, claim);
	if (unjudged)
		return put_unjudged(table, seat, &move, claim, now, text);
	ruling = table->game->judge(&table->state, seat, &move);
	if (ruling != RULING_FINE)
		return answer_refused(table, seat, &move, ruling, now, text);
	table->game->play(&table->state, seat, &move, now, &event);
	table->game->outcome(&table->state, &outcome);
	table_tell_move(table, &event, &outcome, true, now);
	return ERROR_NONE;
}

enum error table_move(struct table *table, int seat, char *words[], int count, int64_t now,
		      const char **text)
{
	enum error error;

	table->asked.seat = seat;
	table->asked.n = table->n;
	table->asked.words[0] = '\0';
	error = make_move(table, seat, words, count, now, text);
	if (error == ERROR_NONE) {
		table->asked.seat = -1;
		table_note(table, DEED_MOVE, seat, table->asked.words);
	}
	return error;
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
	table_note(table, DEED_RESIGN, seat, "");
	table_put_out(table, seat, "resigned", now);
	return ERROR_NONE;
}
