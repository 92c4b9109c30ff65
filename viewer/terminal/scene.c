/*
 * scene.c - drawing a scene on the screen, and finding its cells again under the mouse.
 *
 * It puts what layout.c has placed. Colour only ever repeats what a symbol, a sign or a bracket
 * says as well.
 */
#include "viewer/terminal/screen.h"

#include "viewer/terminal/glyph.h"
#include "viewer/terminal/layout.h"

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

/* So many columns apart that labels do not run into each other. */
static int label_step(const struct layout *layout, const struct scene *scene)
{
	char first[16], last[16];
	int widest;

	snprintf(first, sizeof(first), "%d", scene->first_x + layout->column);
	snprintf(last, sizeof(last), "%d", scene->first_x + layout->column + layout->columns - 1);
	widest = (int)(strlen(first) > strlen(last) ? strlen(first) : strlen(last));
	return widest / layout->pitch_x + 1;
}

static void draw_labels(const struct layout *layout, const struct scene *scene)
{
	int step = label_step(layout, scene);
	struct area cell;
	char text[16];

	for (int column = 0; column < layout->columns; column++) {
		int x = scene->first_x + layout->column + column;

		if (x % step != 0)
			continue;
		cell = layout_cell(layout, column, 0);
		snprintf(text, sizeof(text), "%d", x);
		cell.top = layout->board.top - 1;
		cell.height = 1;
		cell.left += (cell.width - (int)strlen(text)) / 2;
		cell.width = (int)strlen(text);
		terminal_draw_text(cell, 0, STYLE_DIM, text);
	}
	for (int row = 0; row < layout->rows; row++) {
		cell = layout_cell(layout, 0, row);
		snprintf(text, sizeof(text), "%d", scene->first_y + layout->row + row);
		cell.top += cell.height / 2;
		cell.height = 1;
		cell.left = layout->board.left - 1 - (int)strlen(text);
		cell.width = (int)strlen(text);
		terminal_draw_text(cell, 0, STYLE_DIM, text);
	}
}

/* Where there is more of the board than is shown. */
static void draw_more(const struct layout *layout, const struct scene *scene)
{
	char words[64] = "more of the board:";
	struct text text = {words, sizeof(words), strlen(words), false};
	int middle = layout->board.left + layout->board.width / 2;

	if (layout->column > 0)
		text_add(&text, " left");
	if (layout->column + layout->columns < scene->columns)
		text_add(&text, " right");
	if (layout->row > 0)
		text_add(&text, " up");
	if (layout->row + layout->rows < scene->rows)
		text_add(&text, " down");
	put_words(layout->more, middle, STYLE_DIM, words);
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
static void draw_glyph(const struct cell *cell, struct area box, struct area area)
{
	int size = box.height < 5 ? 2 * box.height - 1 : 2 * box.height - 3;
	int left = (box.width - size) / 2;
	int top = ((2 * box.height - size) / 2 + 1) / 2 * 2; /* in dots; whole rows */

	for (int row = 0; row < box.height; row++)
		for (int column = 0; column < size; column++) {
			int dot = 2 * row - top;
			const char *symbol = dots(
			    glyph_has_dot(cell->symbol, size, column, dot),
			    glyph_has_dot(cell->symbol, size, column, dot + 1), cell->letter);

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

/* One word of a cell, in the middle of one of its rows. */
static void draw_word(struct area box, int row, int width, const char *word, struct area area)
{
	struct area place = {box.top + row, box.left + (box.width - width) / 2, 1, width};
	int right = area.left + area.width;

	if (place.top < area.top || place.top >= area.top + area.height)
		return;
	if (place.left + place.width > right)
		place.width = right - place.left;
	screen_put_word(place, word);
}

/* The symbol, large if there is room, and in a row of its own what the note adds to it. */
static void draw_piece(const struct cell *cell, struct area box, struct area area)
{
	bool utf8 = screen_has_utf8(), large, alone;
	const char *note = cell->note;
	char symbol[SCENE_SYMBOL], label[SCENE_LABEL];
	struct area upper = box;
	int width;

	scene_symbol(cell, utf8, symbol);
	width = scene_label(cell, utf8, box.width - 2, label);
	upper.height -= strlen(note) > 1 && strcmp(note, symbol) != 0;
	large = upper.height >= SIZE_LARGE && glyph_exists(cell->symbol);
	/* a note that begins with the symbol needs none above it */
	alone = box.height == 1 || (!large && (strlen(note) < 2 || note[0] == symbol[0]));
	screen_use_paint(cell->paint, true);
	if (large)
		draw_glyph(cell, upper, area);
	else if (alone)
		draw_word(box, box.height / 2, width, label, area);
	else
		draw_word(box, upper.height / 2, 1, symbol, area);
	if (!alone && upper.height < box.height)
		draw_word(box, box.height - 1, (int)strlen(note), note, area);
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
	bool utf8 = screen_has_utf8();

	if (cell->marks & MARK_WIN && box.height > 1) {
		screen_use_paint(cell->paint, false);
		fill(box, area, utf8 ? "░" : ":");
	} else if (cell->ground == GROUND_SPECIAL) {
		screen_use_style(STYLE_DIM);
		fill(box, area, utf8 ? "·" : ".");
	}
	if (cell->letter != ' ')
		draw_piece(cell, box, area);
	if (box.height > 1)
		draw_large_brackets(cell->marks, box, area);
	else
		draw_small_brackets(cell, box, area);
}

/* A cell of one label, with what marks it on both sides if there is room. */
static void draw_small_cell(const struct cell *cell, struct area box, struct area area, int size)
{
	char label[SCENE_LABEL];
	int width = scene_label(cell, screen_has_utf8(), box.width, label);

	screen_use_paint(cell->paint, cell->letter != ' ');
	if (cell->marks & (MARK_WIN | MARK_CURSOR))
		screen_add_reverse();
	else if (cell->marks & (MARK_LAST | MARK_PICKED))
		screen_add_underline();
	draw_word(box, 0, width, label, area);
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
	enum terminal_style style = player->winner ? STYLE_GOOD
				    : player->turn ? STYLE_TITLE
						   : STYLE_PLAIN;
	char text[NAME_MAX_BYTES + 16 + SCENE_LEFT_TEXT], left[SCENE_LEFT_TEXT];
	struct text line = TEXT_IN(text);

	terminal_draw_text(area, 0, style, scene_player_sign(player, utf8));
	area.left += 2;
	area.width -= 2;
	if (player->letter != ' ') {
		screen_use_paint(player->paint, true);
		screen_put(area, area.top, area.left,
			   utf8 ? player->symbol : (char[]){player->letter, '\0'});
		area.left += 2;
		area.width -= 2;
	}
	scene_print_left(player, utf8, left);
	text_add(&line, "%s", player->name);
	if (scene->has_scores)
		text_add(&line, " %d", player->score);
	if (left[0] != '\0')
		text_add(&line, " %s", left);
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
	if (layout.more.height > 0)
		draw_more(&layout, scene);
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
