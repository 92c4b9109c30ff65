/*
 * folder.c - the folder of books. See folder.h.
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

void shelf_force(int folder, const char *name)
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

void shelf_open(struct shelf *shelf, const char *state, enum sync sync)
{
	shelf->journals = open_folder(state, "journals");
	shelf->aside = open_folder(state, "aside");
	shelf->sync = sync;
	if (sync != SYNC_NEVER)
		force_state(state);
}

void shelf_print_name(char name[SHELF_NAME], unsigned table)
{
	struct text text = {.data = name, .size = SHELF_NAME};

	text_add(&text, "%u", table);
}

/* A book is named by the number of its table, written in the one way in which we write it. */
bool shelf_is_book(const char *name, unsigned *table)
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
static int open_book(const struct shelf *shelf, const char *name)
{
	int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	int fd = openat(shelf->journals, name, flags);

	if (fd >= 0 || errno != EACCES || fchmodat(shelf->journals, name, SHELF_MODE_WHOLE, 0) != 0)
		return fd;
	fd = openat(shelf->journals, name, flags);
	if (fd >= 0)
		fchmod(fd, MODE_BEHIND);
	return fd;
}

/* A book, and where the record of this duel begins in it; -1: it has none, or cannot be opened:
 * then errno is not 0. */
static int open_record(const struct shelf *shelf, unsigned table, const char *duel, off_t *begin)
{
	char name[SHELF_NAME], whose[UUID_TEXT];
	int fd;

	shelf_print_name(name, table);
	fd = open_book(shelf, name);
	if (fd < 0) {
		errno = errno == ENOENT ? 0 : errno;
		return -1;
	}
	*begin = journal_last(fd, lseek(fd, 0, SEEK_END), whose);
	/* one of which not even the name was written is nobody else's */
	if (*begin >= 0 && (*whose == '\0' || strcmp(whose, duel) == 0))
		return fd;
	close(fd);
	shelf_mark(shelf, table, false); /* or the mark would outlive its record */
	errno = *begin == JOURNAL_DAMAGED ? EUCLEAN : 0;
	return -1;
}

/* The book is as if the table had never been. */
static void cut(int fd, off_t begin, const char *duel)
{
	if (ftruncate(fd, begin) != 0 || fchmod(fd, SHELF_MODE_WHOLE) != 0)
		log_warn("journal-not-removed duel=%s reason=\"%s\"", duel, strerror(errno));
}

void shelf_drop(const struct shelf *shelf, unsigned table, const char *duel)
{
	off_t begin;
	int fd;

	if (shelf->journals < 0)
		return;
	fd = open_record(shelf, table, duel, &begin);
	if (fd < 0 && errno != 0)
		log_warn("journal-not-removed duel=%s reason=\"%s\"", duel, strerror(errno));
	if (fd < 0)
		return;
	cut(fd, begin, duel);
	close(fd);
}

/* From here to its end. */
static bool copy_rest(int to, int from, off_t begin)
{
	off_t end = lseek(from, 0, SEEK_END);

	while (begin < end) {
		ssize_t length = sendfile(to, from, &begin, (size_t)(end - begin));

		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0)
			return false;
	}
	return true;
}

static bool copy_record(const struct shelf *shelf, int fd, off_t begin, const char *name)
{
	int copy = openat(shelf->aside, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			  SHELF_MODE_WHOLE);
	bool whole = copy >= 0 && copy_rest(copy, fd, begin) &&
		     (shelf->sync == SYNC_NEVER || (fsync(copy) == 0 && fsync(shelf->aside) == 0));
	int error = errno;

	if (copy >= 0)
		close(copy);
	if (copy >= 0 && !whole)
		unlinkat(shelf->aside, name, 0);
	errno = error;
	return whole;
}

/* For this a full disk has room. */
static void move_book(const struct shelf *shelf, unsigned table, const char *name)
{
	char from[SHELF_NAME];

	shelf_print_name(from, table);
	if (renameat(shelf->journals, from, shelf->aside, name) != 0) {
		log_warn("journal-not-set-aside table=%u reason=\"%s\"", table, strerror(errno));
		return;
	}
	log_warn("journal-set-aside table=%u name=aside/%s", table, name);
	if (shelf->sync != SYNC_NEVER) {
		shelf_force(shelf->aside, "aside");
		shelf_force(shelf->journals, "journals");
	}
}

void shelf_set_aside(const struct shelf *shelf, unsigned table, const char *duel, const char *why)
{
	char name[UUID_TEXT + 16];
	off_t begin;
	int fd;

	if (shelf->journals < 0 || shelf->aside < 0)
		return;
	snprintf(name, sizeof(name), "%s.%s", duel, why);
	fd = open_record(shelf, table, duel, &begin);
	if (fd < 0 && errno == 0)
		return;
	if (fd >= 0 && copy_record(shelf, fd, begin, name)) {
		log_warn("journal-set-aside table=%u duel=%s name=aside/%s", table, duel, name);
		cut(fd, begin, duel);
	} else {
		move_book(shelf, table, name);
	}
	if (fd >= 0)
		close(fd);
}

void shelf_set_book_aside(const struct shelf *shelf, unsigned table)
{
	char name[64];

	snprintf(name, sizeof(name), "%u-%lld.damaged", table, (long long)time(NULL));
	move_book(shelf, table, name);
}

void shelf_mark(const struct shelf *shelf, unsigned table, bool behind)
{
	char name[SHELF_NAME];

	shelf_print_name(name, table);
	if (fchmodat(shelf->journals, name, behind ? MODE_BEHIND : SHELF_MODE_WHOLE, 0) != 0 &&
	    errno != ENOENT)
		log_warn("journal-not-marked table=%u reason=\"%s\"", table, strerror(errno));
}

bool shelf_is_behind(const struct stat *status)
{
	return (status->st_mode & 0777) == MODE_BEHIND;
}

off_t shelf_length(const struct shelf *shelf, unsigned table)
{
	struct stat status;
	char name[SHELF_NAME];

	shelf_print_name(name, table);
	if (shelf->journals < 0 || fstatat(shelf->journals, name, &status, 0) != 0)
		return 0;
	return status.st_size;
}

size_t shelf_read(const struct shelf *shelf, unsigned table, off_t at, char *data, size_t size)
{
	char name[SHELF_NAME];
	ssize_t length;
	int fd;

	shelf_print_name(name, table);
	fd = openat(shelf->journals, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return 0;
	length = pread(fd, data, size, at);
	close(fd);
	return length < 0 ? 0 : (size_t)length;
}

uint64_t shelf_sign(const char *duel)
{
	uint64_t sign = 0;

	for (const char *c = duel; *c != '\0'; c++)
		sign = sign * 31 + (unsigned char)*c;
	return sign | 1; /* 0 is nobody's */
}
