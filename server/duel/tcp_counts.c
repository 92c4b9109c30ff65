/*
 * tcp_counts.c - a socket's own counts. See tcp_counts.h.
 *
 * taken = received - waiting to be read; handed over = acknowledged + waiting to be acknowledged.
 * Each is the difference or sum of two numbers that are asked for one after the other, and bytes
 * may come or be acknowledged in between. So the first of each two is asked for again, until it has
 * not moved while the others were. Where nothing waits, at the beginning of most tables, one look is
 * enough.
 *
 * Owns nothing, and talks to the kernel only. It never takes a byte from the socket.
 */
#include "server/duel/tcp_counts.h"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* From linux/tcp.h and netinet/tcp.h at once would be too much: these are the kernel's numbers. */
enum { STATE_CLOSE = 7, STATE_CLOSE_WAIT = 8 };

static bool look_at(int fd, struct tcp_info *info)
{
	socklen_t size = sizeof(*info);

	memset(info, 0, sizeof(*info));
	return getsockopt(fd, IPPROTO_TCP, TCP_INFO, info, &size) == 0;
}

static bool is_same(const struct tcp_info *one, const struct tcp_info *other)
{
	return one->tcpi_bytes_received == other->tcpi_bytes_received &&
	       one->tcpi_bytes_acked == other->tcpi_bytes_acked &&
	       one->tcpi_state == other->tcpi_state;
}

/* Nothing waits on either side, and so nothing has moved: since these were asked for all that had come
 * was taken, and all that is on its way would be counted. */
static bool is_quiet(const struct tcp_info *info, int unread)
{
	return unread == 0 && info->tcpi_unacked == 0;
}

bool tcp_counts_look(int fd, struct tcp_counts *counts)
{
	struct tcp_info before, now;
	int unread, unacknowledged;

	if (!look_at(fd, &now))
		return false;
	do {
		before = now;
		if (ioctl(fd, SIOCINQ, &unread) != 0)
			return false;
		unacknowledged = (int)now.tcpi_notsent_bytes;
		if (is_quiet(&now, unread))
			break;
		if (ioctl(fd, SIOCOUTQ, &unacknowledged) != 0 || !look_at(fd, &now))
			return false;
	} while (!is_same(&before, &now));
	/* the end of the client's stream is counted as a byte that came, and can never be read */
	counts->in = (uint64_t)now.tcpi_bytes_received - (uint64_t)unread -
		     (now.tcpi_state == STATE_CLOSE_WAIT ? 1 : 0);
	counts->out = (uint64_t)now.tcpi_bytes_acked + (uint64_t)unacknowledged;
	counts->gone = now.tcpi_state == STATE_CLOSE;
	return true;
}
