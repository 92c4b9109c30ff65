/*
 * open_journal.h - opening the journal of a table for its duel (see journal.h, folder.h): the spawner's work, done
 * before the duel is born.
 *
 *      append    the journal. It can be added to, and not be read: what stands in it before is of other tables
 *      chapter   born again: what its own table has in it, as a copy that nobody can change
 *
 * So whoever has broken a duel can read and lose nothing but their own game.
 */
#ifndef SERVER_DUEL_OPEN_JOURNAL_H
#define SERVER_DUEL_OPEN_JOURNAL_H

#include "server/shared/birth.h"
#include "server/shared/config.h"

#include <sys/types.h>

struct open_journal {
	int append, chapter; /* -1: there is none */
	off_t begin;	     /* where the chapter of this duel begins, … */
	off_t limit;	     /* … and so long the journal may become by it */
};

/* In the folder of journals. False, with errno: no. It is locked as long as the duel has it, so that two
 * never write into the same one. One that is `again` has to be there; on a disk that has become read-only
 * nothing can be added: it falls behind. Its half line, which did not happen, is cut off.
 *
 * Of a new table's birth `kept` is the sign of the last duel whose game the recorder has put into the
 * database; 0: of none. Until then even a long journal only grows.
 *
 * With `sync` the name of a new journal is on the disk before anything is written into it. Where each move
 * has to be there, no journal is opened that cannot be added to or whose name cannot be kept. */
bool open_journal(struct open_journal *journal, int journals, const struct birth *birth,
		  enum sync sync);

void close_journal(const struct open_journal *journal);

#endif
