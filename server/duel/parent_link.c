/*
 * parent_link.c - a duel's talk with the server: its pipes, and the socket on which players come back.
 *
 * Owns: the lines for the server that have not been written yet, and the socket just handed over, until
 * players.c has it. The messages are those of message.h: BY_DUEL up, BY_SERVER and BY_SERVER_HANDOFF down.
 * Talks to: the server only.
 * Never: decides about the table. It may wait for the server to read, since a duel has nothing better to do.
 */
#include "server/duel/duel.h"

#include "proto/wire/log.h"
#include "server/shared/descriptors.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ERRORS_ROOM = 512, UNSENT_PIECE = 1800 }; /* bytes */

/* --- up --------------------------------------------------------------------------------------- */

/* A duel has nothing better to do than to wait for a server that lags. */
void parent_link_flush(struct duel *duel)
{
	size_t done = 0;
	int64_t begun;

	if (duel->up.length == 0)
		return;
	begun = trace_begin();
	trace_sent(&duel->link, WAY_UP, begun, duel->up.data, duel->up.length);
	while (done < duel->up.length && !duel->orphaned) {
		ssize_t written = write(duel->ends->up, duel->up.data + done,
					duel->up.length - done);

		if (written >= 0)
			done += (size_t)written;
		else if (errno == EAGAIN)
			poll(&(struct pollfd){.fd = duel->ends->up, .events = POLLOUT}, 1, -1);
		else if (errno != EINTR)
			duel->orphaned = true;
	}
	duel->up.length = 0;
	trace_end(begun, SLICE_TELL_SERVER);
}

void parent_link_tell(struct duel *duel, enum message message, const char *format, ...)
{
	va_list args;

	if (duel->up.size - duel->up.length < DUEL_UP_LINE)
		parent_link_flush(duel);
	text_add(&duel->up, "%s", message_word(message));
	va_start(args, format);
	text_add_list(&duel->up, format, args);
	va_end(args);
	text_add(&duel->up, "\n");
}

/* The last message of all but those about the port: what the server cannot have counted. */
void parent_link_tell_farewell(struct duel *duel)
{
	char line[ERRORS_ROOM];
	struct text errors = TEXT_IN(line);

	text_add(&errors, "%s", "");
	for (int code = 0; code < ERROR_NONE; code++)
		if (peer_counts.errors[code] > 0)
			text_add(&errors, " %s=%u", error_word((enum error)code),
				 peer_counts.errors[code]);
	parent_link_tell(duel, DUEL_FAREWELL, " %u %lu%s", duel->table.n + 1,
			 (unsigned long)peer_counts.bytes, errors.data);
}

void parent_link_tell_ending(struct duel *duel)
{
	if (duel->said_ending)
		return;
	duel->said_ending = true;
	parent_link_tell(duel, DUEL_ENDING, "%s", "");
	parent_link_flush(duel);
}

/* As one word: journal_read_text() reads it. */
void parent_link_tell_unsent(struct duel *duel, int place, const char *bytes, size_t length)
{
	for (size_t at = 0; at < length;) {
		char word[UNSENT_PIECE + 4];
		struct text text = TEXT_IN(word);

		for (; at < length && text.length < UNSENT_PIECE; at++) {
			if (bytes[at] > ' ' && bytes[at] <= '~' && bytes[at] != '\\')
				text_add(&text, "%c", bytes[at]);
			else
				text_add(&text, "\\%02x", (unsigned char)bytes[at]);
		}
		parent_link_tell(duel, DUEL_UNSENT, " %d %s", place, word);
	}
}

/* Whether a crash would end the table now. */
void parent_link_tell_of_journal(struct duel *duel)
{
	static const char *const words[] = {[JOURNAL_NONE] = "none",
					    [JOURNAL_WHOLE] = "whole",
					    [JOURNAL_BEHIND] = "behind",
					    [JOURNAL_UNSYNCED] = "unsynced"};

	if (duel->journal.told == duel->journal.state)
		return;
	duel->journal.told = duel->journal.state;
	parent_link_tell(duel, DUEL_JOURNAL, " %s", words[duel->journal.state]);
}

/* --- down ------------------------------------------------------------------------------------- */

static bool read_place(const struct duel *duel, const char *word, int *place)
{
	long number;

	if (!args_read_number(word, 0, duel->places - 1, &number))
		return false;
	*place = (int)number;
	return true;
}

static bool hear_listed(struct duel *duel, const struct words *words)
{
	unsigned connection, number;
	long bytes;
	int place;

	if (!read_place(duel, words->word[1], &place) ||
	    !birth_read_connection(words->word[2], &connection) ||
	    !birth_read_connection(words->word[3], &number) ||
	    !args_read_number(words->word[4], 0, LONG_MAX, &bytes))
		return false;
	players_hear_listed(duel, place, connection, number, (uint64_t)bytes);
	return true;
}

static bool hear_stop(struct duel *duel, const struct words *words)
{
	if (!duel->table.done)
		events_stop(duel, words->word[1]);
	return true;
}

/* False: the server does not talk like that. */
static bool hear_server_line(struct duel *duel, char *line)
{
	struct words words;

	switch (message_read(BY_SERVER, line, &words)) {
#define CASE(symbol, word, sender, low, high, when, handler, carries)                              \
	case symbol:                                                                               \
		return handler(duel, &words);
		SERVER_MESSAGES(CASE)
#undef CASE
	default:
		return false;
	}
}

void parent_link_hear(struct duel *duel)
{
	size_t room;
	char *place = line_room(&duel->reader, &room);
	ssize_t length = read(duel->ends->down, place, room);
	char *line;

	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (length <= 0) {
		duel->orphaned = true;
		return;
	}
	line_fed(&duel->reader, (size_t)length);
	while ((line = line_next(&duel->reader)) != NULL) {
		trace_heard(&duel->link, WAY_DOWN, line);
		if (!hear_server_line(duel, line)) {
			log_error("bad-message from=server");
			abort();
		}
	}
}

/* A player has come back, with a new connection. False: the server does not talk like that. */
static bool take_back(struct duel *duel, const struct words *words, struct parcel *parcel)
{
	unsigned connection;
	long place;

	if (!args_read_number(words->word[1], 0, GAME_SEATS_MAX - 1, &place) ||
	    !birth_read_connection(words->word[2], &connection))
		return false;
	/* to no place that there is: the server has been told that the player has left */
	if (duel->player[place].stay != AT_TABLE)
		descriptors_close(parcel);
	else if (parcel->count == 1)
		players_take_back(duel, (int)place, connection, parcel->fd[0]);
	else
		parent_link_tell(duel, DUEL_REFUSED, " %ld", place);
	return true;
}

static bool let_join(struct duel *duel, const struct words *words, struct parcel *parcel)
{
	unsigned connection;
	long place;

	if (!args_read_number(words->word[1], 0, GAME_SEATS_MAX - 1, &place) ||
	    duel->player[place].stay != VACANT ||
	    !birth_read_connection(words->word[2], &connection))
		return false;
	if (parcel->count == 1 &&
	    players_join(duel, (int)place, connection, words->word + 3, parcel->fd[0]))
		return true;
	descriptors_close(parcel);
	parent_link_tell(duel, DUEL_REFUSED, " %ld", place);
	return true;
}

static bool take_parcel(struct duel *duel, char *line, struct parcel *parcel)
{
	struct words words;

	switch (message_read(BY_SERVER_HANDOFF, line, &words)) {
#define CASE(symbol, word, sender, low, high, when, handler, carries)                              \
	case symbol:                                                                               \
		return handler(duel, &words, parcel);
		HANDOFF_MESSAGES(CASE)
#undef CASE
	default:
		return false;
	}
}

/* Somebody comes, with a socket; without it when we cannot have one more descriptor. */
void parent_link_hear_handoff(struct duel *duel)
{
	char line[512] = "";
	struct parcel parcel;
	ssize_t length = descriptors_receive(duel->ends->handoff, line, sizeof(line) - 1, &parcel,
					     MSG_DONTWAIT);

	if (length < 0 && errno != EMSGSIZE)
		return;
	trace_heard(&duel->link, WAY_HANDOFF, line);
	if (duel->said_farewell) {
		descriptors_close(&parcel); /* whoever is on the way knows by that */
	} else if (!take_parcel(duel, line, &parcel)) {
		log_error("bad-parcel from=server");
		abort();
	}
}
