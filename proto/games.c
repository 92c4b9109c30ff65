/*
 * games.c - the registry of games, and the few things that rules files share.
 *
 * A new game is one rules file and one line in the table below (and one file that draws it).
 */
#include "game.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extern const struct game tictactoe_game;

static const struct game *const games[] = {
    &tictactoe_game,
    NULL,
};

const struct game *game_at(int index)
{
	return games[index];
}

const struct game *game_find(const char *name)
{
	for (int i = 0; games[i] != NULL; i++)
		if (strcmp(games[i]->name, name) == 0)
			return games[i];
	return NULL;
}

/* A number is digits with at most one minus before them. One that does not fit in `number` is no
 * error here: it can be read, and is then off every board. */
bool game_read_number(const char *word, int8_t *number)
{
	const char *digit = word + (*word == '-');
	int value = 0;

	if (*digit == '\0')
		return false;
	for (; *digit != '\0'; digit++) {
		if (!isdigit((unsigned char)*digit))
			return false;
		if (value < 1000)
			value = 10 * value + (*digit - '0');
	}
	if (*word == '-')
		value = -value;
	*number = (int8_t)(value > INT8_MAX ? INT8_MAX : value < INT8_MIN ? INT8_MIN : value);
	return true;
}

void game_add_event(struct events *events, int seat, const char *format, ...)
{
	struct event *event = &events->list[events->count++];
	va_list args;

	event->seat = seat;
	va_start(args, format);
	vsnprintf(event->text, sizeof(event->text), format, args);
	va_end(args);
}
