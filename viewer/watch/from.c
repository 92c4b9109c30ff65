/*
 * from.c - hearing a holmgang-web over TCP. See from.h.
 *
 * It asks by HTTP/1.0, so that the answer is a head, an empty line, and then bare lines to the end
 * of the connection. A holmgang-web says something every three seconds at least. One that is silent
 * for long is taken for lost, as a network that was pulled out tells nothing.
 */
#include "viewer/watch/from.h"

#include "proto/wire/args.h"
#include "proto/wire/line.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	AGAIN_MS = 1000,   /* from one try to the next */
	SILENT_MS = 15000, /* then the connection is lost */
	HOST_MAX = 256,
};

enum state {
	STATE_CLOSED,
	STATE_CONNECTING,
	STATE_STATUS, /* the first line of the answer is awaited */
	STATE_HEAD,
	STATE_FRAMES,
};

struct from {
	char host[HOST_MAX], where[HOST_MAX];
	struct addrinfo *addresses, *next; /* those of the host; the one to try next */
	enum state state;
	bool right_type; /* the head says that these are frames */
	int fd;
	int64_t due_ms;
	struct line_reader reader;
	char trouble[WATCH_WHY_MAX];
};

/* HOST:PORT, [ADDRESS]:PORT. False: it is neither. */
static bool split_where(const char *where, char host[HOST_MAX], char port[8])
{
	const char *colon = strrchr(where, ':');
	size_t length = colon == NULL ? 0 : (size_t)(colon - where);
	long number;

	if (length == 0 || length >= HOST_MAX ||
	    !args_read_number(colon + 1, 1, UINT16_MAX, &number))
		return false;
	if (where[0] == '[' && where[length - 1] == ']') {
		where++;
		length -= 2;
	} else if (memchr(where, ':', length) != NULL) {
		return false;
	}
	memcpy(host, where, length);
	host[length] = '\0';
	snprintf(port, 8, "%ld", number);
	return length > 0 && strpbrk(host, " \t\r\n") == NULL;
}

/* The name is looked up once: a second look would stop the loop that also hears and serves others. */
struct from *from_open(const char *where, char why[WATCH_WHY_MAX])
{
	static const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	struct from *from = calloc(1, sizeof(*from));
	char port[8];
	int error;

	snprintf(why, WATCH_WHY_MAX, "no memory is left");
	if (from == NULL)
		return NULL;
	from->fd = -1;
	if (!split_where(where, from->host, port)) {
		snprintf(why, WATCH_WHY_MAX,
			 "--from needs HOST:PORT of a holmgang-web, not \"%.60s\"", where);
		free(from);
		return NULL;
	}
	snprintf(from->where, sizeof(from->where), "%s", where);
	error = getaddrinfo(from->host, port, &hints, &from->addresses);
	if (error != 0) {
		snprintf(why, WATCH_WHY_MAX, "there is no host \"%.60s\": %s", from->host,
			 gai_strerror(error));
		free(from);
		return NULL;
	}
	from->next = from->addresses;
	return from;
}

void from_close(struct from *from)
{
	if (from == NULL)
		return;
	if (from->fd >= 0)
		close(from->fd);
	freeaddrinfo(from->addresses);
	free(from);
}

int from_fd(const struct from *from)
{
	return from->fd;
}

short from_events(const struct from *from)
{
	return from->state == STATE_CONNECTING ? POLLOUT : POLLIN;
}

int64_t from_due_ms(const struct from *from)
{
	return from->due_ms;
}

const char *from_trouble(const struct from *from)
{
	return from->trouble;
}

const char *from_where(const struct from *from)
{
	return from->where;
}

static void lose(struct from *from, int64_t now_ms, const char *why)
{
	if (from->fd >= 0)
		close(from->fd);
	from->fd = -1;
	from->state = STATE_CLOSED;
	from->due_ms = now_ms + AGAIN_MS;
	snprintf(from->trouble, sizeof(from->trouble), "%.60s: %.70s; trying again", from->where,
		 why);
}

static void start(struct from *from, int64_t now_ms)
{
	const struct addrinfo *address = from->next;

	from->next = address->ai_next == NULL ? from->addresses : address->ai_next;
	from->fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (from->fd < 0 || (connect(from->fd, address->ai_addr, address->ai_addrlen) < 0 &&
			     errno != EINPROGRESS)) {
		lose(from, now_ms, strerror(errno));
		return;
	}
	from->state = STATE_CONNECTING;
	from->reader.start = from->reader.end = 0;
	from->right_type = false;
	from->due_ms = now_ms + SILENT_MS;
}

static void ask(struct from *from, int64_t now_ms)
{
	char request[HOST_MAX + 80];
	int error = 0, length;
	socklen_t size = sizeof(error);

	if (getsockopt(from->fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 || error != 0) {
		lose(from, now_ms, strerror(error));
		return;
	}
	length = snprintf(request, sizeof(request),
			  "GET " FROM_PATH " HTTP/1.0\r\nHost: %s\r\n\r\n", from->where);
	/* an empty socket takes so little as a whole */
	if (send(from->fd, request, (size_t)length, MSG_NOSIGNAL) != length)
		lose(from, now_ms, strerror(errno));
	else
		from->state = STATE_STATUS;
}

static void take(struct from *from, int64_t now_ms)
{
	size_t room;
	char *place = line_room(&from->reader, &room);
	ssize_t length = recv(from->fd, place, room, MSG_DONTWAIT);

	if (length > 0) {
		line_fed(&from->reader, (size_t)length);
		from->due_ms = now_ms + SILENT_MS;
	} else if (length == 0) {
		lose(from, now_ms, "it closed the connection");
	} else if (errno != EAGAIN && errno != EINTR) {
		lose(from, now_ms, strerror(errno));
	}
}

/* A line of the answer's head. */
static void read_head(struct from *from, char *line, int64_t now_ms)
{
	static const char status[] = "HTTP/1.", type[] = "Content-Type:";

	if (from->state == STATE_STATUS) {
		from->state = STATE_HEAD;
		if (strncmp(line, status, strlen(status)) != 0 || strstr(line, " 200") == NULL)
			lose(from, now_ms, "this is no holmgang-web");
	} else if (strncasecmp(line, type, strlen(type)) == 0) {
		from->right_type = strstr(line, FROM_TYPE) != NULL;
	} else if (line[0] == '\0' && !from->right_type) {
		lose(from, now_ms, "this is no holmgang-web");
	} else if (line[0] == '\0') {
		from->state = STATE_FRAMES;
		from->trouble[0] = '\0';
	}
}

void from_step(struct from *from, int64_t now_ms)
{
	struct pollfd slot = {.fd = from->fd, .events = from_events(from)};
	char *line;

	if (from->state == STATE_CLOSED) {
		if (now_ms >= from->due_ms)
			start(from, now_ms);
		return;
	}
	if (poll(&slot, 1, 0) > 0) {
		if (from->state == STATE_CONNECTING)
			ask(from, now_ms);
		else
			take(from, now_ms);
	} else if (now_ms >= from->due_ms) {
		lose(from, now_ms, "it is silent");
	}
	while ((from->state == STATE_STATUS || from->state == STATE_HEAD) &&
	       (line = line_next(&from->reader)) != NULL)
		read_head(from, line, now_ms);
}

bool from_next(struct from *from, struct from_frame *frame, unsigned long *malformed)
{
	char *line;

	while (from->state == STATE_FRAMES && (line = line_next(&from->reader)) != NULL) {
		char *space = strchr(line, ' ');
		long port;

		if (line[0] == '\0') /* it only says that it is there */
			continue;
		if (space == NULL || strlen(space + 1) > FRAME_MAX) {
			++*malformed;
			continue;
		}
		*space = '\0';
		if (!args_read_number(line, 1, UINT16_MAX, &port)) {
			++*malformed;
			continue;
		}
		frame->port = (uint16_t)port;
		frame->length = (size_t)snprintf(frame->bytes, sizeof(frame->bytes), "%s\n",
						 space + 1);
		return true;
	}
	return false;
}
