/*
 * channel.c - lines to and from an engine. See channel.h.
 *
 * Owns the descriptors and both buffers. It never waits, and understands no line.
 */
#include "player/engine/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

void channel_init(struct channel *channel)
{
	channel->in = channel->out = -1;
	channel->closed = channel->broken = channel->full = channel->too_long = false;
	channel->told = channel->waiting = 0;
	channel->reader.start = channel->reader.end = 0;
}

void channel_open(struct channel *channel, int in, int out)
{
	channel->in = in;
	channel->out = out;
	fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
	fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
}

void channel_close(struct channel *channel)
{
	if (channel->out >= 0 && channel->out != channel->in)
		close(channel->out);
	if (channel->in >= 0)
		close(channel->in);
	channel_init(channel);
}

/* A pipe that nobody reads raises SIGPIPE, which the engine's loop has ignored. */
static void write_some(struct channel *channel)
{
	ssize_t length;

	if (channel->out < 0 || channel->waiting == channel->told)
		return;
	length = write(channel->out, channel->out_bytes + channel->told,
		       channel->waiting - channel->told);
	if (length > 0) {
		channel->told += (size_t)length;
	} else if (errno != EAGAIN && errno != EINTR) {
		/* what it said last is read first, so this is not the end */
		channel->broken = true;
		channel->told = channel->waiting;
	}
	if (channel->told == channel->waiting)
		channel->told = channel->waiting = 0;
}

void channel_tell(struct channel *channel, const char *line)
{
	size_t length = strlen(line), left = channel->waiting - channel->told;

	if (channel->waiting + length + 1 > CHANNEL_HELD_MAX) {
		memmove(channel->out_bytes, channel->out_bytes + channel->told, left);
		channel->told = 0;
		channel->waiting = left;
	}
	if (left + length + 1 > CHANNEL_HELD_MAX) {
		channel->full = true;
		return;
	}
	memcpy(channel->out_bytes + channel->waiting, line, length);
	channel->out_bytes[channel->waiting + length] = '\n';
	channel->waiting += length + 1;
	write_some(channel);
}

/* Bytes that have come and not been given. */
static size_t held(const struct channel *channel)
{
	return channel->reader.end - channel->reader.start;
}

static bool has_line(const struct channel *channel)
{
	return line_length(channel->reader.data + channel->reader.start, held(channel)) > 0;
}

void channel_poll(const struct channel *channel, bool wanted, struct pollfd entry[2])
{
	entry[0] = (struct pollfd){.fd = -1};
	entry[1] = (struct pollfd){.fd = -1};
	if (wanted && held(channel) < CHANNEL_LINE_MAX && !channel->closed && !has_line(channel))
		entry[0] = (struct pollfd){.fd = channel->in, .events = POLLIN};
	if (channel->waiting > channel->told)
		entry[1] = (struct pollfd){.fd = channel->out, .events = POLLOUT};
}

static void read_some(struct channel *channel)
{
	size_t room;
	char *place = line_room(&channel->reader, &room);
	ssize_t length;

	if (room == 0)
		return;
	length = read(channel->in, place, room);
	if (length > 0)
		line_fed(&channel->reader, (size_t)length);
	else if (length == 0 || (errno != EAGAIN && errno != EINTR))
		channel->closed = true;
}

void channel_step(struct channel *channel, const struct pollfd entry[2])
{
	write_some(channel);
	if (entry[0].fd >= 0 && entry[0].revents != 0 && !channel->closed)
		read_some(channel);
}

char *channel_next(struct channel *channel)
{
	char *line = channel->too_long || !has_line(channel) ? NULL : line_next(&channel->reader);

	channel->too_long = channel->too_long || (line != NULL && strlen(line) >= CHANNEL_LINE_MAX);
	return channel->too_long ? NULL : line;
}

enum channel_trouble channel_trouble(const struct channel *channel)
{
	if (channel->too_long)
		return CHANNEL_TOO_LONG;
	if (has_line(channel))
		return CHANNEL_FINE;
	if (held(channel) >= CHANNEL_LINE_MAX)
		return CHANNEL_TOO_LONG;
	if (channel->closed)
		return CHANNEL_ENDED;
	return channel->full ? CHANNEL_FULL : CHANNEL_FINE;
}

bool channel_is_drained(const struct channel *channel)
{
	int left = 0;

	return channel->out >= 0 && !channel->broken && channel->waiting == channel->told &&
	       ioctl(channel->out, FIONREAD, &left) == 0 && left == 0;
}
