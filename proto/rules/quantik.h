/*
 * quantik.h - a position of Quantik, for its rules and for who has to know which are the same.
 */
#ifndef PROTO_RULES_QUANTIK_H
#define PROTO_RULES_QUANTIK_H

#include "proto/rules/game.h"

enum { SIDE = 4, CELLS = 16, SHAPES = 4 };

struct quantik {
	uint16_t has[2][SHAPES]; /* a bit for each cell, whose index is y * 4 + x */
	int8_t turn;		 /* -1 when the round is over */
	int8_t winner;		 /* -1: nobody */
	int8_t end;		 /* the rules' own */
	int8_t unused;
};

#endif
