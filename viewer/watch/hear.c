/*
 * hear.c - the sockets on which frames arrive. See hear.h.
 *
 * It only ever receives. What it receives may come from anybody.
 */
#include "viewer/watch/hear.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Room for some seconds of a busy port while the terminal is slow; the kernel may give less. */
enum { RECEIVE_BYTES = 4 * 1024 * 1024 };

static void explain(uint16_t port, int error, char why[WATCH_WHY_MAX])
{
	if (error == EADDRINUSE)
		snprintf(why, WATCH_WHY_MAX,
			 "port %d is in use by another program; end it or watch another port",
			 port);
	else if (error == EACCES || error == EPERM)
		snprintf(why, WATCH_WHY_MAX,
			 "port %d may only be used by root; watch a port from 1024 on", port);
	else if (error == EMFILE || error == ENFILE)
		snprintf(why, WATCH_WHY_MAX,
			 "no descriptor is left for port %d; watch fewer ports or raise ulimit -n",
			 port);
	else
		snprintf(why, WATCH_WHY_MAX, "cannot hear port %d: %s", port, strerror(error));
}

int hear_open(uint16_t port, char why[WATCH_WHY_MAX])
{
	struct sockaddr_in address = {
	    .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_ANY)};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int on = 1, bytes = RECEIVE_BYTES;

	if (fd < 0) {
		explain(port, errno, why);
		return -1;
	}
	/* less room than asked for is no reason to stop */
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0 ||
	    bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		explain(port, errno, why);
		close(fd);
		return -1;
	}
	return fd;
}

void hear_read(int fd, struct hear_batch *batch, bool want_from)
{
	struct mmsghdr message[HEAR_BATCH] = {0};
	struct sockaddr_in from[HEAR_BATCH];
	struct iovec part[HEAR_BATCH];
	int count;

	for (int i = 0; i < HEAR_BATCH; i++) {
		part[i] = (struct iovec){batch->bytes[i], sizeof(batch->bytes[i])};
		message[i].msg_hdr.msg_iov = &part[i];
		message[i].msg_hdr.msg_iovlen = 1;
		if (!want_from)
			continue;
		message[i].msg_hdr.msg_name = &from[i];
		message[i].msg_hdr.msg_namelen = sizeof(from[i]);
	}
	count = recvmmsg(fd, message, HEAR_BATCH, MSG_DONTWAIT, NULL);
	/* an error here is one of a datagram, not of the socket: the next read goes on behind it */
	batch->count = count < 0 ? 0 : count;
	for (int i = 0; i < batch->count; i++) {
		batch->length[i] = message[i].msg_len;
		if (want_from)
			batch->from[i] = from[i].sin_addr;
	}
}
