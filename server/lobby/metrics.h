/*
 * metrics.h - what the server counts, and how it is told to Prometheus.
 *
 * Plain integers in the lobby, added to where things happen. Nothing is reckoned, formatted or
 * allocated until somebody asks.
 */
#ifndef SERVER_LOBBY_METRICS_H
#define SERVER_LOBBY_METRICS_H

#include "proto/rules/game.h"
#include "server/lobby/admission.h"

#include <stdint.h>

struct child;
struct text;
struct words;

/* How a table ended. */
enum metrics_end { METRICS_OVER, METRICS_CRASHED, METRICS_SHUTDOWN, METRICS_ENDS };

enum {
	METRICS_REASONS = 16,
	METRICS_BUCKETS = 12,
};

struct metrics_game {
	uint64_t started, ended[METRICS_ENDS];
	uint64_t rounds[METRICS_REASONS];
};

struct metrics {
	int64_t started_at; /* seconds since 1970 */
	uint64_t connections;
	uint64_t admission[ADMISSION_EVENTS];
	struct metrics_game game[GAME_COUNT];
	uint64_t recovered, crashes, resumed, spawners;
	uint64_t bots;			      /* that were asked of the house */
	uint64_t births[METRICS_BUCKETS + 1]; /* by how long they took; the last: longer */
	uint64_t births_ns;

	/* of tables that have ended, as their duels told */
	uint64_t boards, frames, bytes, errors[ERROR_NONE];
};

/* A clock for births; reading it is no system call. */
int64_t metrics_ns(void);

void metrics_note_birth(struct lobby *lobby, struct child *child);
void metrics_note_round(struct lobby *lobby, const struct child *child, const char *why);
void metrics_note_forgotten(struct lobby *lobby, const struct child *child);

/* What a duel says that it has done: a number of frames; the words of a farewell. False: no duel can have
 * done so much, or they make no sense. */
bool metrics_note_frames(struct lobby *lobby, const struct child *child, const char *word);
bool metrics_note_farewell(struct lobby *lobby, const struct child *child,
			   const struct words *words);

/* All of it in Prometheus' text format. */
void metrics_print(const struct lobby *lobby, struct text *text);

#endif
