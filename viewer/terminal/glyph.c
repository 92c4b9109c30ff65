/*
 * glyph.c - symbols drawn large. See glyph.h.
 *
 * A glyph is a rule that says of each dot whether it is black, so it can be drawn at any size. Dots
 * are measured from the middle, in halves, so that a size may be even: x and y go from 1 - size to
 * size - 1. A symbol without a rule is shown as it is.
 */
#include "viewer/terminal/glyph.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool saltire(int size, int x, int y)
{
	int thickness = (size + 1) / 8;

	return abs(abs(x) - abs(y)) <= 2 * thickness;
}

static bool disc(int size, int x, int y)
{
	return x * x + y * y < size * size;
}

static bool ring(int size, int x, int y)
{
	int inner = size - 2 * (1 + size / 8);

	return disc(size, x, y) && x * x + y * y >= inner * inner;
}

static bool square(int size, int x, int y)
{
	int outer = size - 1 - (size >= 9);

	return abs(x) <= outer && abs(y) <= outer;
}

static bool frame(int size, int x, int y)
{
	int inner = size - 1 - (size >= 9) - 2 * (1 + size / 8);

	return square(size, x, y) && (abs(x) > inner || abs(y) > inner);
}

static bool diamond(int size, int x, int y)
{
	return abs(x) + abs(y) <= size - 1;
}

static bool hollow_diamond(int size, int x, int y)
{
	return diamond(size, x, y) && abs(x) + abs(y) > size - 1 - 3 * (1 + size / 8);
}

/* The sides rise twice as fast as they come together. */
static bool triangle(int size, int x, int y)
{
	return 2 * abs(x) <= y + size + 1;
}

static bool hollow_triangle(int size, int x, int y)
{
	int thickness = 1 + size / 8;

	return triangle(size, x, y) &&
	       (2 * abs(x) > y + size + 1 - 5 * thickness || y > size - 1 - 2 * thickness);
}

static bool plus(int size, int x, int y)
{
	int thickness = 1 + size / 5;

	return abs(x) <= thickness || abs(y) <= thickness;
}

static bool asterisk(int size, int x, int y)
{
	return saltire(size, x, y) || abs(x) <= size / 8 || abs(y) <= size / 8;
}

/* Four points that come to a tip. */
static bool star(int size, int x, int y)
{
	int near = abs(x) < abs(y) ? abs(x) : abs(y), far = abs(x) + abs(y) - near;

	return far + 3 * near <= size + size / 8;
}

static bool bar(int size, int x, int y)
{
	return 2 * abs(x) <= size && square(size, x, y);
}

static bool hollow_bar(int size, int x, int y)
{
	int thickness = 1 + size / 8;

	return bar(size, x, y) &&
	       (2 * (abs(x) + 2 * thickness) > size || !bar(size, x, abs(y) + 2 * thickness));
}

/* Three points on a band. */
static bool crown(int size, int x, int y)
{
	int between = abs(abs(x) - size / 2), near = abs(x) < between ? abs(x) : between;

	if (abs(x) > size - size / 4)
		near = 0;
	return y > size / 3 || (y > -size / 2 && near <= (y + size) / 3 && abs(x) < size);
}

static bool weave(int size, int x, int y)
{
	return square(size, x, y) && (x + y) % 4 == 0;
}

static const struct {
	const char *symbol;
	bool (*has_dot)(int size, int x, int y);
} glyphs[] = {
    {"▮", bar},	     {"▯", hollow_bar},
    {"♔", crown},    {"▒", weave},
    {"X", saltire},  {"O", ring},
    {"●", disc},     {"○", ring},
    {"■", square},   {"□", frame},
    {"◆", diamond},  {"◇", hollow_diamond},
    {"▲", triangle}, {"△", hollow_triangle},
    {"★", star},     {"✦", star},
    {"✚", plus},     {"+", plus},
    {"✖", saltire},  {"✱", asterisk},
    {"✳", asterisk}, {"*", asterisk},
};

static bool (*rule_of(const char *symbol))(int size, int x, int y)
{
	for (size_t i = 0; i < sizeof(glyphs) / sizeof(glyphs[0]); i++)
		if (strcmp(glyphs[i].symbol, symbol) == 0)
			return glyphs[i].has_dot;
	return NULL;
}

bool glyph_exists(const char *symbol)
{
	return rule_of(symbol) != NULL;
}

bool glyph_has_dot(const char *symbol, int size, int column, int row)
{
	return column >= 0 && column < size && row >= 0 && row < size &&
	       rule_of(symbol)(size, 2 * column - (size - 1), 2 * row - (size - 1));
}
