/*
 * screen.h - what terminal.c offers to scene.c and to nobody else.
 */
#ifndef VIEWER_TERMINAL_SCREEN_H
#define VIEWER_TERMINAL_SCREEN_H

#include "viewer/terminal/terminal.h"

/* May symbols outside ASCII be drawn? */
bool screen_has_utf8(void);

/* How what is put next looks. */
void screen_use_style(enum terminal_style style);
void screen_use_paint(int paint, bool strong);
void screen_use_lines(void);

/* Turn the look around, or underline it, for what is put next. */
void screen_add_reverse(void);
void screen_add_underline(void);

/* One character of one column, as UTF-8, if it is inside the area. */
void screen_put(struct area area, int row, int column, const char *symbol);

/* A word, as it is, in an area of one row; what does not fit is left out. */
void screen_put_word(struct area area, const char *word);

#endif
