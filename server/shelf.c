/*
 * shelf.c - the folder of journals. See shelf.h.
 */
#include "shelf.h"

#include "../proto/log.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	MODE_WHOLE = 0600,
	MODE_BEHIND = 0400, /* its duel has it open all the same */
};

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

void shelf_open(struct shelf *shelf, const char *state)
{
	shelf->journals = open_folder(state, "journals");
	shelf->aside = open_folder(state, "aside");
}

void shelf_drop(const struct shelf *shelf, const char *duel)
{
	if (shelf->journals >= 0 && unlinkat(shelf->journals, duel, 0) != 0 && errno != ENOENT)
		log_warn("journal-not-removed duel=%s reason=\"%s\"", duel, strerror(errno));
}

void shelf_set_aside(const struct shelf *shelf, const char *duel, const char *why)
{
	char name[UUID_TEXT + 16];

	if (shelf->journals < 0 || shelf->aside < 0)
		return;
	snprintf(name, sizeof(name), "%s.%s", duel, why);
	if (renameat(shelf->journals, duel, shelf->aside, name) == 0)
		log_warn("journal-set-aside duel=%s name=aside/%s", duel, name);
	else if (errno != ENOENT)
		log_warn("journal-not-set-aside duel=%s reason=\"%s\"", duel, strerror(errno));
}

void shelf_mark(const struct shelf *shelf, const char *duel, bool behind)
{
	mode_t mode = behind ? MODE_BEHIND : MODE_WHOLE;

	if (fchmodat(shelf->journals, duel, mode, 0) != 0 && errno != ENOENT)
		log_warn("journal-not-marked duel=%s reason=\"%s\"", duel, strerror(errno));
}

bool shelf_is_behind(const struct stat *status)
{
	return (status->st_mode & 0777) == MODE_BEHIND;
}

off_t shelf_length(const struct shelf *shelf, const char *duel)
{
	struct stat status;

	if (shelf->journals < 0 || fstatat(shelf->journals, duel, &status, 0) != 0)
		return 0;
	return status.st_size;
}

int shelf_open_journal(int journals, const char *duel, bool again)
{
	int flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | (again ? 0 : O_CREAT | O_EXCL);
	int fd = openat(journals, duel, flags, MODE_WHOLE);

	if (fd < 0 && again && errno == EROFS)
		fd = openat(journals, duel, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	close(fd);
	errno = EAGAIN; /* the dead duel is not quite dead */
	return -1;
}
