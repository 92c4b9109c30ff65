/*
 * waiting.c - those who wait for opponents: registration, the countdown, the way to a table.
 *
 * A player is `ready` when they have been sent everything they were told: their duel then writes to an
 * empty line. While no table can be made (no process, no descriptor) those who would have one are
 * `held`: they keep their places and hear nothing, since it would be false that there is no
 * opponent.
 *
 * Owns: who waits, their countdown, and the pause after a table that could not be made.
 * Talks to: match.c, which knows who meets whom, and child.c, which makes the table. To those who wait.
 * Never: chooses opponents by itself.
 */
#include "server/lobby/secret.h"
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
	SECOND_MS = 1000,
	BOTS_MS = 3000, /* for the computers that somebody has asked for to come */
	HOLD_MS = 250,	/* until a table is tried again after one could not be made */
};

static struct visitor *visitor_of(struct waiting *waiting)
{
	return CONTAINER_OF(waiting, struct visitor, waiting);
}

static void say_id(struct visitor *visitor)
{
	if (visitor->full)
		peer_say(&visitor->peer, "ID %s %s", visitor->id, visitor->token);
	else
		peer_say(&visitor->peer, "ID %s", visitor->id);
}

static void say_countdown(struct lobby *lobby, struct visitor *visitor)
{
	peer_say(&visitor->peer, "NO_OPPONENTS %d", visitor->countdown);
	if (visitor->countdown == 0) {
		peer_say(&visitor->peer, "NO_OPPONENTS");
		visitor_unregister(lobby, visitor);
	}
}

static void on_second(struct timer *timer, void *owner)
{
	struct visitor *visitor = CONTAINER_OF(timer, struct visitor, timer);
	struct lobby *lobby = owner;

	if (visitor->held)
		return;
	visitor->countdown--;
	timers_set(&lobby->timers, timer, timer->due + SECOND_MS);
	say_countdown(lobby, visitor);
	visitor_go_on(lobby, visitor);
}

static void start_countdown(struct lobby *lobby, struct visitor *visitor)
{
	visitor->timer.fire = on_second;
	timers_set(&lobby->timers, &visitor->timer, lobby->now + SECOND_MS);
	say_countdown(lobby, visitor);
}

static const char no_bots_text[] = "the computers do not come, try again later";

static void on_no_bots(struct timer *timer, void *owner);

/* Their party waits for them alone, so nothing is to be told until then. */
static void wait_for_bots(struct lobby *lobby, struct visitor *visitor)
{
	if (visitor->bot != 0)
		return;
	visitor->timer.fire = on_no_bots;
	timers_set(&lobby->timers, &visitor->timer, visitor->bots_by);
}

static void begin_to_look(struct lobby *lobby, struct visitor *visitor)
{
	visitor->held = false;
	if (visitor->waiting.party != 0)
		wait_for_bots(lobby, visitor);
	else
		start_countdown(lobby, visitor);
}

static bool speaks_against(const struct wish *one, const char *name)
{
	return one->vs[0] != '\0' && strcmp(one->vs, name) != 0;
}

static bool may_join(const struct child *child, const struct wish *wish)
{
	if (child->state == CHILD_DONE || child->killed || child->room <= child->joining)
		return false;
	for (int place = 0; place < GAME_SEATS_MAX; place++) {
		const struct visitor *other = child->member[place];

		if (other != NULL && (speaks_against(wish, other->waiting.wish.name) ||
				      speaks_against(&other->waiting.wish, wish->name)))
			return false;
	}
	return true;
}

/* A moment from now a duel will say more to them: both go in one piece. False: they do not read. */
static bool send_all_but_wait(struct lobby *lobby, struct visitor *visitor)
{
	visitor->waiting.ready = peer_flush_more(&visitor->peer, lobby->now) &&
				 peer_unsent(&visitor->peer) == 0;
	return visitor->waiting.ready;
}

static bool join(struct lobby *lobby, struct child *child, struct visitor *visitor)
{
	return visitor->waiting.ready && visitor->waiting.party == 0 &&
	       !admission_holds_enough(lobby, visitor) && may_join(child, &visitor->waiting.wish) &&
	       send_all_but_wait(lobby, visitor) && handoff_newcomer(lobby, child, visitor);
}

/* In a game that newcomers may join: the table that has been open longest. */
static bool join_table(struct lobby *lobby, struct visitor *visitor)
{
	struct opening *opening;

	TAILQ_FOREACH (opening, &visitor->waiting.queue->openings, after)
		if (join(lobby, CONTAINER_OF(opening, struct child, opening), visitor))
			return true;
	return false;
}

size_t waiting_count(const struct lobby *lobby)
{
	size_t count = 0;

	for (size_t slot = 0; slot < lobby->visitors; slot++)
		count += lobby->visitor[slot] != NULL &&
			 lobby->visitor[slot]->state == VISITOR_WAITING;
	return count;
}

/* Is there a table that they could join, or may one be made? */
bool waiting_has_place(const struct lobby *lobby, const struct wish *wish)
{
	struct opening *opening;
	char shape[SHAPE_MAX];

	if (!admission_has_no_table(lobby) || admission_may_have_room(lobby))
		return true;
	if (wish->bot[0] != '\0')
		return false; /* they get a table of their own */
	shape_print(&wish->shape, shape);
	for (opening = match_openings(&lobby->queues, shape); opening != NULL;
	     opening = TAILQ_NEXT(opening, after))
		if (may_join(CONTAINER_OF(opening, struct child, opening), wish))
			return true;
	return false;
}

/* They have waited in vain: their address has taken its last table since, or no computer comes. */
static void turn_away(struct lobby *lobby, struct visitor *visitor, enum admission_event why,
		      const char *text)
{
	admission_log(lobby, why, visitor->address);
	visitor_unregister(lobby, visitor);
	peer_say_error(&visitor->peer, ERROR_BUSY, text);
	visitor_say_aborted(visitor, "busy");
	visitor_go_on(lobby, visitor);
}

static void on_no_bots(struct timer *timer, void *owner)
{
	turn_away(owner, CONTAINER_OF(timer, struct visitor, timer), ADMISSION_NO_BOT,
		  no_bots_text);
}

/* Those that have come have died with it, and no other will come. */
void waiting_give_up_bots(struct lobby *lobby)
{
	for (size_t slot = 0; slot < lobby->visitors; slot++) {
		struct visitor *visitor = lobby->visitor[slot];

		if (visitor != NULL && visitor->state == VISITOR_WAITING &&
		    visitor->waiting.party != 0 && visitor->bot == 0)
			turn_away(lobby, visitor, ADMISSION_NO_BOT, no_bots_text);
	}
}

/* A table may have a place for somebody whom it had none for. */
void waiting_fill(struct lobby *lobby, struct child *child)
{
	struct waiting *waiting, *next;

	if (child->opening.queue == NULL)
		return;
	TAILQ_FOREACH_SAFE (waiting, &child->opening.queue->waiting, after, next)
		if (child->room > child->joining)
			join(lobby, child, visitor_of(waiting));
}

void waiting_note_room(struct lobby *lobby, struct child *child, int room)
{
	char shape[SHAPE_MAX];

	child->room = room;
	if (room == 0 && child->opening.queue != NULL)
		match_shut(&child->opening);
	if (room == 0)
		return;
	if (child->opening.queue == NULL) {
		shape_print(&child->birth.shape, shape);
		if (!match_open(&lobby->queues, &child->opening, shape))
			return; /* no memory: nobody joins it until it says so again */
	}
	waiting_fill(lobby, child);
}

/* They keep their places and hear nothing; who has asked for computers is told soon that there is no table. */
static void hold(struct lobby *lobby, struct waiting *const chosen[], int count)
{
	for (int i = 0; i < count; i++) {
		visitor_of(chosen[i])->held = true;
		if (chosen[i]->party == 0)
			timers_clear(&lobby->timers, &visitor_of(chosen[i])->timer);
	}
}

/* No table could be made for these: another try is made soon. */
void waiting_no_table(struct lobby *lobby, struct waiting *const chosen[], int count)
{
	waiting_hold_launches(lobby);
	hold(lobby, chosen, count);
}

static bool turn_away_those_who_hold(struct lobby *lobby, struct waiting *const chosen[], int count)
{
	bool any = false;

	for (int i = 0; i < count; i++) {
		struct visitor *visitor = visitor_of(chosen[i]);

		/* with who has asked for computers these have gone too */
		if (visitor->state != VISITOR_WAITING || !admission_holds_enough(lobby, visitor))
			continue;
		turn_away(lobby, visitor, ADMISSION_HOLDS, admission_holds_text);
		any = true;
	}
	return any;
}

/* Those with whom they can be seated; how many. */
static int find_opponents(struct lobby *lobby, struct visitor *visitor,
			  struct waiting *chosen[GAME_SEATS_MAX])
{
	int count = match_find(&visitor->waiting, chosen, false);
	bool all = true;

	if (turn_away_those_who_hold(lobby, chosen, count))
		return visitor->state == VISITOR_WAITING ? find_opponents(lobby, visitor, chosen)
							 : 0;
	if (lobby->no_launches || admission_has_no_table(lobby))
		return count;
	for (int i = 0; i < count; i++)
		all = send_all_but_wait(lobby, visitor_of(chosen[i])) && all;
	return all ? count : find_opponents(lobby, visitor, chosen);
}

/* Take opponents, if there are any and a table can be made. True: they need not look for them now. */
static bool take_opponents(struct lobby *lobby, struct visitor *visitor)
{
	struct waiting *chosen[GAME_SEATS_MAX];
	int64_t begun;
	int count;

	if (join_table(lobby, visitor))
		return true;
	count = find_opponents(lobby, visitor, chosen);
	if (visitor->state != VISITOR_WAITING)
		return true;
	if (count > 0 && !lobby->no_launches && admission_has_no_table(lobby)) {
		admission_make_room(lobby);
		waiting_hold_launches(lobby);
	}
	if (count > 0 && !lobby->no_launches) {
		begun = trace_begin();
		PROBE3(match, lobby->tables_made, count, visitor->waiting.queue->shape);
		admission_count_table(lobby, chosen, count);
		child_register(lobby, chosen, count);
		trace_end(begun, SLICE_MATCH);
		return true;
	}
	/* those who would meet if one address had not started too many tables meet soon */
	if (count == 0 && lobby->admission.limits.slow > 0)
		count = match_find(&visitor->waiting, chosen, true);
	hold(lobby, chosen, count);
	return count > 0;
}

/* Is there anybody whom they could meet? Then their duel will have something to say to them at once. */
static bool has_company(const struct visitor *visitor)
{
	const struct queue *queue = visitor->waiting.queue;

	return !TAILQ_EMPTY(&queue->openings) ||
	       TAILQ_NEXT(TAILQ_FIRST(&queue->waiting), after) != NULL;
}

/* In order of arrival. False: there is no memory. */
static bool stand_in_line(struct lobby *lobby, struct visitor *visitor)
{
	struct waiting *waiting = &visitor->waiting;

	if (!roll_enter(&lobby->waiting, waiting->arrival, visitor))
		return false;
	if (match_enter(&lobby->queues, waiting))
		return true;
	roll_leave(&lobby->waiting, waiting->arrival);
	return false;
}

bool waiting_register(struct lobby *lobby, struct visitor *visitor, const struct wish *wish,
		      bool full)
{
	visitor->waiting.wish = *wish;
	visitor->waiting.ready = false;
	visitor->waiting.arrival = lobby->arrivals++;
	if (!stand_in_line(lobby, visitor))
		return false;
	timers_clear(&lobby->timers, &visitor->timer);
	visitor_become(visitor, VISITOR_WAITING);
	visitor->full = full;
	visitor->countdown = wish->wait;
	visitor->held = false;
	visitor->bots_by = lobby->now + BOTS_MS;
	secret_id(visitor->id);
	visitor->token[0] = '\0';
	if (full)
		secret_token(visitor->token);
	say_id(visitor);
	log_debug("registered id=%s name=%s shape=\"%s\"", visitor->id, wish->name,
		  visitor->waiting.queue->shape);
	/* alone they hear more in a moment */
	if (has_company(visitor))
		visitor->waiting.ready = !visitor->peer.broken;
	if (!take_opponents(lobby, visitor))
		begin_to_look(lobby, visitor);
	return true;
}

void waiting_note_ready(struct lobby *lobby, struct visitor *visitor, bool ready)
{
	bool was_ready = visitor->waiting.ready;

	visitor->waiting.ready = ready;
	if (visitor->state == VISITOR_WAITING && ready && !was_ready)
		take_opponents(lobby, visitor);
}

void waiting_leave(struct lobby *lobby, struct visitor *visitor)
{
	timers_clear(&lobby->timers, &visitor->timer);
	turns_leave_line(visitor); /* they are watched again, or their duel hears them */
	match_leave(&visitor->waiting);
	roll_leave(&lobby->waiting, visitor->waiting.arrival);
	visitor->held = false;
}

static int by_arrival(const void *a, const void *b)
{
	const struct visitor *one = *(struct visitor *const *)a;
	const struct visitor *other = *(struct visitor *const *)b;

	return one->waiting.arrival < other->waiting.arrival ? -1 : 1;
}

/* Those who are held, the longest waiting first; how many. */
static size_t find_held(const struct lobby *lobby, struct visitor **held)
{
	size_t count = 0;

	for (size_t slot = 0; slot < lobby->visitors; slot++) {
		struct visitor *visitor = lobby->visitor[slot];

		if (visitor != NULL && visitor->state == VISITOR_WAITING && visitor->held)
			held[count++] = visitor;
	}
	qsort(held, count, sizeof(*held), by_arrival);
	return count;
}

void waiting_try_held(struct lobby *lobby)
{
	struct visitor **held = calloc(lobby->visitors + 1, sizeof(struct visitor *));
	size_t count;

	if (held == NULL) {
		waiting_hold_launches(lobby);
		return;
	}
	count = find_held(lobby, held);
	for (size_t i = 0; i < count; i++) {
		/* the turn of an earlier one may have seated them, or put them back */
		if (held[i]->state != VISITOR_WAITING || !held[i]->held ||
		    take_opponents(lobby, held[i]))
			continue;
		begin_to_look(lobby, held[i]);
		visitor_go_on(lobby, held[i]);
	}
	free(held);
}

static void on_launch_timer(struct timer *timer, void *owner)
{
	struct lobby *lobby = owner;

	(void)timer;
	if (stop_has_begun(lobby))
		return;
	lobby->no_launches = false;
	if (lobby->spawner.fd < 0)
		launch_start_spawner(lobby);
	launch_unasked(lobby);
	waiting_try_held(lobby);
}

void waiting_hold_launches(struct lobby *lobby)
{
	lobby->no_launches = true;
	lobby->launch_timer.fire = on_launch_timer;
	timers_set(&lobby->timers, &lobby->launch_timer, lobby->now + HOLD_MS);
}

void waiting_put_back(struct lobby *lobby, struct visitor *visitor)
{
	admission_stand_up(lobby, visitor);
	visitor->child = NULL;
	if (lobby->state != LOBBY_RUNNING) {
		stop_turn_away(lobby, visitor);
		return;
	}
	if (!stand_in_line(lobby, visitor)) {
		visitor_say_aborted(visitor, "crashed");
		visitor_come_back(lobby, visitor);
		return;
	}
	visitor_become(visitor, VISITOR_WAITING);
	visitor->held = true;
	visitor->waiting.ready = true;
	if (visitor->waiting.party != 0)
		wait_for_bots(lobby, visitor);
	visitor_go_on(lobby, visitor);
}

/* The table that they were to join has not taken them: they go on where they were. */
void waiting_take_back(struct lobby *lobby, struct visitor *visitor)
{
	struct child *child = visitor->child;

	child->member[visitor->place] = NULL;
	child->joining--;
	if (visitor->returning != NULL)
		visitor_deny_return(lobby, visitor->returning, ERROR_BUSY);
	if (stop_has_begun(lobby)) {
		visitor_say_aborted(visitor, "shutdown");
		visitor_come_back(lobby, visitor);
		return;
	}
	peer_take_back(&visitor->peer);
	waiting_put_back(lobby, visitor);
	if (visitor->state != VISITOR_WAITING || take_opponents(lobby, visitor))
		return;
	begin_to_look(lobby, visitor);
	visitor_go_on(lobby, visitor);
}

/* A waiting player goes on waiting on another connection. */
void waiting_resume(struct lobby *lobby, struct visitor *visitor, struct visitor *newcomer)
{
	visitor_let_socket_out(lobby, visitor);
	visitor_take_socket(lobby, visitor, newcomer);
	visitor->full = true;
	visitor->listing = false;
	visitor->waiting.ready = false;
	say_id(visitor);
	if (!visitor->held && visitor->waiting.party == 0)
		peer_say(&visitor->peer, "NO_OPPONENTS %d", visitor->countdown);
	visitor_go_on(lobby, visitor);
}
