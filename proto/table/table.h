/*
 * table.h - a table: seats, rounds, clocks and the referee's words. Pure: it knows no descriptor
 * and no clock but the time that it is told; what it has to say goes to a sink.
 *
 *      table.c        rounds and clocks
 *      ├─ moves.c         a player moves or resigns
 *      ├─ people.c        players go out, leave, are lost, come back, join
 *      └─ dialect.c       what the players hear of it, in both dialects
 *      shape.c        the keys of PLAY: what a table is to be like
 *      frame.c        one datagram, from which a viewer can draw a board
 *
 * The same inputs at the same times give the same words again, byte for byte.
 */
#ifndef PROTO_TABLE_TABLE_H
#define PROTO_TABLE_TABLE_H

#include "proto/wire/error.h"
#include "proto/table/frame.h"
#include "proto/rules/game.h"
#include "proto/table/shape.h"

enum presence { SEAT_HERE, SEAT_AWAY, SEAT_GONE };

struct seat {
	enum presence presence;
	int place;  /* what the owner of the table knows this player by */
	bool full;  /* speaks the full dialect */
	bool legal; /* wants LEGAL */
	bool bot;   /* is a computer that the server has supplied */
	bool out;   /* takes no further part in this round … */
	bool lost;  /* … and has heard so */
	char id[UUID_TEXT];
	char token[TOKEN_TEXT];
	char name[NAME_MAX_BYTES];
	int rounds_won;
	int wait;	 /* seconds that this player would look for opponents */
	int64_t back_by; /* when away */
};

/* How a seat's player leaves the table. */
enum parting {
	PARTING_DONE,	/* the table is done */
	PARTING_LOGOUT, /* asked for it */
	PARTING_LOST,	/* the connection is gone, or has to go */
};

/* All that can happen to a table, for who keeps a record of it. Whoever calls the functions below
 * with the same at the same times has the same table. */
enum deed {
	DEED_MOVE,    /* words: the move as the game prints it, and a claim */
	DEED_REFUSED, /* a move that was answered ERROR, and changed something all the same */
	DEED_RESIGN,
	DEED_LOGOUT,
	DEED_LOST,
	DEED_BACK,
	DEED_JOIN,
	DEED_TICK,
	DEED_STOP, /* words: the reason */
	DEEDS,
};

/* Ten years: no table is open for longer. Whoever reads a time from a record refuses a later one, so that
 * what is reckoned from it stays a number. */
#define TABLE_MS_MAX INT64_C(315360000000)

enum { DEED_WORDS = GAME_MOVE_TEXT + 16 };

/* Players are spoken of by their places: a seat's number may change from round to round. Each may be NULL:
 * nobody wants to hear. */
struct table_sink {
	void (*show)(void *owner); /* what the public sees has changed */
	void (*result)(void *owner, const char *why, uint16_t winners);
	void (*say)(void *owner, int place, const char *line);
	void (*away)(void *owner, int place); /* this connection can be forgotten */
	void (*part)(void *owner, int place, enum parting parting);
	void (*note)(void *owner, enum deed deed, int place,
		     const char *words); /* what happens to the table; place -1: nobody did it */
};

/* What a table is told at its beginning. */
struct table_rules {
	struct shape shape;
	char duel[UUID_TEXT];
	uint64_t seed;
	int first; /* who begins round 1 where that is drawn */
	int idle;  /* seconds */
	int grace;
	bool no_valid;
};

struct table {
	struct table_rules rules;
	const struct game *game;
	int seats;
	struct seat seat[GAME_SEATS_MAX];
	const struct table_sink *sink;
	void *owner;

	int round;
	bool done;
	bool frozen;	      /* fewer than two, in a game that goes on all the same */
	int countdown;	      /* of the one who is left, until the table is given up … */
	int64_t countdown_at; /* … and when it goes on */
	int64_t pause_by;     /* the next round begins then */
	int refused;	      /* the seat whose move has been refused … */
	enum ruling ruling;   /* … by this ruling, for table_after_error() */
	struct {
		int seat; /* whose move was answered ERROR, or -1 … */
		unsigned n;
		char words[DEED_WORDS];
	} asked;		    /* … and what it was, and `n` before it */
	unsigned n;		    /* states shown so far, less one */
	int turn;		    /* whose clock runs, or -1 */
	int64_t clock_by, idle_by;  /* TIMER_NEVER when off */
	char verdict[GAME_WHY_MAX]; /* of the present round, as a frame says it */
	char last_event[GAME_EVENT_TEXT];
	int last_seat; /* who did it; -1: nobody, a round begins or has ended otherwise */
	char aborted[GAME_WHY_MAX];		   /* the reason, or "" */
	char scores[GAME_SEATS_MAX * 8];	   /* as they stand … */
	bool scores_new;			   /* … and not all have heard */
	union game_state state;			   /* late: most games use little of it */
	char rack[GAME_SEATS_MAX][GAME_RACK_TEXT]; /* by seat: as it has been told */
	char why_not[GAME_REASON_TEXT];		   /* the move that was refused last */
};

/* The seats' ids, names, dialects are in place; say START to all. */
void table_open(struct table *table, int64_t now);

/* A player says something about the game: words behind MOVE, or RESIGN, or LOGOUT. `text` is what an error says
 * to people, until the next one; it is left alone where the error's own words do. */
enum error table_move(struct table *table, int seat, char *words[], int count, int64_t now,
		      const char **text);
enum error table_resign(struct table *table, int seat, int64_t now);
void table_logout(struct table *table, int seat, int64_t now);

/* Right after the answer to an error: what a refused move does all the same. */
void table_after_error(struct table *table, int64_t now);

/* The seat of a place; -1: it has none (any more). */
int table_seat_of(const struct table *table, int place);

/* How many newcomers could join now; one joins. False: there is no room any more. */
int table_room(const struct table *table);
bool table_join(struct table *table, const struct seat *newcomer, int64_t now);

/* A connection is gone; a seat is taken again (`was_here`: from a living connection). */
void table_lose(struct table *table, int seat, int64_t now);
void table_return(struct table *table, int seat, bool was_here, int64_t now);

/* End the table with ABORTED and this reason. */
void table_stop(struct table *table, const char *reason);

/* When table_tick() wants to be called. */
int64_t table_due(const struct table *table);
void table_tick(struct table *table, int64_t now);

/* For dialect.c and record.c. */
uint16_t table_bit(int seat);
int table_turn(const struct table *table);
bool table_is_over(const struct table *table); /* the present round */
bool table_may_move(const struct table *table, int seat);

/* What the public may see now. */
void table_fill_frame(const struct table *table, struct frame *frame);

#endif
