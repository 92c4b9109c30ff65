/*
 * handoff.c - sockets on their way to a duel that is being played already: of players who come back
 * to their seats, and of newcomers. A pipe cannot carry a socket; a datagram can.
 *
 * Owns: nothing; the server's datagram socket, which all share, is the lobby's.
 * Talks to: the duels, by that socket alone.
 * Never: waits for room there. The duel answers over its pipe: `back`, `joined`, or `refused`. Until then the
 * socket is nobody's to read.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/message.h"
#include "server/shared/descriptors.h"
#include "server/shared/warrant.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* A line and a socket, to the duel's own datagram socket. 0, or why it does not take it now. */
static int hand_over(struct lobby *lobby, struct child *child, const struct text *line, int fd)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	struct parcel parcel = {.count = 1, .fd = {fd}};

	int64_t begun = trace_begin();
	int error;

	strcpy(to.sun_path + 1, child->handoff_name);
	error = descriptors_send(
	    lobby->handoff, line->data, line->length, &parcel, &to,
	    (socklen_t)(sizeof(sa_family_t) + 1 + strlen(child->handoff_name)));
	if (error == 0)
		trace_sent(&child->link, WAY_HANDOFF, begun, line->data, line->length);
	trace_end(begun, SLICE_HAND_OFF);
	return error;
}

/* Give the duel the socket of the player who returns to this place. */
void handoff_return(struct lobby *lobby, struct child *child, int place)
{
	struct visitor *returning = child->member[place]->returning;
	char data[32];
	struct text line = TEXT_IN(data);
	int error;

	if (child->state == CHILD_UNASKED || child->state == CHILD_LAUNCHED)
		return; /* when it is born */
	if (returning->handoff != HANDOFF_WAITS)
		return;
	text_add(&line, "%s %d %u", message_word(HANDOFF_RESUME), place, returning->connection);
	error = hand_over(lobby, child, &line, returning->peer.fd);
	if (error == 0)
		returning->handoff = HANDOFF_SENT;
	else if (error != ECONNREFUSED) /* it is dead: they are for the one that follows */
		visitor_deny_return(lobby, returning, ERROR_BUSY);
}

/* 0, or errno as hand_over(). One who is too early or too late for a process is for the one that follows:
 * they are handed over when that is born. */
static int hand_over_newcomer(struct lobby *lobby, struct child *child, int place,
			      struct visitor *visitor, unsigned connection)
{
	char data[512], words[256], warrant[WARRANT_TEXT];
	struct text line = TEXT_IN(data), own = TEXT_IN(words);
	struct seat seat;

	if (child->state != CHILD_ALIVE)
		return ECONNREFUSED;

	child_fill_seat(&seat, visitor);
	birth_print_seat(&seat, peer_allowance(&visitor->peer, lobby->now), &own);
	warrant_join(warrant, child->birth.duel, place, connection, own.data);
	text_add(&line, "%s %d %u %s %s", message_word(HANDOFF_JOIN), place, connection, own.data,
		 warrant);
	peer_ready_to_give(&visitor->peer);
	return hand_over(lobby, child, &line, visitor->peer.fd);
}

/* Let somebody who waits join a table that is being played, or will be when its duel is born. */
bool handoff_newcomer(struct lobby *lobby, struct child *child, struct visitor *visitor)
{
	int error, place = 0;

	while (place < GAME_SEATS_MAX && child->member[place] != NULL)
		place++;
	if (place == GAME_SEATS_MAX)
		return false;
	error = hand_over_newcomer(lobby, child, place, visitor, child->connections);
	if (error != 0 && error != ECONNREFUSED)
		return false;
	child_take_member(lobby, child, place, visitor, VISITOR_JOINING);
	visitor->handoff = error == 0 ? HANDOFF_SENT : HANDOFF_WAITS;
	child->joining++;
	return true;
}

/* The duel that died had not taken them yet: they are handed to the one that follows as any other is. */
bool handoff_again(struct lobby *lobby, struct child *child, struct visitor *visitor)
{
	int error = hand_over_newcomer(lobby, child, visitor->place, visitor, visitor->connection);

	visitor->handoff = error == 0 ? HANDOFF_SENT : HANDOFF_WAITS;
	return error == 0 || error == ECONNREFUSED;
}

/* The duel is born: those who have been waiting for that. */
void handoff_all(struct lobby *lobby, struct child *child)
{
	for (int place = 0; place < GAME_SEATS_MAX; place++) {
		struct visitor *visitor = child->member[place];

		if (visitor != NULL && visitor->state == VISITOR_JOINING &&
		    visitor->handoff == HANDOFF_WAITS && !handoff_again(lobby, child, visitor))
			waiting_take_back(lobby, visitor);
		else if (visitor != NULL && visitor->returning != NULL)
			handoff_return(lobby, child, place);
	}
}
