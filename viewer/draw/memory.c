/*
 * memory.c - what memory looks like.
 *
 * The model is size × size cells of three characters, rows from the top: "..." is a card face down,
 * "abA" the card "ab" that seat 0 has turned up, "ab0" the same card when seat 0 has won it.
 *
 * A seat is its digit everywhere. A card that is up shows its first letter and the note "ab0", one
 * that has been won shows its winner's digit and the note "AB0"; so both tell whose they are where
 * there is no colour, and cannot be taken for each other.
 */
#include "viewer/scene/scene.h"

#include <ctype.h>
#include <string.h>

enum { CELL_TEXT = 3 };

static void set_symbol(struct cell *cell, char letter)
{
	cell->letter = letter;
	cell->symbol[0] = letter;
}

static void draw_cell(struct cell *cell, const char *card)
{
	bool won = isdigit((unsigned char)card[2]);
	int seat = card[2] - (won ? '0' : 'A');

	if (card[0] == '.') {
		cell->letter = '#';
		strcpy(cell->symbol, "\u2592");
		cell->paint = PAINT_NEUTRAL;
		return;
	}
	memcpy(cell->note, card, 2);
	cell->note[2] = (char)('0' + seat);
	cell->paint = scene_paint(&memory_game, seat);
	set_symbol(cell, card[0]);
	if (won) {
		cell->note[0] = (char)toupper((unsigned char)card[0]);
		cell->note[1] = (char)toupper((unsigned char)card[1]);
		cell->ground = GROUND_SPECIAL;
		set_symbol(cell, cell->note[2]);
	}
}

static void draw(struct scene *scene, const struct frame *frame)
{
	int cells = (int)strlen(frame->model) / CELL_TEXT, size = 2;

	while (size * size < cells)
		size++;
	scene_set_size(scene, size, size);
	for (int i = 0; i < cells; i++)
		draw_cell(&scene->cell[i / size][i % size], frame->model + (size_t)i * CELL_TEXT);
	for (int seat = 0; seat < GAME_SEATS_MAX; seat++) {
		scene->player[seat].letter = (char)('0' + seat);
		scene->player[seat].symbol[0] = (char)('0' + seat);
	}
}

static const char *explain(const char *why)
{
	return strcmp(why, "points") == 0 ? "all pairs found" : NULL;
}

const struct drawing memory_drawing = {
    .draw = draw,
    .explain = explain,
};
