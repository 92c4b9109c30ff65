/*
 * client.c - the connection to the server. See client.h.
 *
 * Owns the socket and both buffers. It waits for nothing but the look-up of a name, never understands a
 * line, and never writes to the terminal: what went wrong is left in `error`, one line without a full stop.
 */
#include "player/session/client.h"

#include "proto/time/timers.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECT_MS = 5000 };

void client_init(struct client *client)
{
	client->state = CLIENT_CLOSED;
	client->fd = -1;
	client->found = client->now = NULL;
	client->error[0] = '\0';
	client->reader.start = client->reader.end = 0;
	client->held = client->waiting = 0;
}

static void forget_addresses(struct client *client)
{
	if (client->found != NULL)
		freeaddrinfo(client->found);
	client->found = client->now = NULL;
}

static void close_socket(struct client *client)
{
	if (client->fd >= 0)
		close(client->fd);
	client->fd = -1;
}

void client_close(struct client *client)
{
	close_socket(client);
	forget_addresses(client);
	client_init(client);
}

/* The lines that have come stay, to be read. */
static void fail(struct client *client, const char *what, const char *why)
{
	close_socket(client);
	forget_addresses(client);
	client->state = CLIENT_CLOSED;
	client->waiting = 0;
	snprintf(client->error, sizeof(client->error), "%s %s port %u: %s", what, client->host,
		 client->port, why);
}

static void opened(struct client *client)
{
	int on = 1;

	/* a move is one small line, and somebody waits for it */
	setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	forget_addresses(client);
	client->state = CLIENT_OPEN;
}

/* Try the addresses from `now` on, until one of them does not fail at once. */
static void try_addresses(struct client *client, int error)
{
	for (; client->now != NULL; client->now = client->now->ai_next) {
		const struct addrinfo *a = client->now;

		client->fd = socket(a->ai_family, a->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		if (client->fd >= 0 && connect(client->fd, a->ai_addr, a->ai_addrlen) == 0) {
			opened(client);
			return;
		}
		if (client->fd >= 0 && errno == EINPROGRESS) {
			client->state = CLIENT_CONNECTING;
			client->deadline = clock_ms() + CONNECT_MS;
			return;
		}
		error = errno;
		close_socket(client);
	}
	fail(client, "cannot connect to", strerror(error));
}

bool client_open(struct client *client, const char *host, uint16_t port)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
	char service[8];
	int error;

	client_close(client);
	snprintf(client->host, sizeof(client->host), "%s", host);
	client->port = port;
	snprintf(service, sizeof(service), "%u", port);
	error = getaddrinfo(host, service, &hints, &client->found);
	if (error != 0) {
		client->found = NULL;
		fail(client, "cannot find", gai_strerror(error));
		return false;
	}
	client->now = client->found;
	try_addresses(client, EADDRNOTAVAIL);
	return client->state != CLIENT_CLOSED;
}

/* The address being tried has answered, or not in time. */
static void finish_connecting(struct client *client, short events)
{
	int error = ETIMEDOUT;
	socklen_t size = sizeof(error);

	if (events == 0 && clock_ms() < client->deadline)
		return;
	if (events != 0 && getsockopt(client->fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
		error = errno;
	if (error == 0) {
		opened(client);
		return;
	}
	close_socket(client);
	client->now = client->now->ai_next;
	try_addresses(client, error);
}

static void lost(struct client *client, const char *why)
{
	fail(client, "lost the connection to", why);
}

static void read_some(struct client *client)
{
	size_t room;
	char *place = line_room(&client->reader, &room);
	ssize_t length;

	if (room == 0)
		return;
	length = recv(client->fd, place, room, 0);
	if (length > 0)
		line_fed(&client->reader, (size_t)length);
	else if (length == 0)
		lost(client, "the server has closed it");
	else if (errno != EAGAIN && errno != EINTR)
		lost(client, strerror(errno));
}

static void write_some(struct client *client)
{
	ssize_t length;

	if (client->waiting == 0)
		return;
	length = send(client->fd, client->out, client->waiting, MSG_NOSIGNAL);
	if (length > 0) {
		client->waiting -= (size_t)length;
		memmove(client->out, client->out + length, client->waiting);
	}
	/* a write that fails is not the end: what the server said last is read first */
}

void client_say(struct client *client, const char *line)
{
	size_t length = strlen(line);

	if (client->state == CLIENT_CLOSED)
		return;
	if (client->waiting + length + 1 > sizeof(client->out)) {
		lost(client, "it does not take what is said");
		return;
	}
	memcpy(client->out + client->waiting, line, length);
	client->out[client->waiting + length] = '\n';
	client->waiting += length + 1;
	if (client->state == CLIENT_OPEN)
		write_some(client);
}

int client_poll(const struct client *client, struct pollfd *entry)
{
	*entry = (struct pollfd){.fd = client->fd, .events = POLLIN};
	if (client->state == CLIENT_CONNECTING)
		entry->events = POLLOUT;
	else if (client->waiting > 0)
		entry->events |= POLLOUT;
	return client->state == CLIENT_CONNECTING ? clock_wait(client->deadline) : -1;
}

void client_step(struct client *client, short events)
{
	if (client->state == CLIENT_CONNECTING)
		finish_connecting(client, events);
	if (client->state == CLIENT_OPEN)
		write_some(client);
	if (client->state == CLIENT_OPEN && (events & (POLLIN | POLLHUP | POLLERR)))
		read_some(client);
}

char *client_next(struct client *client)
{
	char *piece;

	while ((piece = line_next(&client->reader)) != NULL) {
		size_t length = strlen(piece);
		/* only a piece of a longer line fills the whole reader */
		bool whole = length < sizeof(client->reader.data) - 1;

		if (whole && client->held == 0)
			return piece;
		if (client->held + length >= sizeof(client->line)) {
			lost(client, "it sends a line without an end");
			client->reader.start = client->reader.end = client->held = 0;
			return NULL;
		}
		memcpy(client->line + client->held, piece, length + 1);
		client->held += length;
		if (whole) {
			client->held = 0;
			return client->line;
		}
	}
	return NULL;
}
