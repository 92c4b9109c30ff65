/*
 * birth.c - a new table as text, and back. See birth.h.
 */
#include "birth.h"

#include "../proto/args.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void birth_print_seat(const struct seat *seat, int allowance, struct text *text)
{
	text_add(text, "%s %s %s %s %s %d %d", seat->id, seat->token[0] == '\0' ? "-" : seat->token,
		 seat->name, seat->full ? "full" : "classic", seat->legal ? "on" : "off", allowance,
		 seat->wait);
}

size_t birth_print(const struct birth *birth, char text[BIRTH_MAX])
{
	struct text lines = {.data = text, .size = BIRTH_MAX};
	char shape[SHAPE_MAX];

	shape_print(&birth->shape, shape);
	text_add(&lines, "table %u %s %016" PRIx64 " %d %s\n", birth->table, birth->duel,
		 birth->seed, birth->first, shape);
	for (int i = 0; i < birth->seats; i++) {
		text_add(&lines, "seat ");
		birth_print_seat(&birth->seat[i], birth->allowance[i], &lines);
		text_add(&lines, "\n");
	}
	return lines.length;
}

static bool read_table(struct birth *birth, struct words *words)
{
	char *end;
	long number;

	if (words->count < 6 || !args_read_number(words->word[1], 0, UINT_MAX, &number) ||
	    !uuid_is_valid(words->word[2]))
		return false;
	birth->table = (unsigned)number;
	strcpy(birth->duel, words->word[2]);
	birth->seed = strtoull(words->word[3], &end, 16);
	if (*end != '\0' || !args_read_number(words->word[4], 0, GAME_SEATS_MAX - 1, &number))
		return false;
	birth->first = (int)number;
	return shape_read(&birth->shape, words->word + 5, words->count - 5);
}

bool birth_read_seat(struct seat *seat, int *allowance, char *const words[])
{
	bool has_token = strcmp(words[1], "-") != 0;
	long lines, wait;

	if (!uuid_is_valid(words[0]) || (has_token && !token_is_valid(words[1])) ||
	    !name_is_valid(words[2]) || !args_read_number(words[5], 0, 1000000, &lines) ||
	    !args_read_number(words[6], 1, 3600, &wait))
		return false;
	*seat = (struct seat){
	    .full = strcmp(words[3], "full") == 0,
	    .legal = strcmp(words[4], "on") == 0,
	    .wait = (int)wait,
	};
	strcpy(seat->id, words[0]);
	strcpy(seat->token, has_token ? words[1] : "");
	strcpy(seat->name, words[2]);
	*allowance = (int)lines;
	return true;
}

static bool read_seat(struct birth *birth, struct words *words)
{
	int place = birth->seats;

	if (words->count != 1 + BIRTH_SEAT_WORDS || place == GAME_SEATS_MAX)
		return false;
	birth->seats++;
	return birth_read_seat(&birth->seat[place], &birth->allowance[place], words->word + 1);
}

bool birth_read(struct birth *birth, const char *text, size_t length)
{
	char line[BIRTH_MAX];
	struct words words;
	size_t used;

	memset(birth, 0, sizeof(*birth));
	for (size_t at = 0; at < length; at += used) {
		used = line_length(text + at, length - at);
		if (used == 0 || used > sizeof(line))
			return false;
		line_copy(line, text + at, used);
		if (!line_split(line, &words))
			return false;
		if (!(at == 0 ? read_table(birth, &words) : read_seat(birth, &words)))
			return false;
	}
	return birth->seats >= 2;
}

bool birth_read_table(const char *text, unsigned *table)
{
	return sscanf(text, "table %u ", table) == 1;
}
