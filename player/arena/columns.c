/*
 * columns.c - a table of texts, as wide as it is or as the terminal is. See columns.h.
 *
 * Owns nothing. Only a terminal is asked how wide it is: what goes to a file or a program looks the same everywhere.
 */
#include "player/arena/columns.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int most(int a, int b)
{
	return a > b ? a : b;
}

int columns_room(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) < 0 ? 0 : size.ws_col;
}

void columns_begin(struct columns *table, const char *head, int wide)
{
	memset(table, 0, sizeof(*table));
	columns_add(table, head, wide);
}

void columns_add(struct columns *table, const char *head, int wide)
{
	snprintf(table->head[table->columns], COLUMNS_TEXT, "%s", head);
	table->wide[table->columns++] = wide;
}

void columns_tell(struct columns *table, const char *format, ...)
{
	va_list args;
	int column = 0;

	if (table->rows == 0 || table->cell[table->rows - 1][table->columns - 1][0] != '\0')
		table->rows++;
	while (table->cell[table->rows - 1][column][0] != '\0')
		column++;
	va_start(args, format);
	vsnprintf(table->cell[table->rows - 1][column], COLUMNS_TEXT, format, args);
	va_end(args);
}

/* How wide a column is, with `fitted` no wider than its texts. */
static int width_of(const struct columns *table, int column, bool fitted)
{
	int width = most((int)strlen(table->head[column]), fitted ? 0 : abs(table->wide[column]));

	for (int row = 0; row < table->rows; row++)
		width = most(width, (int)strlen(table->cell[row][column]));
	return width;
}

/* A text of each of some columns, behind that of the first one. */
static void print_line(const struct columns *table, const char texts[][COLUMNS_TEXT], int first,
		       int end, bool fitted)
{
	printf("%-*s", width_of(table, 0, fitted), texts[0]);
	for (int column = first; column < end; column++) {
		int width = width_of(table, column, fitted);

		if (table->wide[column] < 0)
			printf("  %-*s", width, texts[column]);
		else
			printf(" %*s", width, texts[column]);
	}
	printf("\n");
}

/* The end of the columns that fit beside the first one, from `first` on: one at least. */
static int find_end(const struct columns *table, int first, bool fitted, int room)
{
	int width = width_of(table, 0, fitted), end = first;

	do
		width += width_of(table, end, fitted) + (table->wide[end] < 0 ? 2 : 1);
	while (++end < table->columns &&
	       (room == 0 || width + width_of(table, end, fitted) + 2 <= room));
	return end;
}

void columns_print(const struct columns *table)
{
	const int wide = columns_room(STDOUT_FILENO);
	const bool fitted = find_end(table, 1, false, wide) < table->columns;

	for (int first = 1, end; first < table->columns; first = end) {
		end = find_end(table, first, fitted, wide);
		if (first > 1)
			printf("\n");
		print_line(table, table->head, first, end, fitted);
		for (int row = 0; row < table->rows; row++)
			print_line(table, table->cell[row], first, end, fitted);
	}
}
