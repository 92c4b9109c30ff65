/*
 * columns.h - a table of texts, as wide as it is or as the terminal is.
 */
#ifndef PLAYER_ARENA_COLUMNS_H
#define PLAYER_ARENA_COLUMNS_H

enum { COLUMNS_MAX = 40, COLUMNS_ROWS_MAX = 32, COLUMNS_TEXT = 32 };

/* The first column says what a row is of. */
struct columns {
	int columns, rows;
	int wide[COLUMNS_MAX]; /* where there is room; 0: as its texts */
	char head[COLUMNS_MAX][COLUMNS_TEXT];
	char cell[COLUMNS_ROWS_MAX][COLUMNS_MAX][COLUMNS_TEXT];
};

void columns_begin(struct columns *table, const char *head, int wide);

/* A further column; `wide` is negative where the texts begin at its left. */
void columns_add(struct columns *table, const char *head, int wide);

/* The next text of a row, from the first column on; a row ends when all its columns are there. */
void columns_tell(struct columns *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How many columns of letters that has; 0: it is no terminal. */
int columns_room(int fd);

/* On standard output. Columns for which a terminal has no room come in further parts below, each with the
 * first column. */
void columns_print(const struct columns *table);

#endif
