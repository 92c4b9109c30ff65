/*
 * client.h - the connection to the server: lines out, lines in.
 *
 * It holds the one descriptor and understands no line. It never waits: connecting, reading and
 * writing are done when poll() says so.
 */
#ifndef PLAYER_SESSION_CLIENT_H
#define PLAYER_SESSION_CLIENT_H

#include "proto/wire/line.h"

#include <poll.h>
#include <stdint.h>

struct addrinfo;

enum {
	CLIENT_LINE_MAX = 1 << 17, /* bytes of a server's line; the longest is LEGAL */
	CLIENT_ERROR = 160,
};

enum client_state {
	CLIENT_CLOSED, /* `error` says why, when it was not our will */
	CLIENT_CONNECTING,
	CLIENT_OPEN,
};

struct client {
	enum client_state state;
	int fd;			      /* -1: none */
	struct addrinfo *found, *now; /* addresses of the host, and the one being tried */
	int64_t deadline;	      /* ms; until when the present address may answer */
	struct line_reader reader;
	size_t held; /* bytes in `line`: the beginning of one longer than the reader */
	char line[CLIENT_LINE_MAX];
	size_t waiting; /* bytes in `out` */
	char out[4096];
	char host[80]; /* for messages */
	unsigned port;
	char error[CLIENT_ERROR];
};

void client_init(struct client *client);

/* Begin to connect. False: the host is not known, or no address of it can even be tried. Looking a
 * name up is the one thing here that may take a moment. */
bool client_open(struct client *client, const char *host, uint16_t port);
void client_close(struct client *client);

/* Send a line (without its LF). What is said while connecting goes out afterwards. */
void client_say(struct client *client, const char *line);

/* What to wait for; how long at most, in ms, or -1. */
int client_poll(const struct client *client, struct pollfd *entry);

/* Do what can be done without waiting. */
void client_step(struct client *client, short events);

/* The next line that came, valid until the next call; NULL when there is none. Those that came
 * before the connection broke are still given. */
char *client_next(struct client *client);

#endif
