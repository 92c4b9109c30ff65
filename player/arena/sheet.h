/*
 * sheet.h - a sheet of texts in columns, as wide as it is or as the terminal is.
 */
#ifndef PLAYER_ARENA_SHEET_H
#define PLAYER_ARENA_SHEET_H

enum { SHEET_COLUMNS_MAX = 40, SHEET_ROWS_MAX = 32, SHEET_TEXT = 32 };

/* The first column says what a row is of. */
struct sheet {
	int columns, rows;
	int wide[SHEET_COLUMNS_MAX]; /* where there is room; 0: as its texts */
	char head[SHEET_COLUMNS_MAX][SHEET_TEXT];
	char cell[SHEET_ROWS_MAX][SHEET_COLUMNS_MAX][SHEET_TEXT];
};

void sheet_begin(struct sheet *sheet, const char *head, int wide);

/* A further column; `wide` is negative where the texts begin at its left. */
void sheet_add(struct sheet *sheet, const char *head, int wide);

/* The next text of a row, from the first column on; a row ends when all its columns are there. */
void sheet_tell(struct sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* How many columns of letters that has; 0: it is no terminal. */
int sheet_room(int fd);

/* On standard output. Columns for which a terminal has no room come in further parts below, each with the
 * first column. */
void sheet_print(const struct sheet *sheet);

#endif
