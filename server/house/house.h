/*
 * house.h - holmgang-house: the program that starts a computer for each seat that a player asks for with bot=. The map
 * of this folder:
 *
 *      main.c     begins, finds the player's program, locks itself in (cage.c)
 *      house.c    hears the server, knows the bots, ends and reaps them
 *      bot.c      starts one: holmgang-player --bot, which goes to the server as everybody does
 *
 *      server ──pipe──▶ house      begin 1 127.0.0.1 1111            it is the first of this server's, which is there
 *                                  bot 7 easy-2 qwirkle 120 TOKEN    a seat is to be taken, by RESUME TOKEN
 *                                  gone 7                            that bot has no seat any more
 *
 * The house never answers: a bot that does not come in time the server waits for no longer. A bot ends by itself at the
 * end of its table; two seconds after `gone` it is killed. All bots die with the house, and it with the server.
 */
#ifndef SERVER_HOUSE_HOUSE_H
#define SERVER_HOUSE_HOUSE_H

#include "proto/table/shape.h"
#include "proto/wire/line.h"
#include "server/shared/config.h"
#include "server/trace/trace.h"

#include <netinet/in.h>
#include <sys/types.h>

enum { HOUSE_ADDRESS = INET6_ADDRSTRLEN + 24 /* with a zone */ };

struct house_bot {
	unsigned number; /* with the server */
	pid_t pid;
	int64_t kill_at; /* it has no seat, and should have ended; 0: it may live */
	char name[NAME_MAX_BYTES];
};

struct house {
	const struct config *config;
	int words;    /* from the server */
	int children; /* can be read when one has ended */
	int player;   /* the program of the bots; -1: it is not there */
	int nothing;  /* /dev/null, for what they would say */
	char address[HOUSE_ADDRESS], port[8];
	struct house_bot *bot; /* `bots` of `room` */
	size_t bots, room;
	struct trace_link link; /* of the server's words */
	struct line_reader reader;
};

/* What a bot is told when it is started. */
struct house_seat {
	const char *name, *level;
	const struct game *game;
	int clock; /* seconds for a turn; 0: off */
	const char *token;
};

/* The house's life. */
void house_run(struct house *house) __attribute__((noreturn));

/* The pid, or -1 with errno. */
pid_t bot_start(const struct house *house, const struct house_seat *seat);

#endif
