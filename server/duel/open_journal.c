/*
 * open_journal.c - opening a book for a duel. See open_journal.h.
 *
 * Owns: for a moment the descriptors of one book.
 * Talks to: nobody. The spawner calls it, in its cage.
 * Never: reads more of a book than one record can be long.
 */
#include "server/duel/open_journal.h"

#include "server/journal/journal.h"
#include "server/journal/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

enum {
	HEAD_MOST = 8192, /* bytes: no head is longer */
	PIECE = 4096,
};

static int open_in(int journals, const char *name, int flags)
{
	return openat(journals, name, flags | O_CLOEXEC | O_NOFOLLOW, SHELF_MODE_WHOLE);
}

/* EAGAIN: the dead duel is not quite dead. */
static bool lock(int fd)
{
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	errno = EAGAIN;
	return false;
}

/* The first record of a book that has become long. All in it is over: its table is ours now. Only when
 * the recorder has taken the last of them it has taken all. */
static bool is_all_kept(int journals, const char *name, off_t length, uint64_t kept)
{
	char last[UUID_TEXT] = "";
	int fd;

	if (length <= BOOK_LONG || kept == 0)
		return false;
	fd = open_in(journals, name, O_RDONLY);
	if (fd < 0)
		return false;
	journal_last(fd, length, last);
	close(fd);
	return *last != '\0' && shelf_sign(last) == kept;
}

/* An empty book may be a new one. False: each move has to be on the disk, and none would be. */
static bool keep_name(int journals, enum sync sync)
{
	if (sync == SYNC_MOVE) /* it is tried again, and said by who tries */
		return fsync(journals) == 0;
	if (sync == SYNC_END)
		shelf_force(journals, "journals");
	return true;
}

static bool open_new(struct book *book, int journals, const char *name, uint64_t kept,
		     enum sync sync)
{
	off_t length;

	book->append = open_in(journals, name, O_WRONLY | O_APPEND | O_CREAT);
	if (book->append < 0 || !lock(book->append))
		return false;
	length = lseek(book->append, 0, SEEK_END);
	if (is_all_kept(journals, name, length, kept) && ftruncate(book->append, 0) == 0)
		length = 0;
	book->begin = length;
	book->limit = length + RECORD_LARGEST;
	return length > 0 || keep_name(journals, sync);
}

/* --- born again ------------------------------------------------------------------------------- */

/* Is its head whole? Otherwise nobody has heard of this table yet. */
static bool has_head(int fd, off_t begin)
{
	static const char last[] = "\nopen\n";
	char head[HEAD_MOST];
	ssize_t length = pread(fd, head, sizeof(head), begin);

	return length > 0 && memmem(head, (size_t)length, last, sizeof(last) - 1) != NULL;
}

/* Behind the last whole line. */
static off_t end_of_lines(int fd, off_t begin, off_t end)
{
	char piece[PIECE];

	while (end > begin) {
		off_t at = end - begin > PIECE ? end - PIECE : begin;
		ssize_t length = pread(fd, piece, (size_t)(end - at), at);
		const char *last = length > 0 ? memrchr(piece, '\n', (size_t)length) : NULL;

		if (last != NULL)
			return at + (last - piece) + 1;
		end = at;
	}
	return begin;
}

/* From `begin` to `end`, into memory that nobody can change any more. -1 with errno. */
static int copy_sealed(int fd, off_t begin, off_t end)
{
	const int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
	int copy = memfd_create("record", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int error;

	while (copy >= 0 && begin < end) {
		ssize_t got = sendfile(copy, fd, &begin, (size_t)(end - begin));

		if (got == 0)
			errno = EUCLEAN; /* it has become shorter */
		if (got <= 0)
			break;
	}
	if (copy >= 0 && begin == end && fcntl(copy, F_ADD_SEALS, seals) == 0)
		return copy;
	error = errno;
	if (copy >= 0)
		close(copy);
	errno = error;
	return -1;
}

/* The record of this duel, if it has one; what it could not finish is cut off. Whatever else stands behind its
 * head, its duel has written. */
static bool take_record(struct book *book, int fd, const struct birth *birth)
{
	char whose[UUID_TEXT];
	off_t length = lseek(fd, 0, SEEK_END), begin = birth->record, end;

	book->begin = begin;
	book->limit = begin + RECORD_LARGEST;
	journal_read_duel(fd, begin, whose);
	if (length < begin || length > book->limit ||
	    (*whose != '\0' && strcmp(whose, birth->duel) != 0)) {
		errno = EUCLEAN;
		return false;
	}
	end = has_head(fd, begin) ? end_of_lines(fd, begin, length) : begin;
	/* what a read-only disk keeps of it harms nobody: nothing comes behind it */
	if (end < length)
		(void)!ftruncate(fd, end);
	if (end > begin)
		book->record = copy_sealed(fd, begin + 1, end); /* behind its empty line */
	return end == begin || book->record >= 0;
}

static bool open_again(struct book *book, int journals, const char *name, const struct birth *birth,
		       enum sync sync)
{
	bool good;
	int fd;

	book->append = open_in(journals, name, O_WRONLY | O_APPEND);
	if (book->append < 0 && errno == EROFS && sync != SYNC_MOVE)
		book->append = open_in(journals, name, O_PATH); /* what is written fails */
	else if (book->append < 0 || !lock(book->append))
		return false;
	fd = open_in(journals, name, O_RDWR);
	if (fd < 0 && errno == EROFS)
		fd = open_in(journals, name, O_RDONLY);
	if (fd < 0)
		return false;
	good = take_record(book, fd, birth);
	close(fd);
	return good;
}

bool book_open(struct book *book, int journals, const struct birth *birth, enum sync sync)
{
	char name[SHELF_NAME];
	bool good;
	int error;

	*book = (struct book){.append = -1, .record = -1};
	shelf_print_name(name, birth->table);
	good = birth->again ? open_again(book, journals, name, birth, sync)
			    : open_new(book, journals, name, birth->kept, sync);
	if (good)
		return true;
	error = errno;
	book_close(book);
	errno = error;
	return false;
}

/* Nothing is written to it: a spawner would have to copy its page, which the newborn shares. */
void book_close(const struct book *book)
{
	if (book->append >= 0)
		close(book->append);
	if (book->record >= 0)
		close(book->record);
}
