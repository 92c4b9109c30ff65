/*
 * folder.c - the journal folder. See folder.h.
 *
 * Owns: the names of journals, their marks, the way into aside/. It keeps no descriptor of a journal.
 * Talks to: nobody but the disk, for which it waits where --sync wants that. What cannot be done it logs.
 * Never: writes a line into a journal, or cuts what is not the chapter that it was asked for.
 */
#include "server/journal/folder.h"

#include "proto/wire/args.h"
#include "proto/wire/log.h"
#include "server/journal/journal.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	MODE_BEHIND = 0400,   /* its duel has it open all the same */
	TABLES_MAX = 1000000, /* far more than a machine can hold */
};

void folder_force(int folder, const char *name)
{
	if (fsync(folder) != 0)
		log_warn("folder-not-synced folder=%s reason=\"%s\" so=\"a power cut may lose what "
			 "is new in it\"",
			 name, strerror(errno));
}

static void force_state(const char *state)
{
	int fd = open(state, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || fsync(fd) != 0)
		err(1, "cannot force the folder %s to the disk (--sync never does without)", state);
	close(fd);
}

static int open_folder(const char *state, const char *name)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", state, name);
	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		err(1, "cannot make the folder %s (choose another state folder with --state)",
		    path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		err(1, "cannot read the folder %s (choose another state folder with --state)",
		    path);
	return fd;
}

void folder_open(struct folder *folder, const char *state, enum sync sync)
{
	folder->journals = open_folder(state, "journals");
	folder->aside = open_folder(state, "aside");
	folder->sync = sync;
	if (sync != SYNC_NEVER)
		force_state(state);
}

void folder_print_name(char name[JOURNAL_NAME], unsigned table)
{
	struct text text = {.data = name, .size = JOURNAL_NAME};

	text_add_number(&text, table);
}

/* A journal is named by the number of its table, written in the one way in which we write it. */
bool folder_is_journal(const char *name, unsigned *table)
{
	char again[16];
	long number;

	if (!args_read_number(name, 0, TABLES_MAX - 1, &number))
		return false;
	snprintf(again, sizeof(again), "%ld", number);
	*table = (unsigned)number;
	return strcmp(name, again) == 0;
}

/* To be cut, also one that is marked: for whoever is not root the mark is a lock as well. */
static int open_to_cut(const struct folder *folder, const char *name)
{
	int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	int fd = openat(folder->journals, name, flags);

	if (fd >= 0 || errno != EACCES ||
	    fchmodat(folder->journals, name, JOURNAL_MODE_WHOLE, 0) != 0)
		return fd;
	fd = openat(folder->journals, name, flags);
	if (fd >= 0)
		fchmod(fd, MODE_BEHIND);
	return fd;
}

/* A journal, and where the chapter of this duel begins in it; -1: it has none, or cannot be opened:
 * then errno is not 0. */
static int open_chapter(const struct folder *folder, unsigned table, const char *duel, off_t *begin)
{
	char name[JOURNAL_NAME], whose[UUID_TEXT];
	int fd;

	folder_print_name(name, table);
	fd = open_to_cut(folder, name);
	if (fd < 0) {
		errno = errno == ENOENT ? 0 : errno;
		return -1;
	}
	*begin = journal_last(fd, lseek(fd, 0, SEEK_END), whose);
	/* one of which not even the name was written is nobody else's */
	if (*begin >= 0 && (*whose == '\0' || strcmp(whose, duel) == 0))
		return fd;
	close(fd);
	folder_mark(folder, table, false); /* or the mark would outlive its chapter */
	errno = *begin == JOURNAL_DAMAGED ? EUCLEAN : 0;
	return -1;
}

/* The journal is as if the table had never been. */
static void cut(int fd, off_t begin, const char *duel)
{
	if (ftruncate(fd, begin) != 0 || fchmod(fd, JOURNAL_MODE_WHOLE) != 0)
		log_warn("journal-not-removed duel=%s reason=\"%s\"", duel, strerror(errno));
}

void folder_cut(const struct folder *folder, unsigned table, off_t end)
{
	char name[JOURNAL_NAME];
	int fd;

	folder_print_name(name, table);
	fd = open_to_cut(folder, name);
	if (fd < 0 || ftruncate(fd, end) != 0)
		log_warn("journal-not-cut table=%u reason=\"%s\"", table, strerror(errno));
	if (fd >= 0)
		close(fd);
}

void folder_drop_chapter(const struct folder *folder, unsigned table, const char *duel)
{
	off_t begin;
	int fd;

	if (folder->journals < 0)
		return;
	fd = open_chapter(folder, table, duel, &begin);
	if (fd < 0 && errno != 0)
		log_warn("journal-not-removed duel=%s reason=\"%s\"", duel, strerror(errno));
	if (fd < 0)
		return;
	cut(fd, begin, duel);
	close(fd);
}

bool folder_copy(int to, int from, off_t begin, off_t end)
{
	while (begin < end) {
		ssize_t length = sendfile(to, from, &begin, (size_t)(end - begin));

		if (length < 0 && errno == EINTR)
			continue;
		if (length == 0)
			errno = EUCLEAN; /* it has become shorter */
		if (length <= 0)
			return false;
	}
	return true;
}

static bool copy_chapter(const struct folder *folder, int fd, off_t begin, const char *name)
{
	int copy = openat(folder->aside, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			  JOURNAL_MODE_WHOLE);
	bool whole = copy >= 0 && folder_copy(copy, fd, begin, lseek(fd, 0, SEEK_END)) &&
		     (folder->sync == SYNC_NEVER ||
		      (fsync(copy) == 0 && fsync(folder->aside) == 0));
	int error = errno;

	if (copy >= 0)
		close(copy);
	if (copy >= 0 && !whole)
		unlinkat(folder->aside, name, 0);
	errno = error;
	return whole;
}

/* For this a full disk has room. */
static void move_journal(const struct folder *folder, unsigned table, const char *name)
{
	char from[JOURNAL_NAME];

	folder_print_name(from, table);
	if (renameat(folder->journals, from, folder->aside, name) != 0) {
		log_warn("journal-not-set-aside table=%u reason=\"%s\"", table, strerror(errno));
		return;
	}
	log_warn("journal-set-aside table=%u name=aside/%s", table, name);
	if (folder->sync != SYNC_NEVER) {
		folder_force(folder->aside, "aside");
		folder_force(folder->journals, "journals");
	}
}

void folder_set_chapter_aside(const struct folder *folder, unsigned table, const char *duel,
			      const char *why)
{
	char name[UUID_TEXT + 16];
	off_t begin;
	int fd;

	if (folder->journals < 0 || folder->aside < 0)
		return;
	snprintf(name, sizeof(name), "%s.%s", duel, why);
	fd = open_chapter(folder, table, duel, &begin);
	if (fd < 0 && errno == 0)
		return;
	if (fd >= 0 && copy_chapter(folder, fd, begin, name)) {
		log_warn("journal-set-aside table=%u duel=%s name=aside/%s", table, duel, name);
		cut(fd, begin, duel);
	} else {
		move_journal(folder, table, name);
	}
	if (fd >= 0)
		close(fd);
}

void folder_set_journal_aside(const struct folder *folder, unsigned table)
{
	char name[64];

	snprintf(name, sizeof(name), "%u-%lld.damaged", table, (long long)time(NULL));
	move_journal(folder, table, name);
}

void folder_mark(const struct folder *folder, unsigned table, bool behind)
{
	char name[JOURNAL_NAME];

	folder_print_name(name, table);
	if (fchmodat(folder->journals, name, behind ? MODE_BEHIND : JOURNAL_MODE_WHOLE, 0) != 0 &&
	    errno != ENOENT)
		log_warn("journal-not-marked table=%u reason=\"%s\"", table, strerror(errno));
}

bool folder_is_behind(const struct stat *status)
{
	return (status->st_mode & 0777) == MODE_BEHIND;
}

off_t folder_journal_length(const struct folder *folder, unsigned table)
{
	struct stat status;
	char name[JOURNAL_NAME];

	folder_print_name(name, table);
	if (folder->journals < 0 || fstatat(folder->journals, name, &status, 0) != 0)
		return 0;
	return status.st_size;
}

size_t folder_read_journal(const struct folder *folder, unsigned table, off_t at, char *data,
			   size_t size)
{
	char name[JOURNAL_NAME];
	ssize_t length;
	int fd;

	folder_print_name(name, table);
	fd = openat(folder->journals, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return 0;
	length = pread(fd, data, size, at);
	close(fd);
	return length < 0 ? 0 : (size_t)length;
}

uint64_t folder_sign(const char *duel)
{
	uint64_t sign = 0;

	for (const char *c = duel; *c != '\0'; c++)
		sign = sign * 31 + (unsigned char)*c;
	return sign | 1; /* 0 is nobody's */
}
