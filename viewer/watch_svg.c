/*
 * watch_svg.c - the board of the next frame that is heard, as an SVG file. See watch.h.
 *
 * The file is written under another name first, so that nobody ever reads half of it.
 */
#include "svg.h"
#include "watch_core.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What to draw, as soon as there is something. */
struct wanted {
	bool heard;
	struct scene scene;
};

static void take_first(const struct wall_place *place, bool news, void *to)
{
	struct wanted *wanted = to;

	if (wanted->heard || !news)
		return;
	wanted->heard = true;
	scene_of_frame(&wanted->scene, &place->frame, place->has_before ? &place->before : NULL);
}

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

static enum watch_end write_scene(const struct scene *scene, const char *file,
				  char why[WATCH_WHY_MAX])
{
	struct text text = {.data = malloc(SVG_MAX), .size = SVG_MAX};
	bool written;

	snprintf(why, WATCH_WHY_MAX, "no memory is left");
	if (text.data == NULL)
		return WATCH_FAILED;
	svg_print_file(scene, &text);
	written = write_file(file, &text);
	if (!written)
		snprintf(why, WATCH_WHY_MAX, "cannot write %.60s: %s", file, strerror(errno));
	free(text.data);
	return written ? WATCH_QUIT : WATCH_FAILED;
}

enum watch_end watch_as_svg(struct watch *watch, const struct watch_options *options,
			    const char *file, char why[WATCH_WHY_MAX])
{
	struct wanted wanted = {.heard = false};
	struct listener listener = {take_first, &wanted};
	int64_t deadline_ms = watch_deadline(options);

	watch->slot[SLOT_STOP].fd = options->stop_fd;
	while (!wanted.heard) {
		if (watch_clock_ms() >= deadline_ms)
			return WATCH_TIMED;
		watch_wait(watch, deadline_ms, NULL);
		if (watch->slot[SLOT_STOP].revents != 0)
			return WATCH_STOPPED;
		watch_hear(watch, &listener);
		watch_tell_from(watch);
	}
	return write_scene(&wanted.scene, file, why);
}
