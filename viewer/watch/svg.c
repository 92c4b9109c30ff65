/*
 * svg.c - the board of the next frame that is heard, as an SVG file. See watch.h.
 */
#include "viewer/svg/svg.h"
#include "viewer/watch/core.h"

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
		watch_tell_note(watch);
	}
	return svg_write_file(&wanted.scene, file, why) ? WATCH_QUIT : WATCH_FAILED;
}
