/*
 * text_test.c - drives proto/wire/text.c: it says what printf() says, and never more than the buffer holds.
 */
#include "proto/wire/text.h"

#include "tests/unit/check.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

static void same_in(size_t size, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
static void same(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void same_in(size_t size, const char *format, va_list args)
{
	char ours[200], theirs[200];
	struct text text = {.data = ours, .size = size};
	va_list again;
	bool cut;

	va_copy(again, args);
	cut = vsnprintf(theirs, size, format, args) >= (int)size;
	text_add_list(&text, format, again);
	va_end(again);
	check_text(ours, theirs);
	CHECK(text.length == strlen(theirs) && text.cut == cut);
}

/* What both say, in buffers of several sizes. */
static void same(const char *format, ...)
{
	static const size_t sizes[] = {200, 7, 2, 1};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		va_list args;

		va_start(args, format);
		same_in(sizes[i], format, args);
		va_end(args);
	}
}

static void test_words(void)
{
	same("%s", "");
	same("plain");
	same("100%%");
	same("%s %s|%s", "one", "two", "three");
	same("%8s|%-8s|%2s", "right", "left", "longer");
	same("%.*s|%.3s|%.0s|%8.2s", 2, "abcdef", "abcdef", "abcdef", "abcdef");
	same("%c%c|%3c|%-3c|", 'a', 'b', 'c', 'd');
}

static void test_numbers(void)
{
	static const int numbers[] = {0, 1, -1, 9, 10, -10, 12345, INT_MAX, INT_MIN};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		int n = numbers[i];

		same("%d %u %x", n, (unsigned)n, (unsigned)n);
		same("%5d|%-5d|%05d|%03d", n, n, n, n);
		same("%ld %lu %lx", (long)n, (unsigned long)n, (unsigned long)n);
		same("%" PRId64 " %" PRIu64 " %016" PRIx64, (int64_t)n * 4711, (uint64_t)n,
		     (uint64_t)n);
	}
	same("%zu %zu", (size_t)0, SIZE_MAX);
	same("%" PRId64 " %" PRIu64, INT64_MIN, UINT64_MAX);
	same("%lld %llu", LLONG_MIN, ULLONG_MAX);
}

static void test_rare(void)
{
	same("%s %.2f|%6.1f|%g", "about", 3.14159, 2.5, 0.1);
	same("%d %+d|%*d|%.3d|%X|%o", 1, 2, 6, 3, 4, 255, 8);
}

static void test_pieces(void)
{
	char data[8];
	struct text text = TEXT_IN(data);

	text_add(&text, "%s", "abc");
	text_add(&text, "%d", 1234);
	CHECK(text.length == 7 && !text.cut);
	check_text(data, "abc1234");
	text_add(&text, "%s", "");
	CHECK(!text.cut);
	text_add(&text, "x");
	CHECK(text.length == 7 && text.cut);
	text_add(&text, "%.1f", 1.0);
	CHECK(text.length == 7 && text.cut);
	check_text(data, "abc1234");
	/* who takes something back has room again */
	text.length = 3;
	text_add(&text, "%d", 5);
	CHECK(text.length == 4 && text.cut);
	check_text(data, "abc5");
}

/* Without a format: the same, cut in the same way. */
static void test_without_format(void)
{
	static const long numbers[] = {0, 7, -7, 10, 4294967295, LONG_MAX, LONG_MIN};
	char data[40], whole[64];
	struct text text;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		snprintf(whole, sizeof(whole), "n=%ld|%s", numbers[i], "word");
		for (size_t size = 1; size <= sizeof(data); size++) {
			text = (struct text){.data = data, .size = size};
			TEXT_ADD(&text, "n=");
			text_add_number(&text, numbers[i]);
			TEXT_ADD(&text, "|");
			text_add_word(&text, "word");
			CHECK(strlen(data) == text.length &&
			      strncmp(data, whole, text.length) == 0);
			CHECK(text.length == (strlen(whole) < size ? strlen(whole) : size - 1));
			CHECK(text.cut == (strlen(whole) >= size));
		}
	}
}

/* Text on lines of so many columns. */
static void test_lines(void)
{
	const char *next;

	CHECK(text_line("one two three", 20, &next) == 13 && *next == '\0');
	CHECK(text_line("one two three", 7, &next) == 7 && strcmp(next, "three") == 0);
	CHECK(text_line("one two three", 8, &next) == 7 && strcmp(next, "three") == 0);
	CHECK(text_line("one\ntwo", 20, &next) == 3 && strcmp(next, "two") == 0);
	CHECK(text_line("one\n", 3, &next) == 3 && *next == '\0');
	/* a word that is longer than the line */
	CHECK(text_line("seventeen", 5, &next) == 5 && strcmp(next, "teen") == 0);
	CHECK(text_line("", 5, &next) == 0 && *next == '\0');
}

int main(void)
{
	test_lines();
	test_words();
	test_numbers();
	test_rare();
	test_pieces();
	test_without_format();
	return check_end();
}
