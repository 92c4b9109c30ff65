/*
 * outline.h - what svg.c knows of pieces: for each symbol of a scene its outline and its name.
 */
#ifndef VIEWER_SVG_OUTLINE_H
#define VIEWER_SVG_OUTLINE_H

enum { SVG_CELL = 60 }; /* the side of a cell; shapes are drawn around its middle, at 0 0 */

enum outline_style {
	OUTLINE_FILLED,
	OUTLINE_HOLLOW,
	OUTLINE_LINES,
	OUTLINE_CARD, /* as large as the cell: a card face down */
};

struct outline {
	const char *symbol, *name;
	enum outline_style style;
	const char *path;
};

/* NULL: the symbol is a letter or a digit, and drawn as text. */
const struct outline *outline_find(const char *symbol);

/* The classes of each style, for the class attribute. */
const char *outline_class(const struct outline *outline);

#endif
