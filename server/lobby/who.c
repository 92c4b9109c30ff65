/*
 * who.c - who is here: the answers to LIST and TABLES, made as fast as their reader takes them. LIST also to those
 * at a table: the server has their sockets too, and their duels say nothing to them meanwhile.
 *
 * A place in a LIST is a slot in the table of visitors, which keep their slots; one in TABLES is the number of
 * an arrival, or of a table, in a roll. So nobody is told twice; who comes or goes meanwhile may be missing or
 * may be gone.
 *
 * Owns: nothing; how far it is, each asker has.
 * Talks to: the asker, and of one at a table, their duel.
 * Never: makes more of an answer than its reader has taken; says a token, or a word of a private table.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/message.h"

enum { PIECE = 4096, LONGEST_LINE = 512 /* in bytes */ };

static const struct visitor *list_next(const struct lobby *lobby, const struct visitor *asker,
				       uint64_t *cursor)
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

static void print_entry(const struct visitor *visitor, bool full, struct text *lines)
{
	text_add(lines, "%s %s", visitor->id, visitor->address);
	if (full)
		text_add(lines, " %s %s %s", visitor->waiting.wish.name,
			 visitor->waiting.wish.shape.game->name, list_state(visitor));
	text_add(lines, "\n");
}

/* False: there was nobody left to be told of; so of the others. */
static bool say_person(const struct lobby *lobby, struct visitor *asker, struct text *lines)
{
	const struct visitor *visitor = list_next(lobby, asker, &asker->tale.cursor);

	if (visitor != NULL)
		print_entry(visitor, asker->full, lines);
	return visitor != NULL;
}

/* --- TABLES ----------------------------------------------------------------------------------- */

/* Can anybody meet them? Not who has a word for it, or waits for computers. */
static bool is_open(const struct visitor *visitor)
{
	return visitor->waiting.wish.shape.table[0] == '\0' && visitor->waiting.party == 0;
}

static bool say_open(const struct lobby *lobby, struct visitor *asker, struct text *lines)
{
	const struct visitor *visitor = roll_next(&lobby->waiting, &asker->tale.cursor);
	const struct wish *wish;

	if (visitor == NULL || visitor->waiting.arrival >= asker->tale.arrivals)
		return false;
	if (visitor == asker || !is_open(visitor))
		return true;
	wish = &visitor->waiting.wish;
	text_add(lines, "open %s %s %d %s", wish->shape.game->name, wish->name, visitor->countdown,
		 visitor->id);
	wish_print_told(wish, &lobby->config->defaults, lines);
	text_add(lines, "\n");
	return true;
}

/* Who has this seat; NULL: nobody. Who is on the way there has none yet. */
static const struct visitor *at_seat(const struct child *child, int seat)
{
	int place = child->seat_place[seat];
	const struct visitor *visitor = place < 0 ? NULL : child->member[place];

	return visitor == NULL || visitor->state == VISITOR_JOINING ? NULL : visitor;
}

/* Whoever has heard the end of a table finds it here no more. */
static bool is_live(const struct child *child)
{
	if (child->ending || child->state >= CHILD_DONE || child->birth.shape.table[0] != '\0')
		return false;
	for (int seat = 0; seat < child->seats; seat++)
		if (at_seat(child, seat) != NULL)
			return true;
	return false;
}

/* The round that is played, or in a pause the next one. */
static int round_of(const struct child *child)
{
	int rounds = child->birth.shape.rounds;
	int round = child->results < 0 ? 1 : child->results + 1;

	return rounds > 0 && round > rounds ? rounds : round;
}

static void print_live(const struct lobby *lobby, const struct child *child, struct text *lines)
{
	text_add(lines, "live %s ", child->birth.shape.game->name);
	for (int seat = 0; seat < child->seats; seat++) {
		const struct visitor *visitor = at_seat(child, seat);

		text_add(lines, "%s%s", seat == 0 ? "" : ",",
			 visitor == NULL ? "-" : visitor->waiting.wish.name);
	}
	text_add(lines, " %d/%d %s ", round_of(child), child->birth.shape.rounds,
		 child->birth.duel);
	if (child->port < 0)
		text_add(lines, "-\n");
	else
		text_add(lines, "%d\n", lobby->config->broadcast.port[child->port]);
}

static bool say_live(const struct lobby *lobby, struct visitor *asker, struct text *lines)
{
	const struct child *child = roll_next(&lobby->tables, &asker->tale.cursor);

	if (child == NULL || child->opening.serial >= asker->tale.tables)
		return false;
	if (is_live(child))
		print_live(lobby, child, lines);
	return true;
}

/* --- piece by piece --------------------------------------------------------------------------- */

void who_begin(struct lobby *lobby, struct visitor *asker, enum telling what)
{
	peer_hold(&asker->peer);
	asker->listing = true;
	asker->list_bytes = 0;
	asker->tale = (struct tale){
	    .what = what, .arrivals = lobby->arrivals, .tables = lobby->tables_made};
}

/* A line more, or none. False: that was all. */
static bool say_line(const struct lobby *lobby, struct visitor *asker, struct text *lines)
{
	switch (asker->tale.what) {
	case TELL_PEOPLE:
		return say_person(lobby, asker, lines);
	case TELL_LIVE:
		return say_live(lobby, asker, lines);
	case TELL_OPEN:
		if (!say_open(lobby, asker, lines)) {
			asker->tale.what = TELL_LIVE;
			asker->tale.cursor = 0;
		}
	}
	return true;
}

/* Some lines more. */
static void say_piece(struct lobby *lobby, struct visitor *asker)
{
	char data[PIECE];
	struct text lines = TEXT_IN(data);

	while (asker->listing && lines.size - lines.length > LONGEST_LINE)
		asker->listing = say_line(lobby, asker, &lines);
	if (!asker->listing)
		text_add(&lines, "END\n");
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
	who_begin(lobby, asker, TELL_PEOPLE);
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
