/*
 * line_test - the line codec: fragments, overlong lines, NUL, CR, words.
 */
#include "proto/wire/line.h"
#include "proto/wire/message.h"
#include "proto/table/shape.h"
#include "tests/unit/check.h"

#include <string.h>

/* Feed `bytes` in pieces of `piece`, and join the lines that come with '|'. */
static const char *lines_of(const char *bytes, size_t length, size_t piece)
{
	static struct line_reader reader;
	static char joined[65536];
	struct text text = TEXT_IN(joined);
	char *line;

	reader = (struct line_reader){0};
	joined[0] = '\0';
	for (size_t at = 0, count; at < length; at += count) {
		size_t room;
		char *place = line_room(&reader, &room);

		count = length - at < piece ? length - at : piece;
		if (count > room)
			count = room;
		memcpy(place, bytes + at, count);
		line_fed(&reader, count);
		while ((line = line_next(&reader)) != NULL)
			text_add(&text, "%s|", line);
	}
	return joined;
}

static void test_fragments(void)
{
	static const char bytes[] = "PLAY\nMOVE 0 0\r\n\nLIST\nhalf";

	for (size_t piece = 1; piece < sizeof(bytes); piece++)
		check_text(lines_of(bytes, sizeof(bytes) - 1, piece), "PLAY|MOVE 0 0||LIST|");
}

static void test_nul_and_cr(void)
{
	check_text(lines_of("LI\0ST\n", 6, 6), "LI\1ST|");
	check_text(lines_of("a\rb\n\r\n\r\r\n", 9, 2), "a\rb||\r|");
}

static void test_endless_line(void)
{
	static char bytes[3 * LINE_MAX_PIPE];
	const char *lines;

	memset(bytes, 'a', sizeof(bytes));
	bytes[sizeof(bytes) - 1] = '\n';
	lines = lines_of(bytes, sizeof(bytes), 512);
	/* in pieces, none of them lost */
	CHECK(strlen(lines) == sizeof(bytes) - 1 + 2);
	CHECK(strcspn(lines, "|") == 2 * LINE_MAX_PIPE - 1);
}

static void test_length(void)
{
	CHECK(line_length("", 0) == 0);
	CHECK(line_length("abc", 3) == 0);
	CHECK(line_length("\n", 1) == 1);
	CHECK(line_length("abc\ndef\n", 8) == 4);
	CHECK(line_length("abc\n", 3) == 0);
}

static int count_words(const char *line)
{
	char copy[256];
	struct words words;

	strcpy(copy, line);
	return line_split(copy, &words) ? words.count : -1;
}

static void test_words(void)
{
	char many[LINE_WORDS_MAX * 2 + 3];

	CHECK(count_words("PLAY") == 1);
	CHECK(count_words("MOVE 0 0") == 3);
	CHECK(count_words("") == -1);
	CHECK(count_words(" ") == -1);
	CHECK(count_words("MOVE 0 ") == -1);
	CHECK(count_words(" MOVE") == -1);
	CHECK(count_words("MOVE  0") == -1);
	CHECK(count_words("MOVE\t0") == 1);
	for (int i = 0; i <= LINE_WORDS_MAX; i++)
		memcpy(many + 2 * i, "a ", 2);
	many[2 * LINE_WORDS_MAX - 1] = '\0';
	CHECK(count_words(many) == LINE_WORDS_MAX);
	many[2 * LINE_WORDS_MAX - 1] = ' ';
	many[2 * LINE_WORDS_MAX + 1] = '\0';
	CHECK(count_words(many) == -1);
	check_text(line_value("name=anna", "name"), "anna");
	check_text(line_value("name=", "name"), "");
	CHECK(line_value("names=a", "name") == NULL);
	CHECK(line_value("nam", "name") == NULL);
}

static enum message message_of(enum sender sender, const char *line)
{
	char copy[256];
	struct words words;

	strcpy(copy, line);
	return message_read(sender, copy, &words);
}

static void test_messages(void)
{
	CHECK(message_of(BY_CLIENT, "PLAY") == CLIENT_PLAY);
	CHECK(message_of(BY_CLIENT, "PLAY tictactoe name=a") == CLIENT_PLAY);
	CHECK(message_of(BY_CLIENT, "RESUME") == MESSAGE_MISFIT);
	CHECK(message_of(BY_CLIENT, "RESUME a b") == MESSAGE_MISFIT);
	CHECK(message_of(BY_CLIENT, "LIST ") == MESSAGE_MISFIT);
	CHECK(message_of(BY_CLIENT, "list") == MESSAGE_UNKNOWN);
	CHECK(message_of(BY_CLIENT, "") == MESSAGE_UNKNOWN);
	/* the same word means another thing from another side, or nothing */
	CHECK(message_of(BY_DUEL, "end") == MESSAGE_UNKNOWN);
	CHECK(message_of(BY_SERVER, "listed 3 0 1 120") == SERVER_LISTED);
	CHECK(message_of(BY_SERVER, "listed 3 0 1") == MESSAGE_MISFIT);
	CHECK(message_of(BY_DUEL, "PLAY") == MESSAGE_UNKNOWN);
	CHECK(message_of(BY_CLIENT, "farewell") == MESSAGE_UNKNOWN);
}

static void test_ids(void)
{
	CHECK(uuid_is_valid("6b54ed7f-1ab8-4f5c-bf4d-9b7d3df7f2a1"));
	CHECK(!uuid_is_valid("6b54ed7f-1ab8-4f5c-bf4d-9b7d3df7f2a"));
	CHECK(!uuid_is_valid("6b54ed7f-1ab8-4f5c-bf4d-9b7d3df7f2a12"));
	CHECK(!uuid_is_valid("6b54ed7f+1ab8-4f5c-bf4d-9b7d3df7f2a1"));
	CHECK(!uuid_is_valid(""));
	CHECK(token_is_valid("0123456789abcdef0123456789abcdef"));
	CHECK(!token_is_valid("0123456789abcdef0123456789abcdeg"));
	CHECK(!token_is_valid("0123456789abcdef0123456789abcdef0"));
	CHECK(!token_is_valid("0123456789ABCDEF0123456789ABCDEF"));
}

int main(void)
{
	test_fragments();
	test_nul_and_cr();
	test_endless_line();
	test_length();
	test_words();
	test_messages();
	test_ids();
	return check_end();
}
