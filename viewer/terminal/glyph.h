/*
 * glyph.h - symbols drawn large, out of square dots.
 */
#ifndef VIEWER_TERMINAL_GLYPH_H
#define VIEWER_TERMINAL_GLYPH_H

#include <stdbool.h>

enum { GLYPH_MIN = 5 }; /* dots; a smaller one cannot be told from others */

/* Is there a large drawing of this symbol (UTF-8)? */
bool glyph_exists(const char *symbol);

/* Is there a dot at this place of a glyph of size x size dots? */
bool glyph_has_dot(const char *symbol, int size, int column, int row);

#endif
