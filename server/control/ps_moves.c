/*
 * ps_moves.c - how many moves have been made at a table. See ask.h.
 *
 * Neither the server nor the table is asked: a duel says nothing to the server in mid-game, and a
 * message for each move would cost all the time what is wanted now and then. But it is all in the
 * table's book (journal.h), which may be read by whoever may use the control socket. Which lines there
 * were good moves only the rules know, so the game is played again, as the recorder does it.
 */
#include "server/control/ask.h"

#include "proto/wire/args.h"
#include "server/shared/config.h"
#include "server/journal/journal.h"
#include "server/recorder/to_record.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* -1: the last record in this book is another table's, or there is none yet. */
static long count(int fd, const char *duel)
{
	static const struct config config = {0}; /* what of it counts for a game is in the record */
	struct record record = {0};
	char whose[UUID_TEXT], why[RECORD_WHY_MAX];
	off_t end = lseek(fd, 0, SEEK_END), begin = journal_last(fd, end, whose);
	long moves = -1;

	if (begin < 0 || strcmp(whose, duel) != 0 || end - begin > RECORD_LARGEST)
		return -1;
	/* it begins with an empty line; a last one that the duel is just writing does not count yet */
	if (taping_read(&record, fd, begin + 1, end, duel, &config, why))
		moves = record.moves;
	record_free(&record);
	return moves;
}

void ps_moves_count(struct process *process, const char *folder)
{
	char path[4096];
	long table;
	int fd;

	process->moves = -1;
	if (!args_read_number(ask_value(process, "table"), 0, INT_MAX, &table))
		return;
	snprintf(path, sizeof(path), "%s/journals/%ld", folder, table);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return;
	process->moves = count(fd, ask_value(process, "duel"));
	close(fd);
}
