/*
 * shape.h - the keys of PLAY: what a player asks for, and the shape of the table that fits.
 *
 * Two players can meet only at tables of the same shape: the same game and the same value of every
 * key that shapes it. The shape is kept as text, so comparing shapes is comparing strings.
 */
#ifndef PROTO_TABLE_SHAPE_H
#define PROTO_TABLE_SHAPE_H

#include "proto/rules/game.h"
#include "proto/wire/line.h"

enum {
	NAME_MAX_BYTES = 25,	   /* name=, with the NUL */
	BOT_LEVEL_MAX_BYTES = 8,   /* bot=, with the NUL */
	TABLE_WORD_MAX_BYTES = 33, /* table=, with the NUL */
	SHAPE_MAX = 128,	   /* a shape as text, with the NUL */
	UUID_TEXT = 37,		   /* a UUID as text, with the NUL */
	TOKEN_TEXT = 33,	   /* a RESUME token, with the NUL */
};

/* What all seats of a table share. */
struct shape {
	const struct game *game;
	char table[TABLE_WORD_MAX_BYTES]; /* a private table's word, or "" */
	int rounds;			  /* 0: endless */
	int clock;			  /* seconds for a turn, 0: off */
	bool strict;
	int seats; /* with how many a table starts */
	int size;  /* of the board, where games have one; else 0 */
	bool cheat;
};

/* What one player asks for. */
struct wish {
	struct shape shape;
	char name[NAME_MAX_BYTES];
	char vs[NAME_MAX_BYTES]; /* or "" */
	int side;		 /* the seat that has the side wished for; -1: any */
	int wait;		 /* seconds to look for opponents */
	bool legal;
	char bot
	    [BOT_LEVEL_MAX_BYTES]; /* the level of the computers that sit down with them, or "" */
};

/* What a server may set for all. */
struct shape_defaults {
	int wait;      /* --match-timeout */
	bool no_clock; /* --no-timeout */
};

/* The default wish for a game: that of a bare PLAY. */
void wish_default(struct wish *wish, const struct game *game,
		  const struct shape_defaults *defaults);

/* Read the keys of a PLAY into a default wish. NULL, or the reason why not, for an ERROR. */
const char *wish_read(struct wish *wish, char *const words[], int count);

/* The shape as text, to be compared: "tictactoe table= rounds=1 clock=120 strict=off". */
void shape_print(const struct shape *shape, char text[SHAPE_MAX]);
bool shape_read(struct shape *shape, char *const words[], int count);

/* What of a wish others have to know to meet it: " key=value" for each key that shapes the table and is not
 * the default, and vs=. */
void wish_print_told(const struct wish *wish, const struct shape_defaults *defaults,
		     struct text *text);

/* The line of GAMES about a game. */
void wish_print_defaults(const struct game *game, const struct shape_defaults *defaults,
			 struct text *text);

/* A level of the computers that a server supplies; NULL behind the last. */
const char *bot_level_at(int index);

/* Is it a name that a server gives to its computers: easy, easy-2, easy-3? */
bool bot_has_name(const char *name);

/* The level of the computer that has this name; NULL: none has. */
const char *bot_level_of(const char *name);

bool name_is_valid(const char *name);
bool uuid_is_valid(const char *text);
bool token_is_valid(const char *text);

#endif
