/*
 * visitor.c - the life of a visitor, as child.c has that of a duel:
 *
 *      NEW ──PLAY──▶ WAITING ──opponents──▶ SEATED ──the table is done──▶ LEFT, LOST ──▶ NEW
 *       │               └──a table has room──▶ JOINING ──it is taken──▶ SEATED
 *       ├──RESUME──▶ RETURNING ──its socket is taken──▶ GONE; the player has been SEATED all along
 *       └──LEAVING ──▶ GONE
 *
 * Owns: the table of visitors, and their moves from state to state.
 * Talks to: clients, when they are let out.
 * Never: hears what they say; hear_visitor.c does.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"

#include <assert.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bsd/stdlib.h>

enum {
	LIST_MS = 1000,	     /* between two looks whether a LIST has been read */
	LEAVE_MS = 2000,     /* for a client to read its last lines and close */
	LEAVE_STOP_MS = 300, /* the same when the server stops */
};

#define TO(state) (1u << VISITOR_##state)

/* All moves that there are. */
static const unsigned moves[] = {
    [VISITOR_NEW] = TO(NEW) | TO(WAITING) | TO(SEATED) | TO(RETURNING) | TO(LEAVING) | TO(GONE),
    [VISITOR_WAITING] = TO(NEW) | TO(JOINING) | TO(SEATED),
    [VISITOR_JOINING] = TO(NEW) | TO(WAITING) | TO(SEATED),
    [VISITOR_SEATED] = TO(NEW) | TO(SEATED) | TO(WAITING) | TO(LEFT) | TO(LOST),
    [VISITOR_LEFT] = TO(NEW) | TO(SEATED), /* the duel has died, and says it again */
    [VISITOR_LOST] = TO(NEW) | TO(SEATED),
    [VISITOR_RETURNING] = TO(NEW) | TO(GONE),
    [VISITOR_LEAVING] = TO(GONE),
    [VISITOR_GONE] = 0,
};

void visitor_become(struct visitor *visitor, enum visitor_state state)
{
	assert(moves[visitor->state] & 1u << state);
	visitor->state = state;
}

bool visitor_has_place(const struct visitor *visitor)
{
	return visitor->state >= VISITOR_JOINING && visitor->state <= VISITOR_LOST;
}

/* --- in --------------------------------------------------------------------------------------- */

static void on_timer(struct timer *timer, void *owner)
{
	struct visitor *visitor = CONTAINER_OF(timer, struct visitor, timer);

	visitor_forget(owner, visitor);
}

static void on_no_play(struct timer *timer, void *owner)
{
	struct visitor *visitor = CONTAINER_OF(timer, struct visitor, timer);
	struct lobby *lobby = owner;
	char text[64];

	if (visitor->listing) {
		/* a LIST is read to its end, at its reader's own pace */
		timers_set(&lobby->timers, timer, lobby->now + LIST_MS);
		return;
	}
	snprintf(text, sizeof(text), "no PLAY for %d seconds", lobby->config->limits.play_within);
	admission_log(lobby, ADMISSION_SILENT, visitor->address);
	peer_say_error(&visitor->peer, ERROR_NOT_REGISTERED, text);
	visitor_let_out(lobby, visitor);
}

void visitor_expect_play(struct lobby *lobby, struct visitor *visitor, bool anew)
{
	if (lobby->config->limits.play_within == 0)
		return;
	if (anew)
		visitor->play_by = lobby->now + lobby->config->limits.play_within * INT64_C(1000);
	visitor->timer.fire = on_no_play;
	timers_set(&lobby->timers, &visitor->timer, visitor->play_by);
}

/* The lowest free place; lobby->visitors: there is no memory for more. */
static size_t free_slot(struct lobby *lobby)
{
	struct visitor **more;
	size_t size;

	size_t slot = lobby->visitor_hint;

	while (slot < lobby->visitors && lobby->visitor[slot] != NULL)
		slot++;
	lobby->visitor_hint = slot;
	if (slot < lobby->visitors)
		return slot;
	size = 2 * slot + 16;
	more = recallocarray(lobby->visitor, slot, size, sizeof(*lobby->visitor));
	if (more != NULL) {
		lobby->visitor = more;
		lobby->visitors = size;
	}
	return slot;
}

/* Whose socket it is decides what they may have. */
static void set_origin(struct visitor *visitor, struct origin *origin)
{
	turns_leave_line(visitor);
	visitor->origin = origin;
	visitor->waiting.slow = origin == NULL || visitor->bot != 0 ? NULL : &origin->slow;
}

/* Sent by our own house: no limit of the address that it comes from is for it. */
void visitor_be_bot(struct lobby *lobby, struct visitor *visitor, unsigned number)
{
	visitor->bot = number;
	visitor->waiting.slow = NULL;
	lobby->house.seated++;
}

/* NULL: there is no memory. The descriptor is still the caller's then. */
struct visitor *visitor_make(struct lobby *lobby, int fd, struct origin *origin)
{
	struct visitor *visitor = calloc(1, sizeof(*visitor));
	size_t slot = free_slot(lobby);

	if (visitor == NULL || slot == lobby->visitors || !lobby_has_room(lobby)) {
		free(visitor);
		return NULL;
	}
	visitor->slot = slot;
	lobby->visitor_hint = slot + 1;
	set_origin(visitor, origin);
	lobby->visitor[visitor->slot] = visitor;
	lobby->people++;
	if (fd >= 0)
		lobby->connections++;
	peer_open(&visitor->peer, fd);
	visitor->source.fd = fd;
	visitor->source.ready = hear_visitor;
	visitor->source.what = SLICE_HEAR_PLAYER;
	return visitor;
}

/* A player of a server that has died: they have a seat, and may come back to it. */
struct visitor *visitor_expect(struct lobby *lobby)
{
	struct visitor *visitor = visitor_make(lobby, -1, NULL);

	if (visitor == NULL)
		err(1, "no memory for the players of unfinished games");
	strcpy(visitor->address, "0.0.0.0:0");
	visitor->away_at = lobby->now;
	return visitor;
}

/* --- out -------------------------------------------------------------------------------------- */

/* Who returns to a seat and who has it know of each other. */
static void part_returning(struct visitor *visitor)
{
	if (visitor->returning != NULL)
		visitor->returning->returns_to = NULL;
	if (visitor->returns_to != NULL)
		visitor->returns_to->returning = NULL;
	visitor->returning = visitor->returns_to = NULL;
}

void visitor_forget(struct lobby *lobby, struct visitor *visitor)
{
	if (visitor->state == VISITOR_GONE)
		return;
	part_returning(visitor);
	log_debug("disconnected address=%s", visitor->address);
	timers_clear(&lobby->timers, &visitor->timer);
	lobby_watch(lobby, &visitor->source, 0);
	if (visitor->source.fd >= 0)
		lobby->connections--;
	peer_close(&visitor->peer);
	unsent_drop(visitor);
	visitor->source.fd = -1;
	admission_leave(lobby, visitor->origin);
	set_origin(visitor, NULL);
	lobby->visitor[visitor->slot] = NULL;
	if (visitor->slot < lobby->visitor_hint)
		lobby->visitor_hint = visitor->slot;
	lobby->people--;
	visitor_become(visitor, VISITOR_GONE);
	SLIST_INSERT_HEAD(&lobby->gone, visitor, next_gone);
	if (lobby->door_closed && !stop_has_begun(lobby))
		timers_set(&lobby->timers, &lobby->door_timer, lobby->now);
}

/* Bytes that nobody has read make close() reset the connection, and a reset can destroy what the
 * client has not read yet. So: send all, say that no more will come, read until the client
 * closes. */
static void on_leaving(struct lobby *lobby, struct source *source, uint32_t events)
{
	static char nothing[65536];
	struct visitor *visitor = (struct visitor *)source;
	ssize_t length;

	if ((events & EPOLLERR) || !peer_flush(&visitor->peer, lobby->now)) {
		visitor_forget(lobby, visitor);
		return;
	}
	if (peer_unsent(&visitor->peer) == 0 && (source->watched & EPOLLOUT)) {
		shutdown(source->fd, SHUT_WR);
		lobby_watch(lobby, source, EPOLLIN);
	}
	length = recv(source->fd, nothing, sizeof(nothing), MSG_DONTWAIT);
	if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR)) {
		if (peer_unsent(&visitor->peer) == 0)
			visitor_forget(lobby, visitor);
		else
			lobby_watch(lobby, source, EPOLLOUT);
	}
}

void visitor_let_out(struct lobby *lobby, struct visitor *visitor)
{
	if (visitor->state == VISITOR_LEAVING || visitor->state == VISITOR_GONE)
		return;
	part_returning(visitor);
	visitor->listing = false;
	peer_release(&visitor->peer);
	if (visitor->source.fd < 0 || !peer_flush(&visitor->peer, lobby->now)) {
		visitor_forget(lobby, visitor);
		return;
	}
	visitor_become(visitor, VISITOR_LEAVING);
	visitor->source.ready = on_leaving;
	visitor->timer.fire = on_timer;
	timers_set(&lobby->timers, &visitor->timer,
		   lobby->now + (stop_has_begun(lobby) ? LEAVE_STOP_MS : LEAVE_MS));
	if (peer_unsent(&visitor->peer) == 0)
		shutdown(visitor->source.fd, SHUT_WR);
	peer_ready_to_watch(&visitor->peer);
	lobby_watch(lobby, &visitor->source,
		    peer_unsent(&visitor->peer) == 0 ? EPOLLIN : EPOLLIN | EPOLLOUT);
}

void visitor_let_socket_out(struct lobby *lobby, struct visitor *visitor)
{
	struct origin *origin = visitor->origin;
	struct visitor *stranger;
	int fd;

	if (visitor->source.fd < 0)
		return;
	who_drop(lobby, visitor);
	lobby_watch(lobby, &visitor->source, 0);
	visitor->source.fd = -1;
	visitor->away_at = lobby->now;
	set_origin(visitor, NULL);
	lobby->connections--; /* the stranger counts it again */
	fd = peer_give(&visitor->peer);
	stranger = visitor_make(lobby, fd, origin);
	if (stranger == NULL) {
		admission_leave(lobby, origin);
		close(fd);
		return;
	}
	strcpy(stranger->address, visitor->address);
	visitor_let_out(lobby, stranger);
}

void visitor_take_socket(struct lobby *lobby, struct visitor *visitor, struct visitor *from)
{
	lobby_watch(lobby, &from->source, 0);
	from->source.fd = -1;
	peer_open(&visitor->peer, peer_give(&from->peer));
	visitor->source.fd = visitor->peer.fd;
	set_origin(visitor, from->origin);
	set_origin(from, NULL);
	if (visitor_has_place(visitor))
		admission_sit(lobby, visitor);
	strcpy(visitor->address, from->address);
	visitor_forget(lobby, from);
}

void visitor_free_dead(struct lobby *lobby)
{
	while (!SLIST_EMPTY(&lobby->gone)) {
		struct visitor *visitor = SLIST_FIRST(&lobby->gone);

		SLIST_REMOVE_HEAD(&lobby->gone, next_gone);
		free(visitor);
	}
}

/* --- registered, and back -------------------------------------------------------------------- */

/* Not any more, once they may have heard the end of their table, though they are not back yet. */
bool visitor_is_registered(const struct visitor *visitor)
{
	return visitor->state == VISITOR_WAITING ||
	       (visitor_has_place(visitor) && !visitor->child->ending);
}

void visitor_say_aborted(struct visitor *visitor, const char *reason)
{
	if (visitor->full)
		peer_say(&visitor->peer, "ABORTED %s", reason);
	else
		peer_say(&visitor->peer, "ABORTED");
}

void visitor_unregister(struct lobby *lobby, struct visitor *visitor)
{
	bool waited = visitor->state == VISITOR_WAITING;
	bool was_registered = waited || visitor_has_place(visitor);

	if (waited)
		waiting_leave(lobby, visitor);
	visitor_become(visitor, VISITOR_NEW);
	if (visitor->waiting.party != 0 || visitor->bot != 0)
		house_link_note_left(lobby, visitor, waited);
	visitor->held = false;
	explicit_bzero(visitor->token, sizeof(visitor->token));
	if (was_registered && visitor->source.fd >= 0)
		visitor_expect_play(lobby, visitor, true);
}

bool visitor_may_be_heard(const struct visitor *visitor)
{
	return !visitor->listing &&
	       (visitor->state == VISITOR_NEW || visitor->state == VISITOR_WAITING) &&
	       peer_unsent(&visitor->peer) < PEER_UNSENT_PAUSE;
}

void visitor_leave(struct lobby *lobby, struct visitor *visitor)
{
	visitor_unregister(lobby, visitor);
	visitor_let_out(lobby, visitor);
}

/* Whatever has happened: send, go on with a LIST, wait for the right things, be matched. */
void visitor_go_on(struct lobby *lobby, struct visitor *visitor)
{
	struct peer *peer = &visitor->peer;
	uint32_t events = 0;

	if (visitor->state != VISITOR_NEW && visitor->state != VISITOR_WAITING)
		return;
	who_go_on(lobby, visitor);
	if (!peer_flush(peer, lobby->now)) {
		visitor_leave(lobby, visitor);
		return;
	}
	if (visitor_may_be_heard(visitor))
		events |= EPOLLIN | EPOLLRDHUP;
	/* a LIST goes on when there is room for more of it */
	if (peer_unsent(peer) > 0 || visitor->listing)
		events |= EPOLLOUT;
	peer_ready_to_watch(peer);
	lobby_watch(lobby, &visitor->source, events);
	waiting_note_ready(lobby, visitor, peer_unsent(peer) == 0 && !visitor->listing);
}

void visitor_deny_return(struct lobby *lobby, struct visitor *visitor, enum error error)
{
	visitor->returns_to->returning = NULL;
	visitor->returns_to = NULL;
	visitor_become(visitor, VISITOR_NEW);
	if (stop_has_begun(lobby)) {
		peer_say(&visitor->peer, "ABORTED shutdown"); /* RESUME is full */
		visitor_let_out(lobby, visitor);
		return;
	}
	visitor_expect_play(lobby, visitor, false);
	peer_say_error(&visitor->peer, error, NULL);
	visitor_go_on(lobby, visitor);
}

/* At the limit of tables they are not heard before their own, which may be the one that ends, has ended. */
void visitor_come_back(struct lobby *lobby, struct visitor *visitor)
{
	if (visitor->child != NULL)
		admission_stand_up(lobby, visitor);
	visitor_unregister(lobby, visitor);
	visitor->child = NULL;
	if (visitor->source.fd >= 0) {
		peer_take_back(&visitor->peer);
		unsent_take(lobby, visitor);
	}
	if (visitor->source.fd < 0)
		visitor_forget(lobby, visitor);
	else if (stop_has_begun(lobby))
		visitor_let_out(lobby, visitor);
	else if (admission_has_no_table(lobby))
		visitor_go_on(lobby, visitor);
	else
		hear_visitor_at_once(lobby, visitor);
}
