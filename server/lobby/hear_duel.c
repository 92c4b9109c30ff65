/*
 * hear_duel.c - hears what the duels say over their pipes.
 *
 * A duel is trusted no further than a client: what it says is checked against the table of messages
 * and against what is known of it. One that says what it must not is killed, and its players are
 * told so. What a duel may say, and until when, is in message.h.
 *
 * Owns: no state; a line that came in part is kept with the child.
 * Talks to: the rest of the lobby, of what the duels have said.
 * Never: waits for a duel; lets one say anything of another table.
 */
#include "server/lobby/echo.h"
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"
#include "proto/wire/message.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	/* messages of one duel at once, and on and on: far more than any game makes, beside the LISTs that its
	 * players may ask for */
	SAID_BURST = 5000,
	SAID_A_SECOND = 2000,
};

/* --- what each message does; false: it must not say that -------------------------------------- */

/* The words of a frame stood in one line, and are put together again. */
static bool note_last_frame(struct lobby *lobby, struct child *child, const struct words *words)
{
	char frame[FRAME_MAX + 1];
	struct text text = TEXT_IN(frame);

	if (child->port < 0)
		return false;
	line_join(words, 2, &text);
	if (text.cut || !metrics_note_frames(lobby, child, words->word[1]))
		return false;
	ports_repeat(lobby, child->port, frame, text.length);
	child->port = -1;
	return true;
}

/* The visitor at the place that a word names, or on the way to it; NULL: there is none. */
static struct visitor *at_place(const struct child *child, const char *word)
{
	long place;

	if (!args_read_number(word, 0, GAME_SEATS_MAX - 1, &place))
		return NULL;
	return child->member[place];
}

/* The same, of those who have their seats. */
static struct visitor *member(const struct child *child, const char *word)
{
	struct visitor *visitor = at_place(child, word);

	return visitor == NULL || visitor->state == VISITOR_JOINING ? NULL : visitor;
}

static bool answer_list(struct lobby *lobby, struct child *child, const struct words *words)
{
	struct visitor *asker = member(child, words->word[1]);
	long number;

	if (asker == NULL || asker->state != VISITOR_SEATED ||
	    !args_read_number(words->word[2], 1, UINT_MAX, &number))
		return false;
	if (asker->unsent.length == 0)
		return who_answer_seated(lobby, asker, (unsigned)number);
	unsent_note_list(asker); /* they leave */
	return true;
}

static bool note_result(struct lobby *lobby, struct child *child, const struct words *words)
{
	long number, round, winners;

	(void)lobby;
	if (!args_read_number(words->word[1], 1, INT32_MAX, &number) ||
	    !args_read_number(words->word[2], 1, INT32_MAX, &round) ||
	    !args_read_number(words->word[4], 0, UINT16_MAX, &winners) ||
	    strspn(words->word[3], "abcdefghijklmnopqrstuvwxyz0123456789-") !=
		strlen(words->word[3]))
		return false;
	child->results = (int)number;
	metrics_note_round(lobby, child, words->word[3]);
	log_info("round-ended table=%u duel=%s game=%s round=%ld why=%s winners=%ld", child->slot,
		 child->birth.duel, child->birth.shape.game->name, round, words->word[3], winners);
	return true;
}

static bool note_results(struct lobby *lobby, struct child *child, const struct words *words)
{
	long results;

	(void)lobby;
	if (child->results >= 0 || !args_read_number(words->word[1], 0, INT32_MAX, &results))
		return false;
	child->results = (int)results;
	return true;
}

/* The places of all its seats. */
static bool note_seats(struct child *child, char *const word[], int count)
{
	int places[GAME_SEATS_MAX];

	for (int seat = 0; seat < count; seat++) {
		places[seat] = -1;
		if (strcmp(word[seat], "-") != 0 &&
		    !args_read_int(word[seat], 0, GAME_SEATS_MAX - 1, &places[seat]))
			return false;
	}
	memcpy(child->seat_place, places, (size_t)count * sizeof(places[0]));
	child->seats = count;
	return true;
}

static bool note_room(struct lobby *lobby, struct child *child, const struct words *words)
{
	int seats = words->count - 2;
	int most = child->birth.shape.game->join != NULL ? GAME_SEATS_MAX : 0;
	long room;

	if (!args_read_number(words->word[1], 0, most, &room) || seats > most ||
	    (seats > 0 && !note_seats(child, words->word + 2, seats)))
		return false;
	waiting_note_room(lobby, child, child->state == CHILD_ALIVE ? (int)room : 0);
	return true;
}

static bool note_away(struct lobby *lobby, struct child *child, const struct words *words)
{
	struct visitor *visitor = member(child, words->word[1]);

	if (visitor == NULL)
		return false;
	visitor_let_socket_out(lobby, visitor);
	return true;
}

static bool note_back(struct lobby *lobby, struct child *child, const struct words *words)
{
	struct visitor *visitor = member(child, words->word[1]);
	struct visitor *returning = visitor == NULL ? NULL : visitor->returning;

	if (returning == NULL)
		return false;
	visitor->returning = NULL;
	returning->returns_to = NULL;
	visitor_let_socket_out(lobby, visitor);
	visitor->connection = returning->connection;
	visitor_take_socket(lobby, visitor, returning);
	visitor->full = true;
	return true;
}

static bool note_joined(struct lobby *lobby, struct child *child, const struct words *words)
{
	struct visitor *visitor = at_place(child, words->word[1]);

	(void)lobby;
	if (visitor == NULL || visitor->state != VISITOR_JOINING)
		return false;
	visitor_become(visitor, VISITOR_SEATED);
	child->joining--;
	if (child->room > 0)
		child->room--; /* it says so itself a moment later */
	return true;
}

static bool note_refused(struct lobby *lobby, struct child *child, const struct words *words)
{
	struct visitor *visitor = at_place(child, words->word[1]);

	if (visitor == NULL)
		return false;
	if (visitor->state == VISITOR_JOINING && visitor->handoff == HANDOFF_WITH_BIRTH &&
	    handoff_again(lobby, child, visitor))
		return true;
	if (visitor->state == VISITOR_JOINING) {
		/* nobody else is sent there until it says that it has room */
		waiting_note_room(lobby, child, 0);
		waiting_take_back(lobby, visitor);
		return true;
	}
	if (visitor->returning == NULL)
		return false;
	visitor_deny_return(lobby, visitor->returning, ERROR_BUSY);
	return true;
}

/* From here on nobody hears of its players as of such who are there. */
static bool note_ending(struct lobby *lobby, struct child *child, const struct words *words)
{
	(void)words;
	child->ending = true;
	waiting_note_room(lobby, child, 0);
	return true;
}

static bool note_unsent(struct lobby *lobby, struct child *child, const struct words *words)
{
	struct visitor *visitor = member(child, words->word[1]);

	(void)lobby;
	return visitor != NULL && visitor->state == VISITOR_SEATED &&
	       unsent_add(visitor, words->word[2]);
}

/* Without somebody who leaves: there may be others; or one of the two is away, and may still come back. */
static bool can_go_on(const struct child *child)
{
	for (int place = 0; place < child->birth.seats; place++)
		if (child->member[place] != NULL && child->member[place]->source.fd < 0)
			return true;
	return child->birth.shape.game->join != NULL || child->birth.seats > 2;
}

/* At the end of a table all come back together, when its process has ended: before that it could still speak
 * to them. Who leaves a table that goes on comes back at once. */
static bool note_left(struct lobby *lobby, struct child *child, const struct words *words)
{
	struct visitor *visitor = member(child, words->word[1]);
	bool lost = strcmp(words->word[2], "lost") == 0;

	if (visitor == NULL || visitor->state != VISITOR_SEATED ||
	    (!child->ending && !can_go_on(child)) ||
	    (!lost && strcmp(words->word[2], "done") != 0 && strcmp(words->word[2], "logout") != 0))
		return false;
	visitor_become(visitor, lost ? VISITOR_LOST : VISITOR_LEFT);
	if (child->ending)
		return true;
	child_release(lobby, child, visitor);
	waiting_fill(lobby, child); /* somebody may have wished not to meet them */
	visitor_come_back(lobby, visitor);
	return true;
}

static bool note_farewell(struct lobby *lobby, struct child *child, const struct words *words)
{
	for (int place = 0; place < GAME_SEATS_MAX; place++) {
		const struct visitor *visitor = child->member[place];

		if (visitor != NULL && visitor->state == VISITOR_SEATED)
			return false;
	}
	if (!metrics_note_farewell(lobby, child, words))
		return false;
	child->state = CHILD_DONE;
	admission_note_over(lobby, child);
	waiting_note_room(lobby, child, 0);
	/* it takes nobody any more who is on the way */
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		if (child->member[place] != NULL && child->member[place]->state == VISITOR_JOINING)
			waiting_take_back(lobby, child->member[place]);
	child_expect_end(lobby, child);
	return true;
}

static bool note_journal(struct lobby *lobby, struct child *child, const struct words *words)
{
	bool whole = strcmp(words->word[1], "whole") == 0;
	bool none = strcmp(words->word[1], "none") == 0;

	bool unsynced = strcmp(words->word[1], "unsynced") == 0;
	/* whatever is missing in it, nobody has heard of it */
	bool waits = !none && lobby->config->sync == SYNC_MOVE;

	if (!whole && !none && !unsynced && strcmp(words->word[1], "behind") != 0)
		return false;
	child->unsafe = !whole && !unsynced && !waits;
	if (whole)
		log_info("journal-whole table=%u duel=%s", child->slot, child->birth.duel);
	else
		log_warn("journal-%s table=%u duel=%s so=\"%s\"", none ? "none" : "behind",
			 child->slot, child->birth.duel,
			 waits	    ? "its players wait until the disk has it"
			 : unsynced ? "a power cut may lose this game"
				    : "a crash ends this table");
	if (none)
		folder_drop_chapter(&lobby->folder, child->slot, child->birth.duel);
	else
		folder_mark(&lobby->folder, child->slot, child->unsafe);
	return true;
}

/* --- dispatch --------------------------------------------------------------------------------- */

/* A duel that goes wild must not keep the server from the others. */
static bool may_say_more(struct lobby *lobby, struct child *child)
{
	const int64_t burst = SAID_BURST + INT64_C(1) * GAME_SEATS_MAX * peer_limits.burst;
	const int64_t a_second = SAID_A_SECOND + INT64_C(1) * GAME_SEATS_MAX * peer_limits.a_second;

	child->said -= (lobby->now - child->said_at) * a_second / 1000;
	child->said_at = lobby->now;
	if (child->said < 0)
		child->said = 0;
	return ++child->said <= burst;
}

/* False: it must not say that, or not now. */
static bool obey(struct lobby *lobby, struct child *child, enum message message,
		 const struct words *words)
{
	bool at_end = child->state == CHILD_DONE;

	switch (message) {
#define CASE(symbol, word, sender, low, high, when, handler, carries)                              \
	case symbol:                                                                               \
		return ((when) == ALWAYS || !at_end) && handler(lobby, child, words);
		DUEL_MESSAGES(CASE)
#undef CASE
	default:
		return false;
	}
}

static bool hear_line(struct lobby *lobby, struct child *child, char *line)
{
	struct words words;
	enum message message;

	trace_heard(&child->link, WAY_UP, line);
	message = message_read(BY_DUEL, line, &words);

	/* what is not sent is bounded by its bytes */
	if (message != DUEL_UNSENT && !may_say_more(lobby, child))
		return false;
	return child->state != CHILD_LAUNCHED && obey(lobby, child, message, &words);
}

/* Whole lines come in one write, so a rest is kept only when more has come than one look holds. */
static bool keep_rest(struct child *child, const char *data, size_t length)
{
	char *rest = NULL;

	if (length > LINE_MAX_PIPE)
		return false;
	if (length > 0) {
		rest = malloc(length);
		if (rest == NULL)
			return false;
		memcpy(rest, data, length);
	}
	free(child->rest);
	child->rest = rest;
	child->rest_length = length;
	return true;
}

static bool hear_bytes(struct lobby *lobby, struct child *child, char *data, size_t length)
{
	char line[LINE_MAX_PIPE + 1];
	size_t at = 0, used;

	while ((used = line_length(data + at, length - at)) > 0) {
		if (used > LINE_MAX_PIPE)
			return false;
		line_copy(line, data + at, used);
		if (!hear_line(lobby, child, line))
			return false;
		at += used;
	}
	return keep_rest(child, data + at, length - at);
}

void hear_duel(struct lobby *lobby, struct source *source, uint32_t events)
{
	struct child *child = (struct child *)source;
	char data[3 * LINE_MAX_PIPE];
	size_t held = child->rest_length;
	ssize_t length;

	if (child->state == CHILD_LAUNCHED)
		launch_hear_births(lobby); /* it says that it is born before all else */
	if (child->state == CHILD_GONE)
		return;
	if (held > 0)
		memcpy(data, child->rest, held);
	length = read(source->fd, data + held, sizeof(data) - held);
	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (length <= 0) {
		child_close(lobby, child);
		return;
	}
	if (child->killed)
		return; /* its word does not count any more; the end of its pipe will come */
	if (!hear_bytes(lobby, child, data, held + (size_t)length))
		child_kill(child, "says what it may not");
	else if ((events & EPOLLHUP) && (size_t)length < sizeof(data) - held)
		child_close(lobby, child); /* nobody can say more, and all has been read */
}
