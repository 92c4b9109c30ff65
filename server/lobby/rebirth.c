/*
 * rebirth.c - a duel whose process has died is born again and goes on: the server has kept the
 * players' sockets, the journal has the game.
 *
 *      its pipe is at its end, its process is reaped, and all that it said has been heard
 *      rebirth_try      the spawner is asked again, and told who is at the table
 *      (replay.c)       the new process plays the journal, and goes on
 *
 * What cannot be played on is given up: when it has crashed three times at the same event, when its
 * journal is not whole, when we killed it because it misbehaved. A SIGKILL from outside is not its
 * fault and counts for nothing; but a table that is killed again and again comes back more slowly.
 * So does one that crashes: whoever tries something on it needs time.
 *
 * Owns: how often, and how soon, a table may have a next process.
 * Talks to: launch.c, which asks for the process. The players hear nothing, but when a table is given up.
 * Never: knows the game, or what has been said in it; but it looks whether a player has said anything since.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "server/shared/spawn.h"
#include "server/journal/journal.h"

enum {
	CRASHES_MAX = 3,
	CRASH_REST_MS = 1000, /* before the last chance of one that has crashed */
	REST_MS = 50,	   /* before it is born again after a second kill, then twice as long … */
	REST_MAX_MS = 900, /* … up to this: the table is back within a second */
	PEACE_MS = 2000,   /* a duel that has lived so long is back at once */
};

static bool has_members(const struct child *child)
{
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		if (child->member[place] != NULL)
			return true;
	return false;
}

static bool was_killed(const struct child *child)
{
	return WIFSIGNALED(child->status) && WTERMSIG(child->status) == SIGKILL;
}

/* Has a player said something since its last crash? Who comes and goes, and the time, do not count: of
 * those a new process may write some lines each time, and die of the same event again. */
static bool has_got_further(const struct lobby *lobby, const struct child *child)
{
	char grown[JOURNAL_LINE_MAX]; /* no comings and goings are as long as this */
	size_t length = folder_read_journal(&lobby->folder, child->slot, child->crashed_at, grown,
					    sizeof(grown));

	return length == sizeof(grown) || memmem(grown, length, " said ", 6) != NULL;
}

/* It has died of itself: once more at the same event? False: that was once too often. */
static bool may_crash_again(const struct lobby *lobby, struct child *child)
{
	if (has_got_further(lobby, child))
		child->crashes = 0;
	child->crashed_at = folder_journal_length(&lobby->folder, child->slot);
	return ++child->crashes < CRASHES_MAX;
}

static bool may_go_on(const struct lobby *lobby, struct child *child)
{
	if (lobby->state >= LOBBY_KILLING || lobby->config->no_fork || child->killed ||
	    child->unsafe || (!has_members(child) && child->port < 0))
		return false;
	if (WIFEXITED(child->status) && WEXITSTATUS(child->status) == DUEL_CANNOT_GO_ON)
		return false;
	return was_killed(child) || may_crash_again(lobby, child);
}

/* For how long nobody is asked for its next process. */
static int64_t rest_of(const struct lobby *lobby, struct child *child)
{
	int64_t rest;

	if (stop_has_begun(lobby))
		return 0;
	if (!was_killed(child))
		return child->crashes == CRASHES_MAX - 1 ? CRASH_REST_MS : 0;
	if (lobby->now - child->born_at >= PEACE_MS)
		child->rest_ms = 0;
	rest = child->rest_ms;
	child->rest_ms = rest == 0 ? REST_MS : 2 * rest < REST_MAX_MS ? 2 * rest : REST_MAX_MS;
	return rest;
}

/* As it was before it was launched. */
static void bury_process(struct lobby *lobby, struct child *child)
{
	timers_clear(&lobby->timers, &child->timer);
	lobby_watch(lobby, &child->source, 0);
	child_close_pipes(child);
	free(child->rest);
	child->rest = NULL;
	child->rest_length = 0;
	child->echoed = 0;
	/* what the dead one had not finished to say the next one says */
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		if (child->member[place] != NULL) {
			if (child->member[place]->state != VISITOR_JOINING)
				visitor_become(child->member[place], VISITOR_SEATED);
			unsent_drop(child->member[place]);
		}
	child->closed = child->reaped = child->gives_way = false;
	child->pid = 0;
	child->state = CHILD_UNASKED;
}

/* The spawner that it was asked of is no more, and nobody has heard of it. */
void rebirth_ask_again(struct lobby *lobby, struct child *child)
{
	bury_process(lobby, child);
	STAILQ_INSERT_TAIL(&lobby->unasked, child, next);
}

static void on_rested(struct timer *timer, void *owner)
{
	launch_table(owner, CONTAINER_OF(timer, struct child, timer));
}

/* The server stops: nobody rests any more. */
void rebirth_hasten(struct lobby *lobby, struct child *child)
{
	/* one that stands in line for the spawner has no timer */
	if (child->state == CHILD_UNASKED && child->timer.place != 0)
		timers_set(&lobby->timers, &child->timer, lobby->now);
}

bool rebirth_try(struct lobby *lobby, struct child *child)
{
	int64_t rest;

	if (!may_go_on(lobby, child))
		return false;
	rest = rest_of(lobby, child);
	bury_process(lobby, child);
	child->birth.again = true;
	child->birth.table = child->slot;
	child->birth.results = child->results;
	if (rest == 0) {
		launch_table(lobby, child);
	} else {
		child->timer.fire = on_rested;
		timers_set(&lobby->timers, &child->timer, lobby->now + rest);
	}
	return true;
}

/* What may be otherwise a moment later; all else is about the journal, and stays. */
bool rebirth_passes(int reason)
{
	static const int passing[] = {EAGAIN,	EMFILE, ENFILE,	      ENOMEM,
				      ENOBUFS,	EPIPE,	ECONNRESET,   ECONNREFUSED,
				      ENOTCONN, ECHILD, ETOOMANYREFS, EROFS};

	for (size_t i = 0; i < sizeof(passing) / sizeof(passing[0]); i++)
		if (passing[i] == reason)
			return true;
	return false;
}

/* It could not be born just now: that is tried again until it can, unless it never will. */
void rebirth_failed(struct lobby *lobby, struct child *child, int reason)
{
	bury_process(lobby, child);
	if (!rebirth_passes(reason)) {
		log_warn("duel-given-up table=%u duel=%s reason=\"%s\"", child->slot,
			 child->birth.duel,
			 reason == ENOENT    ? "its journal has gone"
			 : reason == EUCLEAN ? "its journal is damaged"
					     : strerror(reason));
		recorder_link_set_aside(lobby, child->slot, child->birth.duel, "crashed");
		child_release_members(lobby, child);
		child_forget(lobby, child);
		return;
	}
	STAILQ_INSERT_TAIL(&lobby->unasked, child, next);
	waiting_hold_launches(lobby);
}
