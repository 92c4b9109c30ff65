/*
 * text.c - putting text together. See text.h.
 *
 * Owns nothing: the buffer is the caller's, and is never made larger.
 * Never: knows a format better than printf(), which is asked where one is rare.
 */
#include "proto/wire/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS_MAX = 20 }; /* of a number with 64 bits */

/* What stands between a % and its letter. */
struct directive {
	bool left, zero;
	size_t width, precision;
	int longs; /* 0: int; 1: long and size_t; 2: long long */
};

/* From `at` on; where the text ends then. Text that a duel puts together comes in very small pieces. */
static char *put_bytes(struct text *text, char *at, const char *bytes, size_t length)
{
	size_t room = text->size - 1 - (size_t)(at - text->data);

	if (length > room) {
		text->cut = true;
		length = room;
	}
	memcpy(at, bytes, length);
	return at + length;
}

static void add_bytes(struct text *text, const char *bytes, size_t length)
{
	char *end = put_bytes(text, text->data + text->length, bytes, length);

	text->length = (size_t)(end - text->data);
}

static void pad(struct text *text, char with, size_t count)
{
	while (count-- > 0)
		add_bytes(text, &with, 1);
}

static void add_word(struct text *text, const struct directive *how, const char *word,
		     size_t length)
{
	size_t missing = length < how->width ? how->width - length : 0;

	if (!how->left)
		pad(text, ' ', missing);
	add_bytes(text, word, length);
	if (how->left)
		pad(text, ' ', missing);
}

static void add_number(struct text *text, const struct directive *how, uint64_t number,
		       bool negative, unsigned base)
{
	char digits[DIGITS_MAX + 1], *first = digits + sizeof(digits);
	size_t length;

	do
		*--first = "0123456789abcdef"[base == 10 ? number % 10 : number % 16];
	while ((number = base == 10 ? number / 10 : number / 16) != 0);
	length = (size_t)(digits + sizeof(digits) - first);
	if (negative && how->zero)
		add_bytes(text, "-", 1);
	else if (negative)
		*--first = '-', length++;
	if (how->zero && length + negative < how->width)
		pad(text, '0', how->width - length - negative);
	if (how->zero)
		add_bytes(text, first, length);
	else
		add_word(text, how, first, length);
}

/* A directive's flags, width, precision and size; what follows them is the letter. `args` as for
 * va_arg(): a precision may be among them. */
static const char *read_directive(struct directive *how, const char *format, va_list *args)
{
	*how = (struct directive){.precision = SIZE_MAX};
	for (; *format == '-' || *format == '0'; format++)
		*(*format == '-' ? &how->left : &how->zero) = true;
	for (; *format >= '0' && *format <= '9'; format++)
		how->width = how->width * 10 + (size_t)(*format - '0');
	if (format[0] == '.' && format[1] == '*') {
		how->precision = (size_t)va_arg(*args, int);
		format += 2;
	} else if (format[0] == '.') {
		how->precision = 0;
		for (format++; *format >= '0' && *format <= '9'; format++)
			how->precision = how->precision * 10 + (size_t)(*format - '0');
	}
	for (; *format == 'l' || *format == 'z'; format++)
		how->longs++;
	return format;
}

static int64_t next_signed(const struct directive *how, va_list *args)
{
	if (how->longs == 0)
		return va_arg(*args, int);
	return how->longs == 1 ? va_arg(*args, long) : va_arg(*args, long long);
}

static uint64_t next_unsigned(const struct directive *how, va_list *args)
{
	if (how->longs == 0)
		return va_arg(*args, unsigned);
	return how->longs == 1 ? va_arg(*args, unsigned long) : va_arg(*args, unsigned long long);
}

/* False: it is one that only printf() knows. */
static bool add_directive(struct text *text, const struct directive *how, char letter,
			  va_list *args)
{
	const char *word;
	int64_t number;
	char c;

	switch (letter) {
	case 's':
		word = va_arg(*args, const char *);
		add_word(text, how, word, strnlen(word, how->precision));
		return true;
	case 'c':
		c = (char)va_arg(*args, int);
		add_word(text, how, &c, 1);
		return true;
	case 'd':
		number = next_signed(how, args);
		add_number(text, how, number < 0 ? -(uint64_t)number : (uint64_t)number, number < 0,
			   10);
		return how->precision == SIZE_MAX;
	case 'u':
	case 'x':
		add_number(text, how, next_unsigned(how, args), false, letter == 'x' ? 16 : 10);
		return how->precision == SIZE_MAX;
	case '%':
		add_bytes(text, "%", 1);
		return true;
	default:
		return false;
	}
}

/* As it is, without a width. */
static char *put_number(struct text *text, char *at, unsigned long number, bool negative)
{
	char digits[DIGITS_MAX + 1], *first = digits + sizeof(digits);

	/* a place on a board is one digit */
	if (number < 10 && !negative && at < text->data + text->size - 1) {
		*at = (char)('0' + number);
		return at + 1;
	}
	do
		*--first = (char)('0' + number % 10);
	while ((number /= 10) != 0);
	if (negative)
		*--first = '-';
	return put_bytes(text, at, first, (size_t)(digits + sizeof(digits) - first));
}

/* What most directives are: a letter alone, or behind an `l`, which `*format` is left at. NULL: it is
 * another, where it was. */
static char *put_simple(struct text *text, char *at, const char **format, va_list *args)
{
	const char *word, *letter = *format;
	bool is_long = *letter == 'l';
	unsigned long number;
	long with_sign;

	letter += is_long;
	if (*letter == 's' && !is_long) {
		word = va_arg(*args, const char *);
		return put_bytes(text, at, word, strlen(word));
	}
	if (*letter != 'd' && *letter != 'u')
		return NULL;
	*format = letter;
	if (*letter == 'u') {
		number = is_long ? va_arg(*args, unsigned long) : va_arg(*args, unsigned);
		return put_number(text, at, number, false);
	}
	with_sign = is_long ? va_arg(*args, long) : va_arg(*args, int);
	number = with_sign < 0 ? -(unsigned long)with_sign : (unsigned long)with_sign;
	return put_number(text, at, number, with_sign < 0);
}

static bool add_all(struct text *text, const char *format, va_list *args)
{
	char *at = text->data + text->length, *last = text->data + text->size - 1, *next;
	struct directive how;

	for (; *format != '\0'; format++) {
		if (*format != '%' && at < last) {
			*at++ = *format;
			continue;
		}
		if (*format != '%') {
			text->cut = true;
			continue;
		}
		format++;
		next = put_simple(text, at, &format, args);
		text->length = (size_t)(at - text->data);
		if (next == NULL) {
			format = read_directive(&how, format, args);
			if (!add_directive(text, &how, *format, args))
				return false;
			next = text->data + text->length;
		}
		at = next;
	}
	text->length = (size_t)(at - text->data);
	return true;
}

static void add_by_printf(struct text *text, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

static void add_by_printf(struct text *text, const char *format, va_list args)
{
	size_t room = text->size - text->length;
	int wanted = vsnprintf(text->data + text->length, room, format, args);

	text->cut = text->cut || wanted < 0 || (size_t)wanted >= room;
	text->length = text->cut ? text->size - 1 : text->length + (size_t)wanted;
}

void text_add_list(struct text *text, const char *format, va_list args)
{
	size_t length = text->length;
	bool cut = text->cut;
	va_list once, again;

	va_copy(once, args);
	va_copy(again, args);
	if (!add_all(text, format, &once)) {
		text->length = length;
		text->cut = cut;
		add_by_printf(text, format, again);
	}
	va_end(again);
	va_end(once);
	text->data[text->length] = '\0';
}

void text_add_bytes(struct text *text, const char *bytes, size_t length)
{
	add_bytes(text, bytes, length);
	text->data[text->length] = '\0';
}

void text_add_number(struct text *text, long number)
{
	char *end = put_number(text, text->data + text->length,
			       number < 0 ? -(unsigned long)number : (unsigned long)number,
			       number < 0);

	text->length = (size_t)(end - text->data);
	*end = '\0';
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

size_t text_line(const char *text, size_t columns, const char **next)
{
	size_t length = strcspn(text, "\n"), end = columns;

	if (length <= columns) {
		*next = text + length + (text[length] == '\n');
		return length;
	}
	while (end > 0 && text[end] != ' ')
		end--;
	*next = text + (end > 0 ? end + 1 : columns);
	return end > 0 ? end : columns;
}
