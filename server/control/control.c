/*
 * control.c - hears who asks about the server, over its control socket and over HTTP. See control.h.
 *
 * Owns: the two kinds of listening sockets, the few who call.
 * Never: waits for a caller. An answer is made as fast as it is taken, so that of the longest one
 * only a part is ever there; whoever does not ask, or does not take it, is closed. So is who does so
 * a byte at a time: there are few places, and they would keep others out.
 */
#include "server/control/control.h"

#include "server/control/commands.h"
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	CALLERS = 8,	/* of each kind; more wait until one of these has gone */
	WAITERS = 4,	/* of them: who waits for the server's end, for as long as that takes */
	CALL_MS = 5000, /* for a request, and for each piece of its answer to be taken */
	SWEEP_MS = 500,
};

/* Somebody who has connected. Its place is never freed: an event that is still to be dealt with may
 * be about it. */
struct caller {
	struct source source;
	bool web;   /* speaks HTTP */
	bool tells; /* their answer has been made, or a part of it … */
	bool tree;  /* … and more of it is to come: */
	unsigned cursor;
	bool waits;	  /* until the server has ended */
	int64_t begun_at; /* their request, or the piece of the answer that is being told */
	char request[CONTROL_REQUEST_MAX + 1];
	size_t heard;
	char *data; /* NULL: nobody has this place */
	struct text answer;
	size_t sent;
};

/* One kind of callers. */
struct desk {
	struct source listener[2]; /* localhost is two addresses */
	int listeners;
	bool web;
	bool shut; /* nobody can be accepted for a while */
	struct seldom seldom;
	struct caller caller[CALLERS];
};

static struct {
	struct desk own, web;
	struct timer sweep;
} control;

/* --- callers ---------------------------------------------------------------------------------- */

static void watch_desk(struct lobby *lobby, struct desk *desk)
{
	bool room = false;

	for (int i = 0; i < CALLERS; i++)
		room = room || desk->caller[i].data == NULL;
	for (int i = 0; i < desk->listeners; i++)
		lobby_watch(lobby, &desk->listener[i], room && !desk->shut ? EPOLLIN : 0);
}

static void let_go(struct lobby *lobby, struct caller *caller)
{
	lobby_watch(lobby, &caller->source, 0);
	close(caller->source.fd);
	caller->source.fd = -1;
	free(caller->data);
	caller->data = NULL;
	watch_desk(lobby, caller->web ? &control.web : &control.own);
}

static bool may_wait(const struct desk *desk)
{
	int waiters = 0;

	for (int i = 0; i < CALLERS; i++)
		waiters += desk->caller[i].data != NULL && desk->caller[i].waits;
	return waiters < WAITERS;
}

/* --- requests --------------------------------------------------------------------------------- */

static void wait_for_end(struct caller *caller)
{
	if (may_wait(&control.own)) {
		text_add(&caller->answer, "ok\n");
		caller->waits = true;
	} else {
		text_add(&caller->answer,
			 "error it is done, but %d others wait for the server's end already\n",
			 WAITERS);
	}
}

static void tell_ps(struct lobby *lobby, struct caller *caller)
{
	(void)lobby;
	text_add(&caller->answer, "ok\n");
	caller->tree = true;
	caller->cursor = 0;
}

static void tell_stop(struct lobby *lobby, struct caller *caller)
{
	log_info("told-to stop");
	stop_begin(lobby);
	wait_for_end(caller);
}

static void tell_drain(struct lobby *lobby, struct caller *caller)
{
	log_info("told-to drain");
	stop_drain(lobby);
	wait_for_end(caller);
}

static void tell_metrics(struct lobby *lobby, struct caller *caller)
{
	text_add(&caller->answer, "ok\n");
	metrics_print(lobby, &caller->answer);
}

#define COMMAND(word, help) {#word, tell_##word},
static const struct {
	const char *word;
	void (*tell)(struct lobby *lobby, struct caller *caller);
} commands[] = {COMMANDS(COMMAND)};
#undef COMMAND

static void refuse(struct text *answer)
{
	text_add(answer, "error this server knows ");
	for (int i = 0; i < COMMANDS_COUNT; i++)
		text_add(answer, "%s%s", commands[i].word,
			 i < COMMANDS_COUNT - 2	   ? ", "
			 : i == COMMANDS_COUNT - 2 ? " and "
						   : " only\n");
}

static void obey(struct lobby *lobby, struct caller *caller)
{
	if (caller->web) {
		http_answer(lobby, caller->request, &caller->answer);
		return;
	}
	*strchr(caller->request, '\n') = '\0';
	for (int i = 0; i < COMMANDS_COUNT; i++) {
		if (strcmp(caller->request, commands[i].word) == 0) {
			commands[i].tell(lobby, caller);
			return;
		}
	}
	refuse(&caller->answer);
}

static bool is_whole(const struct caller *caller)
{
	if (!caller->web)
		return strchr(caller->request, '\n') != NULL;
	return strstr(caller->request, "\r\n\r\n") != NULL ||
	       strstr(caller->request, "\n\n") != NULL;
}

/* False: nothing can become of this one. */
static bool hear(struct lobby *lobby, struct caller *caller)
{
	ssize_t length = recv(caller->source.fd, caller->request + caller->heard,
			      CONTROL_REQUEST_MAX - caller->heard, MSG_DONTWAIT);

	if (length < 0)
		return errno == EAGAIN || errno == EINTR;
	if (length == 0)
		return false;
	caller->heard += (size_t)length;
	caller->request[caller->heard] = '\0';
	if (caller->heard == CONTROL_REQUEST_MAX)
		return false; /* nothing that we know is so long */
	caller->tells = is_whole(caller);
	if (caller->tells) {
		obey(lobby, caller);
		caller->begun_at = lobby->now;
	}
	return true;
}

/* False: it has been told all, or cannot be. */
static bool tell(struct lobby *lobby, struct caller *caller)
{
	for (;;) {
		ssize_t sent;

		if (caller->sent == caller->answer.length) {
			caller->sent = caller->answer.length = 0;
			/* of numbers that no table has nothing is told: that is not the end yet */
			while (caller->tree && caller->answer.length == 0)
				caller->tree = ps_lines_tell(lobby, &caller->cursor,
							     &caller->answer);
			if (caller->answer.length == 0)
				return caller->waits;
			caller->begun_at = lobby->now;
		}
		sent = send(caller->source.fd, caller->data + caller->sent,
			    caller->answer.length - caller->sent, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (sent < 0)
			return errno == EAGAIN || errno == EINTR;
		caller->sent += (size_t)sent;
		/* the rest of a long one in another turn: others want to be heard too */
		if (caller->tree)
			return true;
	}
}

static void on_caller(struct lobby *lobby, struct source *source, uint32_t events)
{
	struct caller *caller = (struct caller *)source;
	bool goes_on = !(events & (EPOLLERR | EPOLLHUP));
	uint32_t next = EPOLLIN;

	if (goes_on && !caller->tells)
		goes_on = hear(lobby, caller);
	else if (goes_on && caller->waits && caller->answer.length == 0 && (events & EPOLLRDHUP))
		goes_on = false; /* they do not wait any longer */
	if (goes_on && caller->tells)
		goes_on = tell(lobby, caller);
	if (!goes_on) {
		let_go(lobby, caller);
		return;
	}
	if (caller->tells)
		next = caller->answer.length > 0 || caller->tree ? EPOLLOUT : EPOLLRDHUP;
	lobby_watch(lobby, source, next);
}

/* --- the sockets ------------------------------------------------------------------------------ */

/* The mode of the socket says the same; this holds on any file system. */
static bool may_call(int fd)
{
	struct ucred who;
	socklen_t length = sizeof(who);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0 &&
	       (who.uid == geteuid() || who.uid == 0);
}

/* As the door is when descriptors run out: those who call wait in the kernel's queue, and the loop does not
 * spin on a socket that it cannot accept from. */
static void shut_for_a_while(struct lobby *lobby, struct desk *desk, const char *reason)
{
	unsigned long left_out;

	if (seldom_may_speak(&desk->seldom, lobby->now, &left_out))
		log_warn("control-shut for=%s reason=\"%s\" so=\"who asks waits\" "
			 "more-since-last=%lu",
			 desk->web ? "metrics" : "commands", reason, left_out);
	desk->shut = true;
	watch_desk(lobby, desk);
}

static void on_call(struct lobby *lobby, struct desk *desk, int listener)
{
	struct caller *caller = desk->caller;
	int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	while (caller < desk->caller + CALLERS && caller->data != NULL)
		caller++;
	if (fd < 0) {
		if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
			shut_for_a_while(lobby, desk, strerror(errno));
		return;
	}
	if (caller == desk->caller + CALLERS || (!desk->web && !may_call(fd))) {
		close(fd);
		return;
	}
	*caller = (struct caller){.web = desk->web, .begun_at = lobby->now};
	caller->data = malloc(CONTROL_ANSWER_MAX);
	if (caller->data == NULL) {
		close(fd);
		return;
	}
	caller->answer = (struct text){.data = caller->data, .size = CONTROL_ANSWER_MAX};
	caller->source.fd = fd;
	caller->source.ready = on_caller;
	caller->source.what = SLICE_COMMAND;
	lobby_watch(lobby, &caller->source, EPOLLIN);
	watch_desk(lobby, desk);
}

static void on_own_call(struct lobby *lobby, struct source *source, uint32_t events)
{
	(void)events;
	on_call(lobby, &control.own, source->fd);
}

static void on_web_call(struct lobby *lobby, struct source *source, uint32_t events)
{
	(void)events;
	on_call(lobby, &control.web, source->fd);
}

static void add_listener(struct desk *desk, int fd,
			 void (*ready)(struct lobby *, struct source *, uint32_t))
{
	desk->listener[desk->listeners++] = (struct source){.fd = fd, .ready = ready};
}

int control_socket(const char *folder, bool listens)
{
	struct sockaddr_un own = {.sun_family = AF_UNIX};
	int at = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = at < 0 ? -1 : socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	mode_t mask = umask(0177);
	int done = -1, error;

	/* by the folder's descriptor: the name of a socket has 107 bytes at most, that of a folder
	 * may have more */
	snprintf(own.sun_path, sizeof(own.sun_path), "/proc/self/fd/%d/control", at);
	if (fd >= 0 && listens) {
		unlink(own.sun_path); /* of a server that was killed: the folder is ours now */
		done = bind(fd, (struct sockaddr *)&own, sizeof(own));
		if (done == 0)
			done = listen(fd, CALLERS);
	} else if (fd >= 0) {
		done = connect(fd, (struct sockaddr *)&own, sizeof(own));
	}
	error = errno;
	umask(mask);
	if (at >= 0)
		close(at);
	if (done != 0 && fd >= 0)
		close(fd);
	errno = error;
	return done == 0 ? fd : -1;
}

static void set_nonblocking(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

static void open_own(const struct lobby *lobby)
{
	int fd = control_socket(lobby->config->state, true);

	if (fd < 0) {
		log_warn("control-not-opened reason=\"%s\" so=\"ps, stop, drain and metrics do not "
			 "find this server\"",
			 strerror(errno));
		return;
	}
	set_nonblocking(fd);
	add_listener(&control.own, fd, on_own_call);
}

/* 0, or the error that says that this machine has no such address. */
static int open_web_at(const union address *own)
{
	char text[ADDRESS_TEXT];
	int fd = socket(own->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	const int on = 1;

	address_print(own, text);
	if (fd >= 0)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (fd < 0 || bind(fd, &own->any, sizeof(*own)) != 0 || listen(fd, CALLERS) != 0) {
		int error = errno;

		if (!address_is_lacking(error))
			err(1,
			    "cannot listen on %s for metrics (choose another port with --metrics)",
			    text);
		if (fd >= 0)
			close(fd);
		return error;
	}
	log_info("listening address=%s for=metrics", text);
	add_listener(&control.web, fd, on_web_call);
	return 0;
}

static void open_web(const struct lobby *lobby)
{
	const struct config *config = lobby->config;
	union address own[2];
	int count, error = 0;

	control.web.web = true;
	if (config->metrics_port == 0)
		return;
	count = address_read(own, config->metrics_address, config->metrics_port);
	if (count == 0)
		errx(1,
		     "cannot tell metrics on \"%s\": give --metrics-address an address, such as "
		     "127.0.0.1 or ::1",
		     config->metrics_address);
	for (int i = 0; i < count; i++) {
		int missed = open_web_at(&own[i]);

		error = missed != 0 ? missed : error;
	}
	errno = error;
	if (control.web.listeners == 0)
		err(1,
		    "cannot listen on %s for metrics (name an address of this machine with "
		    "--metrics-address)",
		    config->metrics_address);
}

static void sweep_desk(struct lobby *lobby, struct desk *desk)
{
	for (int i = 0; i < CALLERS; i++) {
		struct caller *caller = &desk->caller[i];
		bool waits = caller->waits && caller->answer.length == 0;

		if (caller->data != NULL && !waits && lobby->now - caller->begun_at >= CALL_MS)
			let_go(lobby, caller);
	}
	desk->shut = false;
	watch_desk(lobby, desk);
}

static void on_sweep(struct timer *timer, void *owner)
{
	struct lobby *lobby = owner;

	sweep_desk(lobby, &control.own);
	sweep_desk(lobby, &control.web);
	timers_set(&lobby->timers, timer, lobby->now + SWEEP_MS);
}

void control_open(struct lobby *lobby)
{
	open_own(lobby);
	open_web(lobby);
	control.sweep.fire = on_sweep;
	timers_set(&lobby->timers, &control.sweep, lobby->now);
}

/* Who waits for the server's end is let go by that. */
void control_close(const struct lobby *lobby)
{
	char path[4096];

	if (control.own.listeners == 0)
		return;
	snprintf(path, sizeof(path), "%s/control", lobby->config->state);
	unlink(path);
}
