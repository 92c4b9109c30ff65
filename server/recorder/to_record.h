/*
 * to_record.h - from a journal to a record: the table plays what the journal says, and what happens to
 * it is noted.
 */
#ifndef SERVER_RECORDER_TO_RECORD_H
#define SERVER_RECORDER_TO_RECORD_H

#include "server/shared/config.h"
#include "proto/kept/record.h"

#include <sys/types.h>

/* Fill in a record that is empty, from the lines of a journal: those from `begin` to `end` of a file. They are
 * read one by one. False: they make no sense, `why` says more; `record` may then hold some of it. A game that
 * has no end is taken as far as it goes, and counts as crashed. */
bool to_record_read(struct record *record, int fd, off_t begin, off_t end, const char *duel,
		    const struct config *config, char why[RECORD_WHY_MAX]);

#endif
