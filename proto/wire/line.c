/*
 * line.c - bytes to lines, lines to words. See line.h.
 *
 * Owns nothing, talks to nobody, and never reads a descriptor.
 */
#include "proto/wire/line.h"

#include <string.h>

size_t line_length(const char *data, size_t length)
{
	const char *end = memchr(data, '\n', length);

	return end == NULL ? 0 : (size_t)(end - data) + 1;
}

void line_copy(char *text, const char *data, size_t length)
{
	if (length > 0 && data[length - 1] == '\n')
		length--;
	if (length > 0 && data[length - 1] == '\r')
		length--;
	memmove(text, data, length);
	text[length] = '\0';
	for (char *nul = text; (nul = memchr(nul, '\0', length - (size_t)(nul - text))) != NULL;)
		*nul = '\1';
}

bool line_split(char *text, struct words *words)
{
	words->count = 0;
	for (char *word = text, *end = text;; word = ++end) {
		while (*end != ' ' && *end != '\0')
			end++;
		if (end == word || words->count == LINE_WORDS_MAX)
			return false;
		words->word[words->count++] = word;
		if (*end == '\0')
			break;
		*end = '\0';
	}
	words->word[words->count] = NULL;
	return true;
}

void line_join(const struct words *words, int first, struct text *line)
{
	for (int i = first; i < words->count; i++)
		text_add(line, "%s%c", words->word[i], i + 1 < words->count ? ' ' : '\n');
}

const char *line_value(const char *word, const char *key)
{
	size_t length = strlen(key);

	return strncmp(word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

char *line_room(struct line_reader *reader, size_t *room)
{
	memmove(reader->data, reader->data + reader->start, reader->end - reader->start);
	reader->end -= reader->start;
	reader->start = 0;
	/* one byte is kept for the NUL of a line that fills all the rest */
	*room = sizeof(reader->data) - 1 - reader->end;
	return reader->data + reader->end;
}

void line_fed(struct line_reader *reader, size_t length)
{
	reader->end += length;
}

char *line_next(struct line_reader *reader)
{
	char *line = reader->data + reader->start;
	size_t held = reader->end - reader->start;
	size_t length = line_length(line, held);

	if (length == 0 && (reader->start > 0 || reader->end < sizeof(reader->data) - 1))
		return NULL;
	if (length == 0)
		length = held;
	reader->start += length;
	/* in place: the text is never longer than the line, but for the NUL of an endless one,
	 * for which line_room() kept a byte */
	line_copy(line, line, length);
	return line;
}
