/*
 * file.c - drawings as files. See svg.h.
 *
 * A file is written under another name first, so that nobody ever reads half of it. Where there is
 * something else, a pipe or a device, it is written to and stays what it is.
 */
#include "viewer/svg/svg.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int fd, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t written = write(fd, bytes, length);

		if (written < 0)
			return false;
		bytes += written;
		length -= (size_t)written;
	}
	return true;
}

/* With the errno of what went wrong first. */
static bool write_and_close(int fd, const struct text *text, bool written)
{
	int error;

	written = written && write_all(fd, text->data, text->length);
	error = errno;
	if (close(fd) < 0 && written)
		return false;
	errno = error;
	return written;
}

static bool replace_file(const char *file, const struct text *text)
{
	char name[PATH_MAX];
	mode_t mask = umask(0);
	int length = snprintf(name, sizeof(name), "%s.XXXXXX", file), fd, error;

	umask(mask);
	if (length >= (int)sizeof(name)) {
		errno = ENAMETOOLONG;
		return false;
	}
	fd = mkstemp(name);
	if (fd < 0)
		return false;
	if (write_and_close(fd, text, fchmod(fd, 0666 & ~mask) == 0) && rename(name, file) == 0)
		return true;
	error = errno;
	unlink(name);
	errno = error;
	return false;
}

/* The reader of a pipe may come late, or never. The signals that end the program are blocked, for its
 * loop reads them from a descriptor; here they are let through, so that they end this wait. */
static bool write_into(const char *file, const struct text *text)
{
	sigset_t all, before;
	bool written = false;
	int fd, error;

	sigfillset(&all);
	sigprocmask(SIG_UNBLOCK, &all, &before);
	fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, 0666);
	if (fd >= 0)
		written = write_and_close(fd, text, true);
	error = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return written;
}

/* A file, or nothing yet: not a link to nothing, and not what only a link in /proc leads to. */
static bool can_be_replaced(const char *file, const char *meant)
{
	struct stat status;

	if (meant == NULL)
		return lstat(file, &status) < 0;
	return stat(meant, &status) == 0 && S_ISREG(status.st_mode);
}

static bool write_file(const char *file, const struct text *text)
{
	char *meant = realpath(file, NULL); /* behind all links */
	bool written = can_be_replaced(file, meant)
			   ? replace_file(meant == NULL ? file : meant, text)
			   : write_into(file, text);
	int error = errno;

	free(meant);
	errno = error;
	return written;
}

bool svg_write_file(const struct scene *scene, const char *file, char why[SVG_WHY_MAX])
{
	struct text text = {.data = malloc(SVG_MAX), .size = SVG_MAX};
	bool written;

	snprintf(why, SVG_WHY_MAX, "no memory is left");
	if (text.data == NULL)
		return false;
	svg_print_file(scene, &text);
	written = write_file(file, &text);
	if (!written)
		snprintf(why, SVG_WHY_MAX, "cannot write %.60s: %s", file, strerror(errno));
	free(text.data);
	return written;
}
