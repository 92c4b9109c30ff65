/*
 * qwirkle_hand.c - tiles that have no places: a rack, the bag, what a swap gives away.
 *
 * A hand is kept as how many there are of each tile: neither a rack nor the bag has an order. It
 * knows no board and no turn. See qwirkle_hand.h.
 *
 * It is pure: it keeps nothing between two calls, and knows no player, no clock and no socket.
 */
#include "proto/rules/qwirkle_hand.h"

#include "proto/wire/line.h"

#include <string.h>

int hand_size(const struct qwirkle_hand *hand)
{
	int size = hand->hidden;

	for (int tile = 0; tile < QWIRKLE_TILES; tile++)
		size += hand->count[tile];
	return size;
}

uint64_t hand_tiles(const struct qwirkle_hand *hand)
{
	uint64_t tiles = 0;

	for (int tile = 0; tile < QWIRKLE_TILES; tile++)
		if (hand->count[tile] > 0)
			tiles |= UINT64_C(1) << tile;
	return tiles;
}

void hand_move_all(struct qwirkle_hand *from, struct qwirkle_hand *to)
{
	for (int tile = 0; tile < QWIRKLE_TILES; tile++)
		to->count[tile] += from->count[tile];
	to->hidden += from->hidden;
	memset(from, 0, sizeof(*from));
}

void hand_hide(struct qwirkle_hand *hand)
{
	int size = hand_size(hand);

	memset(hand, 0, sizeof(*hand));
	hand->hidden = (uint8_t)size;
}

/* Each tile in the bag is as likely to be the next as another. */
void hand_draw(struct qwirkle_hand *bag, struct qwirkle_hand *to, int wanted, uint64_t *generator)
{
	for (int size = hand_size(bag); wanted > 0 && size > 0; wanted--, size--) {
		int left = (int)game_draw(generator, (uint32_t)size), tile = 0;

		while (tile < QWIRKLE_TILES && left >= bag->count[tile])
			left -= bag->count[tile++];
		if (tile < QWIRKLE_TILES) {
			bag->count[tile]--;
			to->count[tile]++;
		} else {
			bag->hidden--;
			to->hidden++;
		}
	}
}

int hand_largest_set(const struct qwirkle_hand *hand)
{
	int largest = 0;

	for (int kind = 0; kind < QWIRKLE_KINDS; kind++) {
		int of_shape = 0, of_colour = 0;

		for (int other = 0; other < QWIRKLE_KINDS; other++) {
			of_shape += hand->count[kind * QWIRKLE_KINDS + other] > 0;
			of_colour += hand->count[other * QWIRKLE_KINDS + kind] > 0;
		}
		largest = of_shape > largest ? of_shape : largest;
		largest = of_colour > largest ? of_colour : largest;
	}
	return largest;
}

bool hand_of_swap(struct qwirkle_hand *hand, const struct move *move)
{
	const int8_t count = move->arg[QWIRKLE_SWAP_COUNT];

	memset(hand, 0, sizeof(*hand));
	if (count < 1 || count > QWIRKLE_RACK)
		return false;
	for (int i = 0; i < count; i++) {
		if (move->arg[i] < 0 || move->arg[i] >= QWIRKLE_TILES)
			return false;
		hand->count[move->arg[i]]++;
	}
	return true;
}

void hand_to_swap(const struct qwirkle_hand *rack, struct move *move)
{
	int8_t *count = &move->arg[QWIRKLE_SWAP_COUNT];

	*move = (struct move){.kind = QWIRKLE_SWAP};
	for (int tile = 0; tile < QWIRKLE_TILES; tile++)
		for (int i = 0; i < rack->count[tile]; i++)
			move->arg[(*count)++] = (int8_t)tile;
}

void hand_print(const struct qwirkle_hand *rack, char text[GAME_RACK_TEXT])
{
	struct text line = {.data = text, .size = GAME_RACK_TEXT};
	char word[3];

	text[0] = '\0';
	/* the last is no tile, and printed as such */
	for (int tile = 0; tile <= QWIRKLE_TILES; tile++) {
		int count = tile < QWIRKLE_TILES ? rack->count[tile] : rack->hidden;

		qwirkle_print_tile(tile, word);
		for (int i = 0; i < count; i++)
			text_add(&line, "%s%s", line.length > 0 ? " " : "", word);
	}
}

bool hand_read(struct qwirkle_hand *rack, char *const words[], int count)
{
	struct qwirkle_hand hand = {0};

	if (count < 0 || count > QWIRKLE_RACK)
		return false;
	for (int i = 0; i < count; i++) {
		int tile = qwirkle_read_tile(words[i]);

		if (tile < 0 || ++hand.count[tile] > QWIRKLE_OF_EACH)
			return false;
	}
	*rack = hand;
	return true;
}
