/*
 * stream.c - a socket's own counts. See stream.h.
 *
 * taken = received - waiting to be read; handed over = acknowledged + waiting to be acknowledged.
 * Each is the difference or sum of two numbers that are asked for one after the other, and bytes
 * may come or be acknowledged in between. So all is asked again until nothing has moved.
 */
#include "stream.h"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* From linux/tcp.h and netinet/tcp.h at once would be too much: these are the kernel's numbers. */
enum { STATE_CLOSE = 7, STATE_CLOSE_WAIT = 8 };

struct look {
	uint64_t received, acknowledged;
	int unread, unacknowledged;
	unsigned state;
};

static bool look_once(int fd, struct look *look)
{
	struct tcp_info info;
	socklen_t size = sizeof(info);

	memset(look, 0, sizeof(*look));
	memset(&info, 0, sizeof(info));
	if (ioctl(fd, SIOCINQ, &look->unread) != 0 ||
	    ioctl(fd, SIOCOUTQ, &look->unacknowledged) != 0 ||
	    getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
		return false;
	look->received = info.tcpi_bytes_received;
	look->acknowledged = info.tcpi_bytes_acked;
	look->state = info.tcpi_state;
	return true;
}

static bool is_same(const struct look *one, const struct look *other)
{
	return one->received == other->received && one->acknowledged == other->acknowledged &&
	       one->unread == other->unread && one->unacknowledged == other->unacknowledged &&
	       one->state == other->state;
}

bool stream_look(int fd, struct stream *stream)
{
	struct look one, other;

	if (!look_once(fd, &other))
		return false;
	do {
		one = other;
		if (!look_once(fd, &other))
			return false;
	} while (!is_same(&one, &other));
	/* the end of the client's stream is counted as a byte that came, and can never be read */
	stream->in = one.received - (one.state == STATE_CLOSE_WAIT) - (uint64_t)one.unread;
	stream->out = one.acknowledged + (uint64_t)one.unacknowledged;
	stream->gone = one.state == STATE_CLOSE;
	return true;
}
