/*
 * print.c - a scene as plain text, for logs, pipes and the server's --show-board.
 *
 *      Tic-tac-toe  round 2 of 3
 *          0  1  2
 *       0 *X* .  O
 *       1  O *X* .
 *       2  .  . *X*
 *      * X anna   O ben
 *      anna wins: three in a row
 *
 * It knows no terminal: no colour, no cursor, nothing but lines.
 */
#include "viewer/scene/scene.h"

#include <ctype.h>
#include <string.h>

const char *scene_brackets(unsigned marks)
{
	if (marks & MARK_CURSOR)
		return "[]";
	if (marks & MARK_PICKED)
		return "{}";
	if (marks & MARK_WIN)
		return "**";
	if (marks & MARK_LAST)
		return "()";
	return marks & MARK_TARGET ? "::" : "  ";
}

void scene_symbol(const struct cell *cell, bool utf8, char symbol[SCENE_SYMBOL])
{
	bool special = cell->ground == GROUND_SPECIAL;

	if (cell->letter == ' ')
		strcpy(symbol, utf8 ? (special ? "\u00d7" : "\u00b7") : (special ? "+" : "."));
	else if (utf8)
		strcpy(symbol, cell->symbol);
	else
		snprintf(symbol, SCENE_SYMBOL, "%c", cell->letter);
}

/* Does the note name what the symbol shows, in other characters: "b4" of a square? */
static bool is_named(const struct cell *cell)
{
	const char *note = cell->note;

	return note[0] != '\0' && cell->letter != ' ' && cell->symbol[0] != note[0] &&
	       toupper((unsigned char)note[0]) == toupper((unsigned char)cell->letter);
}

int scene_label(const struct cell *cell, bool utf8, int room, char label[SCENE_LABEL])
{
	struct text text = {.data = label, .size = SCENE_LABEL};
	const char *note = cell->letter == ' ' ? "" : cell->note;
	int width = (int)strlen(note);
	char symbol[SCENE_SYMBOL];

	scene_symbol(cell, utf8, symbol);
	if (utf8 && is_named(cell) && width + 1 <= room) {
		text_add(&text, "%s%s", symbol, note);
		return width + 1;
	}
	text_add(&text, "%s", width > 1 ? note : symbol);
	return width > 1 ? width : 1;
}

int scene_label_width(const struct scene *scene, bool brief)
{
	int widest = 1;

	for (int row = 0; row < scene->rows; row++)
		for (int column = 0; column < scene->columns; column++) {
			const struct cell *cell = &scene->cell[row][column];
			int width = (int)strlen(cell->note);

			width += width > 1 && !brief && is_named(cell);
			widest = width > widest ? width : widest;
		}
	return widest;
}

void scene_print_left(const struct scene_player *player, bool utf8, char text[SCENE_LEFT_TEXT])
{
	struct text line = {.data = text, .size = SCENE_LEFT_TEXT};

	text[0] = '\0';
	for (int i = 0; i < player->pieces; i++) {
		const struct scene_left *left = &player->left[i];

		text_add(&line, "%s", i == 0 ? "" : " ");
		if (utf8)
			text_add(&line, "%s", left->symbol);
		else
			text_add(&line, "%c", left->letter);
		text_add(&line, "%d", left->count);
	}
}

const char *scene_player_sign(const struct scene_player *player, bool utf8)
{
	if (player->winner)
		return utf8 ? "\u2605" : "*";
	if (player->turn)
		return utf8 ? "\u25b8" : ">";
	return player->out ? "-" : " ";
}

static void end_line(struct text *text)
{
	while (text->length > 0 && text->data[text->length - 1] == ' ')
		text->length--;
	text_add(text, "\n");
}

static void print_cell(const struct cell *cell, bool utf8, int width, struct text *text)
{
	const char *brackets = scene_brackets(cell->marks);
	char label[SCENE_LABEL];
	int used = scene_label(cell, utf8, width, label);

	text_add(text, "%c%s%*s%c", brackets[0], label, width - used, "", brackets[1]);
}

static void print_board(const struct scene *scene, bool utf8, struct text *text)
{
	int width = scene_label_width(scene, !utf8);

	text_add(text, "   ");
	for (int column = 0; column < scene->columns; column++)
		text_add(text, "%*d", width + 2, scene->first_x + column);
	end_line(text);
	for (int row = 0; row < scene->rows; row++) {
		text_add(text, "%3d ", scene->first_y + row);
		for (int column = 0; column < scene->columns; column++)
			print_cell(&scene->cell[row][column], utf8, width, text);
		end_line(text);
	}
}

static void print_players(const struct scene *scene, bool utf8, struct text *text)
{
	char left[SCENE_LEFT_TEXT];

	for (int seat = 0; seat < scene->players; seat++) {
		const struct scene_player *player = &scene->player[seat];

		text_add(text, "%s%s ", seat == 0 ? "" : "  ", scene_player_sign(player, utf8));
		if (player->letter != ' ' && utf8)
			text_add(text, "%s ", player->symbol);
		else if (player->letter != ' ')
			text_add(text, "%c ", player->letter);
		text_add(text, "%s", player->name);
		if (scene->has_scores)
			text_add(text, " %d", player->score);
		scene_print_left(player, utf8, left);
		if (left[0] != '\0')
			text_add(text, " %s", left);
	}
	end_line(text);
}

void scene_print(const struct scene *scene, bool utf8, struct text *text)
{
	text_add(text, "%s\n", scene->title);
	print_board(scene, utf8, text);
	if (scene->players > 0)
		print_players(scene, utf8, text);
	if (scene->caption[0] != '\0')
		text_add(text, "%s\n", scene->caption);
	text_add(text, "\n");
}
