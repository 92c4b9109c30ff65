/*
 * columns.c - lists for people, no wider than their terminal. See columns.h.
 */
#include "viewer/games/columns.h"

#include <string.h>

enum { GAP = 2 };

/* What the columns that are kept take at least. */
static int needed(const struct column *columns, int count)
{
	int width = -GAP;

	for (int i = 0; i < count; i++)
		if (columns[i].width > 0)
			width += columns[i].least + GAP;
	return width;
}

/* False: all that are left must stay. */
static bool leave_out(struct column *columns, int count)
{
	int first = -1;

	for (int i = 0; i < count; i++)
		if (columns[i].width > 0 && columns[i].leave > 0 &&
		    (first < 0 || columns[i].leave > columns[first].leave))
			first = i;
	if (first >= 0)
		columns[first].width = 0;
	return first >= 0;
}

void columns_fit(struct column *columns, int count, int width)
{
	for (int i = 0; i < count; i++)
		columns[i].width = columns[i].least;
	while (needed(columns, count) > width && leave_out(columns, count))
		;
	for (int spare = width - needed(columns, count); spare > 0;) {
		int before = spare;

		for (int i = 0; i < count && spare > 0; i++)
			if (columns[i].width > 0 && columns[i].width < columns[i].most) {
				columns[i].width++;
				spare--;
			}
		if (spare == before)
			break;
	}
}

static void print_value(FILE *out, const char *value, int width, bool utf8)
{
	int length = (int)strlen(value);
	int shown = length > width ? width - 1 : length;

	for (int i = 0; i < shown; i++)
		fputc(value[i] < ' ' || value[i] > '~' ? '?' : value[i], out);
	if (length > width)
		fputs(utf8 ? "…" : "~", out);
}

static void print_spaces(FILE *out, int count)
{
	for (int i = 0; i < count; i++)
		fputc(' ', out);
}

void columns_print(FILE *out, const struct column *columns, int count, const char *const value[],
		   bool utf8)
{
	int due = 0; /* spaces, if anything follows */

	for (int i = 0; i < count; i++) {
		int spare = columns[i].width - (int)strlen(value[i]);

		if (columns[i].width == 0)
			continue;
		spare = spare < 0 ? 0 : spare;
		print_spaces(out, due + (columns[i].right ? spare : 0));
		print_value(out, value[i], columns[i].width, utf8);
		due = GAP + (columns[i].right ? 0 : spare);
	}
	fputc('\n', out);
}

void columns_print_titles(FILE *out, const struct column *columns, int count)
{
	const char *title[count];

	for (int i = 0; i < count; i++)
		title[i] = columns[i].title;
	columns_print(out, columns, count, title, false);
}
