/*
 * tictactoe.c - what tic-tac-toe looks like.
 *
 * The model is nine of X, O and '.', rows from the top. A verdict of three digits is the winning
 * line: the indices y * 3 + x of its cells.
 */
#include "viewer/scene/scene.h"

#include <string.h>

enum { SIDE = 3, CELLS = 9 };

static bool is_line(const char *verdict)
{
	return strlen(verdict) == SIDE && strspn(verdict, "012345678") == SIDE;
}

static void draw_cell(struct cell *cell, char piece)
{
	int seat = piece == 'X' ? 0 : 1;

	if (piece == '.')
		return;
	cell->letter = piece;
	cell->symbol[0] = piece;
	cell->paint = (uint8_t)(PAINT_SEAT_0 + seat);
}

static void draw(struct scene *scene, const struct frame *frame)
{
	scene_set_size(scene, SIDE, SIDE);
	for (int i = 0; i < CELLS; i++)
		draw_cell(&scene->cell[i / SIDE][i % SIDE], frame->model[i]);
	if (is_line(frame->verdict))
		for (const char *digit = frame->verdict; *digit != '\0'; digit++)
			scene_cell(scene, (*digit - '0') % SIDE, (*digit - '0') / SIDE)->marks |=
			    MARK_WIN;
	for (int seat = 0; seat < 2; seat++) {
		scene->player[seat].letter = "XO"[seat];
		scene->player[seat].symbol[0] = "XO"[seat];
	}
}

static int picks(const struct move *move, struct pick picks[SCENE_PICKS_MAX])
{
	picks[0] = (struct pick){.x = move->arg[0], .y = move->arg[1]};
	return 1;
}

static const char *explain(const char *why)
{
	if (is_line(why))
		return "three in a row";
	return strcmp(why, "full") == 0 ? "board full" : NULL;
}

const struct drawing tictactoe_drawing = {
    .draw = draw,
    .picks = picks,
    .explain = explain,
};
