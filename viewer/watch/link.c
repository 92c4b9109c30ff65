/*
 * link.c - a TCP connection that is made again whenever it is lost. See link.h.
 *
 * One that is silent for long is taken for lost, as a network that was pulled out tells nothing.
 */
#include "viewer/watch/link.h"

#include "proto/wire/line.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	AGAIN_MS = 1000,   /* from one try to the next */
	SILENT_MS = 15000, /* then the connection is lost */
	WHERE_MAX = LINK_HOST_MAX + 16,
};

struct link {
	char where[WHERE_MAX];
	struct addrinfo *addresses, *next; /* those of the host; the one to try next */
	enum { STATE_CLOSED, STATE_CONNECTING, STATE_MADE } state;
	int fd;
	int64_t due_ms;
	struct line_reader reader;
	char trouble[WATCH_WHY_MAX];
};

bool link_read_where(const char *where, char host[LINK_HOST_MAX], uint16_t *port)
{
	return args_read_address(where, host, LINK_HOST_MAX, port) &&
	       (where[0] == '[' || strchr(host, ':') == NULL) && strpbrk(host, " \t\r\n") == NULL;
}

/* The name is looked up once: a second look would stop the loop that also hears and serves others. */
struct link *link_open(const char *host, uint16_t port, char why[WATCH_WHY_MAX])
{
	static const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	struct link *link = calloc(1, sizeof(*link));
	char digits[8];
	int error;

	snprintf(why, WATCH_WHY_MAX, "no memory is left");
	if (link == NULL)
		return NULL;
	link->fd = -1;
	snprintf(link->where, sizeof(link->where), strchr(host, ':') == NULL ? "%s:%d" : "[%s]:%d",
		 host, port);
	snprintf(digits, sizeof(digits), "%d", port);
	error = getaddrinfo(host, digits, &hints, &link->addresses);
	if (error != 0) {
		snprintf(why, WATCH_WHY_MAX, "there is no host \"%.60s\": %s", host,
			 gai_strerror(error));
		free(link);
		return NULL;
	}
	link->next = link->addresses;
	return link;
}

void link_close(struct link *link)
{
	if (link == NULL)
		return;
	if (link->fd >= 0)
		close(link->fd);
	freeaddrinfo(link->addresses);
	free(link);
}

int link_fd(const struct link *link)
{
	return link->fd;
}

short link_events(const struct link *link)
{
	return link->state == STATE_CONNECTING ? POLLOUT : POLLIN;
}

int64_t link_due_ms(const struct link *link)
{
	return link->due_ms;
}

const char *link_trouble(const struct link *link)
{
	return link->trouble;
}

const char *link_where(const struct link *link)
{
	return link->where;
}

void link_lose(struct link *link, const char *why, int64_t now_ms)
{
	if (link->fd >= 0)
		close(link->fd);
	link->fd = -1;
	link->state = STATE_CLOSED;
	link->due_ms = now_ms + AGAIN_MS;
	snprintf(link->trouble, sizeof(link->trouble), "%.60s: %.70s; trying again", link->where,
		 why);
}

void link_praise(struct link *link)
{
	link->trouble[0] = '\0';
}

static void start(struct link *link, int64_t now_ms)
{
	const struct addrinfo *address = link->next;

	link->next = address->ai_next == NULL ? link->addresses : address->ai_next;
	link->fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (link->fd < 0 || (connect(link->fd, address->ai_addr, address->ai_addrlen) < 0 &&
			     errno != EINPROGRESS)) {
		link_lose(link, strerror(errno), now_ms);
		return;
	}
	link->state = STATE_CONNECTING;
	link->reader.start = link->reader.end = 0;
	link->due_ms = now_ms + SILENT_MS;
}

static enum link_news finish(struct link *link, int64_t now_ms)
{
	int error = 0;
	socklen_t size = sizeof(error);

	if (getsockopt(link->fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 || error != 0) {
		link_lose(link, strerror(error), now_ms);
		return LINK_NOTHING;
	}
	link->state = STATE_MADE;
	return LINK_MADE;
}

static enum link_news take(struct link *link, int64_t now_ms)
{
	size_t room;
	char *place = line_room(&link->reader, &room);
	ssize_t length = recv(link->fd, place, room, MSG_DONTWAIT);

	if (length > 0) {
		line_fed(&link->reader, (size_t)length);
		link->due_ms = now_ms + SILENT_MS;
		return LINK_HEARD;
	}
	if (length == 0)
		link_lose(link, "it closed the connection", now_ms);
	else if (errno != EAGAIN && errno != EINTR)
		link_lose(link, strerror(errno), now_ms);
	return LINK_NOTHING;
}

enum link_news link_step(struct link *link, int64_t now_ms)
{
	struct pollfd slot = {.fd = link->fd, .events = link_events(link)};

	if (link->state == STATE_CLOSED) {
		if (now_ms >= link->due_ms)
			start(link, now_ms);
		return LINK_NOTHING;
	}
	if (poll(&slot, 1, 0) > 0)
		return link->state == STATE_CONNECTING ? finish(link, now_ms) : take(link, now_ms);
	if (now_ms >= link->due_ms)
		link_lose(link, "it is silent", now_ms);
	return LINK_NOTHING;
}

char *link_line(struct link *link)
{
	return link->state == STATE_MADE ? line_next(&link->reader) : NULL;
}

/* An empty socket takes so little as a whole; one that does not is not read at the other end. */
void link_say(struct link *link, const char *words, int64_t now_ms)
{
	ssize_t length = (ssize_t)strlen(words);

	if (link->state == STATE_MADE &&
	    send(link->fd, words, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT) != length)
		link_lose(link, strerror(errno), now_ms);
}
