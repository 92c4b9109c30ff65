/*
 * journal_test.c - drives server/journal/journal.c: the last chapter of a journal is found, wherever it stands.
 */
#include "server/journal/journal.h"

#include "tests/unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 8192 /* what is looked at in one go */ };

static const char *const head = "\nholmgang 1 2026-11-18T15:04:05Z\n"
				"table 3 00000000-0000-4000-8000-000000000001 open 0 1 tictactoe\n";
static const char *const other =
    "\nholmgang 1 2026-11-18T15:04:05Z\n"
    "table 3 00000000-0000-4000-8000-000000000002 open 0 1 tictactoe\n";

static int journal(void)
{
	char name[] = "/tmp/holmgang-journal-test-XXXXXX";
	int fd = mkstemp(name);

	CHECK(fd >= 0 && unlink(name) == 0);
	return fd;
}

static void add(int fd, const char *text)
{
	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
}

static void add_filler(int fd, int length)
{
	for (int i = 0; i < length; i++)
		add(fd, i % 20 == 19 ? "\n" : "h");
}

static off_t last(int fd, char duel[UUID_TEXT])
{
	return journal_last(fd, lseek(fd, 0, SEEK_END), duel);
}

static void test_none(void)
{
	char duel[UUID_TEXT];
	int fd = journal();

	CHECK(last(fd, duel) == JOURNAL_EMPTY);
	add_filler(fd, 3 * PIECE);
	CHECK(last(fd, duel) == JOURNAL_DAMAGED);
	close(fd);
}

/* A journal that somebody has stretched to more than a disk can hold is not searched for hours. */
static void test_stretched(void)
{
	char duel[UUID_TEXT];
	int fd = journal();

	add(fd, head);
	CHECK(ftruncate(fd, (off_t)CHAPTER_LARGEST) == 0);
	CHECK(last(fd, duel) == 0);
	CHECK(ftruncate(fd, (off_t)1 << 43) == 0);
	CHECK(last(fd, duel) == JOURNAL_DAMAGED);
	close(fd);
}

/* Behind a chapter of another duel, then so much of it that its head is anywhere in a piece or between
 * two. */
static void test_places(void)
{
	char duel[UUID_TEXT];

	for (int behind = PIECE - 100; behind < PIECE + 20; behind++) {
		int fd = journal();

		add(fd, other);
		add(fd, "0 over\n");
		add(fd, head);
		add_filler(fd, behind);
		CHECK(last(fd, duel) == (off_t)strlen(other) + 7);
		check_text(duel, "00000000-0000-4000-8000-000000000001");
		close(fd);
	}
}

static void test_torn(void)
{
	char duel[UUID_TEXT];

	for (size_t length = 12; length < strlen(head); length++) {
		int fd = journal();

		add(fd, other);
		CHECK(write(fd, head, length) == (ssize_t)length);
		CHECK(last(fd, duel) == (off_t)strlen(other));
		CHECK(*duel == '\0' || length >= 77);
		close(fd);
	}
}

/* Killed while it wrote the head: nobody has heard of that duel. */
static void test_cut_head(void)
{
	char text[256], duel[UUID_TEXT];
	const char *whole = strstr(head, " open");

	for (size_t length = 0; length <= strlen(head); length++) {
		snprintf(text, sizeof(text), "%.*s", (int)length, head);
		journal_find_duel(text, duel);
		if (length <= (size_t)(whole - head))
			CHECK(*duel == '\0');
		else
			CHECK(strcmp(duel, "00000000-0000-4000-8000-000000000001") == 0);
	}
	journal_find_duel("\nholmgang 2 x\ntable 3 00000000-0000-4000-8000-000000000001 o", duel);
	CHECK(*duel == '\0');
	journal_find_duel("\nholmgang 1 x\ntable 3 00000000-0000-4000-8000-00000000000g o", duel);
	CHECK(*duel == '\0');
}

int main(void)
{
	test_none();
	test_stretched();
	test_places();
	test_cut_head();
	test_torn();
	return check_end();
}
