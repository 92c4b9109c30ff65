/*
 * shape.c - the keys of PLAY. See shape.h.
 *
 * Owns the table that says of each key which games know it, how its value is read and printed; PLAY, GAMES
 * and the shape's text are made from it. Pure: it never speaks to a player.
 */
#include "proto/table/shape.h"

#include "proto/wire/args.h"
#include "proto/wire/text.h"

#include <ctype.h>
#include <string.h>

#define NAME_BYTES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

enum { SIZE_DEFAULT = 4 }; /* size= */

struct key {
	const char *name;
	unsigned needs; /* GAME_HAS_...: games without it do not know the key */
	bool shapes;	/* part of the table's shape */
	bool (*read)(struct wish *wish, const char *value);
	void (*print)(const struct wish *wish, struct text *text);
	const char *wants; /* for the ERROR */
};

/* 1 to size - 1 bytes of a name's alphabet. */
static bool read_word(char *word, size_t size, const char *value)
{
	size_t length = strlen(value);

	if (length == 0 || length >= size || strspn(value, NAME_BYTES) != length)
		return false;
	memcpy(word, value, length + 1);
	return true;
}

const char *bot_level_at(int index)
{
	static const char *const levels[] = {"random", "easy", "strong", NULL};

	return levels[index];
}

/* What follows this beginning of a word; NULL: it does not begin so. */
static const char *behind(const char *word, const char *beginning)
{
	size_t length = strlen(beginning);

	return strncmp(word, beginning, length) == 0 ? word + length : NULL;
}

const char *bot_level_of(const char *name)
{
	for (int i = 0; bot_level_at(i) != NULL; i++) {
		const char *rest = behind(name, bot_level_at(i));

		if (rest != NULL &&
		    (*rest == '\0' || strcmp(rest, "-2") == 0 || strcmp(rest, "-3") == 0))
			return bot_level_at(i);
	}
	return NULL;
}

bool bot_has_name(const char *name)
{
	return bot_level_of(name) != NULL;
}

static bool read_switch(bool *on, const char *value)
{
	*on = strcmp(value, "on") == 0;
	return *on || strcmp(value, "off") == 0;
}

bool name_is_valid(const char *name)
{
	char copy[NAME_MAX_BYTES];

	return read_word(copy, sizeof(copy), name) && strcmp(name, "-") != 0;
}

static bool read_side(struct wish *wish, const char *value)
{
	wish->side = -1;
	for (int seat = 0; seat < 2; seat++)
		if (strcmp(value, wish->shape.game->side_name[seat]) == 0)
			wish->side = seat;
	return wish->side >= 0 || strcmp(value, "any") == 0;
}

static void print_side(const struct wish *wish, struct text *text)
{
	text_add_word(text, wish->side < 0 ? "any" : wish->shape.game->side_name[wish->side]);
}

static bool read_bot(struct wish *wish, const char *value)
{
	wish->bot[0] = '\0';
	for (int i = 0; bot_level_at(i) != NULL; i++)
		if (strcmp(value, bot_level_at(i)) == 0)
			strcpy(wish->bot, value);
	return wish->bot[0] != '\0' || strcmp(value, "off") == 0;
}

static void print_bot(const struct wish *wish, struct text *text)
{
	text_add_word(text, wish->bot[0] == '\0' ? "off" : wish->bot);
}

static bool read_clock(struct wish *wish, const char *value)
{
	wish->shape.clock = 0;
	return strcmp(value, "off") == 0 || args_read_int(value, 1, 999999999, &wish->shape.clock);
}

static void print_clock(const struct wish *wish, struct text *text)
{
	if (wish->shape.clock == 0)
		TEXT_ADD(text, "off");
	else
		text_add_number(text, wish->shape.clock);
}

static void add_switch(struct text *text, bool on)
{
	text_add_word(text, on ? "on" : "off");
}

/* clang-format off */
#define READ(key, is_read) \
	static bool read_##key(struct wish *wish, const char *value) { return is_read; }
READ(name, name_is_valid(value) && read_word(wish->name, sizeof(wish->name), value))
READ(vs, name_is_valid(value) && read_word(wish->vs, sizeof(wish->vs), value))
READ(table, read_word(wish->shape.table, sizeof(wish->shape.table), value))
/* endless rounds are for the games whose default they are */
READ(rounds, args_read_int(value, wish->shape.game->rounds == 0 ? 0 : 1, 99, &wish->shape.rounds))
READ(strict, read_switch(&wish->shape.strict, value))
READ(wait, args_read_int(value, 1, 3600, &wish->wait))
READ(legal, read_switch(&wish->legal, value))
READ(seats, args_read_int(value, wish->shape.game->seats_min, wish->shape.game->seats_max,
			  &wish->shape.seats))
READ(cheat, read_switch(&wish->shape.cheat, value))
READ(size, args_read_int(value, 2, 10, &wish->shape.size) && wish->shape.size % 2 == 0)

#define PRINT(key, add, member) \
	static void print_##key(const struct wish *wish, struct text *text) { add(text, wish->member); }
PRINT(name, text_add_word, name)
PRINT(vs, text_add_word, vs)
PRINT(table, text_add_word, shape.table)
PRINT(rounds, text_add_number, shape.rounds)
PRINT(strict, add_switch, shape.strict)
PRINT(wait, text_add_number, wait)
PRINT(legal, add_switch, legal)
PRINT(seats, text_add_number, shape.seats)
PRINT(cheat, add_switch, shape.cheat)
PRINT(size, text_add_number, shape.size)
/* clang-format on */

static const struct key keys[] = {
    {"name", 0, false, read_name, print_name, "1 to 24 of A-Z a-z 0-9 . _ -"},
    {"side", GAME_HAS_SIDES, false, read_side, print_side, "a side of this game, or any"},
    {"vs", 0, false, read_vs, print_vs, "a name"},
    {"table", 0, true, read_table, print_table, "1 to 32 of A-Z a-z 0-9 . _ -"},
    {"rounds", 0, true, read_rounds, print_rounds, "1 to 99, or 0 where rounds are endless"},
    {"clock", GAME_HAS_CLOCK, true, read_clock, print_clock, "off or a number of seconds"},
    {"strict", GAME_HAS_CLOCK, true, read_strict, print_strict, "on or off"},
    {"wait", 0, false, read_wait, print_wait, "1 to 3600 seconds"},
    {"legal", 0, false, read_legal, print_legal, "on or off"},
    {"seats", GAME_HAS_SEATS, true, read_seats, print_seats, "as many as this game can have"},
    {"cheat", GAME_HAS_CHEAT, true, read_cheat, print_cheat, "on or off"},
    {"size", GAME_HAS_SIZE, true, read_size, print_size, "2, 4, 6, 8 or 10"},
    {"bot", 0, false, read_bot, print_bot, "random, easy, strong or off"},
};

enum { KEYS = sizeof(keys) / sizeof(keys[0]) };

static bool game_knows(const struct game *game, const struct key *key)
{
	return (game->has & key->needs) == key->needs;
}

void wish_default(struct wish *wish, const struct game *game, const struct shape_defaults *defaults)
{
	*wish = (struct wish){
	    .shape = {.game = game,
		      .rounds = game->rounds,
		      .clock = defaults->no_clock ? 0 : game->clock,
		      .strict = game->strict,
		      .seats = game->seats_min,
		      .size = game->has & GAME_HAS_SIZE ? SIZE_DEFAULT : 0},
	    .name = "anon",
	    .side = -1,
	    .wait = defaults->wait,
	};
}

const char *wish_read(struct wish *wish, char *const words[], int count)
{
	static char reason[96];
	unsigned seen = 0;

	for (int i = 0; i < count; i++) {
		const char *value = NULL;
		int k = 0;

		while (k < KEYS && (!game_knows(wish->shape.game, &keys[k]) ||
				    (value = line_value(words[i], keys[k].name)) == NULL))
			k++;
		if (k == KEYS)
			return "this game has no such key (GAMES lists them)";
		if (seen & 1u << k) {
			text_print(reason, sizeof(reason), "%s= was said twice", keys[k].name);
			return reason;
		}
		seen |= 1u << k;
		if (!keys[k].read(wish, value)) {
			text_print(reason, sizeof(reason), "%s= wants %s", keys[k].name,
				   keys[k].wants);
			return reason;
		}
	}
	if (wish->bot[0] != '\0' && (wish->vs[0] != '\0' || wish->shape.table[0] != '\0'))
		return "bot= chooses the opponents: leave out vs= and table=";
	return NULL;
}

void shape_print(const struct shape *shape, char text[SHAPE_MAX])
{
	struct text line = {.data = text, .size = SHAPE_MAX};
	struct wish wish = {.shape = *shape};

	text_add_word(&line, shape->game->name);
	for (int k = 0; k < KEYS; k++) {
		if (!keys[k].shapes || !game_knows(shape->game, &keys[k]))
			continue;
		TEXT_ADD(&line, " ");
		text_add_word(&line, keys[k].name);
		TEXT_ADD(&line, "=");
		keys[k].print(&wish, &line);
	}
}

void wish_print_told(const struct wish *wish, const struct shape_defaults *defaults,
		     struct text *text)
{
	struct wish usual;

	wish_default(&usual, wish->shape.game, defaults);
	for (int k = 0; k < KEYS; k++) {
		char value[TABLE_WORD_MAX_BYTES], default_value[TABLE_WORD_MAX_BYTES];
		struct text own = TEXT_IN(value), other = TEXT_IN(default_value);

		if (!keys[k].shapes || !game_knows(wish->shape.game, &keys[k]))
			continue;
		keys[k].print(wish, &own);
		keys[k].print(&usual, &other);
		if (strcmp(value, default_value) != 0)
			text_add(text, " %s=%s", keys[k].name, value);
	}
	if (wish->vs[0] != '\0')
		text_add(text, " vs=%s", wish->vs);
}

bool shape_read(struct shape *shape, char *const words[], int count)
{
	static const struct shape_defaults none = {.wait = 1};
	const struct game *game = count > 0 ? game_find(words[0]) : NULL;
	struct wish wish;

	if (game == NULL)
		return false;
	wish_default(&wish, game, &none);
	for (int i = 1; i < count; i++)
		if (strcmp(words[i], "table=") != 0 && wish_read(&wish, words + i, 1) != NULL)
			return false;
	*shape = wish.shape;
	return true;
}

void wish_print_defaults(const struct game *game, const struct shape_defaults *defaults,
			 struct text *text)
{
	struct wish wish;

	wish_default(&wish, game, defaults);
	text_add(text, "%s %d %d", game->name, game->seats_min, game->seats_max);
	for (int k = 0; k < KEYS; k++) {
		if (!game_knows(game, &keys[k]))
			continue;
		text_add(text, " %s=", keys[k].name);
		keys[k].print(&wish, text);
	}
}

/* What a character of an id may be: '-' a hyphen, 'x' a digit of base 16, 'X' one that only a UUID of somebody
 * else has. A table, for these are looked at with each birth, frame and record. */
static const char kinds[256] = {
    ['-'] = '-', ['0'] = 'x', ['1'] = 'x', ['2'] = 'x', ['3'] = 'x', ['4'] = 'x',
    ['5'] = 'x', ['6'] = 'x', ['7'] = 'x', ['8'] = 'x', ['9'] = 'x', ['a'] = 'x',
    ['b'] = 'x', ['c'] = 'x', ['d'] = 'x', ['e'] = 'x', ['f'] = 'x', ['A'] = 'X',
    ['B'] = 'X', ['C'] = 'X', ['D'] = 'X', ['E'] = 'X', ['F'] = 'X',
};

bool uuid_is_valid(const char *text)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	for (int i = 0; i < UUID_TEXT - 1; i++) {
		char kind = kinds[(unsigned char)text[i]];

		if (kind != form[i] && (kind != 'X' || form[i] != 'x'))
			return false;
	}
	return text[UUID_TEXT - 1] == '\0';
}

bool token_is_valid(const char *text)
{
	for (int i = 0; i < TOKEN_TEXT - 1; i++)
		if (kinds[(unsigned char)text[i]] != 'x')
			return false;
	return text[TOKEN_TEXT - 1] == '\0';
}
