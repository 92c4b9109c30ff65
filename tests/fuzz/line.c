/*
 * The line codec: a stream cut into pieces anywhere gives the same lines, and words put together
 * again are the line. The first byte of the input says how long the pieces are.
 */
#include "tests/fuzz/fuzz.h"

#include "proto/wire/line.h"

static void check_split(const char *line)
{
	char copy[sizeof(((struct line_reader *)NULL)->data)], joined[sizeof(copy)];
	struct text text = TEXT_IN(joined);
	struct words words;

	strcpy(copy, line);
	if (!line_split(copy, &words))
		return;
	MUST(words.count >= 1 && words.count <= LINE_WORDS_MAX && words.word[words.count] == NULL);
	for (int i = 0; i < words.count; i++) {
		text_add(&text, i == 0 ? "%s" : " %s", words.word[i]);
		line_value(words.word[i], "key");
	}
	MUST(strcmp(joined, line) == 0);
}

static void check_lines(const char *data, size_t size, size_t piece)
{
	static struct line_reader reader;
	const char *expected = data;
	size_t left = size;

	reader = (struct line_reader){0};
	for (size_t at = 0, room; at < size;) {
		char *to = line_room(&reader, &room), *line;
		size_t length = size - at < piece ? size - at : piece;

		length = length < room ? length : room;
		MUST(length > 0);
		memcpy(to, data + at, length);
		line_fed(&reader, length);
		at += length;
		while ((line = line_next(&reader)) != NULL) {
			char copy[sizeof(reader.data) + 1];
			size_t whole = line_length(expected, left);

			check_split(line);
			if (whole == 0 || whole >= sizeof(reader.data) - 1)
				return; /* too long for the reader: given in pieces */
			line_copy(copy, expected, whole);
			MUST(strcmp(copy, line) == 0);
			expected += whole;
			left -= whole;
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	check_lines((const char *)data + 1, size - 1, data[0] + 1U);
	check_lines((const char *)data + 1, size - 1, size);
	return 0;
}
