/*
 * door.c - takes connections in and lets them go.
 *
 * Owns: the listening sockets, the table of visitors.
 * When descriptors run out the door is shut for a while: those who knock wait in the kernel's
 * queue, and the loop does not spin on a socket that it cannot accept from.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"

#include <err.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bsd/stdlib.h>

enum {
	ACCEPTS_A_TURN = 64,
	SHUT_MS = 250,	     /* the door, when descriptors have run out */
	LIST_MS = 1000,	     /* between two looks whether a LIST has been read */
	LEAVE_MS = 2000,     /* for a client to read its last lines and close */
	LEAVE_STOP_MS = 300, /* the same when the server stops */
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
	/* Who knocked has waited; if it was in vain he is told so. Now, at each of our addresses, or
	 * whoever comes later would be told, who has not waited. */
	for (int i = 0; i < lobby->listeners; i++) {
		lobby->gate.refusing = lobby->connections >= lobby->connections_max;
		on_knock(lobby, &lobby->listener[i], EPOLLIN);
	}
}

void door_open(struct lobby *lobby)
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

void door_close(struct lobby *lobby)
{
	timers_clear(&lobby->timers, &lobby->door_timer);
	watch_door(lobby, false);
	for (int i = 0; i < lobby->listeners; i++)
		close(lobby->listener[i].fd);
	lobby->listeners = 0;
}

/* --- in --------------------------------------------------------------------------------------- */

static void on_timer(struct timer *timer, void *owner)
{
	struct visitor *visitor = CONTAINER_OF(timer, struct visitor, timer);

	door_forget(owner, visitor);
}

static void on_no_play(struct timer *timer, void *owner)
{
	struct visitor *visitor = CONTAINER_OF(timer, struct visitor, timer);
	struct lobby *lobby = owner;
	char text[64];

	if (visitor->listing) {
		/* a LIST is read to its end, at its reader's own pace */
		timers_set(&lobby->timers, timer, lobby->now + LIST_MS);
		return;
	}
	snprintf(text, sizeof(text), "no PLAY for %d seconds", lobby->config->limits.play_within);
	gate_log(lobby, GATE_SILENT, visitor->address);
	peer_say_error(&visitor->peer, ERROR_NOT_REGISTERED, text);
	door_let_out(lobby, visitor);
}

void door_expect_play(struct lobby *lobby, struct visitor *visitor, bool anew)
{
	if (lobby->config->limits.play_within == 0)
		return;
	if (anew)
		visitor->play_by = lobby->now + lobby->config->limits.play_within * INT64_C(1000);
	visitor->timer.fire = on_no_play;
	timers_set(&lobby->timers, &visitor->timer, visitor->play_by);
}

/* The lowest free place; lobby->visitors: there is no memory for more. */
static size_t free_slot(struct lobby *lobby)
{
	struct visitor **more;
	size_t size;

	size_t slot = lobby->visitor_hint;

	while (slot < lobby->visitors && lobby->visitor[slot] != NULL)
		slot++;
	lobby->visitor_hint = slot;
	if (slot < lobby->visitors)
		return slot;
	size = 2 * slot + 16;
	more = recallocarray(lobby->visitor, slot, size, sizeof(*lobby->visitor));
	if (more != NULL) {
		lobby->visitor = more;
		lobby->visitors = size;
	}
	return slot;
}

/* Whose socket it is decides what he may have. */
static void set_origin(struct visitor *visitor, struct origin *origin)
{
	turns_leave_line(visitor);
	visitor->origin = origin;
	visitor->waiting.slow = origin == NULL ? NULL : &origin->slow;
}

/* NULL: there is no memory. The descriptor is still the caller's then. */
static struct visitor *add_visitor(struct lobby *lobby, int fd, struct origin *origin)
{
	struct visitor *visitor = calloc(1, sizeof(*visitor));
	size_t slot = free_slot(lobby);

	if (visitor == NULL || slot == lobby->visitors || !lobby_has_room(lobby)) {
		free(visitor);
		return NULL;
	}
	visitor->slot = slot;
	lobby->visitor_hint = slot + 1;
	set_origin(visitor, origin);
	lobby->visitor[visitor->slot] = visitor;
	lobby->people++;
	if (fd >= 0)
		lobby->connections++;
	peer_open(&visitor->peer, fd);
	visitor->source.fd = fd;
	visitor->source.ready = visitor_hear;
	visitor->source.what = SLICE_HEAR_PLAYER;
	return visitor;
}

/* A player of a server that has died: he has a seat, and may come back to it. */
struct visitor *door_expect(struct lobby *lobby)
{
	struct visitor *visitor = add_visitor(lobby, -1, NULL);

	if (visitor == NULL)
		err(1, "no memory for the players of unfinished games");
	strcpy(visitor->address, "0.0.0.0:0");
	visitor->away_at = lobby->now;
	return visitor;
}

static void shut_for_a_while(struct lobby *lobby, const char *reason)
{
	unsigned long left_out;

	if (!lobby->door_closed &&
	    seldom_may_speak(&lobby->gate.seldom[GATE_SHUT], lobby->now, &left_out))
		log_warn("door-shut connections=%zu reason=\"%s\" more-since-last=%lu",
			 lobby->connections, reason, left_out);
	lobby->door_closed = true;
	watch_door(lobby, false);
	timers_set(&lobby->timers, &lobby->door_timer, lobby->now + SHUT_MS);
}

static void let_in(struct lobby *lobby, int fd, const union address *from)
{
	struct origin *origin = gate_enter(lobby, fd, from);
	struct visitor *visitor;

	if (origin == NULL)
		return;
	visitor = add_visitor(lobby, fd, origin);
	if (visitor == NULL) {
		gate_leave(lobby, origin);
		gate_refuse(lobby, fd, from, GATE_NO_MEMORY);
		return;
	}
	lobby->metrics.connections++;
	address_print(from, visitor->address);
	log_debug("connected address=%s", visitor->address);
	door_expect_play(lobby, visitor, true);
	visitor_hear_at_once(lobby, visitor);
}

static void on_knock(struct lobby *lobby, struct source *source, uint32_t events)
{
	(void)events;
	for (int i = 0; i < ACCEPTS_A_TURN; i++) {
		union address from = {0};
		socklen_t length = sizeof(from);
		int fd;

		if (lobby->connections < lobby->connections_max)
			lobby->gate.refusing = false;
		else if (!lobby->gate.refusing) {
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
			lobby->gate.refusing = false;
			return;
		}
		let_in(lobby, fd, &from);
	}
}

/* --- out -------------------------------------------------------------------------------------- */

/* Who returns to a seat and who has it know of each other. */
static void part_returning(struct visitor *visitor)
{
	if (visitor->returning != NULL)
		visitor->returning->returns_to = NULL;
	if (visitor->returns_to != NULL)
		visitor->returns_to->returning = NULL;
	visitor->returning = visitor->returns_to = NULL;
}

void door_forget(struct lobby *lobby, struct visitor *visitor)
{
	if (visitor->dead)
		return;
	part_returning(visitor);
	log_debug("disconnected address=%s", visitor->address);
	timers_clear(&lobby->timers, &visitor->timer);
	lobby_watch(lobby, &visitor->source, 0);
	if (visitor->source.fd >= 0)
		lobby->connections--;
	peer_close(&visitor->peer);
	unsent_drop(visitor);
	visitor->source.fd = -1;
	gate_leave(lobby, visitor->origin);
	set_origin(visitor, NULL);
	lobby->visitor[visitor->slot] = NULL;
	if (visitor->slot < lobby->visitor_hint)
		lobby->visitor_hint = visitor->slot;
	lobby->people--;
	visitor->dead = true;
	visitor->next_dead = lobby->dead_visitors;
	lobby->dead_visitors = visitor;
	if (lobby->door_closed && !lobby->stopping)
		timers_set(&lobby->timers, &lobby->door_timer, lobby->now);
}

/* Bytes that nobody has read make close() reset the connection, and a reset can destroy what the
 * client has not read yet. So: send all, say that no more will come, read until the client
 * closes. */
static void on_leaving(struct lobby *lobby, struct source *source, uint32_t events)
{
	static char nothing[65536];
	struct visitor *visitor = (struct visitor *)source;
	ssize_t length;

	if ((events & EPOLLERR) || !peer_flush(&visitor->peer, lobby->now)) {
		door_forget(lobby, visitor);
		return;
	}
	if (peer_unsent(&visitor->peer) == 0 && (source->watched & EPOLLOUT)) {
		shutdown(source->fd, SHUT_WR);
		lobby_watch(lobby, source, EPOLLIN);
	}
	length = recv(source->fd, nothing, sizeof(nothing), MSG_DONTWAIT);
	if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR)) {
		if (peer_unsent(&visitor->peer) == 0)
			door_forget(lobby, visitor);
		else
			lobby_watch(lobby, source, EPOLLOUT);
	}
}

void door_let_out(struct lobby *lobby, struct visitor *visitor)
{
	if (visitor->dead || visitor->state == VISITOR_LEAVING)
		return;
	part_returning(visitor);
	visitor->listing = false;
	peer_release(&visitor->peer);
	if (visitor->source.fd < 0 || !peer_flush(&visitor->peer, lobby->now)) {
		door_forget(lobby, visitor);
		return;
	}
	visitor->state = VISITOR_LEAVING;
	visitor->source.ready = on_leaving;
	visitor->timer.fire = on_timer;
	timers_set(&lobby->timers, &visitor->timer,
		   lobby->now + (lobby->stopping ? LEAVE_STOP_MS : LEAVE_MS));
	if (peer_unsent(&visitor->peer) == 0)
		shutdown(visitor->source.fd, SHUT_WR);
	peer_ready_to_watch(&visitor->peer);
	lobby_watch(lobby, &visitor->source,
		    peer_unsent(&visitor->peer) == 0 ? EPOLLIN : EPOLLIN | EPOLLOUT);
}

void door_let_socket_out(struct lobby *lobby, struct visitor *visitor)
{
	struct origin *origin = visitor->origin;
	struct visitor *stranger;
	int fd;

	if (visitor->source.fd < 0)
		return;
	list_drop(lobby, visitor);
	lobby_watch(lobby, &visitor->source, 0);
	visitor->source.fd = -1;
	visitor->away_at = lobby->now;
	set_origin(visitor, NULL);
	lobby->connections--; /* the stranger counts it again */
	fd = peer_give(&visitor->peer);
	stranger = add_visitor(lobby, fd, origin);
	if (stranger == NULL) {
		gate_leave(lobby, origin);
		close(fd);
		return;
	}
	strcpy(stranger->address, visitor->address);
	door_let_out(lobby, stranger);
}

void door_take_socket(struct lobby *lobby, struct visitor *visitor, struct visitor *from)
{
	lobby_watch(lobby, &from->source, 0);
	from->source.fd = -1;
	peer_open(&visitor->peer, peer_give(&from->peer));
	visitor->source.fd = visitor->peer.fd;
	set_origin(visitor, from->origin);
	set_origin(from, NULL);
	if (visitor->state == VISITOR_SEATED)
		gate_sit(lobby, visitor);
	strcpy(visitor->address, from->address);
	door_forget(lobby, from);
}

void door_free_dead(struct lobby *lobby)
{
	while (lobby->dead_visitors != NULL) {
		struct visitor *visitor = lobby->dead_visitors;

		lobby->dead_visitors = visitor->next_dead;
		free(visitor);
	}
}
