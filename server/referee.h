/*
 * referee.h - the map of a duel's process: what it knows, and which file does what with it.
 *
 *                       seats.c   hears the players, answers them, lets them go
 *      duel.c ──────▶   table.c   referees (pure), with table_moves.c and table_people.c
 *      the loop         show.c    sends the board to viewers
 *                       orders.c  hears the server, and tells it what has happened
 */
#ifndef SERVER_REFEREE_H
#define SERVER_REFEREE_H

#include "../proto/message.h"
#include "duel.h"
#include "peer.h"
#include "show.h"

enum stay {
	VACANT, /* nobody, or his socket is the server's again */
	AT_TABLE,
	LEAVING, /* the table is done with him, but he has not read everything */
};

/* A player as the duel holds him: what the table does not need to know. */
struct player {
	struct peer peer;
	bool full;    /* speaks the full dialect */
	bool listing; /* is being told a LIST … */
	char cursor[24];
	bool asked; /* … whose next lines have been asked for … */
	bool stale; /* … by a connection that is gone */
	enum stay stay;
	enum parting parting;
	int64_t leave_by; /* even if he has not read everything */
};

struct duel {
	struct table table;
	const struct config *config;
	struct duel_ends ends;
	struct player player[GAME_SEATS_MAX]; /* by place */
	int places;			      /* that have been used */
	int room_told;
	struct show show;
	struct line_reader reader; /* of the pipe from the server */
	char up_data[LINE_MAX_PIPE];
	struct text up; /* lines for the server that have not been written yet */
	bool said_farewell, orphaned;
	int64_t now;
};

/* seats.c */
bool seats_may_hear(const struct duel *duel, int seat);
void seats_hear(struct duel *duel, int seat, bool hung_up);
void seats_say_entry(struct duel *duel, int seat, char *word[]); /* of a LIST */
void seats_end_list(struct duel *duel, int seat, const char *cursor);
void seats_ask_for_lists(struct duel *duel);
void seats_flush(struct duel *duel);
void seats_let_go(struct duel *duel);
void seats_drop_socket(struct player *player);
void seats_take_back(struct duel *duel, int place, int fd); /* RESUME */
void seats_open(struct duel *duel, int place, int fd, bool full, int allowance);
bool seats_join(struct duel *duel, const struct seat *newcomer, int allowance, int fd);
void seats_tell_room(struct duel *duel);
int64_t seats_due(const struct duel *duel);

/* orders.c */
void orders_tell(struct duel *duel, enum message message, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void orders_flush(struct duel *duel);
void orders_hear(struct duel *duel);
void orders_hear_passing(struct duel *duel);

#endif
