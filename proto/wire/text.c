/*
 * text.c - putting text together. See text.h.
 *
 * Owns nothing: the buffer is the caller's, and is never made larger.
 */
#include "proto/wire/text.h"

#include <stdio.h>

void text_add_list(struct text *text, const char *format, va_list args)
{
	size_t room = text->size - text->length;
	int wanted = vsnprintf(text->data + text->length, room, format, args);

	bool fits = wanted >= 0 && (size_t)wanted < room;

	text->length = fits ? text->length + (size_t)wanted : text->size - 1;
	text->cut = text->cut || !fits;
}

void text_add_bytes(struct text *text, const char *bytes, size_t length)
{
	size_t room = text->size - 1 - text->length;

	if (length > room) {
		text->cut = true;
		length = room;
	}
	memcpy(text->data + text->length, bytes, length);
	text->length += length;
	text->data[text->length] = '\0';
}

void text_add_number(struct text *text, long number)
{
	char digits[24], *first = digits + sizeof(digits);
	unsigned long rest = number < 0 ? -(unsigned long)number : (unsigned long)number;

	do
		*--first = (char)('0' + rest % 10);
	while ((rest /= 10) != 0);
	if (number < 0)
		*--first = '-';
	text_add_bytes(text, first, (size_t)(digits + sizeof(digits) - first));
}

void text_add(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text_add_list(text, format, args);
	va_end(args);
}

void text_print_list(char *data, size_t size, const char *format, va_list args)
{
	struct text text = {.data = data, .size = size};

	text_add_list(&text, format, args);
}

void text_print(char *data, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text_print_list(data, size, format, args);
	va_end(args);
}
