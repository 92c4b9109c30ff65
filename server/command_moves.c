/*
 * command_moves.c - how many moves have been made at a table. See command.h.
 *
 * Neither the server nor the table is asked: a duel says nothing to the server in mid-game, and a
 * message for each move would cost all the time what is wanted now and then. But it is all in the
 * table's book (journal.h), which may be read by whoever may use the control socket. Which lines there
 * were good moves only the rules know, so the game is played again, as the recorder does it.
 */
#include "command.h"

#include "../proto/args.h"
#include "config.h"
#include "journal.h"
#include "taping.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The whole lines of a book from `begin` on, to be freed; NULL: there are none. */
static char *read_lines(int fd, off_t begin)
{
	off_t size = lseek(fd, 0, SEEK_END) - begin;
	char *text = size > 0 ? malloc((size_t)size + 1) : NULL;
	ssize_t length = text == NULL ? 0 : pread(fd, text, (size_t)size, begin);

	if (length <= 0) {
		free(text);
		return NULL;
	}
	/* the duel may be writing one just now */
	while (length > 0 && text[length - 1] != '\n')
		length--;
	text[length] = '\0';
	return text;
}

/* -1: the last record in this book is another table's, or there is none yet. */
static long count(int fd, const char *duel)
{
	static const struct config config = {0}; /* what of it counts for a game is in the record */
	struct record record = {0};
	char whose[UUID_TEXT], *text;
	off_t begin = journal_last(fd, lseek(fd, 0, SEEK_END), whose);
	long moves = -1;

	if (begin < 0 || strcmp(whose, duel) != 0)
		return -1;
	text = read_lines(fd, begin + 1); /* it begins with an empty line */
	if (text != NULL && taping_read(&record, text, duel, &config))
		moves = record.moves;
	record_free(&record);
	free(text);
	return moves;
}

void process_count_moves(struct process *process, const char *folder)
{
	char path[4096];
	long table;
	int fd;

	process->moves = -1;
	if (!args_read_number(process_value(process, "table"), 0, INT_MAX, &table))
		return;
	snprintf(path, sizeof(path), "%s/journals/%ld", folder, table);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return;
	process->moves = count(fd, process_value(process, "duel"));
	close(fd);
}
