/*
 * quantik.c - what Quantik looks like.
 *
 * The model is sixteen of C P S T (white), c p s t (black) and '.', rows from the top. White is
 * drawn in outline, black filled; each piece has its letter as a note, as two of the shapes are
 * much alike in some fonts. A verdict that names a row, a column or a square marks its four cells.
 */
#include "viewer/scene/scene.h"

#include <string.h>

enum { SIDE = 4, CELLS = 16, SHAPES = 4, OF_EACH = 2 };

static const char letters[] = "CPSTcpst";

static const char *const symbols[] = {
    "\u25af", "\u25a1", "\u25cb", "\u25b3", /* white */
    "\u25ae", "\u25a0", "\u25cf", "\u25b2", /* black */
};

static void draw_piece(struct cell *cell, int piece)
{
	cell->letter = cell->note[0] = letters[piece];
	strcpy(cell->symbol, symbols[piece]);
	cell->paint = (uint8_t)(PAINT_SEAT_0 + piece / SHAPES);
}

/* Which line does the word name, of this kind? -1: none. */
static int line_of(const char *why, const char *kind)
{
	size_t length = strlen(kind);

	if (strncmp(why, kind, length) != 0 || why[length] < '0' || why[length] > '3' ||
	    why[length + 1] != '\0')
		return -1;
	return why[length] - '0';
}

/* Is the cell part of what the verdict names? */
static bool is_won(const char *verdict, int x, int y)
{
	return line_of(verdict, "row-") == y || line_of(verdict, "column-") == x ||
	       line_of(verdict, "square-") == y / 2 * 2 + x / 2;
}

static void draw(struct scene *scene, const struct frame *frame)
{
	scene_set_size(scene, SIDE, SIDE);
	for (int i = 0; i < CELLS; i++) {
		struct cell *cell = &scene->cell[i / SIDE][i % SIDE];
		const char *letter = strchr(letters, frame->model[i]);

		if (letter != NULL && *letter != '\0')
			draw_piece(cell, (int)(letter - letters));
		if (is_won(frame->verdict, i % SIDE, i / SIDE))
			cell->marks |= MARK_WIN;
	}
	for (int seat = 0; seat < 2; seat++) {
		scene->player[seat].letter = "WB"[seat];
		strcpy(scene->player[seat].symbol, symbols[seat * SHAPES + 1]);
	}
}

static void draw_beside(struct scene *scene, const struct frame *frame, int seat, const char *rack)
{
	(void)rack;
	scene->pieces = 0;
	if (seat < 0 || seat > 1)
		return;
	for (int shape = 0; shape < SHAPES; shape++) {
		struct scene_piece *beside = &scene->beside[scene->pieces];
		int piece = seat * SHAPES + shape, left = OF_EACH;

		for (int i = 0; i < CELLS; i++)
			left -= frame->model[i] == letters[piece];
		if (left <= 0)
			continue;
		*beside = (struct scene_piece){.piece = shape, .count = left};
		draw_piece(&beside->cell, piece);
		scene->pieces++;
	}
}

static int picks(const struct move *move, struct pick picks[SCENE_PICKS_MAX])
{
	picks[0] = (struct pick){.beside = true, .x = move->arg[2]};
	picks[1] = (struct pick){.x = move->arg[0], .y = move->arg[1]};
	return 2;
}

static const char *explain(const char *why)
{
	if (line_of(why, "row-") >= 0)
		return "four shapes in a row";
	if (line_of(why, "column-") >= 0)
		return "four shapes in a column";
	if (line_of(why, "square-") >= 0)
		return "four shapes in a square";
	return strcmp(why, "no-moves") == 0 ? "no move left" : NULL;
}

const struct drawing quantik_drawing = {
    .draw = draw,
    .draw_beside = draw_beside,
    .picks = picks,
    .explain = explain,
};
