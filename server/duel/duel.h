/*
 * duel.h - the map of a duel's process: what it knows, and which file does what with it.
 *
 *                       players.c    hears the players, lets them go
 *                       events.c   whatever happens to the table: into the journal, then to …
 *      duel.c ──────▶   table.c    … the referee (pure), with table/moves.c and people.c
 *      the loop         feed.c     sends the board to viewers
 *                       parent_link.c   hears the server, and tells it what has happened
 *                       replay.c   takes the place of a duel that has died, from its journal
 */
#ifndef SERVER_DUEL_DUEL_H
#define SERVER_DUEL_DUEL_H

#include "proto/wire/message.h"
#include "server/duel/ends.h"
#include "server/journal/journal.h"
#include "server/shared/peer.h"
#include "server/duel/feed.h"
#include "server/duel/tcp_counts.h"

/* Bytes of lines for the server: a farewell with all errors there are takes 400, a last frame 1,500. */
enum { DUEL_UP_LINE = 2048, DUEL_UP = DUEL_UP_LINE + 512 };

enum stay {
	VACANT, /* nobody, or his socket is the server's again */
	AT_TABLE,
	LEAVING, /* the table is done with him: at the end of this turn */
};

/* A player as the duel holds him: what the table does not need to know. */
struct player {
	struct peer peer;
	unsigned connection; /* its number; the same player may come with another */
	uint64_t taken;	     /* bytes of it that have been dealt with, as tcp_counts.h counts */
	bool full;	     /* speaks the full dialect */
	bool listing;	     /* is told a LIST, by the server, and nothing by us … */
	bool list_asked;     /* … which the server knows */
	unsigned lists;	     /* of this connection */
	int64_t hear_at;     /* its table has a long journal: not before */
	enum stay stay;
	enum parting parting;
};

struct duel {
	struct show show;
	struct player player[GAME_SEATS_MAX]; /* by place */
	struct line_reader reader;	      /* of the pipe from the server */
	char up_data[DUEL_UP];
	struct text up; /* lines for the server that have not been written yet */
	const struct config *config;
	struct birth *birth;
	const struct duel_ends *ends;
	struct trace_link link; /* its copy, which counts */
	int64_t origin;		/* when the table was opened, by clock_ms() */
	int64_t now;		/* milliseconds since then */
	struct journal journal;
	bool over, said_ending, said_farewell, orphaned;
	bool replaying; /* what happens is in the journal, and has been said */
	int results;	/* of rounds, so far */
	int moves;	/* all of them, likewise */
	int room_told;
	int places; /* that have been used */
	int handed_count;
	struct handed {
		unsigned connection;
		int fd;
	} handed[2 * GAME_SEATS_MAX +
		 1]; /* sockets that the server has handed over, not taken yet */
	struct table table;
};

/* duel.c */
int64_t duel_clock(const struct duel *duel);

/* events.c: all that can happen to a table */
void input_open(struct duel *duel, const struct stream since[]);
bool input_said(struct duel *duel, int place, uint64_t taken, char *line);
bool input_refused(struct duel *duel, int place, uint64_t taken, enum error error);
void input_long(struct duel *duel, int place);
void input_lost(struct duel *duel, int place);
void input_tick(struct duel *duel);
void input_over(struct duel *duel);
bool input_join(struct duel *duel, int place, unsigned connection, const struct stream *since,
		char *const word[]);
void input_back(struct duel *duel, int place, unsigned connection, const struct stream *since);
void input_listed(struct duel *duel, int place, uint64_t bytes);
void input_stop(struct duel *duel, const char *reason);
void input_wait_for_disk(struct duel *duel); /* where --sync wants it */

/* replay.c */
enum replayed {
	REPLAY_DONE,
	REPLAY_EMPTY,	/* no game has begun in this journal */
	REPLAY_REFUSED, /* it cannot be played */
};
enum replayed replay_journal(struct duel *duel);

/* The whole lines of one chapter, which stand in a file from `begin` to `end`. Nothing else is done. REFUSED:
 * `line` is the one that makes no sense. */
enum replayed replay_chapter(struct duel *duel, int fd, off_t begin, off_t end, int *line);
enum replayed replay_settle(struct duel *duel);

/* players.c */
bool seats_may_hear(const struct duel *duel, int seat);
void seats_hear(struct duel *duel, int seat, bool hung_up);
void seats_hear_listed(struct duel *duel, int seat, unsigned connection, unsigned number,
		       uint64_t bytes);
void seats_ask_for_lists(struct duel *duel);
void seats_flush(struct duel *duel);
void seats_let_go(struct duel *duel);
int seats_handed(struct duel *duel, unsigned connection);
void seats_drop_socket(struct duel *duel, int place);
void seats_take_back(struct duel *duel, int place, unsigned connection, int fd); /* RESUME */
bool seats_join(struct duel *duel, int place, unsigned connection, char *const words[], int fd);
void seats_tell_room(struct duel *duel);
int64_t seats_due(const struct duel *duel);

/* parent_link.c */
void orders_tell(struct duel *duel, enum message message, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void orders_tell_of_journal(struct duel *duel);
void orders_tell_ending(struct duel *duel);
void orders_tell_unsent(struct duel *duel, int place, const char *bytes, size_t length);
void orders_tell_farewell(struct duel *duel);
void orders_flush(struct duel *duel);
void orders_hear(struct duel *duel);
void orders_hear_passing(struct duel *duel);

#endif
