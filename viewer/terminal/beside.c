/*
 * beside.c - the pieces beside a board, in a row or more of their own, and which of them is under
 * the mouse.
 *
 * A piece has its symbol and its name, as it is typed; its marks are brackets around it, and how many there are of it
 * follows: "[■b4]x2".
 */
#include "viewer/terminal/screen.h"

#include "viewer/terminal/layout.h"

#include <string.h>

int terminal_beside_height(const struct scene *scene, int width)
{
	struct area place[SCENE_BESIDE_MAX];

	return layout_beside(scene, width, place);
}

/* Where they are drawn: in the middle of the area. */
static void find_places(const struct scene *scene, struct area area,
			struct area place[SCENE_BESIDE_MAX])
{
	int right = 0, spare;

	layout_beside(scene, area.width, place);
	for (int i = 0; i < scene->pieces; i++)
		if (place[i].left + place[i].width > right)
			right = place[i].left + place[i].width;
	spare = area.width > right ? (area.width - right) / 2 : 0;
	for (int i = 0; i < scene->pieces; i++) {
		place[i].left += area.left + spare;
		place[i].top += area.top;
	}
}

static void draw_piece(const struct scene_piece *piece, struct area place)
{
	const char *brackets = scene_brackets(piece->cell.marks);
	char text[SCENE_LABEL + 16], label[SCENE_LABEL];

	scene_label(&piece->cell, screen_has_utf8(), place.width, label);
	if (piece->count > 1)
		snprintf(text, sizeof(text), "%c%s%cx%d", brackets[0], label, brackets[1],
			 piece->count);
	else
		snprintf(text, sizeof(text), "%c%s%c", brackets[0], label, brackets[1]);
	screen_use_paint(piece->cell.paint, true);
	if (piece->cell.marks & MARK_CURSOR)
		screen_add_reverse();
	else if (piece->cell.marks & MARK_PICKED)
		screen_add_underline();
	screen_put_word(place, text);
}

void terminal_draw_beside(const struct scene *scene, struct area area)
{
	struct area place[SCENE_BESIDE_MAX];

	find_places(scene, area, place);
	for (int i = 0; i < scene->pieces; i++)
		if (place[i].top < area.top + area.height)
			draw_piece(&scene->beside[i], place[i]);
}

int terminal_beside_at(const struct scene *scene, struct area area, int row, int column)
{
	struct area place[SCENE_BESIDE_MAX];

	find_places(scene, area, place);
	for (int i = 0; i < scene->pieces; i++)
		if (row == place[i].top && row < area.top + area.height &&
		    column >= place[i].left && column < place[i].left + place[i].width)
			return i;
	return -1;
}
