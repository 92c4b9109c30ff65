/*
 * report_test - the server does something with each message that a duel may say, and with no other.
 */
#include "server/lobby/lobby.h"
#include "tests/unit/check.h"

#include "proto/wire/message.h"

/* Is this its word, with however many words behind it that it wants? */
static bool may_be_said(enum message message)
{
	char line[LINE_WORDS_MAX * 2 + 32], copy[sizeof(line)];
	struct words words;

	strcpy(line, message_word(message));
	for (int count = 0; count < LINE_WORDS_MAX; count++) {
		strcpy(copy, line);
		if (message_read(BY_DUEL, copy, &words) == message)
			return true;
		strcat(line, " 0");
	}
	return false;
}

int main(void)
{
	int said = 0;

	for (int message = 0; message < MESSAGE_COUNT; message++) {
		check(hear_duel_handles(message) == may_be_said(message), message_word(message));
		said += may_be_said(message);
	}
	check(said > 0, "a duel says something");
	check(!hear_duel_handles(MESSAGE_UNKNOWN) && !hear_duel_handles(MESSAGE_MISFIT), "no message");
	return check_end();
}
