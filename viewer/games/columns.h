/*
 * columns.h - lists for people, no wider than their terminal.
 *
 * What does not fit is shortened, and where that is not enough columns are left out. Pure: it asks no terminal.
 */
#ifndef VIEWER_GAMES_COLUMNS_H
#define VIEWER_GAMES_COLUMNS_H

#include <stdbool.h>
#include <stdio.h>

struct column {
	const char *title;
	int least, most; /* how wide; between them as there is room */
	bool right;	 /* a number */
	int leave;	 /* left out before those with less; 0: never */
	int width;	 /* chosen by columns_fit(); 0: it is left out */
};

/* Choose their widths for lines of so many columns. */
void columns_fit(struct column *columns, int count, int width);

/* One line. A value that is cut off ends with a sign that says so; what is no character of ASCII is a '?'. */
void columns_print(FILE *out, const struct column *columns, int count, const char *const value[],
		   bool utf8);
void columns_print_titles(FILE *out, const struct column *columns, int count);

#endif
