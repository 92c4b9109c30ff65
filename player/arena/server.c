/*
 * server.c - the arena's processes: how they begin and end, and its own server.
 *
 * Owns that server and its folder; whoever starts another child owns it. Nothing that is started here
 * outlives the arena: each child is told by the kernel when we die, and is out of reach of the keyboard, so
 * that it is we who end it. It never talks to the server.
 */
#include "player/arena/arena.h"

#include "proto/time/timers.h"

#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	READY_FD = 3,
	READY_MS = 10000,
	END_MS = 5000, /* from SIGTERM to SIGKILL */
	PORT_TRIES = 5,
};

const char *arena_program(const char *name)
{
	static char path[PATH_MAX + 64];
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
	char *slash;

	path[length < 0 ? 0 : length] = '\0';
	slash = strrchr(path, '/');
	strcpy(slash == NULL ? path : slash + 1, name);
	return path;
}

static void __attribute__((noreturn))
run(const char *program, char *const argv[], int output, int ready, const char *log, pid_t parent)
{
	int null = open("/dev/null", O_RDWR);
	int error = log == NULL ? null : open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	sigset_t none;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	/* high enough that none of them is overwritten by another */
	output = fcntl(output < 0 ? null : output, F_DUPFD, READY_FD + 1);
	error = fcntl(error < 0 ? null : error, F_DUPFD, READY_FD + 1);
	ready = ready < 0 ? -1 : fcntl(ready, F_DUPFD, READY_FD + 1);
	dup2(null, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(error, STDERR_FILENO);
	if (ready >= 0)
		dup2(ready, READY_FD);
	close_range(ready >= 0 ? READY_FD + 1 : READY_FD, ~0U, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execv(program, argv);
	_exit(127);
}

pid_t arena_spawn(char *const argv[], int output, int ready, const char *log)
{
	const char *program = arena_program(argv[0]);
	pid_t parent = getpid(), pid = fork();

	if (pid == 0)
		run(program, argv, output, ready, log, parent);
	return pid;
}

void arena_end_child(pid_t pid)
{
	int64_t until = clock_ms() + END_MS;

	if (pid <= 0)
		return;
	kill(pid, SIGTERM);
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		if (clock_ms() >= until) {
			kill(pid, SIGKILL);
			waitpid(pid, NULL, 0);
			return;
		}
		poll(NULL, 0, 5);
	}
}

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

static bool is_ready(int fd)
{
	struct pollfd entry = {.fd = fd, .events = POLLIN};
	char byte;

	return poll(&entry, 1, READY_MS) == 1 && read(fd, &byte, 1) == 1;
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
	snprintf(fd, sizeof(fd), "%d", READY_FD);
	snprintf(log, sizeof(log), "%s/arena-server.log", arena->folder);
	arena->server = arena_spawn(argv, -1, ready[1], log);
	close(ready[1]);
	up = arena->server > 0 && is_ready(ready[0]);
	close(ready[0]);
	if (!up) {
		arena_end_child(arena->server);
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
	      arena_program("holmgang-server"));
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
	arena_end_child(arena->server);
	arena->server = 0;
	if (arena->folder[0] != '\0')
		nftw(arena->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	arena->folder[0] = '\0';
}
