/*
 * open_journal.c - opening a journal for a duel. See open_journal.h.
 *
 * Owns: for a moment the descriptors of one journal.
 * Talks to: nobody. The spawner calls it, in its cage.
 * Never: reads more of a journal than one chapter can be long.
 */
#include "server/duel/open_journal.h"

#include "server/journal/journal.h"
#include "server/journal/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	LOCK_MS = 10,	  /* for a journal's last duel to let go of it */
	HEAD_MOST = 8192, /* bytes: no head is longer */
	PIECE = 4096,
};

static int open_in(int journals, const char *name, int flags)
{
	return openat(journals, name, flags | O_CLOEXEC | O_NOFOLLOW, JOURNAL_MODE_WHOLE);
}

/* Whoever had it before is dead, or as good as dead: a process lets go of its files a moment after it has been heard
 * of last. EAGAIN: it is somebody who lives. */
static bool lock(int fd)
{
	for (int waited = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; waited++) {
		if (waited == LOCK_MS) {
			errno = EAGAIN;
			return false;
		}
		poll(NULL, 0, 1);
	}
	return true;
}

/* The first chapter of a journal that has become long. All in it is over: its table is ours now. Only when
 * the recorder has taken the last of them it has taken all. */
static bool is_all_kept(int journals, const char *name, off_t length, uint64_t kept)
{
	char last[UUID_TEXT] = "";
	int fd;

	if (length <= FOLDER_JOURNAL_LONG || kept == 0)
		return false;
	fd = open_in(journals, name, O_RDONLY);
	if (fd < 0)
		return false;
	journal_last(fd, length, last);
	close(fd);
	return *last != '\0' && folder_sign(last) == kept;
}

/* An empty journal may be a new one. False: each move has to be on the disk, and none would be. */
static bool keep_name(int journals, enum sync sync)
{
	if (sync == SYNC_MOVE) /* it is tried again, and said by who tries */
		return fsync(journals) == 0;
	if (sync == SYNC_END)
		folder_force(journals, "journals");
	return true;
}

static bool open_new(struct open_journal *journal, int journals, const char *name, uint64_t kept,
		     enum sync sync)
{
	off_t length;

	journal->append = open_in(journals, name, O_WRONLY | O_APPEND | O_CREAT);
	if (journal->append < 0 || !lock(journal->append))
		return false;
	length = lseek(journal->append, 0, SEEK_END);
	if (is_all_kept(journals, name, length, kept) && ftruncate(journal->append, 0) == 0)
		length = 0;
	journal->begin = length;
	journal->limit = length + CHAPTER_LARGEST;
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
	int copy = memfd_create("chapter", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int error;

	if (copy >= 0 && folder_copy(copy, fd, begin, end) && fcntl(copy, F_ADD_SEALS, seals) == 0)
		return copy;
	error = errno;
	if (copy >= 0)
		close(copy);
	errno = error;
	return -1;
}

/* The chapter of this duel, if it has one; what it could not finish is cut off. Whatever else stands behind its
 * head, its duel has written. */
static bool take_chapter(struct open_journal *journal, int fd, const struct birth *birth)
{
	char whose[UUID_TEXT];
	off_t length = lseek(fd, 0, SEEK_END), begin = birth->chapter, end;

	journal->begin = begin;
	journal->limit = begin + CHAPTER_LARGEST;
	journal_read_duel(fd, begin, whose);
	if (length < begin || length > journal->limit ||
	    (*whose != '\0' && strcmp(whose, birth->duel) != 0)) {
		errno = EUCLEAN;
		return false;
	}
	end = has_head(fd, begin) ? end_of_lines(fd, begin, length) : begin;
	/* what a read-only disk keeps of it harms nobody: nothing comes behind it */
	if (end < length)
		(void)!ftruncate(fd, end);
	if (end > begin)
		journal->chapter = copy_sealed(fd, begin + 1, end); /* behind its empty line */
	return end == begin || journal->chapter >= 0;
}

static bool open_again(struct open_journal *journal, int journals, const char *name,
		       const struct birth *birth, enum sync sync)
{
	bool good;
	int fd;

	journal->append = open_in(journals, name, O_WRONLY | O_APPEND);
	if (journal->append < 0 && errno == EROFS && sync != SYNC_MOVE)
		journal->append = open_in(journals, name, O_PATH); /* what is written fails */
	else if (journal->append < 0 || !lock(journal->append))
		return false;
	fd = open_in(journals, name, O_RDWR);
	if (fd < 0 && errno == EROFS)
		fd = open_in(journals, name, O_RDONLY);
	if (fd < 0)
		return false;
	good = take_chapter(journal, fd, birth);
	close(fd);
	return good;
}

bool open_journal(struct open_journal *journal, int journals, const struct birth *birth,
		  enum sync sync)
{
	char name[JOURNAL_NAME];
	bool good;
	int error;

	*journal = (struct open_journal){.append = -1, .chapter = -1};
	folder_print_name(name, birth->table);
	good = birth->again ? open_again(journal, journals, name, birth, sync)
			    : open_new(journal, journals, name, birth->kept, sync);
	if (good)
		return true;
	error = errno;
	close_journal(journal);
	/* or its duel would write to whatever has these numbers next */
	journal->append = journal->chapter = -1;
	errno = error;
	return false;
}

/* Nothing is written to it: a spawner would have to copy its page, which the newborn shares. */
void close_journal(const struct open_journal *journal)
{
	if (journal->append >= 0)
		close(journal->append);
	if (journal->chapter >= 0)
		close(journal->chapter);
}
