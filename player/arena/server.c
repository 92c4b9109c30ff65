/*
 * server.c - the arena's own server.
 *
 * Owns that server and its folder. It does not outlive the arena: the kernel kills it when we die. It never talks
 * to the server.
 */
#include "player/arena/arena.h"

#include "player/beside/beside.h"

#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PORT_TRIES = 5 };

/* One that nobody has now. */
static uint16_t find_port(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool found = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
		     getsockname(fd, (struct sockaddr *)&address, &size) == 0;

	if (fd >= 0)
		close(fd);
	return found ? ntohs(address.sin_port) : 0;
}

static bool try_server(struct arena *arena)
{
	char port[8], fd[8], log[300];
	char *argv[] = {"holmgang-server", port, "--listen", "127.0.0.1",
			"--interface",	   "lo", "--state",  arena->folder,
			"--ready-fd",	   fd,	 NULL};
	int ready[2];
	bool up;

	arena->options.port = find_port();
	if (arena->options.port == 0 || pipe2(ready, O_CLOEXEC) < 0)
		return false;
	snprintf(port, sizeof(port), "%u", arena->options.port);
	snprintf(fd, sizeof(fd), "%d", BESIDE_READY_FD);
	snprintf(log, sizeof(log), "%s/arena-server.log", arena->folder);
	arena->server = beside_start(argv, -1, ready[1], log, SIGKILL);
	close(ready[1]);
	up = arena->server > 0 && beside_is_ready(ready[0]);
	close(ready[0]);
	if (!up) {
		beside_end(arena->server);
		arena->server = 0;
	}
	return up;
}

bool arena_server_start(struct arena *arena)
{
	const char *tmp = getenv("TMPDIR");

	if (arena->options.host[0] != '\0')
		return true;
	strcpy(arena->options.host, "127.0.0.1");
	if (tmp == NULL || *tmp == '\0' || strlen(tmp) > sizeof(arena->folder) / 2)
		tmp = "/tmp";
	snprintf(arena->folder, sizeof(arena->folder), "%s/holmgang-arena-XXXXXX", tmp);
	if (mkdtemp(arena->folder) == NULL) {
		warn("cannot make a folder in %s", tmp);
		arena->folder[0] = '\0';
		return false;
	}
	for (int i = 0; i < PORT_TRIES; i++)
		if (try_server(arena))
			return true;
	warnx("%s does not start; is it there? -server HOST:PORT plays at another",
	      beside_program("holmgang-server"));
	return false;
}

bool arena_server_is_well(struct arena *arena)
{
	if (arena->server <= 0 || waitpid(arena->server, NULL, WNOHANG) == 0)
		return true;
	arena->server = 0;
	arena_end_progress();
	warnx("the arena's server has ended unexpectedly");
	return false;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	remove(path);
	return 0;
}

void arena_server_end(struct arena *arena)
{
	beside_end(arena->server);
	arena->server = 0;
	if (arena->folder[0] != '\0')
		nftw(arena->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	arena->folder[0] = '\0';
}
