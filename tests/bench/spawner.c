/*
 * spawner.c - the floor that we think is the lowest: a spawner with few descriptors forks the
 * matches, as children of the parent, and the program is linked statically.
 *
 *	spawner PORT FOLDER
 */
#include "tests/bench/parent.h"

#include <err.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { HANDED = 3 }; /* two players, a result */

union handed {
	struct cmsghdr header;
	char space[CMSG_SPACE(HANDED * sizeof(int))];
};

static int to_spawner;

static void bear(struct floor *floor, const int pair[2], int result)
{
	int fd[HANDED] = {pair[0], pair[1], result};
	union handed handed;
	struct iovec byte = {.iov_base = "m", .iov_len = 1};
	struct msghdr message = {.msg_iov = &byte,
				 .msg_iovlen = 1,
				 .msg_control = &handed,
				 .msg_controllen = sizeof(handed)};

	(void)floor;
	memset(&handed, 0, sizeof(handed));
	handed.header.cmsg_level = SOL_SOCKET;
	handed.header.cmsg_type = SCM_RIGHTS;
	handed.header.cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(&handed.header), fd, sizeof(fd));
	if (sendmsg(to_spawner, &message, MSG_NOSIGNAL) != 1)
		err(1, "cannot reach the spawner");
}

static void __attribute__((noreturn)) be_spawner(const struct floor *floor, int from_parent)
{
	int fd[HANDED];
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(floor->door);
	for (;;) {
		union handed handed;
		struct iovec into = {.iov_base = &byte, .iov_len = 1};
		struct msghdr message = {.msg_iov = &into,
					 .msg_iovlen = 1,
					 .msg_control = &handed,
					 .msg_controllen = sizeof(handed)};

		if (recvmsg(from_parent, &message, 0) <= 0)
			_exit(0);
		memcpy(fd, CMSG_DATA(&handed.header), sizeof(fd));
		if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL) == 0)
			parent_be_match(floor, fd, fd[2]);
		for (int i = 0; i < HANDED; i++)
			close(fd[i]);
	}
}

int main(int argc, char *argv[])
{
	struct floor floor;
	int ends[2];

	floor_open(&floor, argc, argv);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		err(1, "cannot make a socket for the spawner");
	to_spawner = ends[0];
	if (fork() == 0) {
		close(ends[0]);
		be_spawner(&floor, ends[1]);
	}
	close(ends[1]);
	parent_run(&floor, bear, false);
}
