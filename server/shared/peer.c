/*
 * peer.c - one player's connection. See peer.h.
 *
 * Owns: the descriptor, what is still to be sent, and how much of the input has been looked at.
 * Talks to: one player, in bytes.
 * Never: knows what a line means; waits for a player; takes input before peer_take().
 */
#include "server/shared/peer.h"

#include "proto/wire/log.h"
#include "server/shared/address.h"
#include "server/shared/seldom.h"
#include "proto/time/timers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct peer_limits peer_limits = PEER_LIMITS_DEFAULT;
struct peer_counts peer_counts;

void peer_open(struct peer *peer, int fd)
{
	*peer = (struct peer){
	    .fd = fd,
	    .low_water = 1,
	    .answers = peer_limits.burst * INT64_C(1000),
	};
}

void peer_take_over(struct peer *peer, int fd, size_t skip)
{
	peer_open(peer, fd);
	if (fd >= 0) {
		peer_take_back(peer);
		peer_ready_to_watch(peer);
	}
	peer->skip = skip;
}

void peer_skip(struct peer *peer, size_t bytes)
{
	if (peer->skip != PEER_MUTE)
		peer->skip -= bytes < peer->skip ? bytes : peer->skip;
}

static void set_low_water(struct peer *peer, int bytes)
{
	if (peer->low_water == bytes)
		return;
	peer->low_water = bytes;
	if (setsockopt(peer->fd, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof(bytes)) != 0)
		peer->broken = true;
}

void peer_ready_to_give(struct peer *peer)
{
	set_low_water(peer, 1);
}

/* What has been seen of it is long past. */
void peer_take_back(struct peer *peer)
{
	peer->low_water = 0;
	peer->line = peer->seen = 0;
}

void peer_ready_to_watch(struct peer *peer)
{
	if (peer->low_water == 0)
		set_low_water(peer, 1);
}

int peer_give(struct peer *peer)
{
	int fd = peer->fd;

	if (fd >= 0 && peer->low_water != 0)
		set_low_water(peer, 1);
	if (peer->out.size > PEER_SMALL)
		free(peer->out.data);
	if (peer->held.size > 0)
		free(peer->held.data);
	*peer = (struct peer){.fd = -1};
	return fd;
}

void peer_close(struct peer *peer)
{
	int fd = peer_give(peer);

	if (fd >= 0)
		close(fd);
}

enum heard peer_hear(struct peer *peer, bool hung_up, char **line)
{
	static char peeked[LINE_MAX_CLIENT];
	ssize_t length;

	if (peer->line > 0 && peer->line == peer->seen && !hung_up) {
		/* the last look showed nothing behind the line that was taken since */
		peer->line = peer->seen = 0;
		return HEARD_NOTHING;
	}
	peer->line = peer->seen = 0;
	length = recv(peer->fd, peeked, sizeof(peeked), MSG_PEEK | MSG_DONTWAIT);
	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return HEARD_NOTHING;
	if (length <= 0)
		return HEARD_ENDED;
	peer->seen = (size_t)length;
	peer->line = line_length(peeked, peer->seen);
	if (peer->line == 0) {
		if (peer->seen == sizeof(peeked))
			return HEARD_TOO_LONG;
		/* fewer than we asked to be woken for: the rest is behind an urgent mark, where nobody
		 * can look, and would wake us for ever */
		if (hung_up || length < peer->low_water)
			return HEARD_ENDED;
		set_low_water(peer, (int)length + 1);
		return HEARD_NOTHING;
	}
	set_low_water(peer, 1);
	line_copy(peeked, peeked, peer->line);
	*line = peeked;
	return HEARD_LINE;
}

/* With MSG_TRUNC TCP throws the bytes away without copying them. */
static char unused[LINE_MAX_CLIENT];

void peer_take(struct peer *peer)
{
	if (recv(peer->fd, unused, peer->line, MSG_TRUNC | MSG_DONTWAIT) != (ssize_t)peer->line)
		peer->broken = true;
}

void peer_take_bytes(struct peer *peer, size_t length)
{
	while (length > 0) {
		size_t part = length < sizeof(unused) ? length : sizeof(unused);
		ssize_t taken = recv(peer->fd, unused, part, MSG_TRUNC | MSG_DONTWAIT);

		if (taken <= 0) {
			peer->broken = true;
			return;
		}
		length -= (size_t)taken;
	}
}

/* Make room for more. A client who is told so much that there is no memory for it is not worth
 * the others' connections: only that client's is given up. */
static bool bytes_grow(struct peer *peer, struct bytes *bytes, size_t length)
{
	bool small = bytes->data == peer->small;
	size_t size = 2 * bytes->size + length + 256;
	char *data;

	if (bytes == &peer->out && bytes->size == 0 && length <= PEER_SMALL) {
		bytes->data = peer->small;
		bytes->size = PEER_SMALL;
		return true;
	}
	data = realloc(small ? NULL : bytes->data, size);
	if (data == NULL)
		return false;
	if (small)
		memcpy(data, peer->small, bytes->end);
	bytes->data = data;
	bytes->size = size;
	return true;
}

/* One line now and then, or whoever fills the log fills the disk. */
static void note_closing(const struct peer *peer, int64_t now, struct seldom *seldom,
			 const char *reason)
{
	unsigned long left_out;
	union address address = {0};
	socklen_t length = sizeof(address);
	char text[ADDRESS_TEXT];

	/* without a descriptor it is a replay's: nobody is closed */
	if (peer->fd < 0 || !seldom_may_speak(seldom, now, &left_out))
		return;
	getpeername(peer->fd, &address.any, &length);
	address_print(&address, text);
	log_warn("closed reason=%s address=%s more-since-last=%lu", reason, text, left_out);
}

/* A duel must not name whom it sends to, so it uses write(): the cage lets that pass without a look at its
 * arguments. No process of ours waits in it, or is ended by SIGPIPE. */
static ssize_t send_piece(int fd, const char *bytes, size_t length, bool more)
{
	return more ? send(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT | MSG_MORE)
		    : write(fd, bytes, length);
}

/* Without memory there is still room for this in the socket, if nothing else waits before it. */
static void give_up(struct peer *peer, bool no_memory)
{
	static const char line[] = "ERROR busy the server has no memory left, try again later\n";
	static struct seldom memory, reading;

	if (no_memory && peer->fd >= 0 && peer_unsent(peer) == 0)
		(void)!send_piece(peer->fd, line, sizeof(line) - 1, false);
	note_closing(peer, clock_ms(), no_memory ? &memory : &reading,
		     no_memory ? "memory" : "does-not-read");
	peer->broken = true;
}

static void bytes_add(struct peer *peer, struct bytes *bytes, const char *data, size_t length)
{
	if (peer->broken || length == 0)
		return;
	if (bytes->start > 0 && bytes->start == bytes->end)
		bytes->start = bytes->end = 0;
	/* a slow reader may never let it run empty */
	if (bytes->end + length > bytes->size && bytes->start > bytes->size / 2) {
		memmove(bytes->data, bytes->data + bytes->start, bytes->end - bytes->start);
		bytes->end -= bytes->start;
		bytes->start = 0;
	}
	if (bytes->end - bytes->start + length > PEER_UNSENT_HARD * peer_limits.unsent) {
		give_up(peer, false);
		return;
	}
	if (bytes->end + length > bytes->size && !bytes_grow(peer, bytes, length)) {
		give_up(peer, true);
		return;
	}
	memcpy(bytes->data + bytes->end, data, length);
	bytes->end += length;
}

/* What has been sent already is not sent again. */
static void out_add(struct peer *peer, const char *data, size_t length)
{
	size_t skipped = length < peer->skip ? length : peer->skip;

	if (peer->skip == PEER_MUTE)
		return;
	peer->skip -= skipped;
	if (length > skipped)
		bytes_add(peer, &peer->out, data + skipped, length - skipped);
}

static void say(struct peer *peer, bool held, const char *data, size_t length)
{
	if (held)
		bytes_add(peer, &peer->held, data, length);
	else
		out_add(peer, data, length);
}

static void say_list(struct peer *peer, bool held, const char *format, va_list args)
{
	char line[2048];
	/* one byte is kept for the LF */
	struct text text = {.data = line, .size = sizeof(line) - 1};

	text_add_list(&text, format, args);
	line[text.length] = '\n';
	say(peer, held, line, text.length + 1);
}

void peer_say(struct peer *peer, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_list(peer, peer->holding, format, args);
	va_end(args);
}

void peer_say_line(struct peer *peer, const char *line)
{
	say(peer, peer->holding, line, strlen(line));
	say(peer, peer->holding, "\n", 1);
}

void peer_say_bytes(struct peer *peer, const char *bytes, size_t length)
{
	say(peer, peer->holding, bytes, length);
}

void peer_say_in_list(struct peer *peer, const struct text *lines)
{
	size_t sent = 0;

	if (!peer->broken && peer->out.start == peer->out.end) {
		ssize_t length = send_piece(peer->fd, lines->data, lines->length, false);

		sent = length < 0 ? 0 : (size_t)length;
		peer_counts.bytes += sent;
	}
	bytes_add(peer, &peer->out, lines->data + sent, lines->length - sent);
}

void peer_say_error(struct peer *peer, enum error error, const char *text)
{
	peer_counts.errors[error]++;
	peer_say(peer, "ERROR %s %s", error_word(error), text == NULL ? error_text(error) : text);
}

void peer_hold(struct peer *peer)
{
	peer->holding = true;
}

void peer_release(struct peer *peer)
{
	peer->holding = false;
	if (peer->held.end > peer->held.start)
		out_add(peer, peer->held.data + peer->held.start,
			peer->held.end - peer->held.start);
	free(peer->held.data);
	peer->held = (struct bytes){0};
}

size_t peer_unsent_now(const struct peer *peer)
{
	return peer->out.end - peer->out.start;
}

size_t peer_unsent(const struct peer *peer)
{
	return peer->out.end - peer->out.start + peer->held.end - peer->held.start;
}

static void send_some(struct peer *peer, bool more)
{
	struct bytes *out = &peer->out;

	while (out->start < out->end && !peer->broken) {
		ssize_t sent = send_piece(peer->fd, out->data + out->start, out->end - out->start,
					  more);

		if (sent >= 0) {
			out->start += (size_t)sent;
			peer_counts.bytes += (uint64_t)sent;
		} else if (errno == EAGAIN) {
			return;
		} else if (errno != EINTR) {
			peer->broken = true;
		}
	}
}

static bool flush(struct peer *peer, int64_t now, bool more)
{
	if (peer->fd < 0)
		return true;
	if (peer->out.start < peer->out.end)
		send_some(peer, more);
	if (peer_unsent(peer) <= peer_limits.unsent) {
		peer->full_since = 0;
	} else if (peer->full_since == 0) {
		peer->full_since = now;
	} else if (now - peer->full_since >= peer_limits.unsent_ms) {
		static struct seldom seldom;

		if (!peer->broken)
			note_closing(peer, now, &seldom, "does-not-read");
		peer->broken = true;
	}
	return !peer->broken;
}

bool peer_flush(struct peer *peer, int64_t now)
{
	return flush(peer, now, false);
}

bool peer_flush_more(struct peer *peer, int64_t now)
{
	return flush(peer, now, true);
}

int64_t peer_due(const struct peer *peer)
{
	return peer->full_since == 0 ? TIMER_NEVER : peer->full_since + peer_limits.unsent_ms;
}

int peer_allowance(struct peer *peer, int64_t now)
{
	peer->answers += (now - peer->answers_at) * peer_limits.a_second;
	peer->answers_at = now;
	if (peer->answers > peer_limits.burst * INT64_C(1000))
		peer->answers = peer_limits.burst * INT64_C(1000);
	return (int)(peer->answers / 1000);
}

void peer_set_allowance(struct peer *peer, int allowance, int64_t now)
{
	peer->answers = allowance * INT64_C(1000);
	peer->answers_at = now;
}

bool peer_may_ask(struct peer *peer, int64_t now)
{
	static struct seldom seldom;

	if (peer_allowance(peer, now) < 1) {
		note_closing(peer, now, &seldom, "too-fast");
		return false;
	}
	peer->answers -= 1000;
	return true;
}
