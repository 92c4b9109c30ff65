/*
 * step_text.c - what differs from run to run, made the same: what chance decides gets names in the
 * order of its first appearance.
 */
#include "tests/faults/step.h"

#include "tests/faults/faults.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KNOWN_MAX = 64 };

static struct {
	char word[40];
} known[KNOWN_MAX];
static int knowns;

static int number_of(const char *word, size_t length)
{
	for (int i = 0; i < knowns; i++)
		if (strlen(known[i].word) == length && memcmp(known[i].word, word, length) == 0)
			return i;
	if (knowns == KNOWN_MAX)
		fail("too many ids in one stream");
	snprintf(known[knowns].word, sizeof(known[0].word), "%.*s", (int)length, word);
	return knowns++;
}

/* The length of an id or a token, or of an address with its port; 0. */
static size_t chance_length(const char *at)
{
	size_t length = strspn(at, "0123456789abcdef-");

	if (length == 36 || length == 32)
		return length;
	length = strspn(at, "0123456789.:");
	return length > 10 && strncmp(at, "127.", 4) == 0 ? length : 0;
}

/* New tiles come to those that were there; one may have been laid. */
static void check_rack(const char *line, char *rack, size_t size)
{
	int missing = 0;
	char left[128];

	snprintf(left, sizeof(left), "%.*s", (int)strcspn(line, "\n"), line);
	for (size_t i = 0; i + 2 <= strlen(rack); i += 3) {
		char tile[3] = {rack[i], rack[i + 1], '\0'};
		char *found = strstr(left, tile);

		missing += found == NULL;
		if (found != NULL)
			*found = '-';
	}
	if (missing > 1)
		fail("a rack has become another one: \"%s\" after \"%s\"", left, rack);
	snprintf(rack, size, "%.*s", (int)strcspn(line, "\n"), line);
}

/* In memory two small letters are a card, in a word of its own or in three characters of a board. */
static bool is_card(const char *bytes, const char *at, bool board)
{
	if (!islower((unsigned char)at[0]) || !islower((unsigned char)at[1]))
		return false;
	return board ? !islower((unsigned char)at[2])
		     : at > bytes && at[-1] == ' ' && (at[2] == ' ' || at[2] == '\n');
}

static bool begins(const char *line, const char *word)
{
	return strncmp(line, word, strlen(word)) == 0;
}

char *step_normal(const char *bytes, bool cards)
{
	struct text text = {.size = 2 * strlen(bytes) + 64};
	char rack[128] = "";

	text.data = malloc(text.size);
	if (text.data == NULL)
		fail("no memory");
	text.data[0] = '\0';
	knowns = 0;
	for (const char *line = bytes; *line != '\0';) {
		size_t length = strcspn(line, "\n");
		bool board = begins(line, "BOARD "), is_state = begins(line, "STATE ");

		if (begins(line, "RACK ")) {
			check_rack(line + 5, rack, sizeof(rack));
			line += length + (line[length] == '\n');
			continue;
		}
		for (const char *at = line; at <= line + length && *at != '\0';) {
			size_t word = chance_length(at);

			if (word > 0 && (at == line || !isalnum((unsigned char)at[-1]))) {
				text_add(&text, at[3] == '.' ? "ADDRESS" : "ID%d",
					 at[3] == '.' ? 0 : number_of(at, word));
				at += word;
			} else if (cards && (board || is_state) && is_card(bytes, at, board)) {
				text_add(&text, "<%d>", number_of(at, 2));
				at += 2;
			} else {
				text_add(&text, "%c", *at++);
			}
		}
		line += length + (line[length] == '\n');
	}
	if (text.cut)
		fail("a stream is too long");
	return text.data;
}
