/*
 * feed.c - a duel's board for its viewers. See feed.h.
 */
#include "server/duel/feed.h"

#include "proto/time/timers.h"

#include <unistd.h>

void feed_open(struct feed *feed, const int *socket, int count)
{
	feed->socket = socket;
	feed->count = count;
	feed->again_at = TIMER_NEVER;
}

/* What cannot be sent is lost, as UDP is. */
static void send_frame(struct feed *feed, int64_t now)
{
	for (int i = 0; i < feed->count; i++)
		(void)!write(feed->socket[i], feed->frame, feed->length);
	feed->sent += (unsigned)feed->count;
	feed->again_at = now + FRAME_EVERY_MS;
}

void feed_frame(struct feed *feed, const struct frame *frame, int64_t now)
{
	feed->length = frame_print(frame, feed->frame);
	if (feed->count > 0)
		send_frame(feed, now);
}

int64_t feed_due(const struct feed *feed)
{
	return feed->count > 0 ? feed->again_at : TIMER_NEVER;
}

void feed_tick(struct feed *feed, int64_t now)
{
	if (feed->count > 0 && feed->again_at <= now)
		send_frame(feed, now);
}

bool feed_end(struct feed *feed)
{
	bool was_shown = feed->count > 0;

	feed->count = 0;
	return was_shown;
}
