/*
 * position.c - one state of a table: the rules of proto/, fed with what players are allowed to know.
 *
 * Of Qwirkle a state keeps no tile that is not on the board: the racks stand beside it, as far as
 * they have been shown, and the one that is needed is put in for a moment. Of memory it is
 * cards.c that knows the rules.
 */
#include "tests/faults/faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_cards(const struct table *table)
{
	return table->game->join != NULL;
}

/* Some seed makes this seat begin; all else that it decides is taken out again. */
static void begin_rules(const struct table *table, struct position *position, int first)
{
	struct setup setup = {
	    .seats = table->shape.seats, .first = first, .cheat = table->shape.cheat};

	do {
		setup.seed++;
		table->game->begin(&position->rules, &setup);
	} while (table->game->first == FIRST_BY_RULES &&
		 table->game->turn(&position->rules) != first);
	if (table->game->print_rack == NULL)
		return;
	table->game->blind(&position->rules, -1);
	for (int seat = 0; seat < setup.seats; seat++)
		table->game->print_rack(&position->rules, seat, position->rack[seat]);
}

void position_begin(const struct table *table, struct position *position, int first)
{
	if (is_cards(table))
		cards_begin(&position->cards, table->shape.size, table->shape.seats);
	else
		begin_rules(table, position, first);
	position->seats = table->shape.seats;
	position->round++;
	position_note_scores(table, position);
}

int position_turn(const struct table *table, const struct position *position)
{
	return is_cards(table) ? -1 : table->game->turn(&position->rules);
}

bool position_may_move(const struct table *table, const struct position *position, int seat)
{
	if (is_cards(table))
		return cards_may_move(&position->cards, seat);
	return game_may_move(table->game, &position->rules, seat);
}

void position_model(const struct table *table, const struct position *position,
		    char text[GAME_MODEL_MAX])
{
	if (is_cards(table))
		cards_print(&position->cards, text);
	else
		table->game->print_model(&position->rules, text);
}

void position_note_scores(const struct table *table, struct position *position)
{
	struct text text = TEXT_IN(position->scores);

	if (table->game->score == NULL)
		return;
	for (int seat = 0; seat < position->seats; seat++)
		text_add(&text, " %d",
			 is_cards(table) ? cards_score(&position->cards, seat)
					 : table->game->score(&position->rules, seat));
}

/* The rules with this seat's own tiles. */
static void open_rack(const struct table *table, const struct position *position, int seat,
		      union game_state *state)
{
	char copy[GAME_RACK_TEXT];
	struct words words = {0};

	memcpy(state, &position->rules, table->game->state_size);
	if (table->game->read_rack == NULL || seat < 0)
		return;
	strcpy(copy, position->rack[seat]);
	if (copy[0] != '\0')
		line_split(copy, &words);
	if (!table->game->read_rack(state, seat, words.word, words.count))
		table_wrong(table, "seat %d moves with a rack that it was never shown: \"%s\"",
			    seat, position->rack[seat]);
}

void position_play(const struct table *table, struct position *position, int seat,
		   const struct move *move, struct event *event)
{
	union game_state state;

	open_rack(table, position, seat, &state);
	table->game->play(&state, seat, move, 0, event);
	if (table->game->print_rack != NULL) {
		table->game->print_rack(&state, seat, position->rack[seat]);
		table->game->blind(&state, -1);
	}
	memcpy(&position->rules, &state, table->game->state_size);
}

void position_outcome(const struct table *table, const struct position *position,
		      struct outcome *outcome)
{
	if (is_cards(table))
		cards_outcome(&position->cards, outcome);
	else
		table->game->outcome(&position->rules, outcome);
}

int position_moves(const struct table *table, const struct position *position, int seat,
		   struct move *moves)
{
	union game_state state;
	int count = 0;

	if (!is_cards(table)) {
		open_rack(table, position, seat, &state);
		return table->game->list_moves(&state, seat, moves);
	}
	for (int cell = 0; cell < position->cards.size * position->cards.size; cell++)
		if (position->cards.shown[cell][2] == '.')
			moves[count++] = (struct move){
			    .arg = {(int8_t)(cell % position->cards.size),
				    (int8_t)(cell / position->cards.size)}};
	return count;
}

enum ruling position_judge(const struct table *table, const struct position *position, int seat,
			   const struct move *move)
{
	union game_state state;

	open_rack(table, position, seat, &state);
	return table->game->judge(&state, seat, move);
}

/* The line LEGAL, to be freed. */
char *position_legal(const struct table *table, const struct position *position, int seat)
{
	static struct move moves[GAME_MOVES_MAX];
	int count = position_moves(table, position, seat, moves);
	struct text text = {.size = (size_t)(count + 1) * (GAME_MOVE_TEXT + 1)};
	char move[GAME_MOVE_TEXT];

	text.data = malloc(text.size);
	if (text.data == NULL)
		fail("no memory");
	text_add(&text, "LEGAL");
	for (int i = 0; i < count; i++) {
		table->game->print_move(&moves[i], move);
		text_add(&text, "%s%s", i == 0 ? " " : ";", move);
	}
	return text.data;
}

/* As many tiles, among them all that are known to be there. */
bool position_rack_fits(const struct position *position, int seat, const char *rack)
{
	char known[GAME_RACK_TEXT], shown[GAME_RACK_TEXT];
	struct words had = {0}, has = {0};
	bool used[LINE_WORDS_MAX] = {false};

	if (strlen(rack) != strlen(position->rack[seat]))
		return false;
	strcpy(known, position->rack[seat]);
	strcpy(shown, rack);
	if (*rack == '\0')
		return true;
	if (!line_split(known, &had) || !line_split(shown, &has))
		return false;
	for (int i = 0; i < had.count; i++) {
		int tile = 0;

		if (strcmp(had.word[i], "??") == 0)
			continue;
		while (tile < has.count && (used[tile] || strcmp(has.word[tile], had.word[i]) != 0))
			tile++;
		if (tile == has.count)
			return false;
		used[tile] = true;
	}
	return true;
}
