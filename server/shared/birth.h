/*
 * birth.h - all that a new duel is told: its table, as lines of text. The server writes them, the
 * spawner reads them, and its duel finds all of it read.
 *
 *      table 3 5d0e…-uuid open 0123456789abcdef 1 tictactoe table= rounds=1 clock=120 strict=off
 *      seat 91c2…-uuid 32-hex-digits anna full on 200 10
 *      seat 77aa…-uuid - anon classic off 187 10
 *      warrant 40c1…-32-hex-digits
 *      date 2026-11-18T15:04:05Z
 *      here 0 0
 *      here 1 1
 *
 * The words of `table` are its number with the server, its UUID, whether anybody may come to it later
 * (`closed`: neither newcomers nor, since all are classic players, one who comes back), the seed of its
 * chance, who begins round 1 where that is drawn, and its shape. Those of a `seat`: id, token, name, dialect,
 * whether it wants LEGAL (`bot`: it does, and is one of the house's), how many lines may still be only answered, and how long it looks for opponents;
 * seats are in their order. `here` is a place at the table and the number of the connection that it has: its
 * socket is handed over too, in this order. Two lines more there may be:
 *
 *      feeds 1                  the table can be watched: so many sockets to send its frames by, one for
 *                               each interface, are handed over before those of the players
 *      kept 5d0e71aa4c1c2a3b    what its journal holds so far is in the database, up to the duel with this
 *                               sign (folder.h); only for a new table
 *
 * A duel whose process has died is born again, with `again` for `table`. Its journal knows the game;
 * the server knows who is still there, and what it has heard of the game:
 *
 *      chapter 4711             where its chapter begins in its journal
 *      told 1                   one result (-: all that are in the journal)
 *      here 0 2                 the socket of connection 2
 *      away 1                   this player has no connection
 *      returning 1 3            but is on the way back, with connection 3
 *      joining 2 4              a newcomer who is on the way to this place
 */
#ifndef SERVER_SHARED_BIRTH_H
#define SERVER_SHARED_BIRTH_H

#include "proto/table/table.h"
#include "proto/time/timers.h"

#include <sys/types.h>

enum {
	BIRTH_MAX = 4096,
	BIRTH_SEAT_WORDS = 7,
	WARRANT_TEXT = 33,
	BROADCAST_INTERFACES_MAX = 64, /* sockets of one broadcast port */
};

struct birth {
	unsigned table; /* the number under which the server knows it */
	char duel[UUID_TEXT];
	bool open; /* somebody may come to it later */
	uint64_t seed;
	int first;
	struct shape shape;
	int seats;
	struct seat seat[GAME_SEATS_MAX];
	int allowance[GAME_SEATS_MAX]; /* lines that are only answered, see peer.h */

	char warrant[WARRANT_TEXT]; /* of the table and its seats, see warrant.h; "": none */

	char date[CLOCK_DATE]; /* of its birth */
	uint64_t
	    kept; /* the sign of the journal's last game, if the database has it; see folder.h */
	bool again;
	int results;   /* -1: as `-` above */
	off_t chapter; /* again: where its chapter begins in its journal */
	int feeds;     /* sockets for its frames that are handed over */
	int sockets;   /* of players that are */
	struct birth_socket {
		int place;
		unsigned connection;
		enum birth_socket_kind { SOCKET_HERE, SOCKET_RETURNING, SOCKET_JOINING } kind;
	} socket[2 * GAME_SEATS_MAX];
	uint16_t away; /* a bit for each place */
};

size_t birth_print(const struct birth *birth, char text[BIRTH_MAX]);

/* The table and its seats alone, as a journal has them; its first word is `table` or `again`. */
void birth_print_table(const struct birth *birth, const char *word, struct text *text);

/* The line behind them, if there is one. */
void birth_print_warrant(const struct birth *birth, struct text *text);

/* False: the text is not what birth_print() makes; without a game if not even its first line is. */
bool birth_read(struct birth *birth, const char *text, size_t length);

/* One line in the head of a chapter, into a `birth` that is empty at first: the table and its seats, and
 * nothing that only the server says to a newborn. */
bool birth_read_head(struct birth *birth, char *line);

/* Has it as many seats as its shape wants? Only so can it be played: the rules of a game for two have no word
 * for a third. */
bool birth_is_seated(const struct birth *birth);

/* The words of one seat: also those of somebody who joins later. */
void birth_print_seat(const struct seat *seat, int allowance, struct text *text);
bool birth_read_seat(struct seat *seat, int *allowance, char *const words[]);

/* The number of a connection: also of one that comes later. */
bool birth_read_connection(const char *word, unsigned *connection);

#endif
