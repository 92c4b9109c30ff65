/*
 * glyph.c - symbols drawn large. See glyph.h.
 *
 * A glyph is a rule that says of each dot whether it is black, so it can be drawn at any size. Dots
 * are measured from the middle, in halves, so that a size may be even. A letter without a rule is
 * shown as a letter.
 */
#include "glyph.h"

#include <stddef.h>
#include <stdlib.h>

static bool cross(int size, int x, int y)
{
	int thickness = (size + 1) / 8;

	return abs(abs(x) - abs(y)) <= 2 * thickness;
}

static bool ring(int size, int x, int y)
{
	int thickness = 1 + size / 8;
	int outer = size, inner = size - 2 * thickness;
	int square = x * x + y * y;

	return square < outer * outer && square >= inner * inner;
}

static const struct {
	char letter;
	bool (*has_dot)(int size, int x, int y);
} glyphs[] = {
    {'X', cross},
    {'O', ring},
};

static bool (*rule_of(char letter))(int size, int x, int y)
{
	for (size_t i = 0; i < sizeof(glyphs) / sizeof(glyphs[0]); i++)
		if (glyphs[i].letter == letter)
			return glyphs[i].has_dot;
	return NULL;
}

bool glyph_exists(char letter)
{
	return rule_of(letter) != NULL;
}

bool glyph_has_dot(char letter, int size, int column, int row)
{
	return column >= 0 && column < size && row >= 0 && row < size &&
	       rule_of(letter)(size, 2 * column - (size - 1), 2 * row - (size - 1));
}
