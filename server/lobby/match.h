/*
 * match.h - who meets whom. Pure: it knows wishes and the order of arrival, nothing of sockets.
 *
 * Waiting players stand in one queue for each shape of table, the longest waiting first. With them
 * are the tables of that shape that have room for newcomers, the oldest first. So whoever comes, and
 * whatever table has room, costs nothing to those of another shape.
 */
#ifndef SERVER_LOBBY_MATCH_H
#define SERVER_LOBBY_MATCH_H

#include "proto/table/shape.h"

#include <bsd/sys/queue.h>

enum {
	MATCH_QUEUES = 1024,
	MATCH_SEATS_MAX = 4, /* with which a table starts */
};

/* Somebody who waits; embedded in whatever they are. */
struct waiting {
	struct wish wish;
	uint64_t arrival;
	bool ready;	  /* may be seated now */
	unsigned party;	  /* meets only those of the same one; 0: all who have none */
	const bool *slow; /* … unless this holds: their address has started too many tables */
	struct queue *queue;
	TAILQ_ENTRY(waiting) after;
};

/* A table that newcomers may join; embedded in whatever it is. */
struct opening {
	uint64_t serial;     /* the older ones have the smaller ones */
	struct queue *queue; /* NULL: it has no room */
	TAILQ_ENTRY(opening) after;
};

struct queue {
	char shape[SHAPE_MAX];
	TAILQ_HEAD(line_of_shape, waiting) waiting;
	TAILQ_HEAD(openings, opening) openings; /* the oldest first */
	LIST_ENTRY(queue) next;			/* of the same hash */
};

struct queues {
	LIST_HEAD(, queue) hashed[MATCH_QUEUES];
};

/* Stand in line: behind those who came earlier, before those who came later. False: there is no
 * memory. */
bool match_enter(struct queues *queues, struct waiting *waiting);
void match_leave(struct waiting *waiting);

/* A table has room (false: there is no memory); it has none any more; all that have. */
bool match_open(struct queues *queues, struct opening *opening, const char *shape);
struct opening *match_openings(const struct queues *queues, const char *shape);
void match_shut(struct opening *opening);

/* Can `one` be seated with others who wait? Then all of them, in order of arrival, into `chosen`;
 * how many; 0 when not. They stay in line. The work is at most a look at each who stands in this
 * line. `slow_too`: as if nobody were slow, so those whom they will meet a little later. */
int match_find(struct waiting *one, struct waiting *chosen[GAME_SEATS_MAX], bool slow_too);

/* Give seats: `chosen` in order of arrival is put into the order of the seats, which is the same
 * but for two-sided games. There wishes are granted to the longest waiting first; `coin` (0 or 1)
 * decides when nobody wishes. */
void match_seat(struct waiting *chosen[], int coin);

#endif
