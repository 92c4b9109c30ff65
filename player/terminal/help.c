/*
 * help.c - the rules of a game and the keys of a screen, on one screen. See help.h.
 *
 * Owns how far it has been scrolled. The rules are those that the game itself tells; it knows no game.
 */
#include "player/terminal/help.h"

#include "player/terminal/page.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>

enum {
	COLUMNS_MAX = 76, /* of a line that is easy to read; rules are made for it */
	KEY_COLUMNS = 16, /* of the name of a key */
	GAP = 2,
};

void help_open(struct help *help, const struct game *game, const struct help_key *keys,
	       size_t count)
{
	*help = (struct help){.game = game, .keys = keys, .count = count};
}

/* Lines go into the area one after another, from the one that is shown first. */
struct sheet {
	struct area area;
	int top, line;
};

static void add_line(struct sheet *sheet, enum terminal_style style, const char *text,
		     size_t length)
{
	char line[COLUMNS_MAX + 1];
	int row = sheet->line++ - sheet->top;

	snprintf(line, sizeof(line), "%.*s", (int)length, text);
	if (row >= 0 && row < sheet->area.height)
		terminal_draw_text(sheet->area, row, style, line);
}

static void add_text(struct sheet *sheet, const char *text)
{
	for (const char *next; *text != '\0'; text = next) {
		size_t length = text_line(text, (size_t)sheet->area.width, &next);

		add_line(sheet, STYLE_PLAIN, text, length);
	}
}

static void print_key(const struct help_key *key, int width, struct text *text)
{
	char does[COLUMNS_MAX];

	snprintf(does, sizeof(does), "%-*s%s", KEY_COLUMNS, key->key, key->does);
	text_add(text, "%-*s", width, does);
}

static unsigned features_of(const struct game *game)
{
	return (drawing_of(game)->draw_beside != NULL ? HELP_BESIDE : 0U) |
	       (game->print_rack != NULL ? HELP_RACK : 0U) |
	       (view_has_turns(game) ? HELP_TURNS : 0U);
}

/* Side by side where there is room for two, down the left side first. */
static void add_keys(struct sheet *sheet, const struct help *help)
{
	unsigned has = features_of(help->game);
	const struct help_key *key[32];
	int count = 0, rows, columns = sheet->area.width >= COLUMNS_MAX ? 2 : 1;

	for (size_t i = 0; i < help->count && count < 32; i++)
		if ((help->keys[i].needs & ~has) == 0)
			key[count++] = &help->keys[i];
	rows = (count + columns - 1) / columns;
	for (int row = 0; row < rows; row++) {
		char line[2 * COLUMNS_MAX] = "";
		struct text text = TEXT_IN(line);

		for (int i = row; i < count; i += rows)
			print_key(key[i], sheet->area.width / columns, &text);
		add_line(sheet, STYLE_PLAIN, line, text.length);
	}
}

void help_draw(struct help *help, struct area area)
{
	int width = area.width - 2 < COLUMNS_MAX ? area.width - 2 : COLUMNS_MAX;
	struct sheet sheet = {.area = area, .top = help->top};
	char typed[PAGE_TEXT];

	if (width < 1)
		return;
	sheet.area.left += (area.width - width) / 2;
	sheet.area.width = width;
	add_line(&sheet, STYLE_TITLE, help->game->title, strlen(help->game->title));
	add_text(&sheet, help->game->rules);
	add_line(&sheet, STYLE_PLAIN, "", 0);
	add_keys(&sheet, help);
	snprintf(typed, sizeof(typed), "A move is typed as %s.", help->game->move_help);
	add_text(&sheet, typed);
	help->lines = sheet.line;
	help->rows = area.height;
}

static int lines_below(const struct help *help)
{
	return help->lines - help->top - help->rows;
}

const char *help_keys(const struct help *help)
{
	if (lines_below(help) > 0)
		return "down: more   any other key: back";
	return help->top > 0 ? "up: more   any other key: back" : "any key: back";
}

bool help_takes(struct help *help, const struct terminal_input *input)
{
	bool fits = help->lines <= help->rows;
	int step = 0;

	if (input->resized)
		help->top = 0;
	if (input->resized || (input->key == 0 && !input->click))
		return true;
	if (input->key == KEY_DOWN || input->key == 'j')
		step = 1;
	else if (input->key == KEY_UP || input->key == 'k')
		step = -1;
	else if (input->key == KEY_NPAGE || input->key == KEY_PPAGE)
		step = input->key == KEY_NPAGE ? help->rows - GAP : GAP - help->rows;
	if (fits || step == 0)
		return false;
	if (step > lines_below(help))
		step = lines_below(help);
	help->top = help->top + step < 0 ? 0 : help->top + step;
	return true;
}

void help_run(struct page *page, const struct game *game, const struct help_key *keys, size_t count)
{
	struct terminal_input input;
	struct help help;
	bool open = true;

	help_open(&help, game, keys, count);
	while (open && !page->quit) {
		terminal_begin();
		help_draw(&help, page_draw_foot(page, STYLE_DIM, help_keys(&help)));
		terminal_end();
		page_wait(page, -1);
		while (open && terminal_read(&input))
			open = help_takes(&help, &input);
	}
}
