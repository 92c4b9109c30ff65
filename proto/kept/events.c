/*
 * events.c - what happened in a game, as one text of JSON, as the database has it:
 *
 *      [[1200,0,"move","0 0"],[3100,null,"stop","idle"]]
 *
 * Owns nothing: the text is the caller's. It never reads what it has written.
 */
#include "proto/kept/record.h"

#include <stdlib.h>
#include <string.h>

enum {
	EVENT_ROOM = 64 + 6 * DEED_WORDS, /* all of it escaped */
	EVENTS_KEPT = 1 << 20,		  /* bytes for the next game's */
};

static void add_string(struct text *text, const char *string)
{
	for (;;) {
		size_t plain = 0;

		while ((unsigned char)string[plain] >= ' ' && string[plain] != '"' &&
		       string[plain] != '\\')
			plain++;
		text_add_bytes(text, string, plain);
		string += plain;
		if (*string == '\0')
			return;
		text_add(text, "\\u%04x", (unsigned)(unsigned char)*string++);
	}
}

static void add_event(struct text *text, const struct record_deed *deed)
{
	if (text->length > 1)
		TEXT_ADD(text, ",");
	TEXT_ADD(text, "[");
	text_add_number(text, deed->at);
	TEXT_ADD(text, ",");
	if (deed->player >= 0)
		text_add_number(text, deed->player);
	else
		TEXT_ADD(text, "null");
	TEXT_ADD(text, ",\"");
	text_add_word(text, record_deed_word(deed->deed));
	TEXT_ADD(text, "\",\"");
	add_string(text, deed->words);
	TEXT_ADD(text, "\"]");
}

/* For one more event, and what stands around them. */
static bool make_room(struct text *text)
{
	size_t size = 2 * text->size + EVENT_ROOM;
	char *data;

	if (text->size - text->length >= EVENT_ROOM)
		return true;
	data = realloc(text->data, size);
	if (data == NULL)
		return false;
	text->data = data;
	text->size = size;
	return true;
}

const char *record_print_events(const struct record *record, struct text *text)
{
	/* what one endless game has needed is not kept for ever */
	if (text->size > EVENTS_KEPT) {
		free(text->data);
		*text = (struct text){0};
	}
	text->length = 0;
	if (!make_room(text))
		return NULL;
	TEXT_ADD(text, "[");
	for (int i = 0; i < record->deeds; i++) {
		add_event(text, &record->deed[i]);
		if (!make_room(text))
			return NULL;
	}
	TEXT_ADD(text, "]");
	return text->data;
}
