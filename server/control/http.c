/*
 * http.c - GET /metrics, in HTTP/1.1, and nothing else.
 *
 * Every answer closes the connection: a scrape comes every few seconds, and a server that keeps
 * none open has none to look after.
 */
#include "server/control/control.h"
#include "server/lobby/lobby.h"

#include "proto/wire/text.h"

#include <string.h>

static void add_answer(struct text *text, const char *status, const char *type, const char *body)
{
	text_add(text,
		 "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n"
		 "%s\r\n%s",
		 status, type, strlen(body), strncmp(status, "405", 3) == 0 ? "Allow: GET\r\n" : "",
		 body);
}

/* Is this the target, whatever is asked about it? */
static bool is_target(const char *target, const char *wanted)
{
	size_t length = strlen(wanted);

	return strncmp(target, wanted, length) == 0 &&
	       (target[length] == ' ' || target[length] == '?');
}

void http_answer(const struct lobby *lobby, const char *request, struct text *text)
{
	static char body[CONTROL_ANSWER_MAX - 512];
	struct text metrics = TEXT_IN(body);
	const char *target = strchr(request, ' ');
	const char *version = target == NULL ? NULL : strchr(target + 1, ' ');

	if (version == NULL || strncmp(version, " HTTP/1.", 8) != 0) {
		add_answer(text, "400 Bad Request", "text/plain",
			   "this is not HTTP/1.1: use GET /metrics\n");
	} else if (strncmp(request, "GET ", 4) != 0) {
		add_answer(text, "405 Method Not Allowed", "text/plain", "use GET\n");
	} else if (!is_target(target + 1, "/metrics")) {
		add_answer(text, "404 Not Found", "text/plain", "use /metrics\n");
	} else {
		metrics_print(lobby, &metrics);
		add_answer(text, "200 OK", "text/plain; version=0.0.4; charset=utf-8", body);
	}
}
