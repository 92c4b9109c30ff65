/*
 * bot.c - a player's connection: bytes in, lines to hear.c; cut, and made anew from another address.
 */
#include "tests/faults/faults.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { AWAY_MS = 1500, READ = 16384 };

void bot_close(struct bot *bot)
{
	if (bot->fd >= 0)
		close(bot->fd);
	bot->fd = -1;
	bot->length = bot->used = 0;
	bot->ended = false;
}

bool bot_connect(struct bot *bot, bool elsewhere)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)server.port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr_in from = {.sin_family = AF_INET,
				   .sin_addr.s_addr = htonl(0x7f000002 + chance(250))};
	struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.ptr = bot};

	bot_close(bot);
	bot->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bot->fd < 0)
		fail("no socket: %s", strerror(errno));
	if (elsewhere && bind(bot->fd, (struct sockaddr *)&from, sizeof(from)) != 0)
		fail("cannot bind to another address of the loopback: %s", strerror(errno));
	if (connect(bot->fd, (struct sockaddr *)&to, sizeof(to)) != 0) {
		bot_close(bot);
		return false;
	}
	if (epoll_ctl(poller, EPOLL_CTL_ADD, bot->fd, &event) != 0)
		fail("epoll: %s", strerror(errno));
	return true;
}

/* Few bytes into an empty socket: they fit. */
void bot_say(struct bot *bot, const char *format, ...)
{
	char line[LINE_MAX_CLIENT];
	struct text text = {.data = line, .size = sizeof(line) - 1};
	va_list args;

	va_start(args, format);
	text_add_list(&text, format, args);
	va_end(args);
	line[text.length] = '\n';
	/* an error shows when it is read from */
	(void)!send(bot->fd, line, text.length + 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void keep(struct bot *bot, const char *line)
{
	snprintf(bot->heard[bot->hears++ % HEARD_KEPT], sizeof(bot->heard[0]), "%s", line);
}

/* Whole lines, until one cannot be judged yet. */
void bot_go_on(struct bot *bot)
{
	bot->stuck = false;
	while (bot->fd >= 0 && !bot->stuck) {
		char *line = bot->data + bot->used;
		char *end = memchr(line, '\n', bot->length - bot->used);

		if (end == NULL)
			break;
		*end = '\0';
		if (memchr(line, '\0', (size_t)(end - line)) != NULL)
			wrong(bot, line, "there is a NUL in it");
		if (bot->phase == BOT_IDLE || bot->phase == BOT_FINISHED)
			wrong(bot, line, "he should hear nothing at all now");
		if (hear_line(bot, line)) {
			keep(bot, line);
			if (bot->fd >= 0)
				bot->used += (size_t)(end - line) + 1;
		} else {
			*end = '\n';
			bot->stuck = true;
		}
	}
	if (bot->used == bot->length)
		bot->used = bot->length = 0;
	if (!bot->fuzzy && bot->phase == BOT_SEATED)
		back_forget(bot);
	if (bot->ended && (bot->phase == BOT_IDLE || bot->phase == BOT_FINISHED))
		bot_close(bot); /* who plays nothing may be sent away */
	if (bot->ended && !bot->stuck && bot->fd >= 0)
		wrong(bot, "(the end)", "the connection was closed");
}

void bot_hear(struct bot *bot)
{
	for (;;) {
		ssize_t got;

		if (bot->size - bot->length < READ) {
			bot->size = bot->length + 2 * READ;
			bot->data = realloc(bot->data, bot->size);
			if (bot->data == NULL)
				fail("no memory");
		}
		got = recv(bot->fd, bot->data + bot->length, bot->size - bot->length, MSG_DONTWAIT);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			break;
		if (got <= 0) {
			bot->ended = true;
			epoll_ctl(poller, EPOLL_CTL_DEL, bot->fd, NULL);
			break;
		}
		bot->length += (size_t)got;
	}
	bot_go_on(bot);
}

/* As if the cable had been pulled; sometimes with something unread, so that TCP says RST. */
void bot_cut(struct bot *bot)
{
	bot_close(bot);
	if (bot->phase == BOT_SEATED)
		bot->lowest = bot->next > 0 ? bot->next - 1 : 0;
	if (bot->fuzzy && bot->here < bot->lowest)
		bot->lowest = bot->here;
	bot->phase = BOT_CUT;
	bot->cuts++;
	bot->act_at = now_ms() + chance(AWAY_MS);
	bot->listing = false;
	bot->listed = 0;
	bot->fuzzy = false;
	hear_want(bot, NULL);
	back_forget(bot);
}

/* Who has a token comes back; a classic player cannot. */
void bot_server_died(struct bot *bot)
{
	if (bot->phase == BOT_IDLE || bot->phase == BOT_FINISHED) {
		bot_close(bot);
	} else if (bot->phase == BOT_CUT) {
		bot->act_at = now_ms() + chance(AWAY_MS);
	} else if (bot->full && bot->phase != BOT_ENTERING) {
		bot_cut(bot);
	} else {
		bot->lost = true;
		bot_close(bot);
		bot_finish(bot);
	}
}

void bot_finish(struct bot *bot)
{
	bot->phase = BOT_FINISHED;
	bot->saids = 0;
	hear_want(bot, NULL);
	back_forget(bot);
	bot->fuzzy = bot->listing = false;
	bot->listed = 0;
	bot->table->stirred = true;
}
