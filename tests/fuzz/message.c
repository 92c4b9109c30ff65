/*
 * A message of any sender: a client's line, and what server, duel and spawner say over their pipes
 * and sockets. The first byte of the input is the sender. A message that is known has as many words
 * as its row of message.h allows, and the same line of another sender is not taken for it. The seat
 * of a newcomer is read, and printed as it was.
 */
#include "fuzz.h"

#include "../../proto/message.h"
#include "../../server/birth.h"

enum { SENDERS = BY_BIRTH + 1 };

static void check_seat(char *const words[])
{
	char printed[512], again[512];
	struct text text = TEXT_IN(printed), twice = TEXT_IN(again);
	struct words read;
	struct seat seat;
	int allowance;

	if (!birth_read_seat(&seat, &allowance, words))
		return;
	birth_print_seat(&seat, allowance, &text);
	MUST(!text.cut);
	strcpy(again, printed);
	MUST(line_split(again, &read) && read.count == BIRTH_SEAT_WORDS);
	MUST(birth_read_seat(&seat, &allowance, read.word));
	birth_print_seat(&seat, allowance, &twice);
	MUST(strcmp(printed, again) == 0);
}

static void check_message(enum sender sender, const char *line)
{
	static const char *const word_of[] = {[BY_CLIENT] = "PLAY",
					      [BY_SERVER] = "stop",
					      [BY_SERVER_PASS] = "join",
					      [BY_DUEL] = "farewell",
					      [BY_BIRTH] = "born"};
	char copy[LINE_MAX_PIPE + 1];
	struct words words;
	enum message message;

	strcpy(copy, line);
	message = message_read(sender, copy, &words);
	if (message == MESSAGE_UNKNOWN)
		return;
	MUST(words.count >= 1 && words.count <= LINE_WORDS_MAX);
	for (int other = 0; other < SENDERS; other++) /* a word of a sender's own is nobody else's */
		MUST(other == (int)sender || strcmp(words.word[0], word_of[other]) != 0);
	if (message == MESSAGE_MISFIT)
		return;
	MUST(message >= 0 && message < MESSAGE_COUNT);
	MUST(strcmp(message_word(message), words.word[0]) == 0);
	MUST(words.word[words.count] == NULL);
	if (message == PASS_JOIN) {
		MUST(words.count == 2 + BIRTH_SEAT_WORDS);
		check_seat(words.word + 2);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char line[LINE_MAX_PIPE + 1];

	if (size < 1 || size > LINE_MAX_PIPE)
		return 0;
	line_copy(line, (const char *)data + 1, size - 1);
	check_message((enum sender)(data[0] % SENDERS), line);
	return 0;
}
