/*
 * text.c - a scene as plain text, for logs, pipes and the server's --show-board.
 *
 *      tictactoe  round 2 of 3
 *          0  1  2
 *       0 *X* .  O
 *       1  O *X* .
 *       2  .  . *X*
 *      * X anna   O ben
 *      anna wins: three in a row
 *
 * It knows no terminal: no colour, no cursor, nothing but lines.
 */
#include "scene.h"

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

const char *scene_player_sign(const struct scene_player *player, bool utf8)
{
	if (player->winner)
		return utf8 ? "\u2605" : "*";
	if (player->turn)
		return utf8 ? "\u25b8" : ">";
	return " ";
}

static void end_line(struct text *text)
{
	while (text->length > 0 && text->data[text->length - 1] == ' ')
		text->length--;
	text_add(text, "\n");
}

static void print_cell(const struct cell *cell, bool utf8, struct text *text)
{
	const char *brackets = scene_brackets(cell->marks);
	char symbol[SCENE_SYMBOL];

	scene_symbol(cell, utf8, symbol);
	text_add(text, "%c%s%c", brackets[0], symbol, brackets[1]);
}

static void print_board(const struct scene *scene, bool utf8, struct text *text)
{
	text_add(text, "   ");
	for (int column = 0; column < scene->columns; column++)
		text_add(text, "%3d", scene->first_x + column);
	end_line(text);
	for (int row = 0; row < scene->rows; row++) {
		text_add(text, "%3d ", scene->first_y + row);
		for (int column = 0; column < scene->columns; column++)
			print_cell(&scene->cell[row][column], utf8, text);
		end_line(text);
	}
}

static void print_players(const struct scene *scene, bool utf8, struct text *text)
{
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
