/*
 * terms.c - the terms of a table. See terms.h.
 */
#include "player/terminal/terms.h"

#include "player/session/keys.h"

#include <stdio.h>
#include <string.h>

enum {
	CLOCK_OF_PEOPLE = 60, /* s for a turn at least */
	VALUES_MAX = 8,
};

/* What can be chosen, in order. A value that the game does not take is left out. */
static const struct {
	const char *key;
	const char *value[VALUES_MAX];
} choices[TERMS_COUNT] = {
    [TERMS_CLOCK] = {"clock", {"5", "10", "30", "60", "120", "300", "off"}},
    [TERMS_ROUNDS] = {"rounds", {"0", "1", "2", "3", "5", "10", "20"}},
    [TERMS_SEATS] = {"seats", {"2", "3", "4"}},
    [TERMS_SIZE] = {"size", {"2", "4", "6", "8", "10"}},
};

static void print_word(char word[TERMS_WORD], int term, int choice)
{
	snprintf(word, TERMS_WORD, "%s=%s", choices[term].key, choices[term].value[choice]);
}

static bool is_taken(const struct game *game, const char *word)
{
	return keys_check(game, (char *const *)&word, 1) == NULL;
}

static int find_game(const struct game *game)
{
	int i = 0;

	while (game_at(i) != game)
		i++;
	return i;
}

static int value_of(const struct shape *shape, int term)
{
	const int values[TERMS_COUNT] = {
	    [TERMS_CLOCK] = shape->clock,
	    [TERMS_ROUNDS] = shape->rounds,
	    [TERMS_SEATS] = shape->seats,
	    [TERMS_SIZE] = shape->size,
	};

	return values[term];
}

bool terms_has(const struct options *options, int term)
{
	char word[TERMS_WORD];

	/* how many sit at one terminal is known */
	if (term == TERMS_SEATS && options->people > 0)
		return false;
	print_word(word, term, 1);
	return is_taken(options->game, word);
}

/* Which choice makes this shape's value; when none does, the first one that the game takes. */
static int find_choice(const struct shape *shape, int term)
{
	int first = -1;

	for (int i = 0; i < VALUES_MAX && choices[term].value[i] != NULL; i++) {
		char word[TERMS_WORD];
		char *words[] = {word};
		struct wish wish = {.shape = {.game = shape->game}};

		print_word(word, term, i);
		if (wish_read(&wish, words, 1) != NULL)
			continue;
		if (value_of(&wish.shape, term) == value_of(shape, term))
			return i;
		first = first < 0 ? i : first;
	}
	return first;
}

void terms_step(struct terms *terms, const struct session *session, const struct options *options,
		int term, int step)
{
	char *word = terms->word[find_game(options->game)][term];
	struct options said = *options;
	struct wish wish;
	int count = 1, choice;

	terms_apply(terms, session, &said);
	session_wish(session, &said, &wish);
	while (count < VALUES_MAX && choices[term].value[count] != NULL)
		count++;
	choice = find_choice(&wish.shape, term);
	do {
		choice = (choice + step + count) % count;
		print_word(word, term, choice);
	} while (!is_taken(options->game, word));
}

static size_t key_length(const char *word)
{
	return strcspn(word, "=") + 1;
}

static void drop_key(struct options *options, const char *word)
{
	int kept = 0;

	for (int k = 0; k < options->keys; k++)
		if (strncmp(options->key[k], word, key_length(word)) != 0)
			options->key[kept++] = options->key[k];
	options->keys = kept;
}

static bool says(const struct options *options, const char *word)
{
	for (int k = 0; k < options->keys; k++)
		if (strncmp(options->key[k], word, key_length(word)) == 0)
			return true;
	return false;
}

void terms_say(struct options *options, const char *word)
{
	drop_key(options, word);
	options->key[options->keys++] = word;
}

void terms_apply(const struct terms *terms, const struct session *session, struct options *options)
{
	int game = find_game(options->game);
	struct wish wish;

	for (int term = 0; term < TERMS_COUNT; term++)
		if (terms->word[game][term][0] != '\0' && terms_has(options, term))
			terms_say(options, terms->word[game][term]);
	session_defaults(session, options->game, &wish);
	if (terms_has(options, TERMS_CLOCK) && !says(options, "clock=") && wish.shape.clock > 0 &&
	    wish.shape.clock < CLOCK_OF_PEOPLE)
		terms_say(options, "clock=60");
}

void terms_against(struct options *options, const char *level)
{
	options->computer = level;
	options->rival[0] = '\0';
	/* bot= chooses the opponents, and the server takes no other word about them */
	drop_key(options, "vs=");
	drop_key(options, "table=");
	drop_key(options, "bot=");
}

/* Of our own keys only how long we wait, which is nobody else's concern. */
static void keep_wait(struct options *options)
{
	int kept = 0;

	for (int k = 0; k < options->keys; k++)
		if (line_value(options->key[k], "wait") != NULL)
			options->key[kept++] = options->key[k];
	options->keys = kept;
}

/* Two meet, and nobody comes to them later. */
static bool is_for_two(const struct shape *shape)
{
	return shape->seats == 2 &&
	       (shape->game->seats_max == 2 || shape->game->has & GAME_HAS_SEATS);
}

void terms_join(struct options *options, const struct here_entry *entry, char keys[HERE_KEYS])
{
	static const struct shape_defaults defaults = {.wait = 10};
	struct words words = {0};
	struct wish wish;

	wish_default(&wish, entry->game, &defaults);
	here_wish(entry, &wish);
	if (options->game != entry->game)
		options->side = NULL;
	options->game = entry->game;
	options->computer = NULL;
	keep_wait(options);
	strcpy(keys, entry->keys);
	if (keys[0] != '\0')
		line_split(keys, &words);
	for (int i = 0; i < words.count; i++)
		if (line_value(words.word[i], "vs") == NULL)
			terms_say(options, words.word[i]);
	/* at a larger table it would keep others away */
	options->rival[0] = '\0';
	if (is_for_two(&wish.shape))
		strcpy(options->rival, entry->names);
}

bool terms_is_open(const struct here_entry *entry, const char *name)
{
	static const struct shape_defaults defaults = {.wait = 10};
	struct wish wish;

	wish_default(&wish, entry->game, &defaults);
	here_wish(entry, &wish);
	return wish.vs[0] == '\0' || strcmp(wish.vs, name) == 0;
}

static void shape_of(const struct session *session, const struct here_entry *entry,
		     struct wish *wish)
{
	session_defaults(session, entry->game, wish);
	here_wish(entry, wish);
}

int terms_find_other(const struct session *session, const struct options *options, const char *id)
{
	const struct here_list *list = &session->here->now;
	char ours[SHAPE_MAX], theirs[SHAPE_MAX];
	struct wish wish;

	session_wish(session, options, &wish);
	shape_print(&wish.shape, ours);
	for (int i = 0; i < list->count; i++) {
		const struct here_entry *entry = &list->entry[i];

		if (!entry->waits || entry->game != options->game || strcmp(entry->id, id) == 0 ||
		    !terms_is_open(entry, options->name))
			continue;
		shape_of(session, entry, &wish);
		shape_print(&wish.shape, theirs);
		if (strcmp(ours, theirs) != 0)
			return i;
	}
	return -1;
}

/* ---- in words ---- */

void terms_print_one(const struct shape *shape, int term, struct text *text)
{
	int value = value_of(shape, term);

	if (term == TERMS_CLOCK && value == 0)
		text_add(text, "no limit");
	else if (term == TERMS_CLOCK)
		text_add(text, "%d s", value);
	else if (term == TERMS_ROUNDS && value == 0)
		text_add(text, "until people leave");
	else if (term == TERMS_SIZE)
		text_add(text, "%d x %d", value, value);
	else
		text_add(text, "%d", value);
}

static void add_part(struct text *text, const char *part)
{
	text_add(text, "%s%s", text->length == 0 ? "" : ", ", part);
}

static void add_term(const struct shape *shape, int term, struct text *text)
{
	static const char *const behind[TERMS_COUNT] = {
	    [TERMS_CLOCK] = " a turn", [TERMS_SEATS] = " seats", [TERMS_SIZE] = ""};
	char part[48] = "";
	struct text words = TEXT_IN(part);

	if (term == TERMS_ROUNDS && shape->rounds > 0) {
		text_add(&words, "%d round%s", shape->rounds, shape->rounds == 1 ? "" : "s");
	} else if (term == TERMS_CLOCK && shape->clock == 0) {
		text_add(&words, "no clock");
	} else {
		terms_print_one(shape, term, &words);
		text_add(&words, "%s", behind[term] == NULL ? "" : behind[term]);
	}
	add_part(text, part);
}

void terms_print(const struct shape *shape, const struct shape *other, struct text *text)
{
	static const int order[TERMS_COUNT] = {TERMS_ROUNDS, TERMS_CLOCK, TERMS_SEATS, TERMS_SIZE};
	const struct game *game = shape->game;
	const bool has[TERMS_COUNT] = {
	    [TERMS_CLOCK] = game->has & GAME_HAS_CLOCK,
	    [TERMS_ROUNDS] = true,
	    [TERMS_SEATS] = game->has & GAME_HAS_SEATS,
	    [TERMS_SIZE] = game->has & GAME_HAS_SIZE,
	};

	for (int i = 0; i < TERMS_COUNT; i++)
		if (has[order[i]] &&
		    (other == NULL || value_of(other, order[i]) != value_of(shape, order[i])))
			add_term(shape, order[i], text);
	if (shape->strict != (other == NULL ? game->strict : other->strict))
		add_part(text, shape->strict ? "a wrong move loses" : "wrong moves are forgiven");
	if (shape->cheat != (other != NULL && other->cheat))
		add_part(text, shape->cheat ? "cheating allowed" : "no cheating");
}

void terms_print_entry(const struct session *session, const struct here_entry *entry,
		       struct text *text)
{
	struct wish wish;

	shape_of(session, entry, &wish);
	if (wish.vs[0] != '\0')
		text_add(text, "only with %s", wish.vs);
	terms_print(&wish.shape, NULL, text);
}
