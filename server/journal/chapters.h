/*
 * chapters.h - how far the recorder has read each journal, and what is new in it.
 *
 * It is read in pieces, for it may be larger than all memory: a duel that has gone bad may write what it
 * likes into the journal of its table.
 *
 * A journal grows while it is read; and once all of it is in the database, the next table may begin it
 * anew. So what has been read counts only as long as its last chapter is still where it was.
 */
#ifndef SERVER_JOURNAL_CHAPTERS_H
#define SERVER_JOURNAL_CHAPTERS_H

#include "server/shared/birth.h"

#include <sys/types.h>

/* One chapter of a journal. */
struct chapter {
	char duel[UUID_TEXT];
	off_t begin, end; /* in the file; it begins with its empty line */
	bool over;
};

/* What of one journal has been dealt with. All zero: nothing. */
struct chapters {
	off_t begin, end; /* of the last chapter */
	char duel[UUID_TEXT];
};

/* False: it has to be given again later. */
typedef bool chapters_take(void *owner, int fd, const struct chapter *chapter);

/* Give every chapter behind those that have been dealt with. `all`: also the last one, if it is not
 * over. False: `take` has said false, or it is no file; then the same will be given again. */
bool chapters_read(struct chapters *chapters, int fd, bool all, chapters_take *take, void *owner);

#endif
