/*
 * watch.c - hearing ports and showing what they say, as pictures or as text. See watch.h.
 *
 * It owns the sockets, the wall and one loop that waits for all of them. What arrives is drained in
 * batches and goes through frame_read(), which believes nothing; drawing has its own, slower beat,
 * so a flood of frames costs no more drawing than a trickle.
 */
#include "watch.h"

#include "hear.h"
#include "terminal.h"
#include "wall.h"
#include "watch_screen.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	DRAW_MS = 33,  /* between two drawings: 30 a second */
	TICK_MS = 500, /* without anything new: seconds of silence are counted */
	BATCHES = 8,   /* read from one port before the others have their turn */
	SLOT_STOP = 0, /* in the list of descriptors that are waited for */
	SLOT_KEYS,
	SLOT_PORTS, /* + index */
};

struct watch {
	struct ports ports;
	struct watch_sources sources;
	struct wall *wall;
	unsigned long dropped;
	struct pollfd *slot;
	struct hear_batch batch;
};

/* Where new states go as they come, for those who want each of them. */
struct listener {
	void (*hear)(const struct wall_place *place, void *to);
	void *to;
};

static int64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct watch *watch_open(const struct ports *ports, char why[WATCH_WHY_MAX])
{
	struct watch *watch = calloc(1, sizeof(*watch));

	snprintf(why, WATCH_WHY_MAX, "no memory is left");
	if (watch == NULL)
		return NULL;
	watch->ports.count = 0;
	watch->wall = wall_new(ports);
	watch->slot = calloc((size_t)(SLOT_PORTS + ports->count), sizeof(*watch->slot));
	if (watch->wall == NULL || watch->slot == NULL) {
		watch_close(watch);
		return NULL;
	}
	for (int i = 0; i < ports->count; i++) {
		int fd = hear_open(ports->port[i], why);

		if (fd < 0) {
			watch_close(watch);
			return NULL;
		}
		watch->slot[SLOT_PORTS + i] = (struct pollfd){.fd = fd, .events = POLLIN};
		watch->ports.port[watch->ports.count++] = ports->port[i];
	}
	return watch;
}

void watch_close(struct watch *watch)
{
	if (watch == NULL)
		return;
	for (int i = 0; i < watch->ports.count; i++)
		close(watch->slot[SLOT_PORTS + i].fd);
	wall_free(watch->wall);
	free(watch->slot);
	free(watch);
}

void watch_only(struct watch *watch, const struct watch_sources *sources)
{
	watch->sources = *sources;
}

static bool is_heard(const struct watch_sources *sources, struct in_addr from)
{
	for (int i = 0; i < sources->count; i++)
		if (sources->address[i].s_addr == from.s_addr)
			return true;
	return sources->count == 0;
}

unsigned long watch_dropped(const struct watch *watch)
{
	return watch->dropped;
}

/* What has arrived at one port. True: there is a new state. */
static bool hear_port(struct watch *watch, int index, int64_t now_ms, struct listener listener)
{
	struct hear_batch *batch = &watch->batch;
	struct frame frame;
	bool news = false;
	int batches = 0;

	do {
		hear_read(watch->slot[SLOT_PORTS + index].fd, batch);
		for (int i = 0; i < batch->count; i++) {
			if (!is_heard(&watch->sources, batch->from[i]))
				continue;
			if (!frame_read(&frame, batch->bytes[i], batch->length[i])) {
				watch->dropped++;
				continue;
			}
			if (!wall_hear(watch->wall, index, &frame, now_ms))
				continue;
			news = true;
			if (listener.hear != NULL)
				listener.hear(wall_place(watch->wall, index), listener.to);
		}
	} while (batch->count == HEAR_BATCH && ++batches < BATCHES);
	return news;
}

static bool hear_ports(struct watch *watch, struct listener listener)
{
	int64_t now_ms = clock_ms();
	bool news = false;

	for (int i = 0; i < watch->ports.count; i++)
		if (watch->slot[SLOT_PORTS + i].revents != 0)
			news |= hear_port(watch, i, now_ms, listener);
	return news;
}

static int64_t deadline_of(const struct watch_options *options)
{
	return options->seconds == 0 ? INT64_MAX : clock_ms() + (int64_t)options->seconds * 1000;
}

/* Wait until something comes, but not longer than to a time. `mask` is the signals that are blocked
 * meanwhile. */
static void wait_until(struct watch *watch, int64_t until_ms, const sigset_t *mask)
{
	int64_t left = until_ms - clock_ms();
	struct timespec timeout;
	nfds_t slots = (nfds_t)(SLOT_PORTS + watch->ports.count);

	if (left < 0)
		left = 0;
	timeout = (struct timespec){.tv_sec = left / 1000, .tv_nsec = left % 1000 * 1000000};
	/* when a signal interrupts it nothing has been said of the descriptors */
	if (ppoll(watch->slot, slots, &timeout, mask) < 0)
		for (nfds_t i = 0; i < slots; i++)
			watch->slot[i].revents = 0;
}

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

static enum watch_end show_until_end(struct watch *watch, int64_t deadline_ms, const sigset_t *mask)
{
	static const struct listener nobody;
	struct watch_screen screen = {.pages = 1};
	int64_t drawn_ms = 0;
	bool news = true;

	for (;;) {
		int64_t now_ms = clock_ms();

		if (now_ms >= deadline_ms)
			return WATCH_TIMED;
		if (now_ms - drawn_ms >= (news ? DRAW_MS : TICK_MS)) {
			watch_screen_draw(&screen, watch->wall, &watch->ports, watch->dropped,
					  now_ms);
			drawn_ms = now_ms;
			news = false;
		}
		wait_until(watch, earlier(drawn_ms + (news ? DRAW_MS : TICK_MS), deadline_ms),
			   mask);
		if (watch->slot[SLOT_STOP].revents != 0)
			return WATCH_STOPPED;
		if (read_keys(&screen, &news))
			return WATCH_QUIT;
		if (watch->slot[SLOT_KEYS].revents & (POLLHUP | POLLERR | POLLNVAL))
			return WATCH_FAILED;
		news |= hear_ports(watch, nobody);
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
	end = show_until_end(watch, deadline_of(options), &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return end;
}

struct text_output {
	FILE *out;
	bool utf8;
};

static void print_place(const struct wall_place *place, void *to)
{
	const struct text_output *output = to;
	char lines[SCENE_TEXT_MAX];
	struct text text = TEXT_IN(lines);
	struct scene scene;

	scene_of_frame(&scene, &place->frame, place->has_before ? &place->before : NULL);
	scene_print(&scene, output->utf8, &text);
	fprintf(output->out, "port %d duel %s n=%u\n%s", place->port, place->frame.duel,
		place->frame.n, text.data);
	fflush(output->out);
}

static void print_silent(struct watch *watch, FILE *out)
{
	const struct wall_place *place;

	while ((place = wall_next_silent(watch->wall, clock_ms())) != NULL)
		fprintf(out, "port %d duel %s silent\n", place->port, place->frame.duel);
	fflush(out);
}

enum watch_end watch_as_text(struct watch *watch, const struct watch_options *options, FILE *out,
			     bool utf8)
{
	struct text_output output = {out, utf8};
	struct listener printer = {print_place, &output};
	int64_t deadline_ms = deadline_of(options);

	watch->slot[SLOT_STOP] = (struct pollfd){.fd = options->stop_fd, .events = POLLIN};
	watch->slot[SLOT_KEYS] = (struct pollfd){.fd = -1};
	for (;;) {
		if (clock_ms() >= deadline_ms)
			return WATCH_TIMED;
		wait_until(watch, earlier(clock_ms() + TICK_MS, deadline_ms), NULL);
		if (watch->slot[SLOT_STOP].revents != 0)
			return WATCH_STOPPED;
		hear_ports(watch, printer);
		print_silent(watch, out);
		if (ferror(out))
			return WATCH_FAILED;
	}
}
