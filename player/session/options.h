/*
 * options.h - what the command line asked for.
 */
#ifndef PLAYER_SESSION_OPTIONS_H
#define PLAYER_SESSION_OPTIONS_H

#include "proto/wire/args.h"
#include "proto/table/shape.h"

struct level;

enum {
	OPTIONS_KEYS_SAID = 16, /* on a command line */
	OPTIONS_KEYS_MAX = 24,	/* with what is set in the lobby */
};

/* How an engine is reached. */
enum engine_way { ENGINE_NONE, ENGINE_BY_COMMAND, ENGINE_BY_CONNECTING, ENGINE_BY_LISTENING };

/* Lives as long as the program. The lobby changes game, name and side. */
struct options {
	const char *host;
	const struct game *game;
	const char *side;	    /* a name of this game's sides, or NULL: any */
	const char *computer;	    /* a level: the server supplies the opponents (bot=); or NULL */
	char rival[NAME_MAX_BYTES]; /* meet nobody else (vs=); or "" */
	const struct level *level;  /* of a bot */
	const char *engine;	    /* a command for the shell */
	const char *engine_log;	    /* of that */
	const char *key[OPTIONS_KEYS_MAX]; /* more of PLAY's keys, as said: "rounds=3" */
	int keys;
	long games;    /* alone: ends after so many duels; 0: never */
	int pace;      /* ms before each move of a bot; -1: as the game likes */
	int think;     /* ms that a bot may think about a move; 0: as ever (BOT_THINK_MS) */
	uint32_t seed; /* of what a bot chooses by chance, when has_seed */
	enum engine_way engine_way;
	int engine_start;	/* s; for its start */
	int engine_limit;	/* s; for a move; 0: the table's clock, and a minute without one */
	int people;		/* at one terminal, with --hotseat; 0: one, who is `name` */
	char token[TOKEN_TEXT]; /* of a seat that waits for us (--resume-fd); or "" */
	int ready_fd;		/* -1: nobody wants to know */
	int signals;		/* can be read when a signal wants us to end (signals.h) */
	struct ports watch;	/* broadcast ports to look at; none were said when it is empty */
	uint16_t port, engine_port;
	bool has_host; /* HOST was said */
	bool bot, has_seed, ascii;
	char engine_host[80];
	char name[NAME_MAX_BYTES];
	char person[GAME_SEATS_MAX][NAME_MAX_BYTES];
};

#endif
