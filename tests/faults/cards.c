/*
 * cards.c - memory as its players see it: cards are learned when they are turned up, and must be
 * the same ever after. Written anew, since the rules of proto/ know all cards from the beginning.
 *
 * Knows no time: whether something is turned down in time nobody can say who only listens.
 */
#include "tests/faults/faults.h"

#include <stdio.h>
#include <string.h>

static const char down[] = "...";

static int cells(const struct cards *cards)
{
	return cards->size * cards->size;
}

void cards_begin(struct cards *cards, int size, int seats)
{
	memset(cards, 0, sizeof(*cards));
	cards->size = size;
	cards->seats = seats;
	cards->present = (uint16_t)((1u << seats) - 1);
	for (int cell = 0; cell < cells(cards); cell++)
		strcpy(cards->shown[cell], down);
}

void cards_print(const struct cards *cards, char text[GAME_MODEL_MAX])
{
	text[0] = '\0';
	for (int cell = 0; cell < cells(cards); cell++)
		memcpy(text + 3 * (size_t)cell, cards->shown[cell], 4);
}

int cards_score(const struct cards *cards, int seat)
{
	int points = 0;

	for (int cell = 0; cell < cells(cards); cell++)
		points += cards->shown[cell][2] == '0' + seat;
	return points;
}

bool cards_over(const struct cards *cards)
{
	for (int cell = 0; cell < cells(cards); cell++)
		if (cards->shown[cell][2] < '0' || cards->shown[cell][2] > '9')
			return false;
	return true;
}

bool cards_may_move(const struct cards *cards, int seat)
{
	return (cards->present >> seat & 1) && cards->up[seat] < 2 && !cards_over(cards) &&
	       (cards->present & (cards->present - 1)) != 0;
}

void cards_outcome(const struct cards *cards, struct outcome *outcome)
{
	int most = -1;

	*outcome = (struct outcome){.over = cards_over(cards), .why = "points"};
	for (int seat = 0; outcome->over && seat < cards->seats; seat++) {
		int points = cards_score(cards, seat);

		if (!(cards->present >> seat & 1) || points < most)
			continue;
		if (points > most)
			outcome->winners = 0;
		most = points;
		outcome->winners |= (uint16_t)(1u << seat);
	}
}

/* --- events ------------------------------------------------------------------------------------ */

static int cell_at(const struct cards *cards, int x, int y)
{
	return x < 0 || y < 0 || x >= cards->size || y >= cards->size ? -1 : y * cards->size + x;
}

/* A card that is shown is the one that was there before, and no text is there thrice. */
static bool remember(const struct cards *cards, struct memories *memories, int cell,
		     const char *text)
{
	int others = 0;

	if (memories->text[cell][0] != '\0')
		return strcmp(memories->text[cell], text) == 0;
	for (int other = 0; other < cells(cards); other++)
		others += strcmp(memories->text[other], text) == 0;
	if (others > 1 || strlen(text) != 2)
		return false;
	strcpy(memories->text[cell], text);
	return true;
}

static void turn_up(struct cards *cards, int seat, int cell, const char *text)
{
	snprintf(cards->shown[cell], sizeof(cards->shown[cell]), "%.2s%c", text, 'A' + seat);
	cards->cell[seat][cards->up[seat]++] = (uint8_t)cell;
}

static bool first(struct cards *cards, struct memories *memories, int seat, const char *event,
		  int *picked)
{
	char text[3];
	int x, y, cell;

	if (sscanf(event, "first %d %d %2[a-z]", &x, &y, text) != 3 || cards->up[seat] != 0)
		return false;
	cell = *picked = cell_at(cards, x, y);
	if (cell < 0 || strcmp(cards->shown[cell], down) != 0 ||
	    !remember(cards, memories, cell, text))
		return false;
	turn_up(cards, seat, cell, text);
	return true;
}

static bool second(struct cards *cards, struct memories *memories, int seat, const char *event,
		   int *picked)
{
	char one[3], other[3];
	int x1, y1, x2, y2, cell;
	bool right = sscanf(event, "right %d %d %d %d %2[a-z]", &x1, &y1, &x2, &y2, one) == 5;

	if (!right &&
	    sscanf(event, "wrong %d %d %2[a-z] %d %d %2[a-z]", &x1, &y1, one, &x2, &y2, other) != 6)
		return false;
	cell = *picked = cell_at(cards, x2, y2);
	if (cards->up[seat] != 1 || cell < 0 || cell_at(cards, x1, y1) != cards->cell[seat][0] ||
	    strcmp(cards->shown[cell], down) != 0 ||
	    strcmp(one, memories->text[cards->cell[seat][0]]) != 0 ||
	    !remember(cards, memories, cell, right ? one : other))
		return false;
	if (right != (strcmp(memories->text[cell], one) == 0))
		return false;
	turn_up(cards, seat, cell, memories->text[cell]);
	cards->unordered &= (uint16_t) ~(1u << seat);
	for (int i = 0; right && i < 2; i++)
		cards->shown[cards->cell[seat][i]][2] = (char)('0' + seat);
	if (right)
		cards->up[seat] = 0;
	return true;
}

static bool hide(struct cards *cards, int seat, const char *event)
{
	uint8_t *cell = cards->cell[seat];
	char expected[GAME_EVENT_TEXT];
	struct text text = TEXT_IN(expected);

	if (cards->up[seat] == 0)
		return false;
	text_add(&text, "hide");
	for (int i = 0; i < cards->up[seat]; i++)
		text_add(&text, " %d %d", cards->cell[seat][i] % cards->size,
			 cards->cell[seat][i] / cards->size);
	if (strcmp(expected, event) != 0 && (cards->unordered >> seat & 1)) {
		uint8_t other = cell[0];

		cell[0] = cell[1];
		cell[1] = other;
		cards->unordered &= (uint16_t) ~(1u << seat);
		return hide(cards, seat, event);
	}
	if (strcmp(expected, event) != 0)
		return false;
	for (int i = 0; i < cards->up[seat]; i++)
		strcpy(cards->shown[cards->cell[seat][i]], down);
	cards->up[seat] = 0;
	return true;
}

bool cards_happen(struct cards *cards, struct memories *memories, int seat, const char *event,
		  int *picked)
{
	*picked = -1;
	if (strcmp(event, "join") == 0) {
		if (seat != cards->seats || seat >= SEATS)
			return false;
		cards->seats++;
		cards->present |= (uint16_t)(1u << seat);
		return true;
	}
	if (seat < 0 || seat >= cards->seats || !(cards->present >> seat & 1))
		return false;
	if (strcmp(event, "leave") == 0) {
		cards->present &= (uint16_t) ~(1u << seat);
		return cards->up[seat] == 0;
	}
	if (strncmp(event, "hide ", 5) == 0)
		return hide(cards, seat, event);
	return first(cards, memories, seat, event, picked) ||
	       second(cards, memories, seat, event, picked);
}

/* What has been won stays won, and every card that is shown is the one that it was. */
bool cards_learn(struct cards *cards, struct memories *memories, const char *model)
{
	if (strlen(model) != 3 * (size_t)cells(cards))
		return false;
	memset(cards->up, 0, sizeof(cards->up));
	for (int cell = 0; cell < cells(cards); cell++) {
		char *was = cards->shown[cell], is[4], text[3];
		int seat;

		memcpy(is, model + 3 * (size_t)cell, 3);
		is[3] = '\0';
		memcpy(text, is, 2);
		text[2] = '\0';
		if (was[2] >= '0' && was[2] <= '9' && strcmp(was, is) != 0)
			return false;
		strcpy(was, is);
		if (strcmp(is, down) == 0)
			continue;
		if (!remember(cards, memories, cell, text))
			return false;
		seat = is[2] - 'A';
		if (seat >= 0 && seat < SEATS) {
			if (cards->up[seat] == 2)
				return false;
			cards->cell[seat][cards->up[seat]++] = (uint8_t)cell;
			if (cards->up[seat] == 2)
				cards->unordered |= (uint16_t)(1u << seat);
		}
	}
	return true;
}
