/*
 * admission.c - who may come in, and who may have a table. See admission.h.
 *
 * Owns: the counts by address, the connections that were refused.
 * Never: keeps a refused connection for long, or one of them at the cost of another player: they
 * have a few descriptors of their own, and the next one that is refused takes the oldest's place.
 */
#include "server/lobby/admission.h"

#include "server/lobby/lobby.h"

#include "proto/wire/log.h"
#include "proto/wire/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bsd/stdlib.h>

enum {
	LINGER_MS = 1000,
	PER_ADDRESS = 1000, /* a class behind one router, with bots */
	GIVE_WAY_MS = 2000, /* whose connections break all at once are back sooner */
};

/* What each is called in the log, and what the client hears; NULL: nothing is said here. */
static const struct {
	const char *event, *text;
} events[] = {
    [ADMISSION_FULL] = {"connection-refused reason=max-connections",
			"the server has as many connections as it takes, try again later"},
    [ADMISSION_CROWD] = {"connection-refused reason=max-per-address",
			 "too many connections come from your address"},
    [ADMISSION_NO_MEMORY] = {"refused reason=memory",
			     "the server has no memory left, try again later"},
    [ADMISSION_SILENT] = {"closed reason=no-play", NULL},
    [ADMISSION_NO_TABLE] = {"play-refused reason=max-tables", NULL},
    [ADMISSION_HOLDS] = {"play-refused reason=tables-per-address", NULL},
    [ADMISSION_NO_BOT] = {"play-refused reason=no-bot", NULL},
    [ADMISSION_TOO_MANY] = {"tables-delayed reason=tables-per-second", NULL},
};

void admission_log(struct lobby *lobby, enum admission_event event, const char *who)
{
	unsigned long left_out;

	lobby->metrics.admission[event]++;
	if (seldom_may_speak(&lobby->admission.seldom[event], lobby->now, &left_out))
		log_warn("%s address=%s more-since-last=%lu", events[event].event, who, left_out);
}

/* --- connections ------------------------------------------------------------------------------ */

static void let_go(struct lingering *lingering)
{
	static char nothing[65536];

	if (lingering->fd < 0)
		return;
	/* bytes that nobody has read would make close() a reset, and that may overtake what was
	 * said */
	(void)!recv(lingering->fd, nothing, sizeof(nothing), MSG_DONTWAIT);
	close(lingering->fd);
	lingering->fd = -1;
}

void admission_refuse(struct lobby *lobby, int fd, const union address *from,
		      enum admission_event why)
{
	struct admission *admission = &lobby->admission;
	struct lingering *place = &admission->lingering[admission->next_lingering];
	char who[ADDRESS_TEXT], line[128];
	struct text text = TEXT_IN(line);

	address_print(from, who);
	admission_log(lobby, why, who);
	text_add(&text, "ERROR %s %s\n", error_word(ERROR_BUSY), events[why].text);
	(void)!send(fd, line, text.length, MSG_NOSIGNAL | MSG_DONTWAIT);
	shutdown(fd, SHUT_WR);
	let_go(place);
	*place = (struct lingering){.fd = fd, .since = lobby->now};
	admission->next_lingering = (admission->next_lingering + 1) % ADMISSION_LINGERING;
}

struct origin *admission_enter(struct lobby *lobby, int fd, const union address *from)
{
	struct origin *origin;

	if (lobby->connections >= lobby->connections_max) {
		admission_refuse(lobby, fd, from, ADMISSION_FULL);
		return NULL;
	}
	origin = limits_enter(&lobby->admission.limits, from);
	if (origin == NULL)
		admission_refuse(lobby, fd, from,
				 errno == ENOMEM ? ADMISSION_NO_MEMORY : ADMISSION_CROWD);
	return origin;
}

void admission_leave(struct lobby *lobby, struct origin *origin)
{
	if (origin != NULL)
		limits_leave(&lobby->admission.limits, origin, lobby->now);
}

void admission_sweep(struct lobby *lobby)
{
	struct admission *admission = &lobby->admission;

	for (int i = 0; i < ADMISSION_LINGERING; i++)
		if (lobby->now - admission->lingering[i].since >= LINGER_MS)
			let_go(&admission->lingering[i]);
	limits_refresh(&admission->limits, lobby->now);
}

/* --- tables ----------------------------------------------------------------------------------- */

bool admission_has_no_table(const struct lobby *lobby)
{
	unsigned playing = 0;

	if (lobby->children_live < lobby->admission.tables_max)
		return false;
	/* one that has said farewell is hardly there any more: its players may have the next */
	for (unsigned i = 0; i < lobby->children; i++)
		playing += lobby->child[i] != NULL && lobby->child[i]->state != CHILD_DONE;
	return playing >= lobby->admission.tables_max;
}

/* All who have seats there are away, and none is on the way back or there for the first time. Since when;
 * INT64_MAX: it is not so, or it is ending already. */
static int64_t abandoned_since(const struct child *child)
{
	int64_t since = INT64_MAX;

	if (child == NULL || child->state == CHILD_DONE || child->closed || child->gives_way)
		return INT64_MAX;
	for (int place = 0; place < GAME_SEATS_MAX; place++) {
		const struct visitor *visitor = child->member[place];

		if (visitor == NULL)
			continue;
		if (visitor->source.fd >= 0 || visitor->returning != NULL ||
		    visitor->state == VISITOR_JOINING)
			return INT64_MAX;
		if (since == INT64_MAX || visitor->away_at > since)
			since = visitor->away_at;
	}
	return since;
}

/* NULL: there is none. */
static struct child *find_abandoned(const struct lobby *lobby)
{
	struct child *found = NULL;
	int64_t oldest = INT64_MAX;

	for (unsigned i = 0; i < lobby->children; i++) {
		int64_t since = abandoned_since(lobby->child[i]);

		if (since >= oldest)
			continue;
		oldest = since;
		found = lobby->child[i];
	}
	return found;
}

bool admission_may_have_room(const struct lobby *lobby)
{
	return find_abandoned(lobby) != NULL;
}

void admission_make_room(struct lobby *lobby)
{
	struct child *child = find_abandoned(lobby);

	/* one that has died, or has not been born since the server was started, hears nothing yet */
	if (child == NULL || child->state != CHILD_ALIVE ||
	    lobby->now - abandoned_since(child) < GIVE_WAY_MS)
		return;
	log_info("table-gives-way table=%u duel=%s reason=\"its players are away, and others want "
		 "to play\"",
		 child->slot, child->birth.duel);
	child->gives_way = true;
	child_stop(lobby, child, "left");
}

/* Those whom it has given way to need not wait until a table is tried again. */
void admission_note_over(struct lobby *lobby, const struct child *child)
{
	if (child->gives_way && lobby->no_launches)
		timers_set(&lobby->timers, &lobby->launch_timer, lobby->now);
}

/* --- seats ------------------------------------------------------------------------------------ */

const char admission_holds_text[] = "your address has seats at as many tables as it may, leave one "
				    "first";

bool admission_holds_enough(const struct lobby *lobby, const struct visitor *visitor)
{
	return visitor->origin != NULL && visitor->bot == 0 &&
	       limits_holds_enough(&lobby->admission.limits, visitor->origin);
}

/* A table counts once, however many from here have seats there. */
static bool has_place(const struct child *child, const struct origin *origin)
{
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		if (child->member[place] != NULL && child->member[place]->child == child &&
		    child->member[place]->sits_from == origin)
			return true;
	return false;
}

void admission_sit(struct lobby *lobby, struct visitor *visitor)
{
	admission_stand_up(lobby, visitor);
	if (visitor->origin == NULL || visitor->bot != 0)
		return;
	if (!has_place(visitor->child, visitor->origin))
		limits_hold(visitor->origin);
	visitor->sits_from = visitor->origin;
}

void admission_stand_up(struct lobby *lobby, struct visitor *visitor)
{
	struct origin *origin = visitor->sits_from;

	visitor->sits_from = NULL;
	if (origin != NULL && !has_place(visitor->child, origin))
		limits_let_go(&lobby->admission.limits, origin, lobby->now);
}

/* --- tables a second -------------------------------------------------------------------------- */

static void on_timer(struct timer *timer, void *owner)
{
	struct lobby *lobby = owner;
	int64_t next = limits_refresh(&lobby->admission.limits, lobby->now);

	if (next != INT64_MAX)
		timers_set(&lobby->timers, timer, next);
	waiting_try_held(lobby);
}

void admission_count_table(struct lobby *lobby, struct waiting *const chosen[], int count)
{
	struct admission *admission = &lobby->admission;
	struct origin *counted[GAME_SEATS_MAX] = {NULL};

	for (int i = 0; i < count; i++) {
		struct visitor *visitor = CONTAINER_OF(chosen[i], struct visitor, waiting);
		int before = 0;

		/* once, however many of its players sit there */
		while (before < i && counted[before] != visitor->origin)
			before++;
		counted[i] = visitor->origin;
		if (before < i || visitor->origin == NULL || visitor->bot != 0)
			continue;
		limits_count_table(&admission->limits, visitor->origin, lobby->now);
		if (!visitor->origin->slow)
			continue;
		admission_log(lobby, ADMISSION_TOO_MANY, visitor->address);
		if (admission->timer.place == 0)
			timers_set(&lobby->timers, &admission->timer,
				   visitor->origin->since + LIMITS_WINDOW_MS);
	}
}

void admission_open(struct lobby *lobby)
{
	const struct config_limits *config = &lobby->config->limits;
	struct admission *admission = &lobby->admission;
	size_t most = lobby->connections_max;

	if (config->connections > 0 && (size_t)config->connections > most)
		log_warn("too-few-descriptors connections=%zu asked=%d", most, config->connections);
	else if (config->connections > 0)
		lobby->connections_max = (size_t)config->connections;
	admission->tables_max = (unsigned)(most / 2);
	if (config->tables > 0 && (unsigned)config->tables < admission->tables_max)
		admission->tables_max = (unsigned)config->tables;
	admission->limits.connections_max = (unsigned)config->per_address;
	/* so that one address never has all */
	if (config->per_address == 0)
		admission->limits.connections_max = lobby->connections_max / 2 < PER_ADDRESS
							? (unsigned)(lobby->connections_max + 1) / 2
							: PER_ADDRESS;
	admission->limits.tables_max = (unsigned)config->tables_a_second;
	admission->limits.held_max = (unsigned)config->tables_held;
	admission->limits.seed = arc4random();
	admission->timer.fire = on_timer;
	for (int i = 0; i < ADMISSION_LINGERING; i++)
		admission->lingering[i].fd = -1;
}
