/*
 * player.h - what the command line asked for, and the three ways to spend it:
 *
 *      main ─┬─ menu ── table          a person, or several, at a terminal (on pages)
 *            ├─ autoplay ─┬─ bot       a program that plays alone
 *            │            └─ engine_seat ── engine    another's program that does, at our seat
 *            └─ viewer/watch           somebody who only looks on
 *
 * menu, table and autoplay talk to the server through session.h; none of them knows a game.
 */
#ifndef PLAYER_PLAYER_H
#define PLAYER_PLAYER_H

#include "../proto/args.h"
#include "../proto/shape.h"

struct level;

enum { OPTIONS_KEYS_MAX = 16 };

/* How an engine is reached. */
enum engine_way { ENGINE_NONE, ENGINE_BY_COMMAND, ENGINE_BY_CONNECTING, ENGINE_BY_LISTENING };

/* Lives as long as the program. The menu changes game, name and side. */
struct options {
	const char *host;
	uint16_t port;
	bool has_host; /* HOST was said */
	const struct game *game;
	char name[NAME_MAX_BYTES];
	const char *side; /* a name of this game's sides, or NULL: any */
	int keys;
	const char *key[OPTIONS_KEYS_MAX]; /* more of PLAY's keys, as said: "rounds=3" */
	int people; /* at one terminal, with --hotseat; 0: one, who is `name` */
	char person[GAME_SEATS_MAX][NAME_MAX_BYTES];
	bool bot;
	const struct level *level; /* of a bot */
	bool has_seed;
	uint32_t seed; /* of what a bot chooses by chance; drawn when none was said */
	enum engine_way engine_way;
	const char *engine; /* a command for the shell */
	char engine_host[80];
	uint16_t engine_port;
	const char *engine_log; /* NULL: engine-NAME.log */
	int engine_start;	/* s; for its start */
	int engine_limit;	/* s; for a move; 0: the table's clock, and a minute without one */
	long games;		/* a bot ends after so many duels; 0: never */
	int pace;		/* ms before each move of a bot; -1: as the game likes */
	struct ports watch;	/* broadcast ports to look at; none were said when it is empty */
	int ready_fd;		/* -1: nobody wants to know */
	bool ascii;
	int signals; /* can be read when a signal wants us to end (signals.h) */
};

/* main.c: NULL, or why these people cannot play this game at one terminal. */
const char *options_check_people(const struct options *options, const struct game *game);

/* autoplay.c: play alone, again and again. The program's exit status. */
int autoplay_run(struct options *options);

/* menu.c: the screens, until the person quits. The program's exit status. */
int menu_run(struct options *options);

#endif
