/*
 * here.c - who is here. See here.h.
 */
#include "player/session/here.h"

#include "proto/wire/args.h"

#include <limits.h>

/* "anna,ben,-": a seat that was left is "-". */
static bool are_names(const char *names)
{
	char copy[HERE_NAMES];
	int count = 0;

	if (strlen(names) >= sizeof(copy))
		return false;
	strcpy(copy, names);
	for (char *next = copy; next != NULL; count++) {
		const char *name = strsep(&next, ",");

		if (count == GAME_SEATS_MAX || (strcmp(name, "-") != 0 && !name_is_valid(name)))
			return false;
	}
	return true;
}

/* open <game> <name> <seconds left> <uuid4> [key=value …] */
static bool read_open(struct here_entry *entry, const struct words *words)
{
	static const struct shape_defaults defaults = {.wait = 10};
	struct text keys = TEXT_IN(entry->keys);
	struct wish wish;

	entry->waits = true;
	entry->keys[0] = '\0';
	if (words->count < 5 || !name_is_valid(words->word[2]) ||
	    !args_read_int(words->word[3], 0, INT_MAX, &entry->seconds) ||
	    !uuid_is_valid(words->word[4]))
		return false;
	strcpy(entry->names, words->word[2]);
	strcpy(entry->id, words->word[4]);
	wish_default(&wish, entry->game, &defaults);
	for (int i = 5; i < words->count; i++)
		text_add(&keys, "%s%s", i == 5 ? "" : " ", words->word[i]);
	return !keys.cut && wish_read(&wish, words->word + 5, words->count - 5) == NULL;
}

static bool read_round(struct here_entry *entry, char *word)
{
	char *rounds = word;
	const char *round = strsep(&rounds, "/");

	return rounds != NULL && args_read_int(round, 0, INT_MAX, &entry->round) &&
	       args_read_int(rounds, 0, INT_MAX, &entry->rounds);
}

/* live <game> <name,name,…> <round>/<rounds> <duel uuid4> <port|-> */
static bool read_live(struct here_entry *entry, const struct words *words)
{
	int port = 0;

	entry->waits = false;
	if (words->count < 6 || !are_names(words->word[2]) || !read_round(entry, words->word[3]) ||
	    !uuid_is_valid(words->word[4]) ||
	    (strcmp(words->word[5], "-") != 0 &&
	     !args_read_int(words->word[5], 1, UINT16_MAX, &port)))
		return false;
	strcpy(entry->names, words->word[2]);
	strcpy(entry->id, words->word[4]);
	entry->port = (uint16_t)port;
	return true;
}

static void add_entry(struct here_list *list, char *line)
{
	struct here_entry *entry = &list->entry[list->count];
	struct words words;

	if (list->count == HERE_MAX) {
		list->more++;
		return;
	}
	*entry = (struct here_entry){0};
	if (!line_split(line, &words) || words.count < 2)
		return;
	entry->game = game_find(words.word[1]);
	if (entry->game != NULL && (strcmp(words.word[0], "open") == 0 ? read_open(entry, &words)
								       : read_live(entry, &words)))
		list->count++;
}

enum here_line here_hear(struct here *here, char *line, int64_t now)
{
	if (strcmp(line, "END") == 0) {
		here->now = here->coming;
		here->is_known = true;
		here->told = now;
		return HERE_END;
	}
	if (strncmp(line, "open ", 5) != 0 && strncmp(line, "live ", 5) != 0)
		return HERE_OTHER;
	add_entry(&here->coming, line);
	return HERE_TOLD;
}

void here_begin(struct here *here)
{
	here->coming.count = here->coming.more = 0;
}

void here_wish(const struct here_entry *entry, struct wish *wish)
{
	char copy[HERE_KEYS];
	struct words words = {0};

	strcpy(copy, entry->keys);
	if (copy[0] != '\0' && line_split(copy, &words))
		wish_read(wish, words.word, words.count);
	strcpy(wish->name, entry->names);
}
