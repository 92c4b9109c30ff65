/*
 * floor.c - what the floors and the references share. See floor.h.
 *
 * Owns: the listening socket, the record, the socket that frames go out of.
 */
#include "tests/bench/floor.h"

#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READY_FD = 3, BACKLOG = 4096 };

static int open_door(uint16_t port)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
				      .sin_port = htons(port)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	/* those who are accepted inherit it */
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    listen(fd, BACKLOG) != 0)
		err(1, "cannot listen on port %d of 127.0.0.1", port);
	return fd;
}

static int open_frames(uint16_t port)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = inet_addr("127.255.255.255"),
				      .sin_port = htons(port)};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), on = 1;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on)) != 0 ||
	    connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		err(1, "cannot broadcast to 127.255.255.255:%d", port);
	return fd;
}

void floor_open(struct floor *floor, int argc, char *argv[])
{
	struct rlimit limit;
	char path[512];
	long port;

	if (argc < 3)
		errx(2, "usage: %s PORT FOLDER", argv[0]);
	port = strtol(argv[1], NULL, 10);
	if (port < 1 || port > UINT16_MAX)
		errx(2, "\"%s\" is not a port", argv[1]);
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	snprintf(path, sizeof(path), "%s/record", argv[2]);
	floor->outlets.record = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (floor->outlets.record < 0)
		err(1, "cannot write %s", path);
	floor->outlets.frames = open_frames((uint16_t)port);
	floor->door = open_door((uint16_t)port);
	floor->waiting = -1;
}

void floor_say_ready(void)
{
	/* nobody may wait for it */
	(void)!write(READY_FD, "ready\n", 6);
	close(READY_FD);
}

bool floor_accept_two(struct floor *floor, int pair[2])
{
	int fd = accept4(floor->door, NULL, NULL, SOCK_CLOEXEC);

	if (fd >= 0 && floor->waiting < 0) {
		floor->waiting = fd;
		fd = accept4(floor->door, NULL, NULL, SOCK_CLOEXEC);
	}
	if (fd < 0)
		return false;
	pair[0] = floor->waiting;
	pair[1] = fd;
	floor->waiting = -1;
	return true;
}
