/*
 * state.c - the state folder. See state.h.
 *
 * The lock is one of fcntl(): it belongs to the process and ends with it, however it ends, and is
 * not inherited by duels that live a moment longer.
 */
#include "server/lobby/state.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void print_path(char *path, size_t size, const char *folder)
{
	if ((size_t)snprintf(path, size, "%s/server.pid", folder) >= size)
		errx(1, "the name of the state folder is too long: %s", folder);
}

int state_lock(const char *folder)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char path[4096];
	int fd;

	print_path(path, sizeof(path), folder);
	if (mkdir(folder, 0700) != 0 && errno != EEXIST)
		err(1, "cannot make the state folder %s (choose one with --state)", folder);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		err(1, "cannot write in the state folder %s (choose one with --state)", folder);
	if (fcntl(fd, F_SETLK, &lock) != 0) {
		fcntl(fd, F_GETLK, &lock);
		errx(1,
		     "the state folder %s is used by the server with pid %d: stop that one, or "
		     "choose another folder with --state",
		     folder, (int)lock.l_pid);
	}
	if (ftruncate(fd, 0) != 0 || dprintf(fd, "%d\n", (int)getpid()) < 0)
		err(1, "cannot write %s", path);
	return fd;
}

void state_unlock(const char *folder, int lock)
{
	/* emptied, not removed: somebody may have opened it already, and would lock a file that
	 * nobody finds any more */
	if (ftruncate(lock, 0) != 0)
		warn("cannot empty %s/server.pid", folder);
	close(lock);
}
