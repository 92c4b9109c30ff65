/*
 * listen.c - takes connections in.
 *
 * Owns: the door, which is the listening sockets together.
 * Talks to: those who knock, that is, connect; admission.c says who of them may come in.
 * Never: waits for a connection; keeps one that was refused.
 *
 * When descriptors run out the door is shut for a while: those who knock wait in the kernel's
 * queue, and the loop does not spin on a socket that it cannot accept from.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"

#include <err.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	ACCEPTS_A_TURN = 64,
	SHUT_MS = 250, /* the door, when descriptors have run out */
};

/* --- listening -------------------------------------------------------------------------------- */

static void set_option(int fd, int level, int option, int value)
{
	setsockopt(fd, level, option, &value, sizeof(value));
}

/* Accepted sockets inherit what is set here. A line is small and somebody waits for it; a peer that
 * has vanished without a word is found in half a minute. */
static void set_options(int fd)
{
	set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, 15);
	set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, 5);
	set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
	set_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 30000);
	/* an urgent byte is one like the others: otherwise streams could not be counted */
	set_option(fd, SOL_SOCKET, SO_OOBINLINE, 1);
}

static void on_knock(struct lobby *lobby, struct source *source, uint32_t events);

static void hear_knocks(struct lobby *lobby, int fd, const char *address)
{
	struct source *source = &lobby->listener[lobby->listeners++];

	source->fd = fd;
	source->ready = on_knock;
	source->what = SLICE_ACCEPT;
	lobby_watch(lobby, source, EPOLLIN);
	log_info("listening address=%s", address);
}

/* 0, or the error that says that this machine has no such address. */
static int listen_on(struct lobby *lobby, const union address *own)
{
	char text[ADDRESS_TEXT];
	int fd = socket(own->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int error = errno;

	if (fd < 0 && address_is_lacking(error))
		return error;
	if (fd < 0)
		err(1, "cannot make a socket");
	set_options(fd);
	if (own->any.sa_family == AF_INET6)
		set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
	address_print(own, text);
	if (bind(fd, &own->any, sizeof(*own)) != 0 || listen(fd, SOMAXCONN) != 0) {
		error = errno;
		if (error == EADDRINUSE)
			errx(1, "%s is in use: choose another port, or end what has it", text);
		if (!address_is_lacking(error))
			err(1, "cannot listen on %s", text);
		close(fd);
		return error;
	}
	hear_knocks(lobby, fd, text);
	return 0;
}

/* One that systemd has opened, and listens on. */
static void adopt(struct lobby *lobby, int fd)
{
	union address own = {0};
	socklen_t length = sizeof(own);
	char text[ADDRESS_TEXT];

	set_options(fd);
	getsockname(fd, &own.any, &length);
	address_print(&own, text);
	hear_knocks(lobby, fd, text);
}

/* 0, or the error that says that this machine has none of the addresses. */
static int listen_at(struct lobby *lobby, const char *text)
{
	union address own[2];
	int count = address_read(own, text, lobby->config->port), before = lobby->listeners;
	int error = 0;

	if (count == 0)
		errx(1, "cannot listen on \"%s\": name an address, such as 127.0.0.1 or ::1", text);
	for (int i = 0; i < count; i++) {
		int missed = listen_on(lobby, &own[i]);

		error = missed != 0 ? missed : error;
	}
	return lobby->listeners > before ? 0 : error;
}

/* An address that has been said. */
static void listen_where_told(struct lobby *lobby, const char *text)
{
	int error = listen_at(lobby, text);

	errno = error;
	if (error != 0)
		err(1, "cannot listen on %s (name an address of this machine with --listen)", text);
}

static void watch_door(struct lobby *lobby, bool open)
{
	for (int i = 0; i < lobby->listeners; i++)
		lobby_watch(lobby, &lobby->listener[i], open ? EPOLLIN : 0);
}

static void on_door_timer(struct timer *timer, void *owner)
{
	struct lobby *lobby = owner;

	(void)timer;
	lobby->door_closed = false;
	watch_door(lobby, true);
	/* Those who knocked have waited; if it was in vain they are told so. Now, at each of our addresses, or
	 * whoever comes later would be told, who has not waited. */
	for (int i = 0; i < lobby->listeners; i++) {
		lobby->admission.refusing = lobby->connections >= lobby->connections_max;
		on_knock(lobby, &lobby->listener[i], EPOLLIN);
	}
}

void listen_open(struct lobby *lobby)
{
	const struct names *listen = &lobby->config->listen;

	lobby->door_timer.fire = on_door_timer;
	for (int i = 0; i < listen->count; i++)
		listen_where_told(lobby, listen->name[i]);
	for (int i = 0; i < lobby->config->passed; i++)
		adopt(lobby, ACTIVATION_FIRST + i);
	if (listen->count == 0 && lobby->config->passed == 0) {
		listen_at(lobby, "0.0.0.0");
		listen_at(lobby, "::");
	}
	if (lobby->listeners == 0)
		errx(1, "this machine has no address to listen on");
}

void listen_close(struct lobby *lobby)
{
	timers_clear(&lobby->timers, &lobby->door_timer);
	watch_door(lobby, false);
	for (int i = 0; i < lobby->listeners; i++)
		close(lobby->listener[i].fd);
	lobby->listeners = 0;
}

/* --- where we are found ----------------------------------------------------------------------- */

/* Everywhere is here too. */
static void choose_loopback(union address *own)
{
	static const struct in6_addr any = IN6ADDR_ANY_INIT, loopback = IN6ADDR_LOOPBACK_INIT;

	if (own->any.sa_family == AF_INET && own->four.sin_addr.s_addr == htonl(INADDR_ANY))
		own->four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (own->any.sa_family == AF_INET6 && memcmp(&own->six.sin6_addr, &any, sizeof(any)) == 0)
		own->six.sin6_addr = loopback;
}

static int nearness(const union address *own)
{
	if (!address_is_loopback(own))
		return 0;
	return own->any.sa_family == AF_INET ? 2 : 1;
}

/* The address at which a process on this machine finds us: the loopback's, if we listen there. */
void listen_name_nearest(const struct lobby *lobby, char host[NI_MAXHOST], char port[NI_MAXSERV])
{
	union address nearest = {0};
	int how_near = -1;

	for (int i = 0; i < lobby->listeners; i++) {
		union address own = {0};
		socklen_t length = sizeof(own);

		getsockname(lobby->listener[i].fd, &own.any, &length);
		choose_loopback(&own);
		if (nearness(&own) <= how_near)
			continue;
		nearest = own;
		how_near = nearness(&own);
	}
	getnameinfo(&nearest.any, sizeof(nearest), host, NI_MAXHOST, port, NI_MAXSERV,
		    NI_NUMERICHOST | NI_NUMERICSERV);
}

/* --- those who knock -------------------------------------------------------------------------- */

static void shut_for_a_while(struct lobby *lobby, const char *reason)
{
	unsigned long left_out;

	if (!lobby->door_closed &&
	    seldom_may_speak(&lobby->admission.seldom[ADMISSION_SHUT], lobby->now, &left_out))
		log_warn("door-shut connections=%zu reason=\"%s\" more-since-last=%lu",
			 lobby->connections, reason, left_out);
	lobby->door_closed = true;
	watch_door(lobby, false);
	timers_set(&lobby->timers, &lobby->door_timer, lobby->now + SHUT_MS);
}

static void let_in(struct lobby *lobby, int fd, const union address *from)
{
	struct origin *origin = admission_enter(lobby, fd, from);
	struct visitor *visitor;

	if (origin == NULL)
		return;
	visitor = visitor_make(lobby, fd, origin);
	if (visitor == NULL) {
		admission_leave(lobby, origin);
		admission_refuse(lobby, fd, from, ADMISSION_NO_MEMORY);
		return;
	}
	lobby->metrics.connections++;
	address_print(from, visitor->address);
	log_debug("connected address=%s", visitor->address);
	visitor_expect_play(lobby, visitor, true);
	hear_visitor_at_once(lobby, visitor);
}

static void on_knock(struct lobby *lobby, struct source *source, uint32_t events)
{
	(void)events;
	for (int i = 0; i < ACCEPTS_A_TURN; i++) {
		union address from = {0};
		socklen_t length = sizeof(from);
		int fd;

		if (lobby->connections < lobby->connections_max)
			lobby->admission.refusing = false;
		else if (!lobby->admission.refusing) {
			shut_for_a_while(lobby, "as many connections as there may be");
			return;
		}
		fd = accept4(source->fd, &from.any, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0) {
			if (errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
			    errno == ENOBUFS)
				shut_for_a_while(lobby, strerror(errno));
			if (errno == ECONNABORTED || errno == EINTR)
				continue;
			/* all who had waited have been told */
			lobby->admission.refusing = false;
			return;
		}
		let_in(lobby, fd, &from);
	}
}
