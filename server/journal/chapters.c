/*
 * chapters.c - reading a journal chapter by chapter. See chapters.h.
 *
 * Owns: one piece of a journal, which is all of it that is in memory, however long it is or a chapter in it.
 * Never: looks at more of a journal than it had when the reading began: who writes into it could keep us
 * reading for ever.
 */
#include "server/journal/chapters.h"

#include "server/journal/journal.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	PIECE = 65536,
	HEAD = 128, /* whose chapter it is stands in here */
	TAIL = 32,  /* a time and " over" */
};

static const char FIRST[] = "\n" JOURNAL_FIRST_WORDS;
static const char LAST[] = " over\n";
enum { FIRST_LENGTH = sizeof(FIRST) - 1, LAST_LENGTH = sizeof(LAST) - 1 };

/* A journal, and what of it is in memory. */
struct piece {
	int fd;
	off_t journal; /* its length */
	off_t at;
	size_t length;
	char data[PIECE];
};

/* What the journal has from `at` on: `least` bytes, if it has them, and as many more as are at hand. */
static const char *look(struct piece *piece, off_t at, size_t least, size_t *length)
{
	off_t end = piece->at + (off_t)piece->length;

	if (at < piece->at || at > end || (at + (off_t)least > end && end < piece->journal)) {
		off_t left = at < piece->journal ? piece->journal - at : 0;
		size_t room = left < PIECE ? (size_t)left : PIECE;
		ssize_t got = pread(piece->fd, piece->data, room, at);

		piece->at = at;
		piece->length = got < 0 ? 0 : (size_t)got;
		if (got < (ssize_t)room) /* it is another journal now, or cannot be read */
			piece->journal = at + (off_t)piece->length;
	}
	*length = piece->length - (size_t)(at - piece->at);
	return piece->data + (at - piece->at);
}

/* Where the next chapter begins, from here on. False: there is none; `found` is where the journal ends. */
static bool find_chapter(struct piece *piece, off_t at, off_t *found)
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

/* Is this duel's chapter still where it was? Asked after it has been read: then all that was read is of one
 * journal, since what is cut off a journal does not come back. */
static bool is_there(int fd, off_t begin, const char *duel)
{
	char whose[UUID_TEXT];

	journal_read_duel(fd, begin, whose);
	return strcmp(whose, duel) == 0;
}

enum reading { READ, NOT_TAKEN, ANEW };

/* A chapter that is not over, with another one behind it, could not be played on: it counts too. */
static enum reading take_all(struct chapters *chapters, struct piece *piece, bool all,
			     chapters_take *take, void *owner)
{
	struct chapter chapter;
	bool more = find_chapter(piece, chapters->end, &chapter.begin);

	for (; more; chapter.begin = chapter.end) {
		find_duel(piece, chapter.begin, chapter.duel);
		more = find_chapter(piece, chapter.begin + 1, &chapter.end);
		chapter.over = is_over(piece, chapter.begin, chapter.end);
		if (!is_there(piece->fd, chapter.begin, chapter.duel))
			return ANEW;
		if (!more && !chapter.over && !all)
			return READ;
		if (chapter.duel[0] != '\0' && !take(owner, piece->fd, &chapter))
			return NOT_TAKEN;
		chapters->begin = chapter.begin;
		chapters->end = chapter.end;
		strcpy(chapters->duel, chapter.duel);
	}
	return READ;
}

static enum reading read_journal(struct chapters *chapters, int fd, bool all, chapters_take *take,
				 void *owner)
{
	static struct piece piece;
	struct stat status;

	if (fstat(fd, &status) != 0)
		return NOT_TAKEN;
	piece.fd = fd;
	piece.journal = status.st_size;
	piece.at = chapters->end;
	piece.length = 0;
	if (chapters->end > piece.journal ||
	    (chapters->end > 0 && !is_there(fd, chapters->begin, chapters->duel)))
		return ANEW;
	return take_all(chapters, &piece, all, take, owner);
}

bool chapters_read(struct chapters *chapters, int fd, bool all, chapters_take *take, void *owner)
{
	enum reading reading = read_journal(chapters, fd, all, take, owner);

	if (reading == ANEW) {
		*chapters = (struct chapters){0};
		reading = read_journal(chapters, fd, all, take, owner);
	}
	/* twice in so short a time: the game that is played there now is looked at when it ends */
	if (reading == ANEW)
		*chapters = (struct chapters){0};
	return reading != NOT_TAKEN;
}
