/*
 * birth.c - a new table as text, and back. See birth.h.
 *
 * Owns: the list of a birth's lines. Pure: it never sends or receives one.
 * Never: believes what it reads, since a journal has the same lines, and a duel may have gone bad.
 */
#include "server/shared/birth.h"

#include "proto/wire/args.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <bsd/string.h>

enum {
	TABLE_WORDS = 6, /* before the shape */
	LINE = 512,	 /* far more than the longest line of a birth */
};

static void add_word(struct text *text, const char *word)
{
	TEXT_ADD(text, " ");
	text_add_word(text, word);
}

static void add_number(struct text *text, long number)
{
	TEXT_ADD(text, " ");
	text_add_number(text, number);
}

void birth_print_seat(const struct seat *seat, int allowance, struct text *text)
{
	text_add_word(text, seat->id);
	add_word(text, seat->token[0] == '\0' ? "-" : seat->token);
	add_word(text, seat->name);
	add_word(text, seat->full ? "full" : "classic");
	add_word(text, seat->bot ? "bot" : seat->legal ? "on" : "off");
	add_number(text, allowance);
	add_number(text, seat->wait);
}

void birth_print_table(const struct birth *birth, const char *word, struct text *text)
{
	char shape[SHAPE_MAX];

	shape_print(&birth->shape, shape);
	text_add(text, "%s %u %s %s %016" PRIx64 " %d %s\n", word, birth->table, birth->duel,
		 birth->open ? "open" : "closed", birth->seed, birth->first, shape);
	for (int i = 0; i < birth->seats; i++) {
		TEXT_ADD(text, "seat ");
		birth_print_seat(&birth->seat[i], birth->allowance[i], text);
		TEXT_ADD(text, "\n");
	}
}

void birth_print_warrant(const struct birth *birth, struct text *text)
{
	if (birth->warrant[0] != '\0')
		text_add(text, "warrant %s\n", birth->warrant);
}

static const char *const socket_words[] = {
    [SOCKET_HERE] = "here", [SOCKET_RETURNING] = "returning", [SOCKET_JOINING] = "joining"};

size_t birth_print(const struct birth *birth, char text[BIRTH_MAX])
{
	struct text lines = {.data = text, .size = BIRTH_MAX};

	birth_print_table(birth, birth->again ? "again" : "table", &lines);
	birth_print_warrant(birth, &lines);
	text_add(&lines, "date %s\n", birth->date);
	if (!birth->again && birth->kept != 0)
		text_add(&lines, "kept %016" PRIx64 "\n", birth->kept);
	if (birth->again)
		text_add(&lines, "chapter %lld\n", (long long)birth->chapter);
	if (birth->again && birth->results < 0)
		text_add(&lines, "told -\n");
	else if (birth->again)
		text_add(&lines, "told %d\n", birth->results);
	if (birth->feeds > 0)
		text_add(&lines, "feeds %d\n", birth->feeds);
	for (int i = 0; i < birth->sockets; i++)
		text_add(&lines, "%s %d %u\n", socket_words[birth->socket[i].kind],
			 birth->socket[i].place, birth->socket[i].connection);
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		if (birth->away >> place & 1)
			text_add(&lines, "away %d\n", place);
	return lines.length;
}

static bool read_hex(const char *text, uint64_t *number)
{
	static const char digits[] = "0123456789abcdef";

	*number = 0;
	if (strlen(text) != 16)
		return false;
	for (; *text != '\0'; text++) {
		const char *digit = strchr(digits, *text);

		if (digit == NULL)
			return false;
		*number = *number << 4 | (uint64_t)(digit - digits);
	}
	return true;
}

static bool read_table(struct birth *birth, struct words *words)
{
	char *const *word = words->word;
	long number, first;

	if (words->count <= TABLE_WORDS)
		return false;
	birth->again = strcmp(word[0], "again") == 0;
	birth->open = strcmp(word[3], "open") == 0;
	if ((!birth->again && strcmp(word[0], "table") != 0) ||
	    !args_read_number(word[1], 0, UINT_MAX, &number) || !uuid_is_valid(word[2]) ||
	    (!birth->open && strcmp(word[3], "closed") != 0) || !read_hex(word[4], &birth->seed) ||
	    !args_read_number(word[5], 0, GAME_SEATS_MAX - 1, &first))
		return false;
	birth->table = (unsigned)number;
	strcpy(birth->duel, word[2]);
	birth->first = (int)first;
	return shape_read(&birth->shape, words->word + TABLE_WORDS, words->count - TABLE_WORDS);
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
	    .legal = strcmp(words[4], "on") == 0 || strcmp(words[4], "bot") == 0,
	    .bot = strcmp(words[4], "bot") == 0,
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

static bool read_told(struct birth *birth, struct words *words)
{
	long results = -1;

	if (!birth->again || words->count != 2 ||
	    (strcmp(words->word[1], "-") != 0 &&
	     !args_read_number(words->word[1], 0, INT32_MAX, &results)))
		return false;
	birth->results = (int)results;
	return true;
}

static bool read_chapter(struct birth *birth, struct words *words)
{
	long chapter;

	if (!birth->again || words->count != 2 ||
	    !args_read_number(words->word[1], 0, LONG_MAX, &chapter))
		return false;
	birth->chapter = (off_t)chapter;
	return true;
}

static bool read_date(struct birth *birth, struct words *words)
{
	return words->count == 2 &&
	       strlcpy(birth->date, words->word[1], sizeof(birth->date)) < sizeof(birth->date);
}

static bool read_warrant(struct birth *birth, struct words *words)
{
	return words->count == 2 && strlcpy(birth->warrant, words->word[1],
					    sizeof(birth->warrant)) == sizeof(birth->warrant) - 1;
}

static bool read_kept(struct birth *birth, struct words *words)
{
	return words->count == 2 && read_hex(words->word[1], &birth->kept);
}

static bool read_feeds(struct birth *birth, struct words *words)
{
	long feeds;

	if (words->count != 2 ||
	    !args_read_number(words->word[1], 1, BROADCAST_INTERFACES_MAX, &feeds))
		return false;
	birth->feeds = (int)feeds;
	return true;
}

static bool read_away(struct birth *birth, struct words *words)
{
	long place;

	if (words->count != 2 || !args_read_number(words->word[1], 0, GAME_SEATS_MAX - 1, &place))
		return false;
	birth->away |= (uint16_t)(1u << place);
	return true;
}

bool birth_read_connection(const char *word, unsigned *connection)
{
	long number;

	if (!args_read_number(word, 0, UINT_MAX, &number))
		return false;
	*connection = (unsigned)number;
	return true;
}

static bool read_socket(struct birth *birth, struct words *words)
{
	unsigned connection;
	long place;
	int kind = SOCKET_HERE;

	while (kind < SOCKET_JOINING && strcmp(words->word[0], socket_words[kind]) != 0)
		kind++;
	if (words->count != 3 || birth->sockets == 2 * GAME_SEATS_MAX ||
	    !args_read_number(words->word[1], 0, GAME_SEATS_MAX - 1, &place) ||
	    !birth_read_connection(words->word[2], &connection))
		return false;
	birth->socket[birth->sockets++] = (struct birth_socket){
	    .place = (int)place,
	    .connection = connection,
	    .kind = (enum birth_socket_kind)kind,
	};
	return true;
}

static bool read_line(struct birth *birth, char *line)
{
	static const struct {
		const char *word;
		bool (*read)(struct birth *birth, struct words *words);
	} kinds[] = {{"warrant", read_warrant},	 {"kept", read_kept},	  {"chapter", read_chapter},
		     {"seat", read_seat},	 {"date", read_date},	  {"told", read_told},
		     {"feeds", read_feeds},	 {"away", read_away},	  {"here", read_socket},
		     {"returning", read_socket}, {"joining", read_socket}};
	struct words words;

	if (!line_split(line, &words))
		return false;
	if (birth->shape.game == NULL)
		return read_table(birth, &words);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (words.word[0][0] == kinds[i].word[0] &&
		    strcmp(words.word[0], kinds[i].word) == 0)
			return kinds[i].read(birth, &words);
	return false;
}

bool birth_read_head(struct birth *birth, char *line)
{
	return (strncmp(line, "table ", 6) == 0 || strncmp(line, "seat ", 5) == 0 ||
		strncmp(line, "warrant ", 8) == 0) &&
	       read_line(birth, line);
}

bool birth_is_seated(const struct birth *birth)
{
	return birth->shape.game != NULL && birth->seats == birth->shape.seats;
}

bool birth_read(struct birth *birth, const char *text, size_t length)
{
	char line[LINE];
	size_t used;

	memset(birth, 0, sizeof(*birth));
	for (size_t at = 0; at < length; at += used) {
		used = line_length(text + at, length - at);
		if (used == 0 || used > sizeof(line))
			return false;
		line_copy(line, text + at, used);
		if (!read_line(birth, line))
			return false;
	}
	return birth_is_seated(birth) && birth->date[0] != '\0';
}
