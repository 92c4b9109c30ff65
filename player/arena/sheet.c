/*
 * sheet.c - a sheet of texts in columns, as wide as it is or as the terminal is. See sheet.h.
 *
 * Owns nothing. Only a terminal is asked how wide it is: what goes to a file or a program looks the same everywhere.
 */
#include "player/arena/sheet.h"

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

int sheet_room(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) < 0 ? 0 : size.ws_col;
}

void sheet_begin(struct sheet *sheet, const char *head, int wide)
{
	memset(sheet, 0, sizeof(*sheet));
	sheet_add(sheet, head, wide);
}

void sheet_add(struct sheet *sheet, const char *head, int wide)
{
	snprintf(sheet->head[sheet->columns], SHEET_TEXT, "%s", head);
	sheet->wide[sheet->columns++] = wide;
}

void sheet_tell(struct sheet *sheet, const char *format, ...)
{
	va_list args;
	int column = 0;

	if (sheet->rows == 0 || sheet->cell[sheet->rows - 1][sheet->columns - 1][0] != '\0')
		sheet->rows++;
	while (sheet->cell[sheet->rows - 1][column][0] != '\0')
		column++;
	va_start(args, format);
	vsnprintf(sheet->cell[sheet->rows - 1][column], SHEET_TEXT, format, args);
	va_end(args);
}

/* How wide a column is, with `fitted` no wider than its texts. */
static int width_of(const struct sheet *sheet, int column, bool fitted)
{
	int width = most((int)strlen(sheet->head[column]), fitted ? 0 : abs(sheet->wide[column]));

	for (int row = 0; row < sheet->rows; row++)
		width = most(width, (int)strlen(sheet->cell[row][column]));
	return width;
}

/* A text of each of some columns, behind that of the first one. */
static void print_line(const struct sheet *sheet, const char texts[][SHEET_TEXT], int first,
		       int end, bool fitted)
{
	printf("%-*s", width_of(sheet, 0, fitted), texts[0]);
	for (int column = first; column < end; column++) {
		int width = width_of(sheet, column, fitted);

		if (sheet->wide[column] < 0)
			printf("  %-*s", width, texts[column]);
		else
			printf(" %*s", width, texts[column]);
	}
	printf("\n");
}

/* The end of the columns that fit beside the first one, from `first` on: one at least. */
static int find_end(const struct sheet *sheet, int first, bool fitted, int room)
{
	int width = width_of(sheet, 0, fitted), end = first;

	do
		width += width_of(sheet, end, fitted) + (sheet->wide[end] < 0 ? 2 : 1);
	while (++end < sheet->columns &&
	       (room == 0 || width + width_of(sheet, end, fitted) + 2 <= room));
	return end;
}

void sheet_print(const struct sheet *sheet)
{
	const int wide = sheet_room(STDOUT_FILENO);
	const bool fitted = find_end(sheet, 1, false, wide) < sheet->columns;

	for (int first = 1, end; first < sheet->columns; first = end) {
		end = find_end(sheet, first, fitted, wide);
		if (first > 1)
			printf("\n");
		print_line(sheet, sheet->head, first, end, fitted);
		for (int row = 0; row < sheet->rows; row++)
			print_line(sheet, sheet->cell[row], first, end, fitted);
	}
}
