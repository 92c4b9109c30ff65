/*
 * show.c - a duel's board for its viewers. See show.h.
 */
#include "show.h"

#include "../viewer/scene.h"
#include "timers.h"

#include <string.h>
#include <unistd.h>

void show_open(struct show *show, const int *socket, int count, bool print)
{
	show->print = print;
	show->socket = socket;
	show->count = count;
	show->again_at = TIMER_NEVER;
}

bool show_is_on(const struct show *show)
{
	return show->print || show->count > 0;
}

/* What cannot be sent is lost, as UDP is. */
static void send_frame(struct show *show, int64_t now)
{
	for (int i = 0; i < show->count; i++)
		(void)!write(show->socket[i], show->frame, show->length);
	show->sent += (unsigned)show->count;
	show->again_at = now + FRAME_EVERY_MS;
}

static void print_board(const struct frame *frame)
{
	static struct scene scene;
	static char picture[SCENE_TEXT_MAX];
	struct text text = TEXT_IN(picture);

	scene_of_frame(&scene, frame, NULL);
	text_add(&text, "duel %s n=%u\n", frame->duel, frame->n);
	scene_print(&scene, false, &text);
	/* in one write, so that the boards of several duels do not mix */
	(void)!write(STDOUT_FILENO, picture, text.length);
}

void show_frame(struct show *show, const struct frame *frame, int64_t now)
{
	if (show->print)
		print_board(frame);
	if (show->count == 0)
		return;
	show->length = frame_print(frame, show->frame);
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
