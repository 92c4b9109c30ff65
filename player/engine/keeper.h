/*
 * keeper.h - a command that cannot outlive us.
 *
 *      player ──life──▶ keeper ──▶ sh -c COMMAND ──▶ whatever that starts
 *             ◀─words──        ◀── standard error, into the log
 *
 * The keeper is a process between us and the command. Everything below it stays below it (it is the
 * reaper of all orphans there). When the life pipe is at its end, because we want it or because
 * somebody has killed us, it ends all of them, SIGTERM after a moment, SIGKILL after a deadline, and
 * then itself. It does the same when the command ends and leaves others behind.
 */
#ifndef PLAYER_ENGINE_KEEPER_H
#define PLAYER_ENGINE_KEEPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	KEEPER_QUIET_MS = 300,	  /* for a command that ends when its input does */
	KEEPER_TERM_MS = 1000,	  /* from SIGTERM to SIGKILL */
	KEEPER_GONE_MS = 3000,	  /* from the end of the life pipe until nobody waits any more */
	KEEPER_LOG_MAX = 4 << 20, /* bytes that a log may have */
};

struct keeper {
	pid_t pid;	/* 0: there is none */
	int life;	/* -1: the command is to end */
	int words;	/* at its end when all are gone */
	bool has_ended; /* the command itself */
	int status;	/* of it, as of waitpid() */
	int64_t until;	/* ms; when it should be gone; 0: it was not told to */
};

/* What the keeper and its child get; see keeper_child.c. */
struct keeper_job {
	const char *command, *log;
	int life, words; /* its ends */
	int in, out;	 /* of the command */
};

/* Start it: what is written to `to` is read by the command, `from` gives what it says. False: errno
 * says why. */
bool keeper_start(struct keeper *keeper, const char *command, const char *log, int *to, int *from);

/* Tell it to end all. */
void keeper_stop(struct keeper *keeper);

/* Read what it says, when `words` can be read or anyway. False: all are gone, or are given up. */
bool keeper_step(struct keeper *keeper);

/* keeper_stop(), and wait until all are gone, KEEPER_GONE_MS at most. */
void keeper_end(struct keeper *keeper);

/* keeper_child.c: the keeper itself. */
void keeper_run(const struct keeper_job *job) __attribute__((noreturn));

#endif
