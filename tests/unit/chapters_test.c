/*
 * chapters_test.c - drives server/journal/chapters.c: a journal is read in pieces, and its chapters are those that are found
 * when all of it is looked at at once, whatever stands in it and wherever a piece ends.
 */
#include "server/journal/journal.h"
#include "server/journal/chapters.h"

#include "tests/unit/check.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 65536, TEXT = 4 * PIECE, CHAPTERS = 4096, ROUNDS = 300 };

#define FIRST "\nholmgang 1 "
#define ID    "00000000-0000-4000-8000-0000000000"

struct found {
	int count;
	struct chapter chapter[CHAPTERS];
};

static char text[TEXT + 1];
static size_t length;
static unsigned chance = 1;

static unsigned draw(unsigned below)
{
	chance = chance * 1103515245 + 12345;
	return (chance >> 8) % below;
}

static void add(const char *words)
{
	size_t more = strlen(words);

	if (length + more > TEXT)
		return;
	strcpy(text + length, words);
	length += more;
}

static void add_filler(size_t more)
{
	more = more < TEXT - length ? more : TEXT - length;
	for (size_t i = 0; i < more; i++)
		text[length + i] = "h\n ov0\0"[draw(7)];
	length += more;
}

static void add_head(unsigned number)
{
	char head[128];

	snprintf(head, sizeof(head), FIRST "date\ntable 3 " ID "%02u open 0 0 x\n", number);
	add(head);
}

/* Something that a duel may have written, or one that has gone bad. */
static void add_something(void)
{
	static const char *const some[] = {"5 tick\n",
					   "7 over\n",
					   " over\n",
					   "said over\n",
					   "\n9 over\n",
					   "123456789012345678901 over\n",
					   FIRST,
					   "\n",
					   "holmgang 1 ",
					   "\nholmgang",
					   "\nholmgang 1 x\ntable 3 0000",
					   "8 over"};
	unsigned what = draw(20);

	if (what < sizeof(some) / sizeof(some[0]))
		add(some[what]);
	else if (what < 18)
		add_head(draw(100));
	else
		add_filler(draw(4) == 0 ? PIECE - 20 + draw(40) : draw(200));
}

static int journal(void)
{
	return memfd_create("journal", MFD_CLOEXEC);
}

static void append(int fd, size_t from)
{
	CHECK(write(fd, text + from, length - from) == (ssize_t)(length - from));
}

/* --- all at once ------------------------------------------------------------------------------ */

static bool ends_with_over(const char *begin, const char *end)
{
	const char *time = end - 6;

	if (end - begin < 7 || memcmp(time, " over\n", 6) != 0)
		return false;
	while (time > begin && time[-1] >= '0' && time[-1] <= '9')
		time--;
	return time > begin && time[-1] == '\n' && time < end - 6 &&
	       end - time < 32; /* what is no time is told by its length alone */
}

static void find_all(struct found *found, bool all)
{
	char *end = text + length, *next;

	found->count = 0;
	for (char *at = memmem(text, length, FIRST, 12); at != NULL; at = next) {
		struct chapter *chapter = &found->chapter[found->count];
		char head[128];
		size_t size;

		next = memmem(at + 1, (size_t)(end - at) - 1, FIRST, 12);
		size = (size_t)((next == NULL ? end : next) - at);
		*chapter = (struct chapter){.begin = at - text, .end = at - text + (off_t)size};
		chapter->over = ends_with_over(at, at + size);
		size = (size_t)(end - at) < sizeof(head) - 1 ? (size_t)(end - at)
							     : sizeof(head) - 1;
		memcpy(head, at, size);
		head[size] = '\0';
		journal_find_duel(head, chapter->duel);
		found->count += chapter->duel[0] != '\0' && (next != NULL || chapter->over || all);
	}
}

/* --- in pieces -------------------------------------------------------------------------------- */

static bool take(void *owner, int fd, const struct chapter *chapter)
{
	struct found *found = owner;

	(void)fd;
	CHECK(found->count < CHAPTERS);
	found->chapter[found->count++] = *chapter;
	return true;
}

static bool is_same(const struct chapter *a, const struct chapter *b, bool ends)
{
	return a->begin == b->begin && strcmp(a->duel, b->duel) == 0 &&
	       (!ends || (a->end == b->end && a->over == b->over));
}

static void compare(const struct found *read, const struct found *all, bool ends)
{
	CHECK(read->count == all->count);
	for (int i = 0; i < read->count && i < all->count; i++)
		CHECK(is_same(&read->chapter[i], &all->chapter[i], ends));
}

static void test_at_once(void)
{
	static struct found read, all;

	for (int round = 0; round < ROUNDS; round++) {
		struct chapters chapters = {0};
		int fd = journal();

		length = 0;
		for (unsigned count = draw(400); count > 0; count--)
			add_something();
		append(fd, 0);
		read.count = 0;
		find_all(&all, round % 2 == 0);
		CHECK(chapters_read(&chapters, fd, round % 2 == 0, take, &read));
		compare(&read, &all, true);
		close(fd);
	}
}

/* What is read while it grows. A chapter that was over then has the end that it had. */
static void test_growing(void)
{
	static struct found read, all;

	for (int round = 0; round < ROUNDS; round++) {
		struct chapters chapters = {0};
		int fd = journal();

		length = 0;
		read.count = 0;
		for (int count = 0; count < 40; count++) {
			size_t before = length;

			for (unsigned n = draw(10); n > 0; n--)
				add_something();
			append(fd, before);
			CHECK(chapters_read(&chapters, fd, false, take, &read));
		}
		CHECK(chapters_read(&chapters, fd, true, take, &read));
		find_all(&all, true);
		compare(&read, &all, false);
		close(fd);
	}
}

/* Its head, and its end, at all places around the end of a piece. */
static void test_borders(void)
{
	static struct found read;

	for (size_t before = PIECE - 160; before < PIECE + 20; before++) {
		struct chapters chapters = {0};
		int fd = journal();

		length = 0;
		add_head(1);
		while (length < before)
			add("x");
		add("\n5 over\n");
		add_head(2);
		add("6 over\n");
		append(fd, 0);
		read.count = 0;
		CHECK(chapters_read(&chapters, fd, false, take, &read) && read.count == 2);
		CHECK(read.chapter[0].over && read.chapter[0].end == (off_t)before + 8);
		CHECK(read.chapter[1].over && read.chapter[1].begin == (off_t)before + 8);
		check_text(read.chapter[1].duel, ID "02");
		close(fd);
	}
}

/* The next table has begun the journal anew; also when it is as long as before by now, or longer. */
static void test_anew(void)
{
	static struct found read;

	for (int longer = 0; longer < 3; longer++) {
		struct chapters chapters = {0};
		int fd = journal();

		length = 0;
		add_head(1);
		add("6 over\n");
		append(fd, 0);
		read.count = 0;
		CHECK(chapters_read(&chapters, fd, false, take, &read) && read.count == 1);
		CHECK(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
		length = 0;
		for (int i = 0; i <= longer; i++) {
			add_head(2 + (unsigned)i);
			add(longer == 0 ? "1 over\n" : "1000 over\n");
		}
		append(fd, 0);
		CHECK(chapters_read(&chapters, fd, false, take, &read) && read.count == 2 + longer);
		check_text(read.chapter[1].duel, ID "02");
		close(fd);
	}
}

int main(void)
{
	test_at_once();
	test_growing();
	test_borders();
	test_anew();
	return check_end();
}
