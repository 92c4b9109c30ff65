/*
 * hnefatafl.c - how good a position of Hnefatafl looks, before its end can be seen. See `struct insight`
 * in search.h.
 *
 * Owns nothing, talks to nobody, and never looks a move ahead: that is the search's.
 *
 * What counts: how many pieces each side has lost; how many cells the king can move to; how many corners
 * the king can reach with one move or with two, as the pieces stand; whether the attackers stand around
 * the king, so that it can reach no corner but through them. A move that ends the game at once is seen
 * here too, so the search need not go as deep for it. The numbers were found in some thousands of short
 * games between bots with different numbers.
 */
#include "player/bots/search.h"

#include "proto/rules/hnefatafl.h"

enum { ATTACKERS = 16, DEFENDERS = 8 };

/* In points for the attackers; "it" is the king. */
enum {
	ATTACKER_WORTH = 57,
	DEFENDER_WORTH = 27,
	KING_STEP = -2,	  /* for each cell that it can move to */
	CORNER_1 = -140,  /* for each corner that it can be at with one move, */
	CORNER_2 = -13,	  /* or with two */
	SURROUNDED = 133, /* it cannot come to any corner but through attackers, */
	ROOM = -2,	  /* less so much for each cell that it has inside */
};

enum { KING_FALLS = 5000 }; /* it will be captured, or escape, with the next move */

/* A bit for each cell, the wall's too. */
__extension__ typedef unsigned __int128 cells;

#define BIT(cell) ((cells)1 << (cell))

static const cells corners = BIT(FIRST) | BIT(FIRST + SIDE - 1) | BIT(LAST - SIDE + 1) | BIT(LAST);

struct look {
	const struct hnefatafl *h;
	int king; /* 0: there is none */
	cells attackers, defenders, board, empty;
};

static const int steps[4] = {-WIDTH, -1, 1, WIDTH};

static int count(cells set)
{
	return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
}

static void look_at_board(struct look *look)
{
	for (int y = 0; y < SIDE; y++) {
		const uint8_t *row = &look->h->cell[FIRST + y * WIDTH];
		unsigned attackers = 0, defenders = 0;

		for (int x = 0; x < SIDE; x++) {
			attackers |= (unsigned)(row[x] == ATTACKER) << x;
			defenders |= (unsigned)(row[x] == DEFENDER) << x;
			if (row[x] == KING)
				look->king = FIRST + y * WIDTH + x;
		}
		look->attackers |= (cells)attackers << (FIRST + y * WIDTH);
		look->defenders |= (cells)defenders << (FIRST + y * WIDTH);
		look->board |= (cells)0x1ff << (FIRST + y * WIDTH);
	}
	look->empty = look->board & ~look->attackers & ~look->defenders & ~BIT(look->king);
}

/* ---- the king's way out ---- */

/* Where a rook can go from any of these cells. */
static cells slide(cells from, cells empty)
{
	cells up = from, down = from, left = from, right = from;

	for (int i = 1; i < SIDE; i++) {
		up |= up >> WIDTH & empty;
		down |= down << WIDTH & empty;
		left |= left >> 1 & empty;
		right |= right << 1 & empty;
	}
	return up | down | left | right;
}

static int value_of_ways(const struct look *look)
{
	cells once = slide(BIT(look->king), look->empty), twice = slide(once, look->empty);
	int near = count(once & corners), value;

	if (near > 0 && look->h->turn == 1)
		return -KING_FALLS;
	value = KING_STEP * (count(once) - 1);
	return value + near * CORNER_1 + (count(twice & corners) - near) * CORNER_2;
}

/* How far could the king come if only attackers stood in its way? */
static int value_of_ring(const struct look *look)
{
	cells open = look->board & ~look->attackers, reach = BIT(look->king), before;

	do {
		before = reach;
		reach |= (reach << 1 | reach >> 1 | reach << WIDTH | reach >> WIDTH) & open;
		if (reach & corners)
			return 0;
	} while (reach != before);
	return SURROUNDED + ROOM * count(reach);
}

/* ---- the attackers' grip ---- */

/* Can an attacker move to this cell, which is empty? */
static bool attacker_comes(const struct look *look, int cell)
{
	for (int s = 0; s < 4; s++) {
		int at = cell + steps[s];

		while (look->h->cell[at] == EMPTY)
			at += steps[s];
		if (look->h->cell[at] == ATTACKER)
			return true;
	}
	return false;
}

/* Will the king be captured between two? On the throne and beside it that takes more, and is left
 * to be seen when it happens. */
static bool is_taken_next(const struct look *look)
{
	const struct hnefatafl *h = look->h;

	if (h->turn != 0 || look->king == THRONE)
		return false;
	for (int s = 0; s < 4; s++)
		if (look->king + steps[s] == THRONE)
			return false;
	for (int s = 0; s < 4; s++) {
		int held = look->king + steps[s], open = look->king - steps[s];

		/* no attacker can stand on a corner, but it holds as one does */
		if ((h->cell[held] == ATTACKER || (BIT(held) & corners)) &&
		    h->cell[open] == EMPTY && !(BIT(open) & corners) && attacker_comes(look, open))
			return true;
	}
	return false;
}

static int value(const void *state)
{
	struct look look = {.h = state};
	int value;

	look_at_board(&look);
	value = ATTACKER_WORTH * (count(look.attackers) - ATTACKERS) -
		DEFENDER_WORTH * (count(look.defenders) - DEFENDERS);
	if (look.king == 0)
		return value;
	if (is_taken_next(&look))
		return value + KING_FALLS;
	return value + value_of_ways(&look) + value_of_ring(&look);
}

/* The rules keep a hash of each position for their own ends. What may still be played before the
 * round is drawn depends on the number of moves, so that counts too. */
static uint64_t key(const void *state)
{
	const struct hnefatafl *h = state;

	return h->past[h->moves] + (uint64_t)h->moves * UINT64_C(0x9e3779b97f4a7c15);
}

const struct insight hnefatafl_insight = {.game = &hnefatafl_game, .value = value, .key = key};
