/*
 * view.h - what a player knows: the server's lines in, the duel out.
 *
 * Pure: no descriptor, no clock, no terminal. Nothing that the server says is believed before it
 * has been read word by word, so what is in a view may be shown on any terminal.
 */
#ifndef PLAYER_SESSION_VIEW_H
#define PLAYER_SESSION_VIEW_H

#include "proto/table/frame.h"

enum {
	VIEW_WORD = 24,	 /* bytes of an error's code, with the NUL */
	VIEW_TEXT = 112, /* bytes of an error's text, with the NUL */
};

enum view_phase {
	VIEW_IDLE,    /* the server does not know us */
	VIEW_ASKED,   /* PLAY or RESUME has been said, ID has not been heard */
	VIEW_WAITING, /* registered, looking for opponents */
	VIEW_PLAYING,
	VIEW_BETWEEN, /* a round is over, the table goes on */
};

enum view_result { RESULT_NONE, RESULT_WIN, RESULT_LOSE, RESULT_DRAW };

/* What a line has changed. */
enum heard {
	HEARD_NOTHING,	/* a line that we do not know, of a later version */
	HEARD_NONSENSE, /* a line that we know, but cannot be meant so */
	HEARD_ID,
	HEARD_COUNTDOWN,
	HEARD_NOBODY, /* the looking has ended */
	HEARD_START,
	HEARD_STATE, /* a turn begins */
	HEARD_BOARD,
	HEARD_RACK,
	HEARD_LEGAL,
	HEARD_AWAY, /* a seat is away, or back; `spoken_of` says which */
	HEARD_NEWS, /* a score, or whether the game is frozen */
	HEARD_END,  /* of a round, for us; others may go on (`is_out`) */
	HEARD_ROUND,
	HEARD_ABORTED,
	HEARD_ERROR,
};

struct view {
	const struct game *game; /* what was asked for with PLAY */
	enum view_phase phase;
	bool leaving; /* LOGOUT has been said; nothing counts until its answer */

	char id[UUID_TEXT];
	char token[TOKEN_TEXT]; /* "" when there is none to RESUME with */
	int countdown;		/* seconds left for the looking; -1: not said yet */

	/* the duel, of which the last one stays to be looked at */
	struct frame now, before; /* `before` is the position before the last turn */
	bool has_board, has_before;
	int before_mover;	   /* whose turn `before` was; -1: not known */
	int seat;		   /* ours */
	char rack[GAME_RACK_TEXT]; /* what we alone have been told, or "" */
	bool turn_is_ours;
	bool has_moved;			/* and the referee has not answered yet */
	struct event last;		/* the last STATE; seat -1: there was none in this round */
	char last_name[NAME_MAX_BYTES]; /* of who did it, who may be gone by now; or "" */
	int next;			/* the seat that moves after `last`; -1: not known */
	uint16_t out;		  /* a bit for each seat that has no further part in the round */
	int spoken_of;		  /* a seat */
	int away[GAME_SEATS_MAX]; /* seconds that a seat has to come back; 0: it is here */
	bool frozen;
	bool is_out;		 /* our part in the round is over, that of others is not */
	enum view_result result; /* of the last round */
	char why[GAME_WHY_MAX];	 /* it ended so for us */
	int won[GAME_SEATS_MAX]; /* rounds, by seat */
	bool round_is_told;	 /* ROUND has been heard after the end of a round */
	bool is_done;		 /* the table has ended */

	char reason[GAME_WHY_MAX]; /* of ABORTED, or "" */
	char error_code[VIEW_WORD];
	char error_text[VIEW_TEXT];

	int moves; /* that are legal now; 0 when it is not our turn */
	struct move move[GAME_MOVES_MAX];
};

void view_init(struct view *view);

/* We are about to say PLAY, RESUME, LOGOUT or MOVE; the connection is lost for good. */
void view_ask(struct view *view, const struct game *game);
void view_resume(struct view *view);
void view_leave(struct view *view);
void view_move(struct view *view);
void view_forget(struct view *view);

/* A round begins: its frame as far as START tells, our seat, whether we begin. */
void view_begin_round(struct view *view, const struct frame *frame, int seat, bool ours);

/* view_hear.c: a line of the server, which is cut up. */
enum heard view_hear(struct view *view, char *line);

/* Do seats move in turn? If not, whoever likes does, at any time. */
bool view_has_turns(const struct game *game);

/* Whose turn it will be after this event: the server says only whether it is ours. Among more than
 * two, seats follow in their order. */
void view_guess_next(struct view *view, const struct event *event, bool ours);

/* A model into a state, with the turn as far as it is known. False: no such position can be. */
bool view_read_model(const struct view *view, const char *model, union game_state *state);

/* The position as far as we know it, for the rules. False: there is none. */
bool view_state(const struct view *view, union game_state *state);

/* May we move, and is it known how? */
bool view_may_move(const struct view *view);

/* Is there something that a RESUME could take up again? */
bool view_can_resume(const struct view *view);

/* Which of view->move[] this is; -1: it is not listed. */
int view_find_move(const struct view *view, const struct move *move);

/* The names of all other seats: "ben" or "ben, carl". */
void view_print_opponents(const struct view *view, struct text *text);

/* The table's result so far: by rounds won, or that of the only round. */
enum view_result view_table_result(const struct view *view);

#endif
