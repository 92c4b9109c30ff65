/*
 * words.c - what is on a board in sentences, for people who have it read aloud.
 *
 *      Board of 3 by 3. anna: cross at 1 1, 2 0. ben: nought at 0 0. Last move: 2 0. ben to move.
 *
 * Pieces are told by whose they are and by what they look like; coordinates are those of a MOVE.
 */
#include "viewer/svg/svg.h"
#include "viewer/svg/outline.h"

#include <ctype.h>
#include <string.h>

/* Whose piece it is: a seat, or -1. */
static int owner_of(const struct scene *scene, const struct cell *cell)
{
	int seat = scene->players - 1;

	while (seat >= 0 && scene->player[seat].paint != cell->paint)
		seat--;
	return seat;
}

/* What a piece is called: "king", "b4 square", "card ab". */
static void name_piece(const struct cell *cell, struct text *text)
{
	const struct outline *outline = outline_find(cell->symbol);

	if (outline != NULL && cell->paint >= PAINT_BLUE)
		text_add(text, "%s %s", cell->note, outline->name);
	else if (outline != NULL)
		text_add(text, "%s", outline->name);
	else if (cell->note[0] != '\0')
		text_add(text, "card %c%c", tolower((unsigned char)cell->note[0]),
			 tolower((unsigned char)cell->note[1]));
	else
		text_add(text, "%s", cell->symbol);
}

static bool is_same_piece(const struct cell *one, const struct cell *other)
{
	return one->paint == other->paint && strcmp(one->symbol, other->symbol) == 0 &&
	       strcmp(one->note, other->note) == 0;
}

/* Is there a piece like this one before it, in the order in which a page is read? */
static bool is_told(const struct scene *scene, int row, int column)
{
	const struct cell *cell = &scene->cell[row][column];

	for (int y = 0; y <= row; y++)
		for (int x = 0; x < (y == row ? column : scene->columns); x++)
			if (is_same_piece(&scene->cell[y][x], cell))
				return true;
	return false;
}

static void add_place(const struct scene *scene, int row, int column, bool first, struct text *text)
{
	text_add(text, "%s%d %d", first ? "" : ", ", scene->first_x + column, scene->first_y + row);
}

/* All pieces like the one at this place. */
static void tell_kind(const struct scene *scene, int row, int column, struct text *text)
{
	const struct cell *cell = &scene->cell[row][column];
	bool first = true;

	name_piece(cell, text);
	text_add(text, " at ");
	for (int y = row; y < scene->rows; y++)
		for (int x = 0; x < scene->columns; x++) {
			if (!is_same_piece(&scene->cell[y][x], cell))
				continue;
			add_place(scene, y, x, first, text);
			first = false;
		}
}

/* All that one owner has on the board. */
static void tell_owner(const struct scene *scene, int owner, struct text *text)
{
	bool first = true;

	for (int row = 0; row < scene->rows; row++)
		for (int column = 0; column < scene->columns; column++) {
			const struct cell *cell = &scene->cell[row][column];

			if (cell->letter == ' ' || owner_of(scene, cell) != owner ||
			    is_told(scene, row, column))
				continue;
			if (!first)
				text_add(text, "; ");
			else if (owner >= 0)
				text_add(text, "%s: ", scene->player[owner].name);
			tell_kind(scene, row, column, text);
			first = false;
		}
	if (!first)
		text_add(text, ". ");
}

static void tell_marked(const struct scene *scene, enum mark mark, const char *what,
			struct text *text)
{
	bool first = true;

	for (int row = 0; row < scene->rows; row++)
		for (int column = 0; column < scene->columns; column++) {
			if (!(scene->cell[row][column].marks & mark))
				continue;
			if (first)
				text_add(text, "%s: ", what);
			add_place(scene, row, column, first, text);
			first = false;
		}
	if (!first)
		text_add(text, ". ");
}

void svg_describe(const struct scene *scene, char words[SVG_WORDS_MAX])
{
	struct text text = {.data = words, .size = SVG_WORDS_MAX};

	text_add(&text, "Board of %d by %d. ", scene->columns, scene->rows);
	for (int owner = 0; owner < scene->players; owner++)
		tell_owner(scene, owner, &text);
	tell_owner(scene, -1, &text);
	tell_marked(scene, MARK_LAST, "Last move", &text);
	tell_marked(scene, MARK_WIN, "Winning", &text);
	if (scene->caption[0] != '\0')
		text_add(&text, "%s.", scene->caption);
}
