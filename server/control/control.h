/*
 * control.h - how the server is asked about itself, and told to end.
 *
 *      holmgang-server ps|stop|drain|metrics ──▶ STATE/control   a Unix socket, one line, an answer
 *      Prometheus ── GET /metrics ─────────────▶ --metrics PORT  HTTP
 *
 * Over the Unix socket a request is one line, and the answer begins with a line "ok", or "error" and
 * why. It ends with the connection; that of `stop` and of `drain` ends with the server.
 */
#ifndef SERVER_CONTROL_CONTROL_H
#define SERVER_CONTROL_CONTROL_H

#include <stdbool.h>

struct lobby;
struct text;

enum {
	CONTROL_ANSWER_MAX = 32768, /* bytes of an answer that are ready at once */
	CONTROL_REQUEST_MAX = 4096, /* bytes; a browser sends some hundred */
};

/* control.c: the sockets and those who call. */
void control_open(struct lobby *lobby);
void control_close(const struct lobby *lobby);

/* -1 with errno: a stream socket that leads to the state folder's control socket, or, when `listens`,
 * that is it. */
int control_socket(const char *folder, bool listens);

/* ps_lines.c: more of what `ps` tells, a line a process; it may be none. False: that was all. */
bool ps_lines_tell(const struct lobby *lobby, unsigned *cursor, struct text *text);

/* http.c: the answer to a HTTP request whose head is whole. */
void http_answer(const struct lobby *lobby, const char *request, struct text *text);

#endif
