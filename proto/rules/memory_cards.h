/*
 * memory_cards.h - the cards of memory on the table, and who has turned up which. The rules' own.
 */
#ifndef PROTO_RULES_MEMORY_CARDS_H
#define PROTO_RULES_MEMORY_CARDS_H

#include "proto/rules/game.h"

enum {
	SIDE_MAX = 10,
	CARDS_MAX = SIDE_MAX * SIDE_MAX,
	SEATS = GAME_SEATS_MAX,
	LETTERS = 26,
	TEXTS = LETTERS * LETTERS,
};

#define NEVER	INT64_MAX
#define UNKNOWN '?'

enum side { DOWN, UP, LOCKED };

struct card {
	char text[2]; /* "??" when it is not known */
	uint8_t side; /* enum side */
	uint8_t seat; /* who turned it up or won it; 0 while it is down */
};

/* What one seat has turned up. */
struct hand {
	int64_t due; /* when it is turned down; NEVER while nothing is up */
	uint8_t up;  /* how many cards */
	uint8_t cell[2];
	uint8_t unused[5];
};

static const struct hand empty_hand = {.due = NEVER};

struct memory {
	struct hand hand[SEATS];
	struct card card[CARDS_MAX];
	uint16_t present; /* a bit for each seat */
	uint8_t seats;	  /* how many have been given out in this round */
	uint8_t size;
	uint8_t unused[4];
};

static inline int count_cards(const struct memory *m)
{
	return m->size * m->size;
}

/* memory_cards.c: nothing but the size, for a round that begins and for a position that is read. */
void memory_lay_out(struct memory *m, int size);

size_t memory_print_model(const void *state, char text[GAME_MODEL_MAX]);
bool memory_read_model(void *state, const char *model, int turn);

#endif
