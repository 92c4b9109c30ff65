/*
 * ledger.h - how far the recorder has read each book, and what is new in it.
 *
 * A book grows while it is read; and once all of it is in the database, the next table may begin it
 * anew. So what has been read counts only as long as its last record is still where it was.
 */
#ifndef SERVER_LEDGER_H
#define SERVER_LEDGER_H

#include "birth.h"

#include <sys/types.h>

/* One record of a book. The text begins behind its empty line and ends with a NUL. */
struct ledger_record {
	char duel[UUID_TEXT];
	char *text;
	off_t begin, end; /* in the file */
	bool over;
};

/* What of one book has been dealt with. All zero: nothing. */
struct ledger {
	off_t begin, end; /* of the last record */
	char duel[UUID_TEXT];
};

/* Give every record behind those that have been dealt with. `all`: also the last one, if it is not
 * over. False: it cannot be read, or `take` has said false; then the same will be given again. */
bool ledger_read(struct ledger *ledger, int fd, bool all,
		 bool (*take)(void *owner, int fd, const struct ledger_record *record),
		 void *owner);

#endif
