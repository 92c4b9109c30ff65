/*
 * limits.h - how much one address may have: connections and tables at once, and tables started a
 * second. Pure: it is told the time, and knows nothing of sockets or players.
 *
 * The loopback is counted but never limited: whoever is on the machine itself can do worse than
 * connect often, and scripts there play with thousands.
 */
#ifndef SERVER_LOBBY_LIMITS_H
#define SERVER_LOBBY_LIMITS_H

#include "server/shared/address.h"

#include <stdint.h>

#include <bsd/sys/queue.h>

struct visitor;

enum {
	LIMITS_BUCKETS = 4096,
	LIMITS_WINDOW_MS = 1000, /* in which tables are counted */
};

/* What is known of an address. It lives as long as it has a connection, a seat, or a table that
 * still counts. */
struct origin {
	struct address_key key;
	bool exempt;
	unsigned connections;
	unsigned held;	 /* tables at which it has seats, also of those who are away */
	unsigned tables; /* started … */
	int64_t since;	 /* … in the second that began then */
	bool slow;	 /* may start no more in that second */

	/* for turns.c */
	uint64_t turn;			/* of the loop, in which … */
	int64_t spent;			/* … so many ns have been spent with it */
	unsigned heard;			/* its visitors that are being heard just now */
	TAILQ_HEAD(line, visitor) line; /* those who stand in line … */
	bool crowded;			/* … and with them it is in lobby.crowded */
	SLIST_ENTRY(origin) next_crowded;
	LIST_ENTRY(origin) next; /* in its bucket */
};

struct limits {
	unsigned connections_max; /* of one address */
	unsigned tables_max;	  /* of one address, in a second; 0: any number */
	unsigned held_max;	  /* tables of one address at once; 0: any number */
	uint32_t seed;		  /* so that nobody can choose addresses that share a bucket */
	size_t origins;
	unsigned slow; /* origins that are */
	LIST_HEAD(bucket, origin) bucket[LIMITS_BUCKETS];
};

/* One more connection. NULL: this address has as many as it may, or there is no memory, which
 * errno tells (ENOMEM). */
struct origin *limits_enter(struct limits *limits, const union address *address);

/* One fewer. */
void limits_leave(struct limits *limits, struct origin *origin, int64_t now);

/* A table has been started from here. */
void limits_count_table(struct limits *limits, struct origin *origin, int64_t now);

/* A table at which nobody from here had a seat before; one at which nobody has any more. */
void limits_hold(struct origin *origin);
void limits_let_go(struct limits *limits, struct origin *origin, int64_t now);

/* It has seats at as many tables as it may. */
bool limits_holds_enough(const struct limits *limits, const struct origin *origin);

/* Nobody is slow any more whose second is over. When the next one's will be; INT64_MAX: none is.
 * Forgets the addresses of which nothing is left to know. */
int64_t limits_refresh(struct limits *limits, int64_t now);

#endif
