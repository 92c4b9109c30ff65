/*
 * from.c - hearing a holmgang-web over TCP. See from.h.
 *
 * It asks by HTTP/1.0, so that the answer is a head, an empty line, and then bare lines to the end
 * of the connection. A holmgang-web says something every three seconds at least.
 */
#include "viewer/watch/from.h"

#include "viewer/watch/link.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum state {
	STATE_STATUS, /* the first line of the answer is awaited */
	STATE_HEAD,
	STATE_FRAMES,
};

struct from {
	struct link *link;
	enum state state;
	bool right_type; /* the head says that these are frames */
};

struct from *from_open(const char *host, uint16_t port, char why[WATCH_WHY_MAX])
{
	struct from *from = calloc(1, sizeof(*from));

	snprintf(why, WATCH_WHY_MAX, "no memory is left");
	if (from == NULL)
		return NULL;
	from->link = link_open(host, port, why);
	if (from->link == NULL) {
		free(from);
		return NULL;
	}
	return from;
}

void from_close(struct from *from)
{
	if (from == NULL)
		return;
	link_close(from->link);
	free(from);
}

const struct link *from_link(const struct from *from)
{
	return from->link;
}

static void ask(struct from *from, int64_t now_ms)
{
	char request[400];

	snprintf(request, sizeof(request), "GET " FROM_PATH " HTTP/1.0\r\nHost: %s\r\n\r\n",
		 link_where(from->link));
	from->state = STATE_STATUS;
	from->right_type = false;
	link_say(from->link, request, now_ms);
}

/* A line of the answer's head. */
static void read_head(struct from *from, char *line, int64_t now_ms)
{
	static const char status[] = "HTTP/1.", type[] = "Content-Type:";

	if (from->state == STATE_STATUS) {
		from->state = STATE_HEAD;
		if (strncmp(line, status, strlen(status)) != 0 || strstr(line, " 200") == NULL)
			link_lose(from->link, "this is no holmgang-web", now_ms);
	} else if (strncasecmp(line, type, strlen(type)) == 0) {
		from->right_type = strstr(line, FROM_TYPE) != NULL;
	} else if (line[0] == '\0' && !from->right_type) {
		link_lose(from->link, "this is no holmgang-web", now_ms);
	} else if (line[0] == '\0') {
		from->state = STATE_FRAMES;
		link_praise(from->link);
	}
}

void from_step(struct from *from, int64_t now_ms)
{
	char *line;

	if (link_step(from->link, now_ms) == LINK_MADE)
		ask(from, now_ms);
	while (from->state != STATE_FRAMES && (line = link_line(from->link)) != NULL)
		read_head(from, line, now_ms);
}

bool from_next(struct from *from, struct from_frame *frame, unsigned long *malformed)
{
	char *line;

	while (from->state == STATE_FRAMES && (line = link_line(from->link)) != NULL) {
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
