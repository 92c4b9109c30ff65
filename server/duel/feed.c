/*
 * feed.c - a duel's board for its viewers. See feed.h.
 */
#include "server/duel/feed.h"

#include "proto/time/timers.h"

#include <unistd.h>

void show_open(struct show *show, const int *socket, int count)
{
	show->socket = socket;
	show->count = count;
	show->again_at = TIMER_NEVER;
}

/* What cannot be sent is lost, as UDP is. */
static void send_frame(struct show *show, int64_t now)
{
	for (int i = 0; i < show->count; i++)
		(void)!write(show->socket[i], show->frame, show->length);
	show->sent += (unsigned)show->count;
	show->again_at = now + FRAME_EVERY_MS;
}

void show_frame(struct show *show, const struct frame *frame, int64_t now)
{
	show->length = frame_print(frame, show->frame);
	if (show->count > 0)
		send_frame(show, now);
}

int64_t show_due(const struct show *show)
{
	return show->count > 0 ? show->again_at : TIMER_NEVER;
}

void show_tick(struct show *show, int64_t now)
{
	if (show->count > 0 && show->again_at <= now)
		send_frame(show, now);
}

bool show_end(struct show *show)
{
	bool was_shown = show->count > 0;

	show->count = 0;
	return was_shown;
}
