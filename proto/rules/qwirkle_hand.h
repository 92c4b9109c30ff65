/*
 * qwirkle_hand.h - tiles that have no places: a rack, the bag, what a swap gives away.
 *
 * Only the rules of Qwirkle and the bot that plays it need it.
 */
#ifndef PROTO_RULES_QWIRKLE_HAND_H
#define PROTO_RULES_QWIRKLE_HAND_H

#include "proto/rules/qwirkle_board.h"

/* A hidden tile is known to be there, but not what it is. */
struct qwirkle_hand {
	uint8_t count[QWIRKLE_TILES];
	uint8_t hidden;
};

int hand_size(const struct qwirkle_hand *hand);
uint64_t hand_tiles(const struct qwirkle_hand *hand); /* a bit for each tile in it */
void hand_move_all(struct qwirkle_hand *from, struct qwirkle_hand *to);
void hand_hide(struct qwirkle_hand *hand);

/* Draw so many from the bag, or all that it has. */
void hand_draw(struct qwirkle_hand *bag, struct qwirkle_hand *to, int wanted, uint64_t *generator);

/* The most tiles that are all different and of one shape, or of one colour. */
int hand_largest_set(const struct qwirkle_hand *hand);

/* The tiles that a swap names. False: one does not exist, or there can be no such number. */
bool hand_of_swap(struct qwirkle_hand *hand, const struct move *move);
void hand_to_swap(const struct qwirkle_hand *rack, struct move *move);

/* Words with one space between them; "??" is a hidden tile, and cannot be read back. */
void hand_print(const struct qwirkle_hand *rack, char text[GAME_RACK_TEXT]);
bool hand_read(struct qwirkle_hand *rack, char *const words[], int count);

#endif
