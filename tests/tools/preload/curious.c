/*
 * curious.c - preloaded into a server by tests: a recorder that reads a date of the year 2002 tries to get out of its
 * cage, by the day in January which way; what came of it is a line in the log. Of ours only the recorder reads
 * dates.
 *
 * Owns: nothing.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static long try_read(void)
{
	return open("/etc/passwd", O_RDONLY);
}

static long try_write(void)
{
	return open("/tmp/holmgang-escaped", O_WRONLY | O_CREAT, 0600);
}

static long try_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0);
}

static long try_execve(void)
{
	return execl("/bin/true", "true", (char *)NULL);
}

static long try_fork(void)
{
	return fork();
}

static long try_allocate(void)
{
	return sbrk(300 << 20) == (void *)-1 ? -1 : 0;
}

static long (*const tries[])(void) = {try_read,	  try_write, try_socket,
				      try_execve, try_fork,  try_allocate};

/* The system's header calls the parameters by names that are its alone.
 * NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
char *strptime(const char *restrict text, const char *restrict format, struct tm *restrict tm)
{
	static char *(*real)(const char *, const char *, struct tm *);
	size_t day = strncmp(text, "2002-01-0", 9) == 0 ? (size_t)(text[9] - '1') : 9;

	if (day < sizeof(tries) / sizeof(tries[0])) {
		long done = tries[day]();

		fprintf(stderr, "tried %zu: %s\n", day + 1, done >= 0 ? "done" : strerror(errno));
	}
	if (real == NULL) /* by way of an object: ISO C knows no pointer that is both */
		*(void **)&real = dlsym(RTLD_NEXT, "strptime");
	return real(text, format, tm);
}
