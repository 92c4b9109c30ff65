/*
 * watch.c - hearing what is watched: UDP ports, those that a server tells of, or a holmgang-web. See watch.h and core.h.
 *
 * It owns the sockets and the wall, and shows nothing. What arrives is drained in batches and goes
 * through frame_read(), which believes nothing, wherever it came from.
 */
#include "viewer/watch/core.h"

#include "viewer/watch/link.h"

#include <err.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 8 /* read from one port before the others have their turn */ };

int64_t watch_clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* A watch with room for so many sockets, which are not open yet. */
static struct watch *new_watch(const struct ports *ports, int sockets)
{
	struct watch *watch = calloc(1, sizeof(*watch));

	if (watch == NULL)
		return NULL;
	watch->wall = wall_new(ports);
	watch->slot = calloc((size_t)(SLOT_PORTS + sockets), sizeof(*watch->slot));
	if (watch->wall == NULL || watch->slot == NULL) {
		watch_close(watch);
		return NULL;
	}
	watch->slots = SLOT_PORTS;
	for (int i = 0; i < SLOT_PORTS + sockets; i++)
		watch->slot[i] = (struct pollfd){.fd = -1, .events = POLLIN};
	return watch;
}

struct watch *watch_open(const struct ports *ports, char why[WATCH_WHY_MAX])
{
	struct watch *watch = new_watch(ports, ports->count);

	snprintf(why, WATCH_WHY_MAX, "no memory is left");
	if (watch == NULL)
		return NULL;
	watch->ports = *ports;
	for (int i = 0; i < ports->count; i++) {
		int fd = hear_open(ports->port[i], why);

		if (fd < 0) {
			watch_close(watch);
			return NULL;
		}
		watch->slot[watch->slots++].fd = fd;
	}
	return watch;
}

struct watch *watch_open_from(const char *where, const struct ports *ports, char why[WATCH_WHY_MAX])
{
	struct watch *watch = new_watch(ports, 0);
	char host[LINK_HOST_MAX];
	uint16_t port;

	snprintf(why, WATCH_WHY_MAX, "no memory is left");
	if (watch == NULL)
		return NULL;
	watch->ports = *ports;
	watch->all_ports = ports->count == 0;
	if (link_read_where(where, host, &port))
		watch->from = from_open(host, port, why);
	else
		snprintf(why, WATCH_WHY_MAX,
			 "--from needs HOST:PORT of a holmgang-web, not \"%.60s\"", where);
	if (watch->from == NULL) {
		watch_close(watch);
		return NULL;
	}
	return watch;
}

/* Of one player, or one table, there is one place, whatever its port. */
struct watch *watch_open_server(const char *host, uint16_t port, const char *whom,
				char why[WATCH_WHY_MAX])
{
	struct ports one = {.count = whom != NULL};
	struct watch *watch = new_watch(&one, ARGS_PORTS_MAX);

	snprintf(why, WATCH_WHY_MAX, "no memory is left");
	if (watch == NULL)
		return NULL;
	watch->tables = tables_open(host, port, whom, why);
	if (watch->tables == NULL) {
		watch_close(watch);
		return NULL;
	}
	return watch;
}

void watch_close(struct watch *watch)
{
	if (watch == NULL)
		return;
	for (nfds_t i = SLOT_PORTS; i < watch->slots; i++)
		if (watch->slot[i].fd >= 0)
			close(watch->slot[i].fd);
	from_close(watch->from);
	tables_close(watch->tables);
	wall_free(watch->wall);
	free(watch->slot);
	free(watch);
}

void watch_only(struct watch *watch, const struct watch_sources *sources)
{
	watch->sources = *sources;
}

/* Is the sender of this datagram of a batch believed? */
static bool is_heard(const struct watch *watch, int i)
{
	const struct watch_sources *sources = &watch->sources;

	for (int source = 0; source < sources->count; source++)
		if (sources->address[source].s_addr == watch->batch.from[i].s_addr)
			return true;
	return sources->count == 0;
}

unsigned long watch_dropped(const struct watch *watch)
{
	return watch->dropped;
}

/* Is it of what is watched? A port of a server may since have been given to a table that it does not tell of. */
static bool is_wanted(const struct watch *watch, int index, const struct frame *frame)
{
	if (watch->tables == NULL)
		return true;
	return tables_is_of_one(watch->tables)
		   ? tables_wants(watch->tables, frame)
		   : tables_is_told(watch->tables, index, watch_clock_ms());
}

/* What is no frame is counted. */
static bool read_datagram(struct watch *watch, int index, struct frame *frame, const char *bytes,
			  size_t length)
{
	if (frame_read(frame, bytes, length))
		return is_wanted(watch, index, frame);
	watch->dropped++;
	return false;
}

/* The place on the wall of what the port with this index shows. True: it is a new state. */
static bool hear_frame(struct watch *watch, int index, const struct frame *frame, int *place)
{
	bool news;

	*place = index;
	if (watch->tables != NULL && tables_is_of_one(watch->tables))
		*place = 0;
	news = wall_hear(watch->wall, *place, frame, watch_clock_ms());
	if (news)
		wall_move(watch->wall, *place, watch->ports.port[index]);
	return news;
}

/* One datagram of a port. True: it is a new state. */
static bool take_datagram(struct watch *watch, int index, const char *bytes, size_t length,
			  const struct listener *listener)
{
	const struct wall_place *place;
	struct frame frame;
	bool news;
	int at;

	if (!read_datagram(watch, index, &frame, bytes, length))
		return false;
	news = hear_frame(watch, index, &frame, &at);
	place = wall_place(watch->wall, at);
	if (listener != NULL &&
	    (news || (place->frame.n == frame.n && strcmp(place->frame.duel, frame.duel) == 0)))
		listener->hear(place, news, listener->to);
	return news;
}

/* The last two frames of a port, the newer one first. */
struct newest {
	int count;
	struct frame one[2];
};

/* Read backwards, and no further than there are two frames: what is older is not looked at. */
static void note_newest(struct newest *newest, struct watch *watch, int index)
{
	const struct hear_batch *batch = &watch->batch;
	struct newest found;

	found.count = 0;
	for (int i = batch->count - 1; i >= 0 && found.count < 2; i--)
		if (is_heard(watch, i))
			found.count += read_datagram(watch, index, &found.one[found.count],
						     batch->bytes[i], batch->length[i]);
	if (found.count == 1 && newest->count > 0)
		found.one[found.count++] = newest->one[0];
	if (found.count > 0)
		*newest = found;
}

/* What has arrived at one port. Where nobody wants to be told of each state, only the newest one and
 * the one before it, from which it differs, will be seen. Where programs play as fast as they can, a
 * hundred more come between two drawings. */
static bool hear_port(struct watch *watch, int index, const struct listener *listener)
{
	struct hear_batch *batch = &watch->batch;
	struct newest newest;
	bool news = false;
	int batches = 0, place;

	newest.count = 0;
	do {
		hear_read(watch->slot[SLOT_PORTS + index].fd, batch, watch->sources.count > 0);
		if (listener == NULL)
			note_newest(&newest, watch, index);
		for (int i = 0; i < batch->count && listener != NULL; i++)
			if (is_heard(watch, i))
				news |= take_datagram(watch, index, batch->bytes[i],
						      batch->length[i], listener);
	} while (batch->count == HEAR_BATCH && ++batches < BATCHES);
	while (newest.count-- > 0)
		news |= hear_frame(watch, index, &newest.one[newest.count], &place);
	return news;
}

/* The index of a port that holmgang-web tells of; -1: it is not watched. */
static int find_port(struct watch *watch, uint16_t port)
{
	struct ports *ports = &watch->ports;

	for (int i = 0; i < ports->count; i++)
		if (ports->port[i] == port)
			return i;
	if (!watch->all_ports || ports->count == ARGS_PORTS_MAX || !wall_add(watch->wall, port))
		return -1;
	ports->port[ports->count] = port;
	return ports->count++;
}

static bool hear_from(struct watch *watch, const struct listener *listener)
{
	struct from_frame frame;
	bool news = false;

	from_step(watch->from, watch_clock_ms());
	while (from_next(watch->from, &frame, &watch->dropped)) {
		int index = find_port(watch, frame.port);

		if (index >= 0)
			news |= take_datagram(watch, index, frame.bytes, frame.length, listener);
	}
	return news;
}

/* --- what a server tells of ---------------------------------------------------------------------- */

/* Hear the ports that are new, and try again those that could not be heard so far. */
static void hear_new_ports(struct watch *watch)
{
	const struct ports *told = tables_ports(watch->tables);

	while (watch->ports.count < told->count) {
		uint16_t port = told->port[watch->ports.count];

		if (!tables_is_of_one(watch->tables) && !wall_add(watch->wall, port))
			break; /* no memory: another try is made at the next answer */
		watch->ports.port[watch->ports.count++] = port;
		watch->slots++; /* of no descriptor yet */
	}
	watch->unheard[0] = '\0';
	for (int i = 0; i < watch->ports.count; i++)
		if (watch->slot[SLOT_PORTS + i].fd < 0)
			watch->slot[SLOT_PORTS + i].fd = hear_open(watch->ports.port[i],
								   watch->unheard);
}

/* The ends of those that have ended have been seen. */
static bool drop_old(struct watch *watch)
{
	int64_t now_ms = watch_clock_ms();
	bool news = false;

	for (int i = 0; i < watch->ports.count && !tables_is_of_one(watch->tables); i++)
		if (!tables_is_told(watch->tables, i, now_ms))
			news |= wall_drop(watch->wall, i);
	return news;
}

bool watch_hear(struct watch *watch, const struct listener *listener)
{
	bool news = false;

	if (watch->from != NULL)
		return hear_from(watch, listener);
	if (watch->tables != NULL) {
		if (tables_step(watch->tables, watch_clock_ms()))
			hear_new_ports(watch);
		news = drop_old(watch);
	}
	for (int i = 0; i < watch->ports.count; i++)
		if (watch->slot[SLOT_PORTS + i].revents != 0)
			news |= hear_port(watch, i, listener);
	return news;
}

int64_t watch_deadline(const struct watch_options *options)
{
	return options->seconds == 0 ? INT64_MAX
				     : watch_clock_ms() + (int64_t)options->seconds * 1000;
}

static struct timespec time_left(int64_t until_ms)
{
	int64_t left = until_ms - watch_clock_ms();

	if (left < 0)
		left = 0;
	return (struct timespec){.tv_sec = left / 1000, .tv_nsec = left % 1000 * 1000000};
}

void watch_rest(const struct watch *watch, int64_t until_ms, const sigset_t *mask)
{
	struct timespec timeout = time_left(until_ms);

	ppoll(watch->slot, SLOT_LINK, &timeout, mask);
}

void watch_wait(struct watch *watch, int64_t until_ms, const sigset_t *mask)
{
	struct timespec timeout;

	const struct link *link = watch->from != NULL	  ? from_link(watch->from)
				  : watch->tables != NULL ? tables_link(watch->tables)
							  : NULL;

	if (link != NULL) {
		int64_t due_ms = watch->tables != NULL ? tables_due_ms(watch->tables)
						       : link_due_ms(link);

		watch->slot[SLOT_LINK].fd = link_fd(link);
		watch->slot[SLOT_LINK].events = link_events(link);
		if (due_ms < until_ms)
			until_ms = due_ms;
	}
	timeout = time_left(until_ms);
	/* when a signal interrupts it nothing has been said of the descriptors */
	if (ppoll(watch->slot, watch->slots, &timeout, mask) < 0)
		for (nfds_t i = 0; i < watch->slots; i++)
			watch->slot[i].revents = 0;
}

bool watch_has_several(const struct watch *watch)
{
	return watch->tables != NULL ? !tables_is_of_one(watch->tables) : watch->ports.count > 1;
}

const char *watch_note(struct watch *watch)
{
	if (watch->from != NULL)
		return link_trouble(from_link(watch->from));
	if (watch->tables == NULL)
		return "";
	return watch->unheard[0] != '\0' ? watch->unheard
					 : tables_note(watch->tables, watch_clock_ms());
}

void watch_tell_note(struct watch *watch)
{
	const char *note = watch_note(watch);
	const struct link *link = watch->from == NULL ? NULL : from_link(watch->from);

	if (strcmp(note, watch->told) == 0)
		return;
	if (note[0] != '\0')
		warnx("%s", note);
	else if (link != NULL)
		warnx("%s: connected", link_where(link));
	snprintf(watch->told, sizeof(watch->told), "%s", note);
}
