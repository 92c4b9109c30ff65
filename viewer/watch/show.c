/*
 * show.c - what is heard, drawn on the terminal or printed as text. See watch.h.
 *
 * Drawing has its own, slower beat, so a flood of frames costs no more drawing than a trickle.
 */
#include "viewer/terminal/terminal.h"
#include "viewer/watch/core.h"
#include "viewer/watch/link.h"
#include "viewer/watch/screen.h"

#include <signal.h>
#include <unistd.h>

enum { DRAW_MS = 33 /* between two drawings: 30 a second */ };

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* True: a key has been pressed that ends watching. */
static bool read_keys(struct watch_screen *screen, bool *news)
{
	struct terminal_input input;

	while (terminal_read(&input)) {
		*news = true;
		if (!watch_screen_key(screen, input.key))
			return true;
	}
	return false;
}

static enum watch_end show_until_end(struct watch *watch, const struct watch_options *options,
				     const sigset_t *mask)
{
	int64_t deadline_ms = watch_deadline(options);
	struct watch_screen screen = {
	    .pages = 1,
	    .leave = options->leave == NULL ? "q quits" : options->leave,
	    .server = watch->tables == NULL ? NULL : link_where(tables_link(watch->tables)),
	};
	int64_t drawn_ms = 0, until_ms;
	bool news = true;

	for (;;) {
		int64_t now_ms = watch_clock_ms();

		if (now_ms >= deadline_ms)
			return WATCH_TIMED;
		if (now_ms - drawn_ms >= (news ? DRAW_MS : WATCH_TICK_MS)) {
			screen.note = watch_note(watch);
			screen.tiled = watch_has_several(watch);
			watch_screen_draw(&screen, watch->wall, &watch->ports, watch->dropped,
					  now_ms);
			drawn_ms = now_ms;
			news = false;
		}
		until_ms = earlier(drawn_ms + (news ? DRAW_MS : WATCH_TICK_MS), deadline_ms);
		if (news)
			watch_rest(watch, until_ms, mask);
		watch_wait(watch, news ? 0 : until_ms, mask);
		if (watch->slot[SLOT_STOP].revents != 0)
			return WATCH_STOPPED;
		if (read_keys(&screen, &news))
			return WATCH_QUIT;
		if (watch->slot[SLOT_KEYS].revents & (POLLHUP | POLLERR | POLLNVAL))
			return WATCH_FAILED;
		news |= watch_hear(watch, NULL);
	}
}

enum watch_end watch_on_terminal(struct watch *watch, const struct watch_options *options)
{
	sigset_t resize, before;
	enum watch_end end;

	watch->slot[SLOT_STOP] = (struct pollfd){.fd = options->stop_fd, .events = POLLIN};
	watch->slot[SLOT_KEYS] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
	/* the window's signal is let through only while waiting, so it cannot come just before */
	sigemptyset(&resize);
	sigaddset(&resize, SIGWINCH);
	sigprocmask(SIG_BLOCK, &resize, &before);
	end = show_until_end(watch, options, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return end;
}

struct text_output {
	FILE *out;
	bool utf8;
};

static void print_place(const struct wall_place *place, bool news, void *to)
{
	const struct text_output *output = to;
	char lines[SCENE_TEXT_MAX];
	struct text text = TEXT_IN(lines);
	struct scene scene;

	if (!news)
		return;
	scene_of_frame(&scene, &place->frame, place->has_before ? &place->before : NULL);
	scene_print(&scene, output->utf8, &text);
	fprintf(output->out, "port %d duel %s n=%u\n%s", place->port, place->frame.duel,
		place->frame.n, text.data);
	fflush(output->out);
}

static void print_silent(struct watch *watch, FILE *out)
{
	const struct wall_place *place;

	while ((place = wall_next_silent(watch->wall, watch_clock_ms())) != NULL)
		fprintf(out, "port %d duel %s silent\n", place->port, place->frame.duel);
	fflush(out);
}

enum watch_end watch_as_text(struct watch *watch, const struct watch_options *options, FILE *out,
			     bool utf8)
{
	struct text_output output = {out, utf8};
	struct listener printer = {print_place, &output};
	int64_t deadline_ms = watch_deadline(options);

	watch->slot[SLOT_STOP] = (struct pollfd){.fd = options->stop_fd, .events = POLLIN};
	watch->slot[SLOT_KEYS] = (struct pollfd){.fd = -1};
	for (;;) {
		if (watch_clock_ms() >= deadline_ms)
			return WATCH_TIMED;
		watch_wait(watch, earlier(watch_clock_ms() + WATCH_TICK_MS, deadline_ms), NULL);
		if (watch->slot[SLOT_STOP].revents != 0)
			return WATCH_STOPPED;
		watch_hear(watch, &printer);
		watch_tell_note(watch);
		print_silent(watch, out);
		if (ferror(out))
			return WATCH_FAILED;
	}
}
