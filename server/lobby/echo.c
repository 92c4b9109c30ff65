/*
 * echo.c - prints what duels have to say. See echo.h.
 *
 * Owns: nothing.
 * Never: prints a byte that is not printable; with a board, waits for a terminal that takes nothing. (A line of the log
 * waits, as all the lines of the log do.)
 */
#include "server/lobby/echo.h"

#include "proto/wire/log.h"
#include "viewer/scene/scene.h"

#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINES_A_PROCESS = 20 /* far more than an honest duel has to say in its life */ };

/* All the events that a duel logs. */
static const char *const events[] = {"closed",	     "crashes-as-told",
				     "journal-full", "journal-not-playable",
				     "bad-message",  "bad-parcel"};

static bool is_event(const char *word)
{
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (strcmp(events[i], word) == 0)
			return true;
	return false;
}

/* Who it is we say ourselves. */
static bool is_name(const char *word)
{
	return line_value(word, "table") != NULL || line_value(word, "pid") != NULL ||
	       line_value(word, "duel") != NULL;
}

static void add_printable(struct text *text, const char *word)
{
	for (; *word != '\0'; word++)
		text_add(text, "%c", *word >= ' ' && *word <= '~' ? *word : '?');
}

bool echo_log(struct lobby *lobby, struct child *child, const struct words *words)
{
	enum log_level level;
	char data[1024];
	struct text said = TEXT_IN(data);

	(void)lobby;
	if (!log_read_level(words->word[1], &level) || !is_event(words->word[2]))
		return false;
	if (child->echoed == LINES_A_PROCESS)
		log_warn(
		    "duel-says-too-much table=%u pid=%d duel=%s so=\"no more of it is logged\"",
		    child->slot, (int)child->pid, child->birth.duel);
	if (child->echoed++ >= LINES_A_PROCESS)
		return true;
	text_add(&said, "%s", "");
	for (int i = 3; i < words->count; i++) {
		if (is_name(words->word[i]))
			continue;
		text_add(&said, " ");
		add_printable(&said, words->word[i]);
	}
	log_event(level, "%s%s table=%u pid=%d duel=%s", words->word[2], said.data, child->slot,
		  (int)child->pid, child->birth.duel);
	return true;
}

/* In pieces that a terminal or pipe with room for one takes whole. Where there is no room, the rest of
 * the board is lost. */
static void print(const char *bytes, size_t length)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

	while (length > 0 && poll(&out, 1, 0) == 1 && (out.revents & POLLOUT)) {
		size_t piece = length < PIPE_BUF ? length : PIPE_BUF;
		ssize_t written = write(STDOUT_FILENO, bytes, piece);

		if (written <= 0)
			return;
		bytes += written;
		length -= (size_t)written;
	}
}

bool echo_board(struct lobby *lobby, struct child *child, const struct words *words)
{
	static struct scene scene;
	static char picture[SCENE_TEXT_MAX];
	struct text text = TEXT_IN(picture);
	char bytes[FRAME_MAX + 1];
	struct text line = TEXT_IN(bytes);
	struct frame frame;

	(void)child;
	if (!lobby->config->show_board)
		return false;
	line_join(words, 1, &line);
	if (line.cut || !frame_read(&frame, line.data, line.length))
		return false;
	scene_of_frame(&scene, &frame, NULL);
	text_add(&text, "duel %s n=%u\n", frame.duel, frame.n);
	scene_print(&scene, false, &text);
	print(picture, text.length);
	return true;
}
