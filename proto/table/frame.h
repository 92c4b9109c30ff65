/*
 * frame.h - the broadcast frame: one UDP datagram that is enough to draw a board.
 *
 * The duel prints frames; viewers read them. Reading believes nothing: a frame that is not well
 * formed in every word is refused, so what has been read may be shown on any terminal.
 */
#ifndef PROTO_TABLE_FRAME_H
#define PROTO_TABLE_FRAME_H

#include "proto/rules/game.h"
#include "proto/table/shape.h"

enum {
	FRAME_MAX = 1472,  /* what an Ethernet frame carries of UDP over IPv4 */
	FRAME_REPEATS = 3, /* times that the last frame of a duel is sent in all */
	FRAME_LAST_MS = 100,
	FRAME_EVERY_MS = 1000, /* the present frame is sent again */
};

struct frame {
	const struct game *game;
	char duel[UUID_TEXT];
	char model[GAME_MODEL_MAX];
	char verdict[GAME_WHY_MAX]; /* "false", the winning sequence, "aborted", or why */
	unsigned n;
	int turn; /* a seat, or -1 */
	int seats;
	char id[GAME_SEATS_MAX][UUID_TEXT];	   /* "" where a frame does not tell */
	char name[GAME_SEATS_MAX][NAME_MAX_BYTES]; /* "" where a frame does not tell, "-" vacant */
	bool has_scores;
	int score[GAME_SEATS_MAX];
	uint16_t out;	   /* a bit for each seat that is still there and cannot win this round */
	int round, rounds; /* rounds 0: endless; round 0: the frame does not tell */
};

/* The frame as bytes; how many. When it would be too long, names= is left out, then ids=. */
size_t frame_print(const struct frame *frame, char bytes[FRAME_MAX + 1]);

/* False: this is no frame of a game that we know; `frame` may then hold anything. */
bool frame_read(struct frame *frame, const char *bytes, size_t length);

/* names= and round= are the same in START: the value, which is cut up, into the frame; of names also how
 * many. */
bool frame_read_names(struct frame *frame, char *value, int *count);
bool frame_read_round(struct frame *frame, char *value, int *count);

/* Has the round that the frame shows ended? */
bool frame_is_over(const struct frame *frame);

#endif
