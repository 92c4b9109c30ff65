/*
 * chapters.c - reading a book record by record. See chapters.h.
 *
 * Owns: one piece of a book, which is all of it that is in memory, however long it is or a record in it.
 * Never: looks at more of a book than it had when the reading began: who writes into it could keep us
 * reading for ever.
 */
#include "server/journal/chapters.h"

#include "server/journal/journal.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	PIECE = 65536,
	HEAD = 128, /* whose record it is stands in here */
	TAIL = 32,  /* a time and " over" */
};

static const char FIRST[] = "\n" JOURNAL_FIRST_WORDS;
static const char LAST[] = " over\n";
enum { FIRST_LENGTH = sizeof(FIRST) - 1, LAST_LENGTH = sizeof(LAST) - 1 };

/* A book, and what of it is in memory. */
struct piece {
	int fd;
	off_t book; /* its length */
	off_t at;
	size_t length;
	char data[PIECE];
};

/* What the book has from `at` on: `least` bytes, if it has them, and as many more as are at hand. */
static const char *look(struct piece *piece, off_t at, size_t least, size_t *length)
{
	off_t end = piece->at + (off_t)piece->length;

	if (at < piece->at || at > end || (at + (off_t)least > end && end < piece->book)) {
		off_t left = at < piece->book ? piece->book - at : 0;
		size_t room = left < PIECE ? (size_t)left : PIECE;
		ssize_t got = pread(piece->fd, piece->data, room, at);

		piece->at = at;
		piece->length = got < 0 ? 0 : (size_t)got;
		if (got < (ssize_t)room) /* it is another book now, or cannot be read */
			piece->book = at + (off_t)piece->length;
	}
	*length = piece->length - (size_t)(at - piece->at);
	return piece->data + (at - piece->at);
}

/* Where the next record begins, from here on. False: there is none; `found` is where the book ends. */
static bool find_record(struct piece *piece, off_t at, off_t *found)
{
	for (;;) {
		size_t length;
		const char *text = look(piece, at, FIRST_LENGTH, &length);
		const char *hit = memmem(text, length, FIRST, FIRST_LENGTH);

		*found = at + (hit != NULL ? hit - text : (off_t)length);
		if (hit != NULL || length < FIRST_LENGTH)
			return hit != NULL;
		at += (off_t)length - (FIRST_LENGTH - 1);
	}
}

/* "": its head was never finished, so nobody has heard of it. */
static void find_duel(struct piece *piece, off_t begin, char duel[UUID_TEXT])
{
	char head[HEAD];
	size_t length;
	const char *text = look(piece, begin, sizeof(head) - 1, &length);

	length = length < sizeof(head) ? length : sizeof(head) - 1;
	memcpy(head, text, length);
	head[length] = '\0';
	journal_find_duel(head, duel);
}

/* Is its last line a time and " over"? What a player says stands at the end of a line too, and may be
 * the same word. */
static bool is_over(struct piece *piece, off_t begin, off_t end)
{
	size_t tail = end - begin < TAIL ? (size_t)(end - begin) : TAIL, length;
	const char *text = look(piece, end - (off_t)tail, tail, &length);
	const char *last = text + tail - LAST_LENGTH, *time = last;

	if (length < tail || tail <= LAST_LENGTH || memcmp(last, LAST, LAST_LENGTH) != 0)
		return false;
	while (time > text && time[-1] >= '0' && time[-1] <= '9')
		time--;
	return time > text && time[-1] == '\n' && time < last;
}

/* Is this duel's record still where it was? Whoever has read it before he asks has read one book: what
 * is cut off a book does not come back. */
static bool is_there(int fd, off_t begin, const char *duel)
{
	char whose[UUID_TEXT];

	journal_read_duel(fd, begin, whose);
	return strcmp(whose, duel) == 0;
}

enum reading { READ, NOT_TAKEN, ANEW };

/* A record that is not over, with another one behind it, could not be played on: it counts too. */
static enum reading take_all(struct ledger *ledger, struct piece *piece, bool all,
			     ledger_take *take, void *owner)
{
	struct ledger_record record;
	bool more = find_record(piece, ledger->end, &record.begin);

	for (; more; record.begin = record.end) {
		find_duel(piece, record.begin, record.duel);
		more = find_record(piece, record.begin + 1, &record.end);
		record.over = is_over(piece, record.begin, record.end);
		if (!is_there(piece->fd, record.begin, record.duel))
			return ANEW;
		if (!more && !record.over && !all)
			return READ;
		if (record.duel[0] != '\0' && !take(owner, piece->fd, &record))
			return NOT_TAKEN;
		ledger->begin = record.begin;
		ledger->end = record.end;
		strcpy(ledger->duel, record.duel);
	}
	return READ;
}

static enum reading read_book(struct ledger *ledger, int fd, bool all, ledger_take *take,
			      void *owner)
{
	static struct piece piece;
	struct stat status;

	if (fstat(fd, &status) != 0)
		return NOT_TAKEN;
	piece.fd = fd;
	piece.book = status.st_size;
	piece.at = ledger->end;
	piece.length = 0;
	if (ledger->end > piece.book ||
	    (ledger->end > 0 && !is_there(fd, ledger->begin, ledger->duel)))
		return ANEW;
	return take_all(ledger, &piece, all, take, owner);
}

bool ledger_read(struct ledger *ledger, int fd, bool all, ledger_take *take, void *owner)
{
	enum reading reading = read_book(ledger, fd, all, take, owner);

	if (reading == ANEW) {
		*ledger = (struct ledger){0};
		reading = read_book(ledger, fd, all, take, owner);
	}
	/* twice in so short a time: the game that is played there now is looked at when it ends */
	if (reading == ANEW)
		*ledger = (struct ledger){0};
	return reading != NOT_TAKEN;
}
