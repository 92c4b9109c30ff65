/*
 * engine.h - a program of somebody else's that plays: started, told lines, heard, ended.
 *
 *      seat.c                at our seat: told what the server says, asked for its moves
 *      └─ engine.c               one engine, from its start to its end
 *         ├─ reach.c                 how it is reached: a child, a connection, a port that listens
 *         ├─ channel.c               lines to it and from it
 *         └─ keeper.c                a child that cannot outlive us:
 *            └─ keeper_child.c           the process between us and it
 *               └─ family.c                  all that descends from that
 *      options.c             its part of the command line
 *
 * However it is reached, as a child with two pipes or over TCP in either direction, it looks the
 * same from here. It fails in one of three ways, which are told apart.
 */
#ifndef PLAYER_ENGINE_ENGINE_H
#define PLAYER_ENGINE_ENGINE_H

#include "player/engine/channel.h"
#include "player/engine/keeper.h"
#include "player/session/options.h"

enum { ENGINE_WHY = 200, ENGINE_POLLS = 4 };

enum failure {
	FAILURE_NONE,
	FAILURE_CRASHED,  /* it has ended, or closed what we hear it by */
	FAILURE_HUNG,	  /* it does not start, read or answer in time */
	FAILURE_PROTOCOL, /* it says what it must not */
};

enum engine_state {
	ENGINE_IDLE,	 /* there is none; an old one may still be on its way out */
	ENGINE_STARTING, /* it has not shown yet that it is there */
	ENGINE_UP,
};

enum engine_event { ENGINE_QUIET, ENGINE_READY, ENGINE_SAID, ENGINE_FAILED };

struct engine {
	const struct options *options;
	enum engine_state state;
	struct channel channel;
	bool reached;	  /* the channel is open */
	int64_t until;	  /* ms; when it must be up; 0: there is no limit */
	int64_t try_at;	  /* ms; when to connect again */
	int tries;	  /* to connect, since its start */
	int64_t ended_at; /* ms; it closed its output, why is not known yet; 0: it has not */
	struct keeper keeper;
	int socket; /* that listens, or is being connected; -1: none */
	enum failure failure;
	char why[ENGINE_WHY];
	char *line; /* that it said */
};

const char *failure_word(enum failure failure);

/* False: `why` says what of the options cannot be had. */
bool engine_open(struct engine *engine, const struct options *options);
void engine_close(struct engine *engine);

/* Start one afresh; it will first be told these lines. The old one is ended. */
void engine_start(struct engine *engine, const char *lines);
void engine_tell(struct engine *engine, const char *line);

/* End it, for this reason. */
void engine_fail(struct engine *engine, enum failure failure, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* `wanted`: may it say something now? How long to wait at most, in ms, or -1. */
int engine_poll(const struct engine *engine, bool wanted, struct pollfd entry[ENGINE_POLLS]);
void engine_step(struct engine *engine, const struct pollfd entry[ENGINE_POLLS]);
enum engine_event engine_next(struct engine *engine);

/* reach.c: how it is reached. Try to; false when it failed. */
bool engine_reach_open(struct engine *engine);
bool engine_reach(struct engine *engine, short events);

#endif
