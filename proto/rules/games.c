/*
 * games.c - the games of the list by name, and the few things that rules files share.
 *
 * Like the rules it is pure: it keeps nothing, asks nobody and knows no game but from the list.
 */
#include "proto/rules/game.h"

#include "proto/wire/text.h"

#include <stdarg.h>
#include <string.h>

static const struct game *const games[GAME_COUNT + 1] = {
#define GAME(name) &name##_game,
#include "proto/rules/list.h"
};

const struct game *game_at(int index)
{
	return games[index];
}

const struct game *game_find(const char *name)
{
	for (int i = 0; i < GAME_COUNT; i++)
		if (strcmp(games[i]->name, name) == 0)
			return games[i];
	return NULL;
}

void game_print_names(char names[GAME_NAMES_TEXT])
{
	struct text text = {.data = names, .size = GAME_NAMES_TEXT};

	names[0] = '\0';
	for (int i = 0; i < GAME_COUNT; i++)
		text_add(&text, "%s%s", i == 0 ? "" : ", ", games[i]->name);
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
		if (*digit < '0' || *digit > '9')
			return false;
		if (value < 1000)
			value = 10 * value + (*digit - '0');
	}
	if (*word == '-')
		value = -value;
	*number = (int8_t)(value > INT8_MAX ? INT8_MAX : value < INT8_MIN ? INT8_MIN : value);
	return true;
}

bool game_read_numbers(struct move *move, int wanted, char *const words[], int count)
{
	*move = (struct move){0};
	for (int i = 0; i < wanted; i++)
		if (count != wanted || !game_read_number(words[i], &move->arg[i]))
			return false;
	return true;
}

bool game_may_move(const struct game *game, const void *state, int seat)
{
	return game->may_move != NULL ? game->may_move(state, seat) : game->turn(state) == seat;
}

int game_picks(const struct game *game, const struct move *move, struct pick picks[GAME_PICKS_MAX])
{
	if (game->picks != NULL)
		return game->picks(move, picks);
	picks[0] = (struct pick){.x = move->arg[0], .y = move->arg[1]};
	return 1;
}

bool game_pick_move(const struct game *game, struct move *move, const struct pick picks[],
		    int count)
{
	if (game->picks != NULL)
		return game->pick_move != NULL && game->pick_move(move, picks, count);
	*move = (struct move){.arg = {(int8_t)picks[0].x, (int8_t)picks[0].y}};
	return count == 1 && !picks[0].beside;
}

const char *game_why_not_now(int seat, int turn)
{
	if (turn < 0)
		return "the round is over";
	return seat == turn ? NULL : "it is not your turn";
}

void game_say_event(struct event *event, int seat, const char *format, ...)
{
	va_list args;

	if (event == NULL)
		return;
	event->seat = seat;
	va_start(args, format);
	text_print_list(event->text, sizeof(event->text), format, args);
	va_end(args);
}

void game_seed(uint64_t *generator, uint64_t seed)
{
	*generator = seed;
}

/* splitmix64: one word of state, every seed is as good as another. */
static uint64_t next_random(uint64_t *generator)
{
	uint64_t z = *generator += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* From 0 to below - 1, each as likely as another: what would favour the small ones is drawn again.
 */
uint32_t game_draw(uint64_t *generator, uint32_t below)
{
	uint64_t excess = -(uint64_t)below % below;
	uint64_t random;

	do
		random = next_random(generator);
	while (random < excess);
	return (uint32_t)(random % below);
}
