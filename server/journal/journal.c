/*
 * journal.c - writing a chapter, and finding the last one of a journal. See journal.h.
 *
 * Owns: the descriptor of one journal, and what could not be written yet.
 * Never: opens a file; waits for a disk, unless --sync says so.
 */
#include "server/journal/journal.h"

#include "proto/time/timers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AGAIN_MS = 1000 };

void journal_open(struct journal *journal, int fd, enum sync sync)
{
	*journal = (struct journal){
	    .state = fd < 0 ? JOURNAL_NONE : JOURNAL_WHOLE,
	    .told = JOURNAL_WHOLE,
	    .fd = fd,
	    .sync = sync,
	    .again_at = TIMER_NEVER,
	};
}

static void give_up(struct journal *journal)
{
	free(journal->arrears);
	journal->arrears = NULL;
	journal->arrears_length = 0;
	journal->again_at = TIMER_NEVER;
	journal->state = JOURNAL_NONE;
}

/* How much of it is in the file now. */
static size_t write_some(const struct journal *journal, const char *data, size_t length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t written = write(journal->fd, data + done, length - done);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			break;
		done += (size_t)written;
	}
	return done;
}

static void keep(struct journal *journal, const char *data, size_t length, int64_t now)
{
	/* a chapter that has its length, or files that may not grow: to wait for that is of no use */
	bool hopeless = journal->sync == SYNC_MOVE && errno == EFBIG;
	char *arrears = NULL;

	if (!hopeless && journal->arrears_length + length <= JOURNAL_ARREARS_MAX)
		arrears = realloc(journal->arrears, journal->arrears_length + length);
	if (arrears == NULL) {
		give_up(journal);
		return;
	}
	memcpy(arrears + journal->arrears_length, data, length);
	journal->arrears = arrears;
	journal->arrears_length += length;
	journal->state = JOURNAL_BEHIND;
	journal->again_at = now + AGAIN_MS;
}

/* After an error the kernel may take the bytes for written: that a later call succeeds shows that the disk
 * works again, not that nothing was lost. */
static void force(struct journal *journal, int64_t now)
{
	bool done = fdatasync(journal->fd) == 0;

	journal->state = done ? JOURNAL_WHOLE : JOURNAL_UNSYNCED;
	journal->again_at = done ? TIMER_NEVER : now + AGAIN_MS;
}

bool journal_must_wait(const struct journal *journal)
{
	return journal->sync == SYNC_MOVE &&
	       (journal->state == JOURNAL_BEHIND || journal->state == JOURNAL_UNSYNCED);
}

/* False: there is still no room for all of it. */
static bool write_arrears(struct journal *journal)
{
	size_t done = write_some(journal, journal->arrears, journal->arrears_length);

	journal->arrears_length -= done;
	if (journal->arrears_length > 0) {
		memmove(journal->arrears, journal->arrears + done, journal->arrears_length);
		return false;
	}
	free(journal->arrears);
	journal->arrears = NULL;
	return true;
}

bool journal_has_failed(const struct journal *journal)
{
	return journal->sync == SYNC_MOVE && journal->state == JOURNAL_NONE && journal->fd >= 0;
}

void journal_tick(struct journal *journal, int64_t now)
{
	if (journal->again_at > now)
		return;
	journal->again_at = now + AGAIN_MS;
	if (!write_arrears(journal))
		return;
	journal->again_at = TIMER_NEVER;
	journal->state = JOURNAL_WHOLE;
	if (journal->sync == SYNC_MOVE || (journal->sync == SYNC_END && journal->ended))
		force(journal, now);
}

void journal_write(struct journal *journal, const char *lines, size_t length, int64_t now)
{
	size_t done;

	journal->length += length;
	if (journal->state == JOURNAL_NONE)
		return;
	if (journal->state == JOURNAL_BEHIND) {
		keep(journal, lines, length, now);
		return;
	}
	done = write_some(journal, lines, length);
	if (done < length)
		keep(journal, lines + done, length - done, now);
	else if (journal->sync == SYNC_MOVE)
		force(journal, now);
}

void journal_take_over(struct journal *journal, int64_t now)
{
	if (journal->sync == SYNC_MOVE && journal->state == JOURNAL_WHOLE)
		force(journal, now);
}

void journal_end(struct journal *journal, int64_t now)
{
	if (journal->ended)
		return;
	journal->ended = true;
	/* what is behind is forced when it has been written */
	if (journal->sync == SYNC_END && journal->state == JOURNAL_WHOLE)
		force(journal, now);
}

int64_t journal_due(const struct journal *journal)
{
	return journal->again_at;
}

/* --- the last chapter ------------------------------------------------------------------------- */

/* The last place in these bytes where `words` stand; NULL: nowhere. */
static const char *find_last(const char *bytes, size_t length, const char *words)
{
	size_t size = strlen(words);

	for (const char *at = bytes + length; at-- > bytes;)
		if (*at == *words && (size_t)(bytes + length - at) >= size &&
		    memcmp(at, words, size) == 0)
			return at;
	return NULL;
}

/* What stands behind these words, in a text that has them where it begins; NULL: it has not. */
static const char *behind(const char *text, const char *words)
{
	size_t length = strlen(words);

	return text != NULL && strncmp(text, words, length) == 0 ? text + length : NULL;
}

/* Not by way of sscanf(): the recorder does this twice for each game. */
void journal_find_duel(const char *text, char duel[UUID_TEXT])
{
	const char *at = behind(text, "\n" JOURNAL_FIRST_WORDS);

	*duel = '\0';
	at = behind(at == NULL ? NULL : strchr(at, '\n'), "\ntable ");
	at = at == NULL ? NULL : strchr(at, ' ');
	if (at == NULL || strnlen(at, UUID_TEXT) < UUID_TEXT || at[UUID_TEXT] != ' ')
		return;
	text_print(duel, UUID_TEXT, "%.*s", UUID_TEXT - 1, at + 1);
	if (!uuid_is_valid(duel))
		*duel = '\0';
}

void journal_read_duel(int fd, off_t at, char duel[UUID_TEXT])
{
	char head[128];
	ssize_t length = pread(fd, head, sizeof(head) - 1, at);

	head[length < 0 ? 0 : length] = '\0';
	journal_find_duel(head, duel);
}

off_t journal_last(int fd, off_t length, char duel[UUID_TEXT])
{
	static const char words[] = "\n" JOURNAL_FIRST_WORDS;
	char piece[1024];
	off_t end = length, at = end;
	off_t least = length > CHAPTER_LARGEST ? length - CHAPTER_LARGEST : 0;
	const char *found = NULL;

	*duel = '\0';
	if (length <= 0)
		return JOURNAL_EMPTY;
	/* pieces overlap, so that words between two of them are found */
	while (at > least && found == NULL) {
		size_t size = sizeof(piece) < (size_t)end ? sizeof(piece) : (size_t)end;
		ssize_t got;

		at = end - (off_t)size;
		got = pread(fd, piece, size, at);
		if (got <= 0)
			return JOURNAL_DAMAGED;
		found = find_last(piece, (size_t)got, words);
		end = at + (off_t)sizeof(words);
	}
	if (found == NULL)
		return JOURNAL_DAMAGED;
	at += found - piece;
	journal_read_duel(fd, at, duel);
	return at;
}

bool journal_read_lines(int fd, off_t *at, off_t end, journal_take *take, void *owner)
{
	static struct line_reader reader;
	ssize_t got = 0;
	char *line, *place;
	size_t room;

	reader.start = reader.end = 0;
	while (place = line_room(&reader, &room),
	       *at < end && (got = pread(fd, place, room, *at)) > 0) {
		got = got < end - *at ? got : (ssize_t)(end - *at);
		*at += got;
		line_fed(&reader, (size_t)got);
		while ((line = line_next(&reader)) != NULL)
			if (!take(owner, line))
				return false;
	}
	return got >= 0;
}

/* --- text ------------------------------------------------------------------------------------- */

/* How many bytes are written as they are. */
static int plain_length(const char *text)
{
	int length = 0;

	while (text[length] >= ' ' && text[length] <= '~' && text[length] != '\\')
		length++;
	return length;
}

void journal_print_text(struct text *text, const char *line)
{
	for (const char *c = line; *c != '\0';) {
		int plain = plain_length(c);

		/* nearly always all of it: one piece */
		if (plain > 0)
			text_add_bytes(text, c, (size_t)plain);
		else
			text_add(text, "\\%02x", (unsigned char)*c);
		c += plain > 0 ? plain : 1;
	}
}

static int hex_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	return -1;
}

bool journal_read_text(char *line, size_t size, const char *text)
{
	size_t length = 0;

	for (; *text != '\0'; text++) {
		int high, low;

		if (length + 1 >= size)
			return false;
		if (*text != '\\') {
			line[length++] = *text;
			continue;
		}
		high = hex_value(text[1]);
		low = high < 0 ? -1 : hex_value(text[2]);
		if (low < 0 || high * 16 + low == 0)
			return false;
		line[length++] = (char)(high * 16 + low);
		text += 2;
	}
	line[length] = '\0';
	return true;
}
