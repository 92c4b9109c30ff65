/*
 * terminal.h - scenes on a terminal, with ncurses: for the viewer and for the player.
 *
 * This module owns the terminal from terminal_open() to terminal_close() and gives it back as it
 * was, also when the program ends by exit(), a fatal signal or SIGTERM, SIGHUP, SIGINT, SIGQUIT.
 * A signal that the program handles or ignores itself is left to it; it must then end by exit().
 *
 * Box drawing and other symbols outside ASCII are used when the locale's encoding is UTF-8, so the
 * program calls setlocale(LC_CTYPE, "") before terminal_open(), or does not when it wants ASCII.
 */
#ifndef VIEWER_TERMINAL_TERMINAL_H
#define VIEWER_TERMINAL_TERMINAL_H

#include "viewer/scene/scene.h"

/* A part of the screen, in character cells. */
struct area {
	int top, left, height, width;
};

enum terminal_style {
	STYLE_PLAIN,
	STYLE_TITLE,
	STYLE_DIM,
	STYLE_GOOD,
	STYLE_BAD,
	STYLE_CHOSEN,
};

/* Is there a terminal on standard input and output? */
bool terminal_is_there(void);

/* False: ncurses cannot use this terminal; nothing has been changed. `mouse`: report clicks. */
bool terminal_open(bool mouse);
void terminal_close(void);

/* The whole screen as it is now (it follows the window's size). */
struct area terminal_area(void);

/* Everything drawn after terminal_begin() appears at terminal_end(). */
void terminal_begin(void);
void terminal_end(void);

/* Draw the scene as large as the area allows, centred, with its title, players and caption. In an
 * area too small for that, as much as fits, the board first; never outside the area. */
void terminal_draw_scene(const struct scene *scene, struct area area);

/* beside.c: the pieces beside the board, in rows of their own: how many they take, drawing them,
 * and which of them is at row, column of the screen (-1: none). */
int terminal_beside_height(const struct scene *scene, int width);
void terminal_draw_beside(const struct scene *scene, struct area area);
int terminal_beside_at(const struct scene *scene, struct area area, int row, int column);

/* Text, cut off at the right edge of the area. Bytes that are not printable become '?'. */
void terminal_draw_text(struct area area, int row, enum terminal_style style, const char *text);

/* Add a part, of ASCII, to a status line of so many columns if it fits as a whole; "" is none. What has
 * to be seen comes first. */
void terminal_add_status(struct text *line, int width, const char *part);

/* What came from keyboard and mouse; never waits. KEY_... are those of ncurses. */
struct terminal_input {
	int key;    /* a character, an ncurses KEY_..., or 0: nothing came */
	bool click; /* the left button was pressed at row, column of the screen */
	int row, column;
	bool resized; /* the window has another size: draw again */
};
bool terminal_read(struct terminal_input *input);

/* The cell of the scene last drawn in this area that is at row, column of the screen. */
bool terminal_cell_at(const struct scene *scene, struct area area, int row, int column, int *x,
		      int *y);

#endif
