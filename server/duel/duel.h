/*
 * duel.h - the map of this folder: holmgang-duels, the spawner and the duels that it forks.
 *
 *      main.c          from the command line on
 *      spawner.c       hears of a table, forks its duel                     the spawner
 *      open_journal.c  opens its journal before that
 *      cage.c          locks both in
 *      ------------------------------------------------------------------------------------------
 *      duel.c          the loop: wait, hear, let time pass, send            a duel
 *      players.c       hears the players, lets them go
 *      events.c        all that can happen: into the journal, then to the table
 *      parent_link.c   hears the server, and tells it what has happened
 *      feed.c          the board for viewers, as datagrams
 *      replay.c        takes the place of a duel that has died, from its journal
 *      tcp_counts.c    how far the dead one had read and written
 *
 * One move, drawn: `MOVE 0 0` of a player whose turn it is, in one turn of the loop. The server hears nothing
 * of it, as long as the journal is whole, but with --show-board. Of a move that ends a round it hears `result`,
 * before 5 if the table is done with that.
 *
 *      duel.c                   poll(): something has come on a player's socket
 *      |-- players.c            up to 16 lines of a player
 *      |   |-- peer.c           looks at a line: recv(MSG_PEEK)                                  1
 *      |   |-- events.c         which message is it? May it be said?
 *      |   |   |-- journal.c    write(): "1530 said 0 14 MOVE 0 0"                   > journal   2
 *      |   |   `-- moves.c      whose turn? The game (tictactoe.c) reads, judges, plays
 *      |   |       `-- table.c  what has happened is told:
 *      |   |           |-- dialect.c   each player in their own words; peer.c keeps them
 *      |   |           `-- feed.c      write(): one datagram an interface             > viewers   3
 *      |   `-- peer.c           takes the line: recv(MSG_TRUNC)                                  4
 *      `-- players.c            at the end of the turn
 *          `-- peer.c           write(): "STATE 0 0 1"                               > opponent  5
 *
 * These are ten files, with that of the game. All else on the way only turns bytes into words and back: line.c,
 * message.c, text.c, frame.c of proto/, and games.c for the game. The table (table.h) knows neither sockets
 * nor journals: what it has to say goes through a sink, which is in duel.c, a line or two for each.
 *
 * The order is the promise. Killed before 2, the duel has heard nothing: the line is still in the socket.
 * Killed later, the move has happened: whoever takes its place reads it in the journal, and the kernel's
 * counts tell what of 4 and 5 is still to be done.
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
	VACANT, /* nobody, or the socket is the server's again */
	AT_TABLE,
	LEAVING, /* the table is done with the player, who leaves at the end of this turn */
};

/* A player as the duel has them: what the table does not need to know. */
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
	struct feed feed;
	struct player player[GAME_SEATS_MAX]; /* by place */
	struct line_reader reader;	      /* of the pipe from the server */
	char up_data[DUEL_UP];
	struct text up; /* lines for the server that have not been written yet */
	const struct config *config;
	struct birth *birth;
	const struct ends *ends;
	struct trace_link link; /* its copy, which counts */
	int64_t opened_at;	/* the table, by clock_ms(), as if it had never stood still */
	int64_t now;		/* milliseconds since then */
	struct journal journal;
	bool over, said_ending, said_farewell, orphaned;
	bool replaying; /* what happens is in the journal, and has been said */
	int results;	/* of rounds, so far */
	int moves;	/* all of them, likewise */
	char room_told[4 * GAME_SEATS_MAX];
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

/* A spawner, before its first duel: what they log they will say over their pipes. Here, since a newborn should
 * write to as few pages as can be. */
void duel_divert_log(void);

/* Play the table to its end. */
void duel_run(struct birth *birth, const struct ends *ends, const struct config *config);

/* events.c: all that can happen to a table */
void events_open(struct duel *duel, const struct tcp_counts since[]);
bool events_said(struct duel *duel, int place, uint64_t taken, char *line);
bool events_refused(struct duel *duel, int place, uint64_t taken, enum error error);
void events_long(struct duel *duel, int place);
void events_lost(struct duel *duel, int place);
void events_tick(struct duel *duel);
void events_over(struct duel *duel);
bool events_join(struct duel *duel, int place, unsigned connection, const struct tcp_counts *since,
		 char *const word[]);
void events_back(struct duel *duel, int place, unsigned connection, const struct tcp_counts *since);
void events_listed(struct duel *duel, int place, uint64_t bytes);
void events_stop(struct duel *duel, const char *reason);
void events_wait_for_disk(struct duel *duel); /* where --sync wants it */

/* replay.c */
enum replayed {
	REPLAY_DONE,
	REPLAY_EMPTY,	/* no game has begun in this journal */
	REPLAY_REFUSED, /* it cannot be played */
};
enum replayed replay_journal(struct duel *duel);

/* The whole lines of one chapter, which stand in a file from `at`, which moves on, to `end`. Nothing else is
 * done. REFUSED: `line` is the one that makes no sense. */
enum replayed replay_chapter(struct duel *duel, int fd, off_t *at, off_t end, int *line);
enum replayed replay_settle(struct duel *duel);

/* players.c */
bool players_may_hear(const struct duel *duel, int place);
void players_hear(struct duel *duel, int place, bool hung_up);
void players_hear_listed(struct duel *duel, int place, unsigned connection, unsigned number,
			 uint64_t bytes);
void players_ask_for_lists(struct duel *duel);
void players_flush(struct duel *duel);
void players_let_go(struct duel *duel);
int players_handed(struct duel *duel, unsigned connection);
void players_drop_socket(struct duel *duel, int place);
void players_take_back(struct duel *duel, int place, unsigned connection, int fd); /* RESUME */
bool players_join(struct duel *duel, int place, unsigned connection, char *const words[], int fd);
void players_tell_room(struct duel *duel);
int64_t players_due(const struct duel *duel);

/* parent_link.c */
void parent_link_tell(struct duel *duel, enum message message, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void parent_link_tell_of_journal(struct duel *duel);
void parent_link_tell_ending(struct duel *duel);
void parent_link_tell_unsent(struct duel *duel, int place, const char *bytes, size_t length);
void parent_link_tell_farewell(struct duel *duel);
void parent_link_flush(struct duel *duel);
void parent_link_hear(struct duel *duel);
void parent_link_hear_handoff(struct duel *duel);

#endif
