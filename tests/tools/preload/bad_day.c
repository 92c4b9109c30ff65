/*
 * bad_day.c - preloaded into a server by tests: a disk that becomes read-only or full, a clock that
 * runs backwards, timers that come late, whenever the test says so and until it says otherwise.
 *
 * Owns: nothing but a page of the file that BAD_DAY names, mapped and so seen by all processes that
 * the server forks, whatever they may not open. Its bytes, each a letter or something else:
 *
 *      0  R  whatever would change a file or a folder fails with EROFS; the log is spared
 *         F  whatever would make a file longer fails with ENOSPC; the log is spared
 *         f  the same, and the log is not spared
 *      1  B  the time of day is in 2001, and runs backwards ten times as fast as time
 *      2  F  no message takes descriptors along: this user has too many in flight already
 *      3  L  who waits for events with a time limit waits twenty seconds longer
 *      4  E  fdatasync() fails with EIO: a disk with errors
 *      5  E  fsync() does
 *      6  4  this machine has no ::1
 *
 * Never: touches the monotonic clock, which no computer's owner can set.
 */
#undef _FORTIFY_SOURCE /* by which headers make other functions of those that are made here */
#include "server/shared/helper.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	BYTE_DISK = 0,
	BYTE_BACKWARDS,
	BYTE_FLIGHT,
	BYTE_LATE,
	BYTE_DATA_SYNC,
	BYTE_SYNC,
	BYTE_FAMILY,
};

static const volatile char *day;
static int has_emptied; /* this process a file, on a full disk: what that had is free */

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
	if (!is(BYTE_DISK, 'R'))
		return 0;
	errno = EROFS;
	return 1;
}

/* Only a file has a place to read at, if it may be read; asked so since a duel may not do much more. */
static int is_file(int fd)
{
	char byte;

	return pread(fd, &byte, 0, 0) == 0 || errno == EBADF;
}

/* A spawner has its log above what it was given. */
static int is_log(int fd)
{
	return fd <= STDERR_FILENO || fd >= HELPER_FIRST;
}

/* As if it ended at the end of a block: not a byte more. */
static int has_no_room(int fd)
{
	if (!is(BYTE_DISK, 'f') && (!is(BYTE_DISK, 'F') || is_log(fd)))
		return 0;
	if (!is_file(fd))
		return 0;
	errno = ENOSPC;
	return 1;
}

/* The system's headers call the parameters by names that are theirs alone.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

/* --- files ------------------------------------------------------------------------------------ */

ssize_t write(int fd, const void *data, size_t length)
{
	if (!is_log(fd) && is(BYTE_DISK, 'R') && is_file(fd) && refused())
		return -1;
	if (has_no_room(fd))
		return -1;
	return syscall(SYS_write, fd, data, length);
}

/* SQLite's way to write. */
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t at)
{
	return has_no_room(fd) ? -1 : syscall(SYS_pwrite64, fd, data, length, at);
}

static int print(int fd, const char *format, va_list args)
{
	return !has_emptied && has_no_room(fd) ? -1 : vdprintf(fd, format, args);
}

/* The server's way to write its pid; and that of one which is compiled to look at what it prints. */
int dprintf(int fd, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = print(fd, format, args);
	va_end(args);
	return length;
}

int checked_dprintf(int fd, int level, const char *format, ...) __asm__("__dprintf_chk");
int checked_dprintf(int fd, int level, const char *format, ...)
{
	va_list args;
	int length;

	(void)level;
	va_start(args, format);
	length = print(fd, format, args);
	va_end(args);
	return length;
}

static int open_at(int folder, const char *path, int flags, va_list args)
{
	mode_t mode = 0;

	if ((flags & O_ACCMODE) != O_RDONLY && refused())
		return -1;
	if (flags & O_CREAT)
		mode = va_arg(args, mode_t);
	return (int)syscall(SYS_openat, folder, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = open_at(folder, path, flags, args);
	va_end(args);
	return fd;
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = open_at(AT_FDCWD, path, flags, args);
	va_end(args);
	return fd;
}

int ftruncate(int fd, off_t length)
{
	char byte;

	if (refused())
		return -1;
	/* looked at by reading, which a spawner may as well */
	if ((is(BYTE_DISK, 'F') || is(BYTE_DISK, 'f')) && pread(fd, &byte, 1, 0) == 1)
		has_emptied = 1;
	return (int)syscall(SYS_ftruncate, fd, length);
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

/* --- addresses -------------------------------------------------------------------------------- */

/* The address is a union of pointers, in the C library's own words. */
int bind(int socket, __CONST_SOCKADDR_ARG address, socklen_t length)
{
	struct sockaddr_in6 six;

	if (is(BYTE_FAMILY, '4') && address.__sockaddr__->sa_family == AF_INET6 &&
	    length >= sizeof(six)) {
		memcpy(&six, address.__sockaddr__, sizeof(six));
		if (IN6_IS_ADDR_LOOPBACK(&six.sin6_addr)) {
			errno = EADDRNOTAVAIL;
			return -1;
		}
	}
	return (int)syscall(SYS_bind, socket, address.__sockaddr__, length);
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
