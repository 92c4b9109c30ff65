/*
 * player.h - the players of the load client: connections that play a script.
 *
 * Nobody knows his opponent: who moves first says the first, third, … move of the script, the other
 * the second, fourth, …
 */
#ifndef BENCH_PLAYER_H
#define BENCH_PLAYER_H

#include "tests/bench/script.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLAYERS_MAX = 12000 };

enum heard {
	HEARD_START,
	HEARD_TURN, /* it is for this player to move; also after START */
	HEARD_END,
};

struct player {
	int fd;		     /* -1: nobody */
	unsigned connection; /* how many he has had */
	int next;	     /* the move of the script that is his next */
	int64_t since;	     /* for the scenario's use, in ns */
	size_t length;
	char in[512];
};

struct load {
	const struct script *script;
	uint16_t port;
	int epoll;
	bool spins; /* waits without sleeping: the quickest to notice */
	void (*heard)(struct load *load, struct player *player, enum heard heard);
	void *scenario;
	struct player player[PLAYERS_MAX];
};

int64_t load_now(void); /* ns */

/* Exits when it cannot. */
void load_open(struct load *load, uint16_t port, const struct script *script);

/* Wait for something, and deal with it. Exits when nothing comes for ten seconds. */
void load_turn(struct load *load);

void player_connect(struct load *load, struct player *player);
void player_play(struct load *load, struct player *player); /* says PLAY */
void player_move(struct load *load, struct player *player); /* or resigns, when there is none */
void player_leave(struct player *player);

#endif
