/*
 * activation.c - talk with systemd. See activation.h.
 *
 *      LISTEN_PID, LISTEN_FDS       we are the process, descriptors 3, 4, … are listening sockets
 *      NOTIFY_SOCKET                a Unix datagram socket that hears of us
 *      WATCHDOG_PID, WATCHDOG_USEC  it wants to hear so often, or else starts us again
 *
 * Owns: nothing but the address of systemd's socket, and when it was last told that we live.
 * Never: waits for systemd. The words are said by the server's loop: a server whose loop hangs says none.
 */
#include "server/lobby/activation.h"

#include "proto/wire/args.h"

#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netinet/in.h>

/* The variable's number, if it is one; then it is gone, for our children too. */
static bool take_number(const char *name, long high, long *number)
{
	const char *value = getenv(name);
	bool good = value != NULL && args_read_number(value, 1, high, number);

	unsetenv(name);
	return good;
}

static int option_of(int fd, int option)
{
	int value = -1;
	socklen_t length = sizeof(value);

	if (getsockopt(fd, SOL_SOCKET, option, &value, &length) != 0)
		return -1;
	return value;
}

/* The port of a socket on which players can knock; 0: it is none. */
static uint16_t port_of(int fd)
{
	struct sockaddr_in6 own = {0}; /* has its port where that of IPv4 has it */
	socklen_t length = sizeof(own);

	if (option_of(fd, SO_TYPE) != SOCK_STREAM || option_of(fd, SO_ACCEPTCONN) != 1 ||
	    getsockname(fd, (struct sockaddr *)&own, &length) != 0 ||
	    (own.sin6_family != AF_INET && own.sin6_family != AF_INET6))
		return 0;
	return ntohs(own.sin6_port);
}

void activation_take(struct config *config)
{
	long pid = 0, count = 0;
	bool said = take_number("LISTEN_PID", INT_MAX, &pid);

	said = take_number("LISTEN_FDS", CONFIG_NAMES_MAX, &count) && said;
	unsetenv("LISTEN_FDNAMES");
	if (!said || pid != getpid())
		return; /* meant for whoever started us */
	if (config->listen.count > 0)
		errx(1, "--listen and sockets of systemd's exclude each other: leave --listen out, "
			"or the socket unit");
	for (int fd = ACTIVATION_FIRST; fd < ACTIVATION_FIRST + count; fd++) {
		uint16_t port = port_of(fd);

		if (port == 0)
			errx(1,
			     "descriptor %d, which systemd has passed, is no listening TCP socket: "
			     "look at ListenStream= of the socket unit",
			     fd);
		fcntl(fd, F_SETFD, FD_CLOEXEC);
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
		if (fd == ACTIVATION_FIRST)
			config->port = port;
	}
	config->passed = (int)count;
}

/* False: this is no name of a socket. '@' stands for the NUL of a name that is in no folder. */
static bool read_name(struct activation *activation, const char *name)
{
	size_t length = strlen(name);

	if ((name[0] != '/' && name[0] != '@') || length >= sizeof(activation->to.sun_path))
		return false;
	activation->to.sun_family = AF_UNIX;
	memcpy(activation->to.sun_path, name, length);
	if (name[0] == '@')
		activation->to.sun_path[0] = '\0';
	activation->length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
	return true;
}

void activation_open(struct activation *activation)
{
	const char *name = getenv("NOTIFY_SOCKET");
	long pid = getpid(), every = 0;
	bool watched = take_number("WATCHDOG_USEC", LONG_MAX, &every);

	activation->fd = -1;
	/* without WATCHDOG_PID it is us */
	if (getenv("WATCHDOG_PID") != NULL)
		watched = take_number("WATCHDOG_PID", INT_MAX, &pid) && watched;
	if (name != NULL && read_name(activation, name))
		activation->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	unsetenv("NOTIFY_SOCKET");
	/* twice as often as it wants, as systemd advises */
	if (watched && pid == getpid())
		activation->every = every / 2000 > 0 ? every / 2000 : 1;
}

/* A systemd that does not listen is nobody to wait for. */
void activation_say(const struct activation *activation, const char *state)
{
	if (activation->fd >= 0)
		(void)!sendto(activation->fd, state, strlen(state), MSG_DONTWAIT | MSG_NOSIGNAL,
			      (const struct sockaddr *)&activation->to, activation->length);
}

void activation_tick(struct activation *activation, int64_t now, unsigned tables,
		     size_t connections)
{
	char state[128];

	if (activation->fd < 0 || activation->every == 0 || now < activation->next)
		return;
	activation->next = now + activation->every;
	snprintf(state, sizeof(state), "WATCHDOG=1\nSTATUS=%zu connections, %u tables", connections,
		 tables);
	activation_say(activation, state);
}
