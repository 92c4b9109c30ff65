/*
 * table.c - the record of one table: its states in order, and what each seat hears of each.
 *
 * An entry is made when the first player hears of it (of a classic player's move: when he makes it,
 * since nobody tells him). What made it must be something that a player of this table has said, or
 * memory's time; its words are then those of the rules, and all others must hear the same.
 */
#include "tests/faults/faults.h"

#include "proto/wire/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAY_MAX = 8192 };

unsigned long count_moves;

struct position *table_now(struct table *table)
{
	return &table->entry[table->entries - 1].after;
}

void table_clear(struct table *table)
{
	for (int i = 0; i < table->entries; i++)
		for (int seat = 0; seat < SEATS; seat++)
			free(table->entry[i].say[seat]);
	free(table->entry);
	table->entry = NULL;
	table->entries = table->room = 0;
}

static bool is_full(const struct table *table, int seat)
{
	return table->at[seat] == NULL || table->at[seat]->full;
}

static struct entry *add(struct table *table, const struct position *after, int by)
{
	if (table->entries == table->room) {
		table->room = 2 * table->room + 16;
		table->entry = realloc(table->entry, (size_t)table->room * sizeof(struct entry));
		if (table->entry == NULL)
			fail("no memory");
	}
	table->entry[table->entries] = (struct entry){.after = *after, .by = by};
	table->stirred = true;
	table->progress = now_ms();
	return &table->entry[table->entries++];
}

static void say(struct entry *entry, int seat, const struct text *text)
{
	if (text->cut)
		fail("what a seat hears is too long");
	if (text->length > 0)
		entry->say[seat] = strdup(text->data);
}

/* --- the words --------------------------------------------------------------------------------- */

static void add_position(const struct table *table, const struct position *position, int seat,
			 bool all, const struct position *before, struct text *text)
{
	char model[GAME_MODEL_MAX];
	struct outcome outcome;

	if (!is_full(table, seat))
		return;
	position_model(table, position, model);
	text_add(text, "BOARD %s\n", model);
	if (table->game->print_rack != NULL) {
		const char *rack = position->rack[seat];

		if (all)
			text_add(text, "?RACK\n");
		else if (strcmp(rack, before->rack[seat]) != 0)
			text_add(text, strchr(rack, '?') ? "?rack\n" : "?RACK\n");
	}
	if (table->game->score != NULL && (all || strcmp(position->scores, before->scores) != 0))
		text_add(text, "SCORE%s\n", position->scores);
	position_outcome(table, position, &outcome);
	if (!outcome.over && position_turn(table, position) == seat)
		text_add(text, "?LEGAL\n");
}

void table_block(const struct table *table, const struct position *position, int seat,
		 struct text *text)
{
	text_add(text, "?START\n");
	add_position(table, position, seat, true, position, text);
}

static void add_round(const struct table *table, const struct position *position, int seat,
		      struct text *text)
{
	if (!is_full(table, seat))
		return;
	text_add(text, "ROUND %d %d", position->round, table->shape.rounds);
	for (int other = 0; other < position->seats; other++)
		text_add(text, " %d", position->won[other]);
	text_add(text, "\n");
}

static void add_end(const struct table *table, int seat, const struct outcome *outcome,
		    const struct event *event, struct text *text)
{
	bool wins = outcome->winners >> seat & 1;
	const char *word = outcome->winners == 0 ? "UNRESOLVED" : wins ? "WIN" : "LOSE";

	if (is_full(table, seat))
		text_add(text, "%s %s\n", word, outcome->why);
	else if (event == NULL)
		text_add(text, "ABORTED\n");
	else if (outcome->winners == 0)
		text_add(text, "%s %s\n", word, event->text);
	else if (wins)
		text_add(text, "%s %s\n", word, outcome->why);
	else
		text_add(text, "%s %s %s\n", word, outcome->why, event->text);
}

/* The state after the end of a round, which is the first of the next if there is one. */
static void finish_round(const struct table *table, struct position *position,
			 const struct outcome *outcome, bool last)
{
	for (int seat = 0; seat < position->seats; seat++)
		if (outcome->winners == 1u << seat)
			position->won[seat]++;
	position->done = last || position->round == table->shape.rounds;
}

static int first_of_round(const struct table *table, int round)
{
	int first = position_turn(table, &table->entry[0].after);

	return table->game->first == FIRST_SEAT_0 ? 0 : (first + round - 1) & 1;
}

/* Add what has happened: an event, or an end without one, or both. */
static void record(struct table *table, struct position *position, int by,
		   const struct event *event, const struct outcome *outcome, bool last)
{
	const struct position before = *table_now(table);
	struct position then = *position; /* the event's own state */
	struct entry *entry;

	position_note_scores(table, &then);
	*position = then;
	if (outcome->over) {
		finish_round(table, &then, outcome, last);
		*position = then;
		if (!position->done)
			position_begin(table, position, first_of_round(table, position->round + 1));
	}
	entry = add(table, position, by);
	for (int seat = 0; seat < then.seats; seat++) {
		char data[SAY_MAX];
		struct text text = TEXT_IN(data);
		bool over = outcome->over;

		if (then.gone >> seat & 1 || (seat >= before.seats))
			continue; /* who has left hears nothing; who joins hears START */
		if (event != NULL && is_full(table, seat))
			text_add(&text, "STATE %d %s %d\n", event->seat, event->text,
				 !over && position_may_move(table, &then, seat));
		else if (event != NULL && seat != event->seat && !over)
			text_add(&text, "STATE %s %d\n", event->text,
				 position_may_move(table, &then, seat));
		if (event != NULL)
			add_position(table, &then, seat, false, &before, &text);
		if (over) {
			add_end(table, seat, outcome, event, &text);
			add_round(table, &then, seat, &text);
		}
		if (over && !position->done)
			table_block(table, position, seat, &text);
		say(entry, seat, &text);
	}
}

void table_begin_record(struct table *table, int first)
{
	struct position position = {0};
	struct entry *entry;

	position_begin(table, &position, first);
	entry = add(table, &position, -1);
	for (int seat = 0; seat < position.seats; seat++) {
		char data[SAY_MAX];
		struct text text = TEXT_IN(data);

		table_block(table, &position, seat, &text);
		say(entry, seat, &text);
	}
}

/* --- what makes an entry ----------------------------------------------------------------------- */

static void apply_move(struct table *table, int seat, const struct move *move)
{
	struct position position = *table_now(table);
	struct outcome outcome;
	struct event event;

	count_moves++;
	position_play(table, &position, seat, move, &event);
	position_outcome(table, &position, &outcome);
	record(table, &position, seat, &event, &outcome, false);
}

void table_end_round(struct table *table, int seat, const char *why, uint16_t winners, bool last)
{
	struct position position = *table_now(table);
	struct outcome outcome = {.over = true, .winners = winners};

	snprintf(outcome.why, sizeof(outcome.why), "%s", why);
	if (last)
		position.gone |= (uint16_t)(1u << seat);
	record(table, &position, last ? -1 : seat, NULL, &outcome, last);
}

/* The oldest thing said by this player that may still make an entry. */
static struct said *find_said(struct bot *bot, unsigned kinds)
{
	for (int i = 0; bot != NULL && i < bot->saids; i++)
		if (bot->said[i].entry < 0 && (kinds >> bot->said[i].what & 1))
			return &bot->said[i];
	return NULL;
}

static int other_seat(int seat)
{
	return 1 - seat;
}

/* What has been said by who has the turn, and has not been seen to be heard. */
struct said *table_pending(struct table *table)
{
	int turn = position_turn(table, table_now(table));

	if (turn < 0 || table_now(table)->done)
		return NULL;
	return find_said(table->at[turn], 1u << SAID_MOVE | 1u << SAID_RESIGN);
}

/* It has been heard. */
bool table_make(struct table *table, struct said *said)
{
	int turn = position_turn(table, table_now(table));

	said->entry = table->entries;
	if (said->what == SAID_MOVE)
		apply_move(table, turn, &said->move);
	else
		table_end_round(table, turn, "resigned", (uint16_t)(1u << other_seat(turn)), false);
	return true;
}

/* It has not. */
void table_unmake(struct table *table, struct said *said)
{
	struct entry *entry = &table->entry[--table->entries];

	for (int seat = 0; seat < SEATS; seat++)
		free(entry->say[seat]);
	if (said->what == SAID_MOVE)
		count_moves--;
	said->entry = -1;
}

/* Where seats take turns: only who has the turn can make the next entry; or somebody who cannot
 * come back has left. */
static bool next_in_turn(struct table *table, const char *line)
{
	struct said *said = table_pending(table);

	if (strcmp(line, "WIN left") == 0 && table->bots == 2) {
		for (int seat = 0; seat < 2; seat++) {
			if (table->at[seat] == NULL || !table->at[seat]->lost)
				continue;
			table_end_round(table, seat, "left", (uint16_t)(1u << other_seat(seat)),
					true);
			return true;
		}
		return false;
	}
	return said != NULL && table_make(table, said);
}

/* Memory: what was picked must have been said. */
static bool was_said(struct table *table, int seat, const char *event, int picked,
		     const struct cards *cards)
{
	struct bot *bot = table->at[seat];

	if (strcmp(event, "leave") == 0)
		return bot == NULL || bot->lost || bot->phase == BOT_FINISHED ||
		       find_said(bot, 1u << SAID_LOGOUT) != NULL;
	if (picked < 0)
		return true;
	for (int i = 0; bot != NULL && i < bot->saids; i++) {
		struct said *said = &bot->said[i];

		if (said->what == SAID_MOVE && said->entry < 0 &&
		    said->move.arg[1] * cards->size + said->move.arg[0] == picked) {
			said->entry = table->entries;
			count_moves++;
			return true;
		}
	}
	return false;
}

static bool next_of_cards(struct table *table, const char *line)
{
	struct position position = *table_now(table);
	struct event event;
	struct outcome outcome;
	char words[GAME_EVENT_TEXT + 8], *last;
	int from, picked;

	if (sscanf(line, "STATE %d %n", &event.seat, &from) != 1 ||
	    strlen(line + from) >= sizeof(words))
		return false;
	strcpy(words, line + from);
	last = strrchr(words, ' ');
	if (last == NULL || last - words >= GAME_EVENT_TEXT)
		return false;
	*last = '\0';
	memcpy(event.text, words, (size_t)(last - words) + 1);
	if (!cards_happen(&position.cards, &table->memories, event.seat, event.text, &picked) ||
	    !was_said(table, event.seat, event.text, picked, &position.cards))
		return false;
	position.seats = position.cards.seats;
	if (strcmp(event.text, "leave") == 0)
		position.gone |= (uint16_t)(1u << event.seat);
	position_outcome(table, &position, &outcome);
	record(table, &position, picked < 0 ? -1 : event.seat, &event, &outcome, false);
	return true;
}

/* A line that is the first of an entry that is not there yet: make it. False: nothing that
 * anybody has said can have led to it. */
bool table_next(struct table *table, const char *line)
{
	if (table->entries == 0 || table_now(table)->done)
		return false;
	return table->game->join != NULL ? next_of_cards(table, line) : next_in_turn(table, line);
}

/* Somebody has come while all were away. */
void table_join(struct table *table, struct position *position)
{
	const struct outcome none = {0};
	struct event event = {.seat = position->seats, .text = "join"};
	int picked;

	if (!cards_happen(&position->cards, &table->memories, event.seat, event.text, &picked))
		fail("seat %d of %s cannot be taken", event.seat, table->duel);
	position->seats = position->cards.seats;
	record(table, position, -1, &event, &none, false);
}

/* A state that nobody has heard of, after all were away. */
void table_jump(struct table *table, const struct position *position)
{
	add(table, position, -1);
}
