/*
 * bad_day.c - preloaded into a server by tests: a disk that becomes read-only, a clock that runs
 * backwards, timers that come late, whenever the test says so and until it says otherwise.
 *
 * Owns: nothing but a page of the file that BAD_DAY names, mapped and so seen by all processes that
 * the server forks, whatever they may not open. Its bytes, each a letter or something else:
 *
 *      0  R  whatever would change a file or a folder fails with EROFS; the log is spared
 *      1  B  the time of day is in 2001, and runs backwards ten times as fast as time
 *      2  F  no message takes descriptors along: this user has too many in flight already
 *      3  L  who waits for events with a time limit waits twenty seconds longer
 *      4  E  fdatasync() fails with EIO: a disk with errors
 *      5  E  fsync() does
 *
 * Never: touches the monotonic clock, which no computer's owner can set.
 */
#include "../../server/heritage.h"
#include "../../server/key.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
	PAGE = 4096,
	BYTE_READ_ONLY = 0,
	BYTE_BACKWARDS,
	BYTE_FLIGHT,
	BYTE_LATE,
	BYTE_DATA_SYNC,
	BYTE_SYNC,
};

static const volatile char *day;

static void __attribute__((constructor)) map_day(void)
{
	const char *name = getenv("BAD_DAY");
	int fd = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
	void *page;

	if (fd < 0)
		return;
	page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (page != MAP_FAILED)
		day = page;
	close(fd);
}

static int is(int byte, char letter)
{
	return day != NULL && day[byte] == letter;
}

static int refused(void)
{
	if (!is(BYTE_READ_ONLY, 'R'))
		return 0;
	errno = EROFS;
	return 1;
}

/* The system's headers call the parameters by names that are theirs alone.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

/* --- files ------------------------------------------------------------------------------------ */

/* Only a file has a place to read at, if it may be read; asked so since a duel may not do much more. */
static int is_file(int fd)
{
	char byte;

	return pread(fd, &byte, 0, 0) == 0 || errno == EBADF;
}

ssize_t write(int fd, const void *data, size_t length)
{
	/* the spawner has its log among its own */
	if (fd > STDERR_FILENO && fd < SPAWNER_SOCKET && is(BYTE_READ_ONLY, 'R') && is_file(fd) &&
	    refused())
		return -1;
	return syscall(SYS_write, fd, data, length);
}

int openat(int folder, const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	if ((flags & O_ACCMODE) != O_RDONLY && refused())
		return -1;
	if (flags & O_CREAT) {
		va_start(args, flags);
		mode = va_arg(args, mode_t);
		va_end(args);
	}
	return (int)syscall(SYS_openat, folder, path, flags, mode);
}

/* The spawner's way to open (server/key.c). */
long key_call(long number, long a, long b, long c, long d)
{
	static long (*real)(long, long, long, long, long);

	if (real == NULL) /* by way of an object: ISO C knows no pointer that is both */
		*(void **)&real = dlsym(RTLD_NEXT, "key_call");
	if (((number == SYS_openat && (c & O_ACCMODE) != O_RDONLY) || number == SYS_ftruncate) &&
	    refused())
		return -1;
	return real(number, a, b, c, d);
}

int ftruncate(int fd, off_t length)
{
	return refused() ? -1 : (int)syscall(SYS_ftruncate, fd, length);
}

int unlinkat(int folder, const char *path, int flags)
{
	return refused() ? -1 : (int)syscall(SYS_unlinkat, folder, path, flags);
}

int renameat(int from, const char *old, int to, const char *new)
{
	return refused() ? -1 : (int)syscall(SYS_renameat2, from, old, to, new, 0);
}

int fchmodat(int folder, const char *path, mode_t mode, int flags)
{
	(void)flags; /* the server has no use for them */
	return refused() ? -1 : (int)syscall(SYS_fchmodat, folder, path, mode);
}

static int sync_by(long call, int byte, int fd)
{
	if (!is(byte, 'E'))
		return (int)syscall(call, fd);
	errno = EIO;
	return -1;
}

int fdatasync(int fd)
{
	return sync_by(SYS_fdatasync, BYTE_DATA_SYNC, fd);
}

int fsync(int fd)
{
	return sync_by(SYS_fsync, BYTE_SYNC, fd);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags)
{
	if (message->msg_controllen > 0 && is(BYTE_FLIGHT, 'F')) {
		errno = ETOOMANYREFS;
		return -1;
	}
	return syscall(SYS_sendmsg, socket, message, flags);
}

/* --- the time of day -------------------------------------------------------------------------- */

int clock_gettime(clockid_t clock, struct timespec *now)
{
	enum { IN_2001 = 1000000000, HOW_FAST = 10 };

	if (clock != CLOCK_REALTIME || !is(BYTE_BACKWARDS, 'B'))
		return (int)syscall(SYS_clock_gettime, clock, now);
	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, now);
	now->tv_sec = IN_2001 - HOW_FAST * now->tv_sec - now->tv_nsec / (1000000000 / HOW_FAST);
	now->tv_nsec = 999999999 - now->tv_nsec % (1000000000 / HOW_FAST) * HOW_FAST;
	return 0;
}

time_t time(time_t *where)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (where != NULL)
		*where = now.tv_sec;
	return now.tv_sec;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	struct timespec exact;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &exact);
	now->tv_sec = exact.tv_sec;
	now->tv_usec = exact.tv_nsec / 1000;
	return 0;
}

/* --- waiting ---------------------------------------------------------------------------------- */

int epoll_wait(int epoll, struct epoll_event *events, int count, int wait)
{
	enum { LATE_MS = 20000 };

	if (wait > 0 && is(BYTE_LATE, 'L'))
		wait += LATE_MS;
	return (int)syscall(SYS_epoll_pwait, epoll, events, count, wait, NULL, 0);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
