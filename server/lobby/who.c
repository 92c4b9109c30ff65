/*
 * who.c - who is here: the answer to LIST, made as fast as its reader takes it. Also to those at a table: the
 * server has their sockets too, and their duels say nothing to them meanwhile.
 *
 * A place in the list is a slot in the table of visitors. Visitors keep their slots, so nobody is
 * told twice; who comes or goes meanwhile may be missing or may be gone.
 *
 * Owns: nothing; how far a LIST is, each asker has.
 * Talks to: the asker, and of one at a table, their duel.
 * Never: makes more of a LIST than its reader has taken; says a token.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/message.h"

enum { PIECE = 4096, LONGEST_LINE = 256 /* of a LIST, in bytes */ };

static const struct visitor *list_next(const struct lobby *lobby, const struct visitor *asker,
				       size_t *cursor)
{
	while (*cursor < lobby->visitors) {
		const struct visitor *visitor = lobby->visitor[(*cursor)++];

		if (visitor != NULL && visitor != asker && visitor_is_registered(visitor))
			return visitor;
	}
	return NULL;
}

static const char *list_state(const struct visitor *visitor)
{
	return visitor->state == VISITOR_WAITING ? "waiting" : "playing";
}

void who_begin(struct visitor *asker)
{
	peer_hold(&asker->peer);
	asker->listing = true;
	asker->cursor = 0;
	asker->list_bytes = 0;
}

static void print_entry(const struct visitor *visitor, bool full, struct text *lines)
{
	text_add(lines, "%s %s", visitor->id, visitor->address);
	if (full)
		text_add(lines, " %s %s %s", visitor->waiting.wish.name,
			 visitor->waiting.wish.shape.game->name, list_state(visitor));
	text_add(lines, "\n");
}

/* Some lines more. */
static void say_piece(struct lobby *lobby, struct visitor *asker)
{
	char data[PIECE];
	struct text lines = TEXT_IN(data);

	while (asker->listing && lines.size - lines.length > LONGEST_LINE) {
		const struct visitor *visitor = list_next(lobby, asker, &asker->cursor);

		if (visitor != NULL)
			print_entry(visitor, asker->full, &lines);
		else
			text_add(&lines, "END\n");
		asker->listing = visitor != NULL;
	}
	asker->list_bytes += lines.length;
	peer_say_in_list(&asker->peer, &lines);
	if (!asker->listing)
		peer_release(&asker->peer);
}

void who_go_on(struct lobby *lobby, struct visitor *asker)
{
	while (asker->listing && !asker->peer.broken &&
	       peer_unsent_now(&asker->peer) < PEER_UNSENT_PAUSE)
		say_piece(lobby, asker);
}

/* --- to those at a table ---------------------------------------------------------------------- */

static void say_listed(struct lobby *lobby, struct visitor *asker)
{
	char data[64];
	struct text line = TEXT_IN(data);

	text_add(&line, "%s %d %u %u %lu\n", message_word(SERVER_LISTED), asker->place,
		 asker->connection, asker->lists, (unsigned long)asker->list_bytes);
	child_tell(lobby, asker->child, line.data, line.length);
}

/* Their duel has asked, and says nothing to them until they have been told all. It may ask again for the last one,
 * since it may be a process after the one that asked first. False: it must not ask for this one. Not told at
 * once: what other duels have said by now counts. */
bool who_answer_seated(struct lobby *lobby, struct visitor *asker, unsigned number)
{
	if (number == asker->lists && number > 0) {
		if (!asker->listing && peer_unsent(&asker->peer) == 0)
			say_listed(lobby, asker);
		return true;
	}
	if (number != asker->lists + 1 || asker->listing)
		return false;
	if (asker->source.fd < 0)
		return true; /* their connection has gone, which it will hear of */
	asker->lists = number;
	who_begin(asker);
	lobby_watch(lobby, &asker->source, EPOLLOUT);
	return true;
}

/* There is room for more of it in their socket, or their connection is broken: that their duel will find. */
void who_go_on_seated(struct lobby *lobby, struct visitor *asker)
{
	bool was_told = !asker->listing && peer_unsent(&asker->peer) == 0;

	who_go_on(lobby, asker);
	if (!peer_flush(&asker->peer, lobby->now)) {
		who_drop(lobby, asker);
	} else if (asker->listing || peer_unsent(&asker->peer) > 0) {
		lobby_watch(lobby, &asker->source, EPOLLOUT);
	} else {
		lobby_watch(lobby, &asker->source, 0);
		if (!was_told)
			say_listed(lobby, asker);
	}
}

/* This connection is told nothing more of it. */
void who_drop(struct lobby *lobby, struct visitor *asker)
{
	if (visitor_has_place(asker))
		lobby_watch(lobby, &asker->source, 0);
	asker->listing = false;
	asker->lists = 0;
}
