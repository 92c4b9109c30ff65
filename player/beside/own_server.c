/*
 * own_server.c - a server for a player who finds none. See own_server.h.
 *
 * Owns that server until the program ends, and the terminal while it asks. It is like one that is started by hand:
 * on this machine only, with the same state folder. It never talks to it.
 */
#include "player/beside/own_server.h"

#include "player/beside/beside.h"

#include <bsd/stdlib.h>
#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

enum { BROADCAST_PORTS = 4 /* behind the server's, for those who look on */ };

static pid_t server;

static bool is_this_machine(const char *host)
{
	return strncmp(host, "127.", 4) == 0 || strcmp(host, "localhost") == 0 ||
	       strcmp(host, "::1") == 0;
}

/* Where a server is to listen so that it is found. */
static const char *address_of(const struct options *options)
{
	return strcmp(options->host, "localhost") == 0 ? "127.0.0.1" : options->host;
}

static bool can_start(const struct options *options)
{
	return is_this_machine(options->host) && options->port <= UINT16_MAX - BROADCAST_PORTS &&
	       access(beside_program("holmgang-server"), X_OK) == 0;
}

void own_server_hint(const struct options *options, const char *trouble)
{
	const char *script = access(beside_program("../run_linux"), X_OK) == 0
				 ? "./run_linux -t play, or "
				 : "";

	if (!is_this_machine(options->host))
		warnx("%s (is the server running there?)", trouble);
	else
		warnx("%s (is the server running there?); this starts one: %s%s %u --interface lo "
		      "--listen %s",
		      trouble, script,
		      can_start(options) ? beside_program("holmgang-server") : "holmgang-server",
		      options->port, address_of(options));
}

static void end_server(void)
{
	beside_end(server);
	server = 0;
}

/* What it said last, which is why it did not start. */
static void show_last_line(const char *log)
{
	FILE *file = fopen(log, "r");
	char line[512], last[512] = "";

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		strcpy(last, line);
	if (file != NULL)
		fclose(file);
	last[strcspn(last, "\n")] = '\0';
	warnx("no server could be started: %s", last[0] == '\0' ? "it said nothing" : last);
}

static bool start_server(const struct options *options)
{
	const char *state = getenv("HOLMGANG_STATE"), *address = address_of(options);
	char port[8], broadcast[16], fd[8], log[PATH_MAX], former[PATH_MAX];
	char *argv[] = {"holmgang-server", port, "-b",	       broadcast, "--interface", "lo",
			"--listen",	   NULL, "--ready-fd", fd,	  NULL};
	int ready[2];
	bool up;

	argv[7] = (char *)address;
	state = state == NULL || *state == '\0' ? "run" : state;
	mkdir(state, 0777);
	snprintf(log, sizeof(log), "%s/server-of-player.log", state);
	snprintf(former, sizeof(former), "%s/server-of-player.log.1", state);
	rename(log, former);
	snprintf(port, sizeof(port), "%u", options->port);
	snprintf(broadcast, sizeof(broadcast), "%u-%u", options->port + 1U,
		 options->port + (unsigned)BROADCAST_PORTS);
	snprintf(fd, sizeof(fd), "%d", BESIDE_READY_FD);
	if (pipe2(ready, O_CLOEXEC) < 0) {
		warn("no server could be started");
		return false;
	}
	/* not killed: it tells who plays, and keeps the games */
	server = beside_start(argv, -1, ready[1], log, SIGTERM);
	close(ready[1]);
	atexit(end_server);
	up = server > 0 && beside_is_ready(ready[0]);
	close(ready[0]);
	if (!up)
		show_last_line(log);
	return up;
}

/* The next key, as it is pressed; 0: the terminal has gone; -1: a signal wants us to end. */
static int read_key(int signals)
{
	struct pollfd entry[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
				  {.fd = signals, .events = POLLIN}};
	struct termios before, now;
	char key = '\0';

	if (tcgetattr(STDIN_FILENO, &before) < 0)
		return 0;
	now = before;
	now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	/* what was typed before it was asked is no answer */
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &now);
	while (poll(entry, 2, -1) < 0)
		;
	if (entry[1].revents == 0 && read(STDIN_FILENO, &key, 1) != 1)
		key = '\0';
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
	return entry[1].revents != 0 ? -1 : key;
}

enum own_server own_server_offer(const struct options *options, const char *trouble)
{
	int key;

	own_server_hint(options, trouble);
	/* somebody who waits for us to be up is no person who could be asked, and a question that goes to a file
	 * is not seen */
	if (server > 0 || options->ready_fd >= 0 || isatty(STDERR_FILENO) == 0 ||
	    !can_start(options))
		return OWN_SERVER_NONE;
	fprintf(stderr, "Press p to start one for as long as you play, any other key to end: ");
	key = read_key(options->signals);
	fprintf(stderr, "\n");
	if (key < 0)
		return OWN_SERVER_STOPPED;
	return (key == 'p' || key == 'P') && start_server(options) ? OWN_SERVER_RUNS
								   : OWN_SERVER_NONE;
}
