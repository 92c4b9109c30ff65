/*
 * ledger.c - reading a book record by record. See ledger.h.
 */
#include "ledger.h"

#include "journal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char FIRST[] = "\n" JOURNAL_FIRST_WORDS;
static const char LAST[] = " over\n";

/* The file from `at` on, with a NUL behind it, to be freed; NULL: it cannot be had. */
static char *read_rest(int fd, off_t at, size_t *length)
{
	struct stat status;
	char *text;
	size_t size;

	*length = 0;
	if (fstat(fd, &status) != 0)
		return NULL;
	size = status.st_size > at ? (size_t)(status.st_size - at) : 0;
	text = malloc(size + 1);
	while (text != NULL && *length < size) {
		ssize_t got = pread(fd, text + *length, size - *length, at + (off_t)*length);

		if (got <= 0)
			break; /* it has become shorter: then it is another book now */
		*length += (size_t)got;
	}
	if (text != NULL)
		text[*length] = '\0';
	return text;
}

/* Is the last record that we know where it was? */
static bool is_same_book(const struct ledger *ledger, int fd)
{
	char duel[UUID_TEXT];

	if (ledger->end == 0)
		return true;
	journal_read_duel(fd, ledger->begin, duel);
	return strcmp(duel, ledger->duel) == 0;
}

/* Where the next record begins; `end`: there is none. */
static char *find_record(char *text, char *end)
{
	char *found = memmem(text, (size_t)(end - text), FIRST, sizeof(FIRST) - 1);

	return found == NULL ? end : found;
}

/* Is its last line a time and " over"? What a player says stands at the end of a line too, and may be
 * the same word. */
static bool is_over(const char *text, size_t length)
{
	const size_t last = sizeof(LAST) - 1;
	const char *time;

	if (length <= last || memcmp(text + length - last, LAST, last) != 0)
		return false;
	time = text + length - last;
	while (time > text && time[-1] >= '0' && time[-1] <= '9')
		time--;
	return time > text && time[-1] == '\n' && time < text + length - last;
}

static void look_at(struct ledger_record *record, const char *text, size_t length)
{
	/* none: its head was never finished, so nobody has heard of it */
	journal_find_duel(text, record->duel);
	record->over = is_over(text, length);
}

/* A record that is not over, with another one behind it, could not be played on: it counts too. */
static bool take_all(struct ledger *ledger, int fd, bool all, char *text, size_t length,
		     bool (*take)(void *owner, int fd, const struct ledger_record *record),
		     void *owner)
{
	char *end = text + length, *next;
	off_t base = ledger->end;

	for (char *begin = find_record(text, end); begin < end; begin = next) {
		struct ledger_record record = {.begin = base + (begin - text), .text = begin + 1};
		char first;

		next = find_record(begin + 1, end);
		record.end = base + (next - text);
		look_at(&record, begin, (size_t)(next - begin));
		if (next == end && !record.over && !all)
			return true;
		first = *next;
		*next = '\0';
		if (record.duel[0] != '\0' && !take(owner, fd, &record))
			return false;
		*next = first;
		ledger->begin = record.begin;
		ledger->end = record.end;
		strcpy(ledger->duel, record.duel);
	}
	return true;
}

bool ledger_read(struct ledger *ledger, int fd, bool all,
		 bool (*take)(void *owner, int fd, const struct ledger_record *record), void *owner)
{
	size_t length;
	char *text = read_rest(fd, ledger->end, &length);
	bool good;

	/* only now: what has been read before the book was begun anew is right as well */
	if (text != NULL && !is_same_book(ledger, fd)) {
		free(text);
		*ledger = (struct ledger){0};
		text = read_rest(fd, 0, &length);
	}
	good = text != NULL && take_all(ledger, fd, all, text, length, take, owner);
	free(text);
	return good;
}
