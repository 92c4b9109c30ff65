/*
 * results.c - the file of results: a line of JSON that says what is played, then one a game.
 *
 * Owns the file and the list of results. Each line is written whole as its game ends. A last line that was
 * cut off has not been written: when the file is read again, its game is played again. It never changes a
 * line that is whole.
 */
#include "player/arena/arena.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void hash_text(uint64_t *hash, const char *text)
{
	/* FNV-1a; the NUL too, so that two texts are not one */
	do {
		*hash = (*hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	} while (*text++ != '\0');
}

static void hash_number(uint64_t *hash, long number)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", number);
	hash_text(hash, text);
}

/* What decides who plays game n, and what. Not how many there are: more rounds can be added. */
static uint64_t hash_options(const struct arena_options *options)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	hash_text(&hash, options->game->name);
	for (int i = 0; i < options->entrants; i++) {
		const struct entrant *entrant = &options->entrant[i];

		hash_text(&hash, entrant->name);
		hash_text(&hash, entrant->command != NULL ? entrant->command : "");
		hash_text(&hash, entrant->level != NULL ? entrant->level : "");
		hash_number(&hash, entrant->think);
	}
	for (int k = 0; k < options->keys; k++)
		hash_text(&hash, options->key[k]);
	hash_number(&hash, options->games);
	hash_number(&hash, options->seats);
	hash_number(&hash, options->repeat);
	hash_number(&hash, options->gauntlet);
	hash_number(&hash, options->seed);
	return hash;
}

static void print_head(const struct arena *arena, char text[160])
{
	snprintf(text, 160,
		 "{\"holmgang-arena\":1,\"game\":\"%s\",\"seed\":%u,\"command\":\"%016llx\"}\n",
		 arena->options.game->name, arena->options.seed,
		 (unsigned long long)hash_options(&arena->options));
}

/* The value of a key in a line that we wrote ourselves; NULL when it is not there. */
static const char *find_value(const char *line, const char *key)
{
	char quoted[32];
	const char *found;

	snprintf(quoted, sizeof(quoted), "\"%s\":", key);
	found = strstr(line, quoted);
	return found == NULL ? NULL : found + strlen(quoted);
}

/* [1,2,…] */
static bool read_numbers(const char *text, int count, int number[])
{
	char *end;

	if (text == NULL || *text != '[')
		return false;
	for (int i = 0; i < count; i++) {
		number[i] = (int)strtol(text + 1, &end, 10);
		if (end == text + 1 || *end != (i == count - 1 ? ']' : ','))
			return false;
		text = end;
	}
	return true;
}

static void read_word(const char *text, char word[], size_t size)
{
	size_t length = text == NULL || *text != '"' ? 0 : strcspn(text + 1, "\"");

	if (length >= size)
		length = 0;
	memcpy(word, length > 0 ? text + 1 : "", length);
	word[length] = '\0';
}

static bool read_result(struct arena *arena, const char *line)
{
	int seats = arena->options.seats, place[GAME_SEATS_MAX], fault[GAME_SEATS_MAX];
	const char *number = find_value(line, "game");
	struct result *result;
	long game;

	if (number == NULL || !read_numbers(find_value(line, "places"), seats, place) ||
	    !read_numbers(find_value(line, "faults"), seats, fault))
		return false;
	game = strtol(number, NULL, 10);
	/* fewer rounds were asked for this time */
	if (game < 0 || game >= arena->games || arena->result[game].played)
		return game >= 0;
	result = &arena->result[game];
	for (int seat = 0; seat < seats; seat++) {
		if (place[seat] < 1 || place[seat] > seats || fault[seat] < 0 ||
		    fault[seat] > FAULT_ILLEGAL)
			return false;
		result->place[seat] = (uint8_t)place[seat];
		result->fault[seat] = (uint8_t)fault[seat];
	}
	result->has_points = read_numbers(find_value(line, "points"), seats, result->points);
	read_word(find_value(line, "why"), result->why, sizeof(result->why));
	read_word(find_value(line, "duel"), result->duel, sizeof(result->duel));
	result->played = true;
	arena->played++;
	if (game >= arena->reach)
		arena->reach = game + 1;
	return true;
}

static bool complain(const struct arena *arena, const char *what)
{
	arena_end_progress();
	warnx("%s %s", arena->options.out, what);
	return false;
}

/* What is there already; `out` is then where the next line goes. */
static bool read_results(struct arena *arena)
{
	char head[160], *line = NULL;
	size_t room = 0;
	ssize_t length;
	off_t whole = 0;
	bool good = true;

	print_head(arena, head);
	while (good && (length = getline(&line, &room, arena->out)) > 0) {
		if (line[length - 1] != '\n')
			break;
		if (whole == 0 ? strcmp(line, head) != 0 : !read_result(arena, line))
			good = false;
		whole += length;
	}
	free(line);
	if (!good)
		return complain(arena, "is not of this command: say another -out, or remove it");
	if (whole > 0 && !arena->options.recover)
		return complain(arena, "has results already: say -recover to go on, or remove it");
	if (fseeko(arena->out, whole, SEEK_SET) < 0 || ftruncate(fileno(arena->out), whole) < 0)
		return complain(arena, strerror(errno));
	if (whole == 0 && (fputs(head, arena->out) < 0 || fflush(arena->out) != 0))
		return complain(arena, strerror(errno));
	return true;
}

bool arena_results_open(struct arena *arena)
{
	const char *path = arena->options.out;

	arena->result = calloc((size_t)arena->games, sizeof(arena->result[0]));
	if (arena->result == NULL) {
		warnx("no memory for %ld games", arena->games);
		return false;
	}
	if (path == NULL)
		return true;
	arena->out = fopen(path, "r+e");
	if (arena->out == NULL && errno == ENOENT)
		arena->out = fopen(path, "w+e");
	if (arena->out == NULL)
		return complain(arena, strerror(errno));
	return read_results(arena);
}

static void add_numbers(struct text *text, const char *key, int count, const int number[])
{
	text_add(text, ",\"%s\":[", key);
	for (int i = 0; i < count; i++)
		text_add(text, "%s%d", i == 0 ? "" : ",", number[i]);
	text_add(text, "]");
}

bool arena_results_add(struct arena *arena, long game)
{
	const struct result *result = &arena->result[game];
	int seats = arena->options.seats, place[GAME_SEATS_MAX], fault[GAME_SEATS_MAX];
	char line[1024];
	struct text text = TEXT_IN(line);
	struct pairing pairing;

	arena->played++;
	if (game >= arena->reach)
		arena->reach = game + 1;
	if (arena->out == NULL)
		return true;
	arena_pairing(&arena->options, game, &pairing);
	text_add(&text, "{\"game\":%ld,\"seats\":[", game);
	for (int seat = 0; seat < seats; seat++) {
		place[seat] = result->place[seat];
		fault[seat] = result->fault[seat];
		text_add(&text, "%s\"%s\"", seat == 0 ? "" : ",",
			 arena->options.entrant[pairing.entrant[seat]].name);
	}
	text_add(&text, "]");
	add_numbers(&text, "places", seats, place);
	if (result->has_points)
		add_numbers(&text, "points", seats, result->points);
	add_numbers(&text, "faults", seats, fault);
	text_add(&text, ",\"why\":\"%s\",\"duel\":\"%s\"}\n", result->why, result->duel);
	if (fputs(line, arena->out) < 0 || fflush(arena->out) != 0)
		return complain(arena, strerror(errno));
	return true;
}
