/*
 * text.h - text that is put together piece by piece in a buffer of fixed size.
 *
 * All that goes over a socket or a pipe, into a journal or the log, is made with it.
 */
#ifndef PROTO_WIRE_TEXT_H
#define PROTO_WIRE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Ends with a NUL once something has been added. `cut` says that the buffer was too small; the text
 * is then as much as fitted. */
struct text {
	char *data;
	size_t size, length;
	bool cut;
};

#define TEXT_IN(array) ((struct text){.data = (array), .size = sizeof(array)})

/* As printf() understands it. %s %c %d %u %x, with widths, are quick: a duel spends much of its time
 * here, and printf() would cost it 1 to 4 % (tests/bench/FIGURES.md). */
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_list(struct text *text, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* The same for bytes, a word, a number, a text that stands in the source. */
void text_add_bytes(struct text *text, const char *bytes, size_t length);
void text_add_number(struct text *text, long number);

static inline void text_add_word(struct text *text, const char *word)
{
	text_add_bytes(text, word, strlen(word));
}

#define TEXT_ADD(text, literal) text_add_bytes(text, literal, sizeof(literal) - 1)

/* Like snprintf(), in the same way. What does not fit is left out. */
void text_print(char *data, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void text_print_list(char *data, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* How many bytes of a text make a line of so many columns, which ends between words or where the text begins a new
 * one; `next` is where the line after it begins. */
size_t text_line(const char *text, size_t columns, const char **next);

#endif
