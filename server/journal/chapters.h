/*
 * chapters.h - how far the recorder has read each book, and what is new in it.
 *
 * It is read in pieces, for it may be larger than all memory: a duel that has gone bad may write what it
 * likes into the book of its table.
 *
 * A book grows while it is read; and once all of it is in the database, the next table may begin it
 * anew. So what has been read counts only as long as its last record is still where it was.
 */
#ifndef SERVER_JOURNAL_CHAPTERS_H
#define SERVER_JOURNAL_CHAPTERS_H

#include "server/shared/birth.h"

#include <sys/types.h>

/* One record of a book. */
struct ledger_record {
	char duel[UUID_TEXT];
	off_t begin, end; /* in the file; it begins with its empty line */
	bool over;
};

/* What of one book has been dealt with. All zero: nothing. */
struct ledger {
	off_t begin, end; /* of the last record */
	char duel[UUID_TEXT];
};

/* False: it has to be given again later. */
typedef bool ledger_take(void *owner, int fd, const struct ledger_record *record);

/* Give every record behind those that have been dealt with. `all`: also the last one, if it is not
 * over. False: `take` has said false, or it is no file; then the same will be given again. */
bool ledger_read(struct ledger *ledger, int fd, bool all, ledger_take *take, void *owner);

#endif
