/*
 * line.h - the one codec for sockets and pipes: bytes to lines, lines to words. Lines are made with
 * text.h.
 *
 * It holds no descriptor and reads nothing, so a test can feed it fragments.
 */
#ifndef PROTO_WIRE_LINE_H
#define PROTO_WIRE_LINE_H

#include "proto/wire/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
	LINE_MAX_CLIENT = 1024, /* bytes of a client's line with its LF */
	LINE_MAX_PIPE = 4096,	/* PIPE_BUF: a write of so much is whole */
	LINE_WORDS_MAX = 32,
};

/* The length of the first line in `data`, its LF included; 0 when there is none yet. */
size_t line_length(const char *data, size_t length);

/*
 * Copy a line without its LF (and CR) and end it with a NUL. `text` has room for `length` + 1. A
 * NUL inside becomes 0x01, which is as little a part of any word but does not end a C string.
 */
void line_copy(char *text, const char *data, size_t length);

/* A line in words. They point into its text, which is cut up at the spaces. */
struct words {
	int count;
	char *word[LINE_WORDS_MAX + 1]; /* ends with NULL */
};

/* False when the line is not words with one space between them, or has too many of them. */
bool line_split(char *text, struct words *words);

/* The words from number `first` on as a line again, with its LF. */
void line_join(const struct words *words, int first, struct text *line);

/* The value of `word` when it is `key`=value, otherwise NULL. */
const char *line_value(const char *word, const char *key);

/* Lines out of a stream that comes in pieces, for those who read a descriptor to themselves. */
struct line_reader {
	size_t start, end;
	char data[2 * LINE_MAX_PIPE];
};

/* Where the next piece may be put, and how long it may be; then how long it was. */
char *line_room(struct line_reader *reader, size_t *room);
void line_fed(struct line_reader *reader, size_t length);

/* The next whole line, as a string that is valid until line_room(); NULL when there is none.
 * A line that fills the whole reader without an end is given in pieces. */
char *line_next(struct line_reader *reader);

#endif
