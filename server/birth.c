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

size_t birth_print(const struct birth *birth, char text[BIRTH_MAX])
{
	struct text lines = {.data = text, .size = BIRTH_MAX};
	char shape[SHAPE_MAX];

	shape_print(&birth->shape, shape);
	text_add(&lines, "table %u %s %016" PRIx64 " %d %s\n", birth->table, birth->duel,
		 birth->seed, birth->first, shape);
	for (int i = 0; i < birth->seats; i++) {
		const struct seat *seat = &birth->seat[i];

		text_add(&lines, "seat %s %s %s %s %s %d\n", seat->id,
			 seat->token[0] == '\0' ? "-" : seat->token, seat->name,
			 seat->full ? "full" : "classic", seat->legal ? "on" : "off",
			 birth->allowance[i]);
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

static bool read_seat(struct birth *birth, struct words *words)
{
	struct seat *seat = &birth->seat[birth->seats];
	bool has_token;
	long allowance;

	if (words->count != 7 || !args_read_number(words->word[6], 0, 1000000, &allowance) ||
	    birth->seats == GAME_SEATS_MAX)
		return false;
	has_token = strcmp(words->word[2], "-") != 0;
	if (!uuid_is_valid(words->word[1]) || (has_token && !token_is_valid(words->word[2])) ||
	    !name_is_valid(words->word[3]))
		return false;
	strcpy(seat->id, words->word[1]);
	strcpy(seat->token, has_token ? words->word[2] : "");
	strcpy(seat->name, words->word[3]);
	seat->full = strcmp(words->word[4], "full") == 0;
	seat->legal = strcmp(words->word[5], "on") == 0;
	birth->allowance[birth->seats++] = (int)allowance;
	return true;
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
