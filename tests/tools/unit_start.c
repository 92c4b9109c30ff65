/*
 * unit_start.c - starts a server as systemd does, for the tests: with a listening socket as descriptor
 * 3, and a socket that hears of its state.
 *
 *      unit_start [--datagram] PORT WATCHDOG-USEC PROGRAM ARGUMENT...
 *
 * Prints "server PID", then each state that it is told, a line each. What the server logs goes where
 * our own standard error goes. --datagram: what is passed is no socket for players. Passes SIGTERM on;
 * ends with the server, as it has ended.
 */
#include <err.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST = 3 };

static int open_socket(int type, const char *port)
{
	struct sockaddr_in own = {.sin_family = AF_INET,
				  .sin_port = htons((in_port_t)atoi(port)),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const int on = 1;
	int fd = socket(AF_INET, type, 0);

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, (struct sockaddr *)&own, sizeof(own)) != 0 ||
	    (type == SOCK_STREAM && listen(fd, SOMAXCONN) != 0))
		err(1, "port %s", port);
	return fd;
}

/* One in no folder: the kernel gives it a name, which begins with a NUL. */
static int open_notify(char name[16])
{
	struct sockaddr_un own = {.sun_family = AF_UNIX};
	socklen_t length = sizeof(own);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (bind(fd, (struct sockaddr *)&own, sizeof(sa_family_t)) != 0 ||
	    getsockname(fd, (struct sockaddr *)&own, &length) != 0)
		err(1, "notify socket");
	snprintf(name, 16, "@%.5s", own.sun_path + 1);
	return fd;
}

static void set_number(const char *name, const char *format, long number)
{
	char text[32];

	snprintf(text, sizeof(text), format, number);
	setenv(name, text, 1);
}

static void __attribute__((noreturn))
be_server(int listener, const char *notify, const char *watchdog, char *argv[])
{
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (listener != FIRST) {
		dup2(listener, FIRST);
		close(listener);
	}
	set_number("LISTEN_PID", "%ld", getpid());
	setenv("LISTEN_FDS", "1", 1);
	setenv("LISTEN_FDNAMES", "players", 1);
	setenv("NOTIFY_SOCKET", notify, 1);
	setenv("WATCHDOG_USEC", watchdog, 1);
	set_number("WATCHDOG_PID", "%ld", getpid());
	execvp(argv[0], argv);
	err(127, "%s", argv[0]);
}

static void hear(int notify)
{
	char state[1024];
	ssize_t length = recv(notify, state, sizeof(state) - 1, MSG_DONTWAIT);

	if (length <= 0)
		return;
	state[length] = '\0';
	printf("%s\n", state);
	fflush(stdout);
}

/* SIGTERM is the server's; SIGCHLD: true, it has ended. */
static bool has_ended(int signals, pid_t server, int *status)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != sizeof(info))
		return false;
	if (info.ssi_signo == SIGTERM)
		kill(server, SIGTERM);
	return waitpid(server, status, WNOHANG) == server;
}

int main(int argc, char *argv[])
{
	bool datagram = argc > 1 && strcmp(argv[1], "--datagram") == 0;
	struct pollfd slot[2] = {{.events = POLLIN}, {.events = POLLIN}};
	char name[16];
	sigset_t set;
	pid_t server;
	int listener, status = 0;

	argv += datagram;
	if (argc - datagram < 4)
		errx(2, "usage: unit_start [--datagram] PORT WATCHDOG-USEC PROGRAM ARGUMENT...");
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	listener = open_socket(datagram ? SOCK_DGRAM : SOCK_STREAM, argv[1]);
	slot[0].fd = open_notify(name);
	slot[1].fd = signalfd(-1, &set, SFD_CLOEXEC);
	server = fork();
	if (server == 0)
		be_server(listener, name, argv[2], argv + 3);
	printf("server %d\n", (int)server);
	fflush(stdout);
	close(listener); /* players are to knock at the server's only */
	for (;;) {
		poll(slot, 2, -1);
		if (slot[0].revents)
			hear(slot[0].fd);
		else if (slot[1].revents && has_ended(slot[1].fd, server, &status))
			break;
	}
	hear(slot[0].fd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
