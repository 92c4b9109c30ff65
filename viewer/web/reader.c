/*
 * reader.c - one that follows a stream. See reader.h.
 *
 * It owns its place in the stream and at most one message. It writes into the buffer that web.c gives it,
 * and never to a connection.
 */
#include "viewer/web/reader.h"

#include "proto/wire/args.h"
#include "proto/table/frame.h"
#include "proto/wire/line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = FRAME_MAX + 8 };

void reader_begin(struct reader *reader, enum reader_kind kind, const struct streams *streams)
{
	*reader = (struct reader){.kind = kind, .place = streams->ring->end};
}

void reader_end(struct reader *reader)
{
	message_drop(reader->message);
	reader->message = NULL;
}

/* A short message that is for this reader alone. */
static void say(struct reader *reader, const char *event, const char *data)
{
	char bytes[160];
	int length = snprintf(bytes, sizeof(bytes), "event: %s\ndata: %s\n\n", event, data);

	reader->message = message_new(bytes, (size_t)length);
	reader->given = 0;
}

/* The time of day here, as that of the browser may be another. */
static void greet(struct reader *reader, int64_t clock_ms)
{
	char data[80];

	snprintf(data, sizeof(data), "{\"version\":\"" HOLMGANG_VERSION "\",\"now\":%" PRId64 "}",
		 clock_ms);
	say(reader, "hello", data);
	reader->greeted = true;
}

/* First a greeting, then all boards, then that these were all; then what is new. */
static void find_event(struct reader *reader, const struct streams *streams, int64_t clock_ms)
{
	if (!reader->greeted) {
		greet(reader, clock_ms);
		return;
	}
	reader->message = posts_next(streams->posts, &reader->seen);
	reader->given = 0;
	if (reader->message != NULL)
		return;
	if (!reader->caught_up)
		say(reader, "all", "true");
	else if (reader->beat)
		say(reader, "beat", "true");
	reader->caught_up = true;
	reader->beat = false;
}

static size_t read_events(struct reader *reader, const struct streams *streams, int64_t clock_ms,
			  char *bytes, size_t size)
{
	size_t filled = 0;

	while (filled < size) {
		const struct message *message;
		size_t part;

		if (reader->message == NULL)
			find_event(reader, streams, clock_ms);
		message = reader->message;
		if (message == NULL)
			break;
		part = message->length - reader->given;
		if (part > size - filled)
			part = size - filled;
		memcpy(bytes + filled, message->bytes + reader->given, part);
		filled += part;
		reader->given += part;
		if (reader->given == message->length)
			reader_end(reader);
	}
	return filled;
}

/* The present frame of each port, one after the other. What comes meanwhile is in the ring. */
static size_t read_present(struct reader *reader, const struct streams *streams, char *bytes,
			   size_t size)
{
	size_t filled = 0;

	while (reader->next_place < wall_count(streams->wall) && size - filled > LINE_BYTES) {
		const struct wall_place *place = wall_at(streams->wall, reader->next_place++);
		char line[FRAME_MAX + 1];

		frame_print(&place->frame, line);
		filled += (size_t)snprintf(bytes + filled, size - filled, "%d %s", place->port,
					   line);
	}
	if (reader->next_place >= wall_count(streams->wall))
		reader->next_place = -1;
	return filled;
}

static size_t read_frames(struct reader *reader, const struct streams *streams, char *bytes,
			  size_t size)
{
	size_t filled = 0;

	if (!ring_reaches(streams->ring, reader->place)) {
		reader->place = streams->ring->end;
		reader->next_place = 0;
	}
	if (reader->next_place >= 0)
		filled = read_present(reader, streams, bytes, size);
	if (reader->next_place < 0)
		filled += ring_read(streams->ring, &reader->place, bytes + filled, size - filled);
	if (filled == 0 && reader->beat && size > 0)
		bytes[filled++] = '\n';
	reader->beat = false;
	return filled;
}

size_t reader_read(struct reader *reader, const struct streams *streams, int64_t clock_ms,
		   char *bytes, size_t size)
{
	return reader->kind == READER_EVENTS ? read_events(reader, streams, clock_ms, bytes, size)
					     : read_frames(reader, streams, bytes, size);
}
