/*
 * game.h - what a game is, for everybody who does not know its rules.
 *
 * A game is one file of rules behind one `struct game`, and one line in list.h. The rules are
 * pure: a state is a plain value of `state_size` bytes, copied with memcpy; there is no malloc, no
 * clock, no input or output and no global. Chance comes from a generator inside the state, seeded
 * once.
 *
 * Text is at the edges only. A move is read into a small value, judged in full, and only then
 * played; so a search works on values and never touches text. The public model is printed from a
 * state and read back into one.
 */
#ifndef PROTO_RULES_GAME_H
#define PROTO_RULES_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	GAME_SEATS_MAX = 10,   /* memory has the most */
	GAME_STATE_MAX = 4096, /* bytes; no state may be larger */
	GAME_MODEL_MAX = 1200, /* bytes with the NUL; a frame has 1,472 */
	GAME_MOVES_MAX = 4096, /* legal moves in one position */
	GAME_MOVE_TEXT = 40,   /* bytes of a move in words, with the NUL */
	GAME_EVENT_TEXT = 48,  /* bytes of an event in words, with the NUL */
	GAME_RACK_TEXT = 40,   /* bytes of a rack in words, with the NUL */
	GAME_REASON_TEXT = 80, /* bytes of why a move is refused, with the NUL */
	GAME_WORDS_MAX = 8,    /* words of a move */
	GAME_WHY_MAX = 16,     /* bytes of the word that says why a round ended, with the NUL */
	GAME_PICKS_MAX = 8,    /* things that are picked to make a move */
	GAME_WON_MAX = 64,     /* cells that a round was won on */
	GAME_RULES_LINES = 15,
};

/* A move as a value. What `kind` and `arg` mean is the game's own; a number that is too large for
 * `arg` is read as the nearest that fits, which no game has on its board. */
struct move {
	uint8_t kind;
	int8_t arg[7];
};

/* What the rules say of a move. The order is the one in which a referee gives them. */
enum ruling {
	RULING_FINE,
	RULING_UNREADABLE,
	RULING_FROZEN,
	RULING_WAIT,
	RULING_ILLEGAL,
	RULING_FILLED,
};

/* With what a round begins. */
struct setup {
	uint64_t seed; /* of everything that chance decides in this round */
	int seats;
	int first;     /* the seat that begins, where the rules leave that to the table */
	uint16_t left; /* a bit for each seat that is out from the start */
	int size;      /* size= */
	bool cheat;    /* cheat=on */
};

/* One thing that happened, in the words of STATE, and who did it. */
struct event {
	int seat;
	char text[GAME_EVENT_TEXT];
};

/* How a round stands. */
struct outcome {
	bool over;
	uint16_t winners; /* a bit for each seat; none of them: unresolved */
	char why[GAME_WHY_MAX];
};

/* One thing that a person picks when making a move: a cell, any cell of a column, or a piece beside the
 * board. */
struct pick {
	bool beside, column;
	int x, y; /* beside: x says which piece; a column: x */
};

struct game_cell {
	int8_t x, y;
};

/* Colours of sides. What they look like is up to those who show games. */
enum side_paint { SIDE_BLUE, SIDE_ORANGE, SIDE_RED, SIDE_YELLOW };

/* Who begins a round. */
enum first_mover {
	FIRST_DRAWN,	  /* drawn in round 1, then in turn */
	FIRST_ALTERNATES, /* seat 0 in round 1, then in turn */
	FIRST_SEAT_0,	  /* always seat 0 */
	FIRST_BY_RULES,	  /* the rules find out */
};

/* Keys of PLAY that not every game has. */
enum {
	GAME_HAS_SIDES = 1 << 0, /* side= */
	GAME_HAS_CLOCK = 1 << 1, /* clock= and strict= */
	GAME_HAS_SEATS = 1 << 2, /* seats= */
	GAME_HAS_CHEAT = 1 << 3, /* cheat= */
	GAME_HAS_SIZE = 1 << 4,	 /* size= */
};

/*
 * The functions that change a state make one event each; `event` may be NULL for who does not want
 * its words, as a search. `now` is in milliseconds; only differences matter.
 *
 * Those marked "may be NULL" belong to some games only.
 */
struct game {
	const char *name;  /* on the wire: a-z */
	const char *title; /* for people, in ASCII */
	int seats_min, seats_max;
	unsigned has;		  /* GAME_HAS_... */
	const char *side_word;	  /* in START, before its value: CROSS */
	const char *side_name[2]; /* in side=: of seat 0, of seat 1 */
	enum side_paint side_paint[2];
	enum first_mover first;
	int rounds; /* defaults of PLAY's keys */
	int clock;  /* seconds for a turn */
	bool strict;
	const char *move_help; /* what MOVE wants: "x y, both from 0 to 2" */

	/* For people who do not know the game: goal, moves, end, special cases. A line a paragraph, in ASCII; in lines of
	 * 76 columns it has GAME_RULES_LINES at most. */
	const char *rules;
	const char *drawn_verdict; /* what a frame says of a drawn round; NULL: its why */

	size_t state_size;

	/* Make the first position of a round. */
	void (*begin)(void *state, const struct setup *setup);

	/* Words to a move. False: they cannot be read (wrong number, not a number). */
	bool (*read_move)(struct move *move, char *const words[], int count);
	void (*print_move)(const struct move *move, char text[GAME_MOVE_TEXT]);

	/* May be NULL, where one picks the cell `arg[0]`, `arg[1]`. What is picked to make this move, in order; how
	 * many; 0 for a move without any ("pass"). */
	int (*picks)(const struct move *move, struct pick picks[GAME_PICKS_MAX]);

	/* May be NULL, where `picks` is. The move that these make, be it legal or not; of fewer than it takes the move
	 * that has what is wrong with them. False: there is none. */
	bool (*pick_move)(struct move *move, const struct pick picks[], int count);

	/* May this seat make this move? Changes nothing. */
	enum ruling (*judge)(const void *state, int seat, const struct move *move);

	/* Why a move may not be made that judge() has refused, for the person who tried it: "that cell is taken". Only
	 * what this person may know, in lower case, without a full stop; of the same always the same. */
	void (*why_not)(const void *state, int seat, const struct move *move,
			char why[GAME_REASON_TEXT]);

	/* Make a move that was judged fine. */
	void (*play)(void *state, int seat, const struct move *move, int64_t now,
		     struct event *event);

	/* May be NULL. What a move that was refused does all the same. False: nothing. */
	bool (*refuse)(void *state, int seat, enum ruling ruling, struct event *event);

	/* May be NULL. Put a move there as said, without a judge (--no-valid). False: not on the
	 * board. */
	bool (*put)(void *state, int seat, const struct move *move, struct event *event);

	/* Every legal move of a seat, at most GAME_MOVES_MAX; none when it may not move. */
	int (*list_moves)(const void *state, int seat, struct move *moves);

	/* Whose turn it is; -1 when it is nobody's, or everybody's. */
	int (*turn)(const void *state);

	/* May be NULL, where it is who has the turn. */
	bool (*may_move)(const void *state, int seat);
	void (*outcome)(const void *state, struct outcome *outcome);

	/* May be NULL. The cells that decided a round which has ended with this position and this `why`; how
	 * many. None where it was not decided on the board. */
	int (*list_won)(const void *state, const char *why, struct game_cell cells[GAME_WON_MAX]);

	/* The public position in one word, and back. `turn` is the seat to move, or -1.
	 * False: this is not a model. */
	size_t (*print_model)(const void *state, char text[GAME_MODEL_MAX]);
	bool (*read_model)(void *state, const char *model, int turn);

	/* May be NULL. Points of a seat. */
	int (*score)(const void *state, int seat);

	/* May be NULL. What a seat alone may see, as words; and back, into a state that was read
	 * from a model. */
	void (*print_rack)(const void *state, int seat, char text[GAME_RACK_TEXT]);
	bool (*read_rack)(void *state, int seat, char *const words[], int count);

	/* May be NULL. Take out of a state what this seat may not know; -1: what the public may
	 * not. */
	void (*blind)(void *state, int seat);

	/* May be NULL. Somebody takes the next seat in the middle of a round. */
	void (*join)(void *state, struct event *event);

	/* May be NULL, in games for two. The next event of a seat that takes no further part in
	 * this round. False: it has been said that it is out, there is nothing more. */
	bool (*leave)(void *state, int seat, struct event *event);

	/* May be NULL. Time: when is the next thing due (INT64_MAX: never)? Do one thing that is;
	 * false: nothing is. */
	int64_t (*due)(const void *state);
	bool (*tick)(void *state, int64_t now, struct event *event);
};

/* A place for a state of any game. */
union game_state {
	uint64_t align;
	unsigned char bytes[GAME_STATE_MAX];
};

/* Each game of the list has its struct in a file of its own. */
#define GAME(name) extern const struct game name##_game;
#include "proto/rules/list.h"

/* nullgame.c: the template of a game. No server offers it: it is not in the list. */
extern const struct game null_game;

enum {
	GAME_COUNT = 0
#define GAME(name) +1
#include "proto/rules/list.h"
};

/* games.c: the games of the list. */
const struct game *game_find(const char *name);
const struct game *game_at(int index); /* NULL behind the last */

/* Their names with commas between them, for who has asked for another. */
enum { GAME_NAMES_TEXT = 32 * GAME_COUNT };
void game_print_names(char names[GAME_NAMES_TEXT]);

/* games.c: what rules files and their users share. */
bool game_read_number(const char *word, int8_t *number);

/* A move that is so many numbers, and no more. */
bool game_read_numbers(struct move *move, int wanted, char *const words[], int count);

bool game_may_move(const struct game *game, const void *state, int seat);
int game_picks(const struct game *game, const struct move *move, struct pick picks[GAME_PICKS_MAX]);
bool game_pick_move(const struct game *game, struct move *move, const struct pick picks[],
		    int count);

/* Whose turn it is not: what why_not() says of it in any game with turns. NULL: it is this seat's. */
const char *game_why_not_now(int seat, int turn);

/* Words for an event; nothing when there is none. */
void game_say_event(struct event *event, int seat, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Chance, from a generator that is part of a state: seed it, then draw. */
void game_seed(uint64_t *generator, uint64_t seed);
uint32_t game_draw(uint64_t *generator, uint32_t below);

#endif
