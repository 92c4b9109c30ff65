/*
 * terminal_scene.c - drawing a scene on the screen, and finding its cells again under the mouse.
 *
 * It puts what layout.c has placed. Colour only ever repeats what a symbol, a sign or a bracket
 * says as well.
 */
#include "screen.h"

#include "glyph.h"
#include "layout.h"

#include <string.h>

/* A large bracket: its top, middle and bottom, left and right of a cell. */
static const struct bracket {
	char small; /* the left one of scene_brackets() */
	const char *utf8[2][3];
	const char *ascii[2][3];
} brackets[] = {
    {'[', {{"┏", "┃", "┗"}, {"┓", "┃", "┛"}}, {{"[", "[", "["}, {"]", "]", "]"}}},
    {'{', {{"╔", "║", "╚"}, {"╗", "║", "╝"}}, {{"{", "{", "{"}, {"}", "}", "}"}}},
    {'(', {{"╭", "│", "╰"}, {"╮", "│", "╯"}}, {{"/", "|", "\\"}, {"\\", "|", "/"}}},
    {':', {{"┊", "┊", "┊"}, {"┊", "┊", "┊"}}, {{":", ":", ":"}, {":", ":", ":"}}},
};

/* What comes first says most, so words that are too long lose their last part. */
static void shorten(char *words, int width)
{
	while ((int)strlen(words) > width) {
		char *end = words + strlen(words);

		while (end > words && strncmp(end, "  ", 2) != 0 && strncmp(end, ": ", 2) != 0)
			end--;
		if (end == words)
			break;
		*end = '\0';
	}
}

/* Words in a row of their own, with their middle at a column if they fit there. */
static void put_words(struct area row, int middle, enum terminal_style style, const char *text)
{
	char words[SCENE_CAPTION];
	int left, spare;

	snprintf(words, sizeof(words), "%s", text);
	shorten(words, row.width);
	spare = row.width - (int)strlen(words);
	left = middle - (int)strlen(words) / 2 - row.left;
	left = left > spare ? spare : left;
	left = left < 0 ? 0 : left;
	row.left += left;
	row.width -= left;
	terminal_draw_text(row, 0, style, words);
}

/* The line character at a place of the board, counted from its top left. */
static const char *line_at(const struct layout *layout, int row, int column)
{
	static const char *const corners[3][3] = {
	    {"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}};
	bool across = row % layout->pitch_y == 0, down = column % layout->pitch_x == 0;
	int v = row == 0 ? 0 : row == layout->board.height - 1 ? 2 : 1;
	int h = column == 0 ? 0 : column == layout->board.width - 1 ? 2 : 1;

	if (across && down)
		return screen_has_utf8() ? corners[v][h] : "+";
	if (across)
		return screen_has_utf8() ? "─" : "-";
	if (down)
		return screen_has_utf8() ? "│" : "|";
	return NULL;
}

static void draw_lines(const struct layout *layout, struct area area)
{
	screen_use_lines();
	for (int row = 0; row < layout->board.height; row++)
		for (int column = 0; column < layout->board.width; column++) {
			const char *line = line_at(layout, row, column);

			if (line != NULL)
				screen_put(area, layout->board.top + row,
					   layout->board.left + column, line);
		}
}

static void draw_labels(const struct layout *layout, const struct scene *scene)
{
	struct area cell;
	char text[16];

	for (int column = 0; column < layout->columns; column++) {
		cell = layout_cell(layout, column, 0);
		cell.top = layout->board.top - 1;
		cell.height = 1;
		snprintf(text, sizeof(text), "%d", scene->first_x + layout->column + column);
		put_words(cell, cell.left + cell.width / 2, STYLE_DIM, text);
	}
	for (int row = 0; row < layout->rows; row++) {
		cell = layout_cell(layout, 0, row);
		snprintf(text, sizeof(text), "%d", scene->first_y + layout->row + row);
		cell.top += cell.height / 2;
		cell.height = 1;
		cell.left = layout->board.left - 1 - (int)strlen(text);
		terminal_draw_text(cell, 0, STYLE_DIM, text);
	}
}

/* The character that shows one dot above another. */
static const char *dots(bool upper, bool lower, char letter)
{
	static char ascii[2];

	if (!screen_has_utf8()) {
		/* a row is as high as two dots, so every second row of dots is left out */
		ascii[0] = letter;
		return upper ? ascii : NULL;
	}
	if (upper)
		return lower ? "█" : "▀";
	return lower ? "▄" : NULL;
}

/* A symbol as large as its box allows, with a free dot around it. */
static void draw_glyph(char letter, struct area box, struct area area)
{
	int size = box.height < 5 ? 2 * box.height - 1 : 2 * box.height - 3;
	int left = (box.width - size) / 2;
	int top = ((2 * box.height - size) / 2 + 1) / 2 * 2; /* in dots; whole rows */

	for (int row = 0; row < box.height; row++)
		for (int column = 0; column < size; column++) {
			int dot = 2 * row - top;
			const char *symbol = dots(glyph_has_dot(letter, size, column, dot),
						  glyph_has_dot(letter, size, column, dot + 1),
						  letter);

			if (symbol != NULL)
				screen_put(area, box.top + row, box.left + left + column, symbol);
		}
}

static void fill(struct area box, struct area area, const char *symbol)
{
	for (int row = 0; row < box.height; row++)
		for (int column = 0; column < box.width; column++)
			screen_put(area, box.top + row, box.left + column, symbol);
}

static void draw_large_brackets(unsigned marks, struct area box, struct area area)
{
	char small = scene_brackets(marks)[0];
	const struct bracket *bracket = NULL;

	for (size_t i = 0; i < sizeof(brackets) / sizeof(brackets[0]); i++)
		if (brackets[i].small == small)
			bracket = &brackets[i];
	if (bracket == NULL)
		return;
	screen_use_style(marks & MARK_CURSOR ? STYLE_TITLE : STYLE_PLAIN);
	for (int row = 0; row < box.height; row++)
		for (int right = 0; right < 2; right++) {
			int part = row == 0 ? 0 : row == box.height - 1 ? 2 : 1;

			screen_put(area, box.top + row, box.left + right * (box.width - 1),
				   screen_has_utf8() ? bracket->utf8[right][part]
						     : bracket->ascii[right][part]);
		}
}

static void draw_small_brackets(const struct cell *cell, struct area box, struct area area)
{
	const char *pair = scene_brackets(cell->marks);

	if (pair[0] == ' ')
		return;
	screen_use_paint(cell->marks & MARK_WIN ? cell->paint : PAINT_NONE, true);
	for (int right = 0; right < 2; right++)
		screen_put(area, box.top, right ? box.left + box.width - 1 : box.left,
			   (char[]){pair[right], '\0'});
}

/* A cell between lines. */
static void draw_cell(const struct cell *cell, struct area box, struct area area)
{
	char symbol[SCENE_SYMBOL];
	bool utf8 = screen_has_utf8();

	if (cell->marks & MARK_WIN && box.height > 1) {
		screen_use_paint(cell->paint, false);
		fill(box, area, utf8 ? "░" : ":");
	} else if (cell->ground == GROUND_SPECIAL) {
		screen_use_style(STYLE_DIM);
		fill(box, area, utf8 ? "·" : ".");
	}
	scene_symbol(cell, utf8, symbol);
	screen_use_paint(cell->paint, true);
	if (box.height >= SIZE_LARGE && glyph_exists(cell->letter))
		draw_glyph(cell->letter, box, area);
	else if (cell->letter != ' ')
		screen_put(area, box.top + box.height / 2, box.left + box.width / 2, symbol);
	if (box.height > 1)
		draw_large_brackets(cell->marks, box, area);
	else
		draw_small_brackets(cell, box, area);
}

/* A cell of one character, with what marks it on both sides if there is room. */
static void draw_small_cell(const struct cell *cell, struct area box, struct area area, int size)
{
	char symbol[SCENE_SYMBOL];

	scene_symbol(cell, screen_has_utf8(), symbol);
	screen_use_paint(cell->paint, cell->letter != ' ');
	if (cell->marks & (MARK_WIN | MARK_CURSOR))
		screen_add_reverse();
	else if (cell->marks & (MARK_LAST | MARK_PICKED))
		screen_add_underline();
	screen_put(area, box.top, box.left, symbol);
	if (size == SIZE_SMALL) {
		box.left--;
		box.width += 2;
		draw_small_brackets(cell, box, area);
	}
}

/* Neighbours share a bracket's place, so the marks of the move being made are drawn last. */
static void draw_cells(const struct layout *layout, const struct scene *scene, struct area area,
		       bool chosen)
{
	for (int row = 0; row < layout->rows; row++)
		for (int column = 0; column < layout->columns; column++) {
			const struct cell *cell =
			    &scene->cell[layout->row + row][layout->column + column];
			struct area box = layout_cell(layout, column, row);

			if (chosen != !!(cell->marks & (MARK_CURSOR | MARK_PICKED)))
				continue;
			if (layout->size >= SIZE_LINES)
				draw_cell(cell, box, area);
			else
				draw_small_cell(cell, box, area, layout->size);
		}
}

static void draw_player(const struct scene *scene, const struct scene_player *player,
			struct area area)
{
	bool utf8 = screen_has_utf8();
	int seat = (int)(player - scene->player);
	enum terminal_style style = player->winner ? STYLE_GOOD
				    : player->turn ? STYLE_TITLE
						   : STYLE_PLAIN;
	char text[NAME_MAX_BYTES + 16];

	terminal_draw_text(area, 0, style, scene_player_sign(player, utf8));
	area.left += 2;
	area.width -= 2;
	if (player->letter != ' ') {
		screen_use_paint(PAINT_SEAT_0 + seat, true);
		screen_put(area, area.top, area.left,
			   utf8 ? player->symbol : (char[]){player->letter, '\0'});
		area.left += 2;
		area.width -= 2;
	}
	if (scene->has_scores)
		snprintf(text, sizeof(text), "%s %d", player->name, player->score);
	else
		snprintf(text, sizeof(text), "%s", player->name);
	terminal_draw_text(area, 0, style, text);
}

static void draw_panel(const struct layout *layout, const struct scene *scene)
{
	struct area place[GAME_SEATS_MAX];

	layout_players(scene, layout->panel.width, layout->side, place);
	for (int seat = 0; seat < scene->players; seat++) {
		place[seat].top += layout->panel.top;
		place[seat].left += layout->panel.left;
		draw_player(scene, &scene->player[seat], place[seat]);
	}
}

/* A round that has been won is good news for somebody. */
static enum terminal_style caption_style(const struct scene *scene)
{
	for (int seat = 0; seat < scene->players; seat++)
		if (scene->player[seat].winner)
			return STYLE_GOOD;
	return STYLE_PLAIN;
}

void terminal_draw_scene(const struct scene *scene, struct area area)
{
	struct layout layout;
	int middle;

	layout_scene(&layout, scene, area);
	middle = layout.board.left + layout.board.width / 2;
	put_words(layout.title, middle, STYLE_TITLE, scene->title);
	if (layout.size >= SIZE_LINES)
		draw_lines(&layout, area);
	if (layout.labels)
		draw_labels(&layout, scene);
	draw_cells(&layout, scene, area, false);
	draw_cells(&layout, scene, area, true);
	if (layout.panel.height > 0)
		draw_panel(&layout, scene);
	put_words(layout.caption, middle, caption_style(scene), scene->caption);
}

bool terminal_cell_at(const struct scene *scene, struct area area, int row, int column, int *x,
		      int *y)
{
	struct layout layout;

	layout_scene(&layout, scene, area);
	for (int r = 0; r < layout.rows; r++)
		for (int c = 0; c < layout.columns; c++) {
			struct area box = layout_cell(&layout, c, r);
			/* the bracket left of a small cell belongs to it */
			int left = box.left - (layout.size == SIZE_SMALL);

			if (row < box.top || row >= box.top + box.height || column < left ||
			    column >= box.left + box.width)
				continue;
			*x = scene->first_x + layout.column + c;
			*y = scene->first_y + layout.row + r;
			return true;
		}
	return false;
}
