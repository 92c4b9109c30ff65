/*
 * shelf.c - the folder of journals. See shelf.h.
 */
#include "shelf.h"

#include "../proto/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_folder(const char *state, const char *name)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", state, name);
	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		fd = -1;
	else
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		log_warn("no-folder path=%s reason=\"%s\" so=\"a crash ends its table\"", path,
			 strerror(errno));
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
	int fd = openat(journals, duel, flags, 0600);

	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	close(fd);
	errno = EAGAIN; /* the dead duel is not quite dead */
	return -1;
}
