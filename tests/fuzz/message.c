/*
 * A message of any sender: a client's line, what server, duel and spawner say over their pipes and
 * sockets, what stands in a journal. The first byte of the input is the sender. A message that is
 * known is of the word that it begins with, and has the words that its reader counts on. The seat
 * of a newcomer is read, and printed as it was.
 */
#include "tests/fuzz/fuzz.h"

#include "proto/wire/message.h"
#include "server/shared/birth.h"

enum { SENDERS = BY_JOURNAL + 1 };

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
	char copy[LINE_MAX_PIPE + 1];
	struct words words;
	enum message message;

	strcpy(copy, line);
	message = message_read(sender, copy, &words);
	if (message == MESSAGE_UNKNOWN)
		return;
	MUST(words.count >= 1 && words.count <= LINE_WORDS_MAX);
	if (message == MESSAGE_MISFIT)
		return;
	MUST(message >= 0 && message < MESSAGE_COUNT);
	MUST(strcmp(message_word(message), words.word[0]) == 0);
	MUST(words.word[words.count] == NULL);
	if (message == HANDOFF_JOIN)
		check_seat(words.word + 3); /* behind it stands its warrant */
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
