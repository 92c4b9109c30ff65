/*
 * peer.h - one player's connection, as the server and a duel both hold it: whole lines out of it,
 * bytes into it. Never parses a line, never blocks.
 *
 * Input is looked at before it is taken: a line stays in the socket until peer_take(). So when a
 * socket goes from the server to a duel or back, whatever has not been dealt with goes along in it.
 *
 * A half line that has been looked at would make poll() return at once, for ever. So the socket is
 * told to wake us only when there is more than that (SO_RCVLOWAT). That is set back when the
 * socket changes hands: by the server when it gives one to a duel, and again when it waits for one
 * that it has back, since a duel may have died or worse.
 */
#ifndef SERVER_SHARED_PEER_H
#define SERVER_SHARED_PEER_H

#include "proto/wire/error.h"
#include "proto/wire/line.h"

#include <stdint.h>

enum {
	PEER_LINES_A_TURN = 16,	  /* of one peer, before the others are heard */
	PEER_UNSENT_PAUSE = 8192, /* unsent bytes at which a peer is not heard */
	PEER_UNSENT_HARD = 16,	  /* times peer_limits.unsent: nobody is waited for beyond that */
};

#define PEER_MUTE SIZE_MAX
/* What every connection of this server may do; set once, before the first one. */
struct peer_limits {
	int burst;	   /* lines answered with ERROR, LIST or GAMES at once … */
	int a_second;	   /* … and on and on */
	size_t unsent;	   /* bytes that may wait for a peer who does not read, … */
	int64_t unsent_ms; /* … for this long */
};

#define PEER_LIMITS_DEFAULT                                                                        \
	{                                                                                          \
		.burst = 200, .a_second = 50, .unsent = 65536, .unsent_ms = 10000                  \
	}

extern struct peer_limits peer_limits;

/* What all connections of this process have been told. */
struct peer_counts {
	uint64_t bytes;
	uint32_t errors[ERROR_NONE];
};

extern struct peer_counts peer_counts;

struct bytes {
	char *data;
	size_t start, end, size;
};

enum { PEER_SMALL = 256 }; /* bytes: nearly all that is said fits */

struct peer {
	int fd;		  /* -1: none */
	int low_water;	  /* 0: nobody knows */
	size_t line;	  /* length of the line that peer_hear() gave and peer_take() will take */
	size_t seen;	  /* bytes looked at */
	struct bytes out; /* at first in `small` */
	struct bytes held;
	char small[PEER_SMALL];
	bool holding;
	size_t skip; /* bytes that another process has sent already; PEER_MUTE: all of them */
	bool broken;
	int64_t full_since; /* more than peer_limits.unsent has waited since then; 0: has not */
	int64_t answers_at; /* a token bucket, in thousandths of a line */
	int64_t answers;
};

enum heard {
	HEARD_NOTHING,
	HEARD_LINE,
	HEARD_ENDED,
	HEARD_TOO_LONG,
};

void peer_open(struct peer *peer, int fd);
void peer_close(struct peer *peer);

/* As peer_open(), for a socket that another process has had: `skip` bytes of what will be said to
 * it have been sent. */
void peer_take_over(struct peer *peer, int fd, size_t skip);

/* So much of what has been sent is neither ours nor of the process before us. */
void peer_skip(struct peer *peer, size_t bytes);

/* Throw away input that has been dealt with. */
void peer_take_bytes(struct peer *peer, size_t length);

/* Give the descriptor away and forget all else. What has not been sent is lost. */
int peer_give(struct peer *peer);

/* Before another process gets a copy of this socket; after it had one; before poll() or its like is
 * asked of it. */
void peer_ready_to_give(struct peer *peer);
void peer_take_back(struct peer *peer);
void peer_ready_to_watch(struct peer *peer);

/* The next line, without taking it; it is there until the next one is heard, of whatever peer.
 * `hung_up`: poll() says that no more will come. */
enum heard peer_hear(struct peer *peer, bool hung_up, char **line);
void peer_take(struct peer *peer);

/* A line; the LF is added here. It is sent by the next peer_flush(). */
void peer_say(struct peer *peer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void peer_say_line(struct peer *peer, const char *line);
void peer_say_bytes(struct peer *peer, const char *bytes, size_t length); /* whatever they are */
void peer_say_error(struct peer *peer, enum error error, const char *text);

/* While a peer is being told a LIST, what others make us say to it is held back, so that the LIST
 * comes in one piece. Lines of the LIST are sent as far as they can be, and so take no memory. */
void peer_hold(struct peer *peer);
void peer_release(struct peer *peer);
void peer_say_in_list(struct peer *peer, const struct text *lines);

/* Send what can be sent. False: the connection is broken, or has not read for too long. */
bool peer_flush(struct peer *peer, int64_t now);

/* The same when more will follow in a moment, maybe from another process: the kernel may keep it
 * back for up to 200 ms so that both go in one piece. */
bool peer_flush_more(struct peer *peer, int64_t now);
size_t peer_unsent(const struct peer *peer);
size_t peer_unsent_now(const struct peer *peer); /* without what is held back */

/* When peer_flush() wants to be called even if nothing happens; TIMER_NEVER mostly. */
int64_t peer_due(const struct peer *peer);

/* One more line that is only answered. False: too many of them. */
bool peer_may_ask(struct peer *peer, int64_t now);

/* How many more there may be just now; it goes with the socket to a duel. */
int peer_allowance(struct peer *peer, int64_t now);
void peer_set_allowance(struct peer *peer, int allowance, int64_t now);

#endif
