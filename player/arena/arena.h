/*
 * arena.h - tournaments: what was asked for, who plays whom, what came of it.
 *
 *      main.c ─┬─ options.c       the command line
 *              ├─ schedule.c      which game is played by whom (pure)
 *              ├─ results.c       the file of results
 *              ├─ run.c           the games: holmgang-player once for each seat
 *              │  └─ server.c         a server of our own
 *              └─ report.c        tables, and a bar
 *                 ├─ stats.c          what results mean (pure)
 *                 └─ sheet.c           a table as wide as the terminal is
 *
 * A game is known by its number in the schedule, which follows from the command line alone; so
 * whatever has been played can be left out when the same command is given again.
 */
#ifndef PLAYER_ARENA_ARENA_H
#define PLAYER_ARENA_ARENA_H

#include "player/arena/stats.h"

#include "proto/wire/args.h"
#include "proto/table/shape.h"

#include <stdio.h>
#include <sys/types.h>

enum {
	ARENA_PLAYERS_MAX = 32,
	ARENA_KEYS_MAX = 12,
	ARENA_GAMES_MAX = 10000000,
	ARENA_AT_ONCE_MAX = 64,
};

/* One who takes part: a command, or a level of the built-in bot. */
struct entrant {
	char name[NAME_MAX_BYTES];
	const char *command, *level;
	int think; /* ms, of a level; 0: as ever */
};

struct arena_options {
	const struct game *game;
	int entrants;
	struct entrant entrant[ARENA_PLAYERS_MAX];
	int keys; /* more of PLAY's, the same for each table */
	const char *key[ARENA_KEYS_MAX];
	long rounds;
	int games, seats, at_once;
	bool repeat, gauntlet, recover, has_sprt;
	struct sprt sprt;
	uint32_t seed;
	const char *out, *log; /* NULL: none */
	char host[80];	       /* "": a server of our own */
	uint16_t port;
};

/* One game of the schedule: the entrants by seat. */
struct pairing {
	int seats;
	int entrant[GAME_SEATS_MAX];
};

/* Why somebody lost, where it was not the game's doing. */
enum fault { FAULT_NONE, FAULT_TIMEOUT, FAULT_CRASH, FAULT_ILLEGAL };

/* What came of a game, by seat. */
struct result {
	bool played;
	uint8_t place[GAME_SEATS_MAX]; /* from 1; who shares one has the best of them */
	uint8_t fault[GAME_SEATS_MAX]; /* enum fault */
	int points[GAME_SEATS_MAX];
	bool has_points;
	char why[GAME_WHY_MAX], duel[UUID_TEXT];
};

struct arena {
	struct arena_options options;
	long games, played; /* of all; of those in `result` */
	long reach;	    /* from this game on none has been played */
	struct result *result;
	FILE *out;	  /* NULL: none */
	char folder[256]; /* of our own server, or "" */
	pid_t server;	  /* 0: it is not ours */
	bool failed;	  /* something of our own went wrong: what, has been said */
};

/* options.c: exits when it is wrong. */
void arena_options_read(struct arena_options *options, int argc, char *argv[]);

/* schedule.c */
long arena_count_games(const struct arena_options *options);
void arena_pairing(const struct arena_options *options, long game, struct pairing *pairing);

/* The score of a seat, from 0 to 1: how many of the others it was placed before. */
double arena_score(const struct result *result, int seats, int seat);

/* results.c: what was played before is read; false: why has been said. */
bool arena_results_open(struct arena *arena);
bool arena_results_add(struct arena *arena, long game);

/* server.c: start one on the loopback; end it and take its folder away. */
bool arena_server_start(struct arena *arena);
void arena_server_end(struct arena *arena);
bool arena_server_is_well(struct arena *arena);

/* run.c: play what has not been played. False: a signal wants us to end, or it failed. */
bool arena_run(struct arena *arena, int signals);

/* report.c */
enum verdict arena_sprt(const struct arena *arena, double *ratio);
void arena_show_progress(const struct arena *arena, int running);
/* What is said next begins a line of its own. */
void arena_end_progress(void);
void arena_report(const struct arena *arena);

#endif
