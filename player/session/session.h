/*
 * session.h - one player at one server: the connection and what is known, kept together.
 *
 *      session.c        what to say when, and what to do when the connection breaks
 *      ├─ client.c          the connection: lines out, lines in
 *      ├─ view.c            what is known, and what follows from it
 *      │  └─ view_hear.c        the server's lines, read into it
 *      ├─ here.c            who is here, for those who want to know
 *      └─ keys.c            keys of PLAY that a command line says
 *      options.h        what the command line asked for
 *      signals.c        the signals that ask a player to end
 *      name.c           what a player is called who was given no name
 *
 * It connects when something is to be said, and after a lost connection it tries for some seconds
 * to take the same seat again (RESUME), or to ask again when there was none. Used in one loop:
 *
 *      timeout = session_poll(&session, &poll);  poll(...);  session_step(&session, revents);
 *      while ((happened = session_next(&session)) != SESSION_QUIET) ...
 */
#ifndef PLAYER_SESSION_SESSION_H
#define PLAYER_SESSION_SESSION_H

#include "player/session/client.h"
#include "player/session/here.h"
#include "player/session/options.h"
#include "player/session/view.h"

enum {
	SESSION_TRY_MS = 10000, /* how long a lost server is looked for */
};

enum session_event {
	SESSION_QUIET,	 /* nothing more has happened */
	SESSION_HEARD,	 /* a line; `heard` says what it was */
	SESSION_LOST,	 /* the connection broke; it is being made again */
	SESSION_REFUSED, /* we are back, but our seat is not */
	SESSION_GONE,	 /* there is no connection, and none will be tried; `trouble` says why */
};

/* A list whose END has not been heard. */
enum session_list { LIST_NONE, LIST_GAMES, LIST_TABLES };

/* What is said as soon as there is a connection. */
enum session_want { WANT_NOTHING, WANT_PLAY, WANT_RESUME };

struct session {
	const struct options *options;
	struct client client;
	struct view view;
	enum heard heard;
	bool stubborn; /* a lost server is looked for, whatever we were doing */
	void (*tap)(void *owner, const char *line); /* gets each line before it is read; or NULL */
	void *tap_owner;

	enum session_want want;
	bool active;	/* there should be a connection */
	bool was_open;	/* there has been one, and it is not given up */
	bool greeted;	/* what was wanted has been said on this connection */
	bool resuming;	/* RESUME has been said, and not been answered */
	bool searching; /* the connection was lost, and is tried until `until` */
	bool pausing;	/* until `try_at` */
	int64_t try_at, until;
	int pause;

	struct here *here;	/* what TABLES is heard into; NULL: it is never asked for */
	enum session_list list; /* that is being told */
	bool tells_nothing;	/* the server does not know TABLES */

	int clock; /* seconds for a turn at our table, 0: off */
	bool has_games;
	bool has_game[GAME_COUNT];    /* the server has game_at(i) */
	int server_clock[GAME_COUNT]; /* its default */
	char trouble[CLIENT_ERROR];
};

void session_init(struct session *session, const struct options *options, bool stubborn);
void session_close(struct session *session);

/* Connect without saying more than GAMES. */
void session_connect(struct session *session);

/* PLAY, as the options say; MOVE; RESIGN; LOGOUT. */
void session_play(struct session *session);

/* Instead of PLAY: take the seat that a token from elsewhere is for. */
void session_take(struct session *session, const char *token);
void session_move(struct session *session, const struct move *move);

/* The same, and "claim=win" or the like behind it, where nothing is judged; NULL: nothing. */
void session_claim(struct session *session, const struct move *move, const char *claim);
void session_resign(struct session *session);
void session_leave(struct session *session);

/* The program ends: leave, let the server hear it (that may take a moment), close. */
void session_quit(struct session *session);

/* Ask who is here. False: not now; it has been asked, or nobody could answer. */
bool session_look(struct session *session);

/* What a PLAY with these options comes to at this server, as far as it is known. */
void session_wish(const struct session *session, const struct options *options, struct wish *wish);

/* The defaults of a game at this server. */
void session_defaults(const struct session *session, const struct game *game, struct wish *wish);

int session_poll(const struct session *session, struct pollfd *entry);
void session_step(struct session *session, short events);
enum session_event session_next(struct session *session);

/* NULL, or why these options make no PLAY. */
const char *session_check(const struct options *options);

#endif
