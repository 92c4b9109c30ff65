/*
 * position.h - what holds for any position of any game, for random_games.c.
 *
 * There is one game being played at a time, in `play`. What fails is printed with all that is
 * needed to see it again: "FAIL GAME NUMBER, step N, MODEL: what".
 */
#ifndef TESTS_UNIT_POSITION_H
#define TESTS_UNIT_POSITION_H

#include "proto/rules/game.h"

enum {
	STEPS_MAX = 20000,
	CANARY_MOVES = 4, /* behind the longest list */
};

/* What has been done to a state, so that it can be done again. */
struct step {
	enum { STEP_MOVE, STEP_TICK, STEP_JOIN, STEP_LEAVE, STEP_REFUSED } what;
	int seat;
	enum ruling ruling;
	struct move move;
	int64_t now;
};

struct play {
	const struct game *game;
	long number;
	uint64_t chance;
	struct setup setup;
	union game_state state;
	int seats;	  /* taken so far */
	uint16_t present; /* a bit for each seat that has not left */
	int64_t now;
	int steps;
	struct step step[STEPS_MAX];
};

extern struct play play;

void must(bool holds, const char *what);

#define MUST(holds) must(holds, #holds)

/* Chance, of this game alone. */
int draw(int below);

bool is_same(const union game_state *one, const union game_state *other);
bool is_present(int seat);
void check_event(const struct event *event);

/* The legal moves of a seat, checked and sorted, into listed[seat]. */
extern struct move listed[GAME_SEATS_MAX][GAME_MOVES_MAX + CANARY_MOVES];
extern int listed_count[GAME_SEATS_MAX];
void check_list(int seat);

/* Any bytes, or something near to a legal move of the list. */
struct move strange_move(int seat);

/* Look at the position from all sides; look whether it is the end. */
void check_position(void);
bool check_end_of_round(void);

/* Of a first position: what nobody may know makes no difference to what the public may know. */
void check_secrets(void);

#endif
