/*
 * reach.c - the three ways to an engine: a child, a connection, a port that listens.
 *
 * Owns `socket` until that becomes the channel's; starts the keeper. It never reads what an engine says,
 * and waits for nothing but the look-up of a name.
 */
#include "player/engine/engine.h"

#include "proto/time/timers.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RETRY_MS = 200, BACKLOG = 1 };

/* On the loopback only: whoever can connect plays in our name. */
static bool listen_for_it(struct engine *engine)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_port = htons(engine->options->engine_port),
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int on = 1;

	engine->socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (engine->socket >= 0 &&
	    setsockopt(engine->socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
	    bind(engine->socket, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	    listen(engine->socket, BACKLOG) == 0)
		return true;
	snprintf(engine->why, sizeof(engine->why), "cannot listen on 127.0.0.1 port %u: %s",
		 engine->options->engine_port, strerror(errno));
	return false;
}

/* Begin the log anew: it is that of this run. */
static bool open_log(struct engine *engine)
{
	const char *log = engine->options->engine_log;
	int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0600);

	if (fd < 0) {
		snprintf(engine->why, sizeof(engine->why),
			 "cannot write %.80s: %s (see --engine-log)", log, strerror(errno));
		return false;
	}
	close(fd);
	return true;
}

bool engine_reach_open(struct engine *engine)
{
	if (engine->options->engine_way == ENGINE_BY_LISTENING)
		return listen_for_it(engine);
	return engine->options->engine_way == ENGINE_BY_CONNECTING || open_log(engine);
}

static void reached(struct engine *engine, int in, int out)
{
	int on = 1;

	/* on a pipe it fails, and means nothing */
	setsockopt(out, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	channel_open(&engine->channel, in, out);
	engine->reached = true;
}

static bool start_child(struct engine *engine)
{
	int to, from;

	/* one at a time: the old one is still being ended */
	if (engine->keeper.pid != 0)
		return true;
	if (!keeper_start(&engine->keeper, engine->options->engine, engine->options->engine_log,
			  &to, &from)) {
		engine_fail(engine, FAILURE_CRASHED, "it cannot be started: %s", strerror(errno));
		return false;
	}
	reached(engine, from, to);
	return true;
}

static void begin_connecting(struct engine *engine)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
	struct addrinfo *found;
	const struct addrinfo *address;
	char service[8];

	engine->try_at = clock_ms() + RETRY_MS;
	snprintf(service, sizeof(service), "%u", engine->options->engine_port);
	if (getaddrinfo(engine->options->engine_host, service, &hints, &found) != 0)
		return;
	/* a name may have several, and it need not listen at the first */
	address = found;
	for (int n = engine->tries++; n > 0; n--)
		address = address->ai_next == NULL ? found : address->ai_next;
	engine->socket = socket(address->ai_family,
				address->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (engine->socket >= 0 &&
	    connect(engine->socket, address->ai_addr, address->ai_addrlen) < 0 &&
	    errno != EINPROGRESS) {
		close(engine->socket);
		engine->socket = -1;
	}
	freeaddrinfo(found);
}

/* It may be starting itself, so who refuses is asked again. */
static void connect_to_it(struct engine *engine, short events)
{
	int error = 0;
	socklen_t size = sizeof(error);

	if (engine->socket < 0 && clock_ms() >= engine->try_at)
		begin_connecting(engine);
	if (engine->socket < 0 || events == 0)
		return;
	if (getsockopt(engine->socket, SOL_SOCKET, SO_ERROR, &error, &size) < 0 || error != 0)
		close(engine->socket);
	else
		reached(engine, engine->socket, engine->socket);
	engine->socket = -1;
}

static void accept_it(struct engine *engine)
{
	int fd = accept4(engine->socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd >= 0)
		reached(engine, fd, fd);
}

bool engine_reach(struct engine *engine, short events)
{
	switch (engine->options->engine_way) {
	case ENGINE_BY_CONNECTING:
		connect_to_it(engine, events);
		return true;
	case ENGINE_BY_LISTENING:
		accept_it(engine);
		return true;
	default:
		return start_child(engine);
	}
}
