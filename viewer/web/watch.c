/*
 * watch.c - what is heard, told to browsers: the loop between watch/watch.c and web.c.
 */
#include "viewer/web/watch.h"
#include "viewer/watch/core.h"

/* The web's beat, also when nothing is heard. */
enum { SERVE_MS = 500 };

static void pass_on(const struct wall_place *place, bool news, void *to)
{
	web_hear(to, place, news, watch_clock_ms());
}

enum watch_end watch_as_web(struct watch *watch, const struct watch_options *options,
			    struct web *web)
{
	struct listener listener = {pass_on, web};
	int64_t deadline_ms = watch_deadline(options);

	watch->slot[SLOT_STOP].fd = options->stop_fd;
	watch->slot[SLOT_WEB].fd = web_fd(web);
	for (;;) {
		int64_t now_ms = watch_clock_ms(), until_ms = now_ms + SERVE_MS;
		int64_t due_ms = web_due_ms(web, now_ms);

		if (now_ms >= deadline_ms)
			return WATCH_TIMED;
		if (due_ms < until_ms)
			until_ms = due_ms;
		watch_wait(watch, until_ms < deadline_ms ? until_ms : deadline_ms, NULL);
		if (watch->slot[SLOT_STOP].revents != 0)
			return WATCH_STOPPED;
		watch_hear(watch, &listener);
		watch_tell_note(watch);
		web_serve(web, watch->wall, watch_clock_ms());
	}
}
