/*
 * svg_file.c - drawings as files. See svg.h.
 *
 * A file is written under another name first, so that nobody ever reads half of it.
 */
#include "svg.h"

#include <errno.h>
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

static bool write_file(const char *file, const struct text *text)
{
	char name[4096];
	mode_t mask = umask(0);
	int length = snprintf(name, sizeof(name), "%s.XXXXXX", file), fd, error;
	bool written;

	umask(mask);
	if (length >= (int)sizeof(name)) {
		errno = ENAMETOOLONG;
		return false;
	}
	fd = mkstemp(name);
	if (fd < 0)
		return false;
	written = write_all(fd, text->data, text->length) && fchmod(fd, 0666 & ~mask) == 0;
	error = errno;
	if (close(fd) < 0 && written) {
		error = errno;
		written = false;
	}
	if (written && rename(name, file) == 0)
		return true;
	error = written ? errno : error;
	unlink(name);
	errno = error;
	return false;
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
