/*
 * message.c - looking messages up in the table of message.h.
 */
#include "proto/wire/message.h"

#include <string.h>

struct row {
	const char *word;
	enum sender sender;
	int low, high;
};

#define MESSAGE_ROW(symbol, word, sender, low, high, when, handler, carries)                       \
	[symbol] = {word, sender, low, high},
static const struct row rows[] = {MESSAGES(MESSAGE_ROW)};
#undef MESSAGE_ROW

enum message message_read(enum sender sender, char *line, struct words *words)
{
	bool well_spaced = line_split(line, words);

	for (int m = 0; words->count > 0 && m < MESSAGE_COUNT; m++) {
		if (rows[m].sender != sender || rows[m].word[0] != words->word[0][0] ||
		    strcmp(rows[m].word, words->word[0]) != 0)
			continue;
		if (!well_spaced || words->count - 1 < rows[m].low ||
		    words->count - 1 > rows[m].high)
			return MESSAGE_MISFIT;
		return (enum message)m;
	}
	return MESSAGE_UNKNOWN;
}

const char *message_word(enum message message)
{
	return rows[message].word;
}
