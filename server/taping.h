/*
 * taping.h - from a journal to a record: the table plays what the journal says, and what happens to
 * it is noted.
 */
#ifndef SERVER_TAPING_H
#define SERVER_TAPING_H

#include "config.h"
#include "record.h"

/* Fill in a record that is empty, from the lines of a journal, which are cut up. False: they make no
 * sense (a line of the log says so); `record` may then hold some of it. A game that has no end is
 * taken as far as it goes, and counts as crashed. */
bool taping_read(struct record *record, char *journal, const char *duel,
		 const struct config *config);

#endif
