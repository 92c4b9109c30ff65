/*
 * show.c - a duel's board for its viewers. See show.h.
 *
 * The duel does not wait for its port: frames are kept meanwhile and sent when it has come, so that
 * viewers miss nothing and players wait for nothing.
 */
#include "show.h"

#include "../viewer/scene.h"
#include "timers.h"

#include <string.h>
#include <unistd.h>

bool show_open(struct show *show, const struct broadcast *broadcast, bool print)
{
	show->broadcast = broadcast;
	show->print = print;
	show->repeats_left = -1;
	show->state = broadcast->ports > 0 ? PORT_ASKED : PORT_NONE;
	return show->state == PORT_ASKED;
}

bool show_is_on(const struct show *show)
{
	return show->print || show->state != PORT_NONE;
}

static void send_kept(struct show *show, int64_t now)
{
	for (int i = 0; i < show->kept; i++)
		broadcast_send(show->broadcast, show->port, show->frame[i], show->length[i]);
	show->again_at = now + FRAME_EVERY_MS;
}

/* Once the port is ours only the present frame is kept, to be sent again. */
static void keep(struct show *show, const struct frame *frame)
{
	if (show->state == PORT_OURS) {
		show->kept = 0;
	} else if (show->kept == SHOW_KEPT) {
		memmove(show->frame[0], show->frame[1],
			sizeof(show->frame) - sizeof(show->frame[0]));
		memmove(show->length, show->length + 1, sizeof(show->length) - sizeof(size_t));
		show->kept--;
	}
	show->length[show->kept] = frame_print(frame, show->frame[show->kept]);
	show->kept++;
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
	if (show->state != PORT_NONE)
		keep(show, frame);
	if (show->state == PORT_OURS)
		send_kept(show, now);
}

void show_take_port(struct show *show, const char *word, int64_t now)
{
	long port;

	if (!args_read_number(word, 0, show->broadcast->ports - 1, &port)) {
		show->state = PORT_NONE;
		return;
	}
	show->state = PORT_OURS;
	show->port = (int)port;
	send_kept(show, now);
	if (show->kept > 1) {
		memcpy(show->frame[0], show->frame[show->kept - 1], sizeof(show->frame[0]));
		show->length[0] = show->length[show->kept - 1];
		show->kept = 1;
	}
}

int64_t show_due(const struct show *show)
{
	return show->state == PORT_OURS ? show->again_at : TIMER_NEVER;
}

bool show_tick(struct show *show, bool is_over, int64_t now)
{
	if (show->state != PORT_OURS)
		return false;
	if (is_over && show->repeats_left < 0) {
		show->repeats_left = FRAME_REPEATS - 1;
		show->again_at = now + FRAME_LAST_MS;
	}
	if (show->again_at > now)
		return false;
	send_kept(show, now);
	if (!is_over)
		return false;
	show->again_at = now + FRAME_LAST_MS;
	if (--show->repeats_left > 0)
		return false;
	show->state = PORT_NONE;
	return true;
}
