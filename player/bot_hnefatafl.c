/*
 * bot_hnefatafl.c - how good a position of Hnefatafl looks, to who cannot see its end.
 *
 * What counts: who has lost how many pieces; in how many moves the king can be at each corner, as
 * the pieces stand; which corners the attackers have closed off altogether, so that he can only
 * come there through them; how they stand around him and before the corners. The numbers were found
 * by letting bots with other numbers play against this one.
 */
#include "bot_search.h"

#include "../proto/hnefatafl.h"

enum { ATTACKERS = 16, DEFENDERS = 8, CORNERS = 4, FAR = 4 };

#ifndef TUNE
#define TUNE
/* In points for the attackers. */
enum {
	ATTACKER_WORTH = 14,
	DEFENDER_WORTH = 26,
	KING_STEP = -2,	     /* for each cell that he can move to */
	KING_BESIDE = 12,    /* for each attacker beside him */
	KING_HALF_HELD = 15, /* one more on the other side would capture him */
	CORNER_1 = -120,     /* the king is one move away from a corner, */
	CORNER_2 = -45,	     /* two, */
	CORNER_3 = -15,	     /* three */
	CORNER_CLOSED = 30,
	ALL_CLOSED = 200,  /* he is surrounded */
	ROOM = -1,	   /* for each cell in which he is */
	GUARD = 5,	   /* for each attacker next but one to a corner */
	KING_TAKEN = 5000, /* he will be captured, or escape, with the next move */
};
#endif

/* A bit for each cell, the wall's too. */
__extension__ typedef unsigned __int128 cells;

struct look {
	const struct hnefatafl *h;
	int king; /* 0: there is none */
	cells attackers, defenders, board, empty;
};

static const int steps[4] = {-WIDTH, -1, 1, WIDTH};
static const int corner[CORNERS] = {FIRST, FIRST + SIDE - 1, LAST - SIDE + 1, LAST};

static cells bit(int cell)
{
	return (cells)1 << cell;
}

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
	look->empty = look->board & ~look->attackers & ~look->defenders;
	if (look->king != 0)
		look->empty &= ~bit(look->king);
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
	const int worth[FAR] = {0, CORNER_1, CORNER_2, CORNER_3};
	cells reach = bit(look->king);
	int value = 0;

	for (int moves = 1; moves < FAR; moves++) {
		cells before = reach;

		reach = slide(reach, look->empty);
		for (int c = 0; c < CORNERS; c++)
			if (reach & ~before & bit(corner[c]))
				value += moves == 1 && look->h->turn == 1 ? -KING_TAKEN
									  : worth[moves];
		if (moves == 1)
			value += KING_STEP * (count(reach) - 1);
	}
	return value;
}

/* How far the king could come if nobody but attackers stood in his way. */
static int value_of_closure(const struct look *look)
{
	cells open = look->board & ~look->attackers, reach = bit(look->king), before;
	int closed = 0;

	do {
		before = reach;
		reach |= (reach << 1 | reach >> 1 | reach << WIDTH | reach >> WIDTH) & open;
	} while (reach != before);
	for (int c = 0; c < CORNERS; c++)
		closed += (reach & bit(corner[c])) == 0;
	return closed * CORNER_CLOSED + (closed == CORNERS ? ALL_CLOSED + ROOM * count(reach) : 0);
}

/* ---- the attackers' grip ---- */

/* Can an attacker move to this empty cell? */
static bool attacker_comes(const struct look *look, int cell)
{
	if (look->h->turn != 0 || cell == THRONE)
		return false;
	for (int s = 0; s < 4; s++) {
		int at = cell + steps[s];

		while (look->h->cell[at] == EMPTY)
			at += steps[s];
		if (look->h->cell[at] == ATTACKER)
			return true;
	}
	return false;
}

static bool needs_all_sides(int king)
{
	return king == THRONE || king == THRONE - WIDTH || king == THRONE - 1 ||
	       king == THRONE + 1 || king == THRONE + WIDTH;
}

static int value_of_grip(const struct look *look)
{
	const struct hnefatafl *h = look->h;
	int value = 0;

	for (int s = 0; s < 4; s++) {
		int other = look->king - steps[s];

		if (h->cell[look->king + steps[s]] != ATTACKER)
			continue;
		value += KING_BESIDE;
		if (h->cell[other] != EMPTY || needs_all_sides(look->king))
			continue;
		value += attacker_comes(look, other) ? KING_TAKEN : KING_HALF_HELD;
	}
	return value;
}

static int value_of_guards(const struct look *look)
{
	static const int guard[CORNERS][3] = {
	    {FIRST + 2, FIRST + WIDTH + 1, FIRST + 2 * WIDTH},
	    {FIRST + SIDE - 3, FIRST + SIDE - 2 + WIDTH, FIRST + SIDE - 1 + 2 * WIDTH},
	    {LAST - SIDE + 3, LAST - SIDE + 2 - WIDTH, LAST - SIDE + 1 - 2 * WIDTH},
	    {LAST - 2, LAST - 1 - WIDTH, LAST - 2 * WIDTH},
	};
	int guards = 0;

	for (int c = 0; c < CORNERS; c++)
		for (int g = 0; g < 3; g++)
			guards += look->h->cell[guard[c][g]] == ATTACKER;
	return guards * GUARD;
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
	return value + value_of_ways(&look) + value_of_closure(&look) + value_of_grip(&look) +
	       value_of_guards(&look);
}

/* The rules keep a hash of each position for their own ends. What may still be played before the
 * round is drawn depends on the number of moves, so that counts too. */
static uint64_t key(const void *state)
{
	const struct hnefatafl *h = state;

	return h->past[h->moves] + (uint64_t)h->moves * UINT64_C(0x9e3779b97f4a7c15);
}

const struct insight hnefatafl_insight = {.game = "hnefatafl", .value = value, .key = key};
