/*
 * glyph.h - symbols drawn large, out of square dots.
 */
#ifndef VIEWER_GLYPH_H
#define VIEWER_GLYPH_H

#include <stdbool.h>

enum { GLYPH_MIN = 5 }; /* dots; a smaller one cannot be told from others */

/* Is there a large drawing for this letter? */
bool glyph_exists(char letter);

/* Is there a dot at this place of a glyph of size x size dots? */
bool glyph_has_dot(char letter, int size, int column, int row);

#endif
