/*
 * memory_cards.c - the cards of memory as everybody may see them: the model, and what of it can be.
 *
 * It is pure: it keeps nothing between two calls, and knows no player, no clock and no socket.
 */
#include "proto/rules/memory_cards.h"

#include <string.h>

enum { CELL_TEXT = 3 /* bytes of a cell in the model */ };

void memory_lay_out(struct memory *m, int size)
{
	memset(m, 0, sizeof(*m));
	m->size = (uint8_t)size;
	for (int seat = 0; seat < SEATS; seat++)
		m->hand[seat] = empty_hand;
}

size_t memory_print_model(const void *state, char text[GAME_MODEL_MAX])
{
	static const char mark[] = {[DOWN] = '.', [UP] = 'A', [LOCKED] = '0'};
	const struct memory *m = state;
	char *at = text;

	for (int cell = 0; cell < count_cards(m); cell++, at += CELL_TEXT) {
		const struct card *card = &m->card[cell];

		memcpy(at, card->side == DOWN ? ".." : card->text, sizeof(card->text));
		at[2] = (char)(mark[card->side] + card->seat);
	}
	*at = '\0';
	return (size_t)(at - text);
}

/* What is up is taken into its seat's hand, at most two. Which of them came first, and until when
 * they stay up, no model tells. */
static bool read_card(struct memory *m, int cell, const char *text)
{
	struct card *card = &m->card[cell];
	struct hand *hand;

	memset(card->text, UNKNOWN, sizeof(card->text));
	if (strncmp(text, "...", CELL_TEXT) == 0)
		return true;
	if (strspn(text, "abcdefghijklmnopqrstuvwxyz") < sizeof(card->text))
		return false;
	memcpy(card->text, text, sizeof(card->text));
	if (text[2] >= '0' && text[2] < '0' + SEATS) {
		card->side = LOCKED;
		card->seat = (uint8_t)(text[2] - '0');
		return true;
	}
	if (text[2] < 'A' || text[2] >= 'A' + SEATS)
		return false;
	card->side = UP;
	card->seat = (uint8_t)(text[2] - 'A');
	hand = &m->hand[card->seat];
	if (hand->up == 2)
		return false;
	hand->cell[hand->up++] = (uint8_t)cell;
	return true;
}

/* Can both be seen at once? Won cards are pairs of one seat. Both cards of a text can be up, but
 * not of one seat, which would have won them. */
static bool can_be_seen(const struct card *one, const struct card *other)
{
	return one->side == other->side && (one->side == LOCKED) == (one->seat == other->seat);
}

/* No text is there thrice, and none that is won is there once. Every card that is up alone has its
 * partner among those that are down. */
static bool position_can_be(const struct memory *m)
{
	enum { BOTH = UINT8_MAX };
	uint8_t seen[TEXTS] = {0}; /* of each text: 0, the first cell + 1, or BOTH */
	int down = 0, up_alone = 0, won_alone = 0;

	for (int cell = 0; cell < count_cards(m); cell++) {
		const struct card *card = &m->card[cell];
		int *alone = card->side == UP ? &up_alone : &won_alone;
		uint8_t *place;

		if (card->side == DOWN) {
			down++;
			continue;
		}
		place = &seen[(card->text[0] - 'a') * LETTERS + card->text[1] - 'a'];
		if (*place == 0) {
			*place = (uint8_t)(cell + 1);
			(*alone)++;
		} else if (*place != BOTH && can_be_seen(card, &m->card[*place - 1])) {
			*place = BOTH;
			(*alone)--;
		} else {
			return false;
		}
	}
	return won_alone == 0 && up_alone <= down;
}

/* No model tells who is there, so all seats are: each of them may want to know its moves. */
bool memory_read_model(void *state, const char *model, int turn)
{
	struct memory *m = state;
	size_t length = strlen(model);
	int size = 2;

	(void)turn;
	while (size < SIDE_MAX && (size_t)(size * size * CELL_TEXT) < length)
		size += 2;
	memory_lay_out(m, size);
	if ((size_t)(size * size * CELL_TEXT) != length)
		return false;
	m->seats = SEATS;
	m->present = (1u << SEATS) - 1;
	for (int cell = 0; cell < count_cards(m); cell++)
		if (!read_card(m, cell, model + (size_t)cell * CELL_TEXT))
			return false;
	return position_can_be(m);
}
