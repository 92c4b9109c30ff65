/*
 * rebirth.c - a duel whose process has died is born again and goes on: the server has kept the
 * players' sockets, the journal has the game.
 *
 *      its pipe is at its end, its process is reaped, and all that it said has been heard
 *      rebirth_try      the spawner is asked again, and told who is at the table
 *      (replay.c)       the new process plays the journal, and goes on
 *
 * What cannot be played on is given up: when it has crashed three times at the same event, when its
 * journal is not whole, when we killed it because it misbehaved.
 */
#include "server.h"

#include "../proto/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "duel.h"

enum {
	CRASHES_MAX = 3,
	CRASH_MS = 2000, /* a duel that has lived so long did not die of its last event */
};

static bool has_members(const struct child *child)
{
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		if (child->member[place] != NULL)
			return true;
	return false;
}

static bool may_go_on(const struct lobby *lobby, struct child *child)
{
	off_t length = shelf_length(&lobby->shelf, child->slot);

	if (lobby->killed_all || child->is_inline || child->killed || child->unsafe ||
	    (!has_members(child) && child->port < 0))
		return false;
	if (WIFEXITED(child->status) && WEXITSTATUS(child->status) == DUEL_CANNOT_GO_ON)
		return false;
	if (length != child->crashed_at || lobby->now - child->born_at > CRASH_MS)
		child->crashes = 0;
	child->crashed_at = length;
	return ++child->crashes < CRASHES_MAX;
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
			child->member[place]->left = child->member[place]->lost = false;
			unsent_drop(child->member[place]);
		}
	child->closed = child->reaped = false;
	child->pid = 0;
	child->state = CHILD_UNSENT;
}

bool rebirth_try(struct lobby *lobby, struct child *child)
{
	if (!may_go_on(lobby, child))
		return false;
	bury_process(lobby, child);
	child->birth.again = true;
	child->birth.table = child->slot;
	child->birth.results = child->results;
	launch_table(lobby, child);
	return true;
}

/* What may be otherwise a moment later; all else is about the journal, and stays. */
bool rebirth_passes(int reason)
{
	static const int passing[] = {EAGAIN,	EMFILE, ENFILE,	     ENOMEM,
				      ENOBUFS,	EPIPE,	ECONNRESET,  ECONNREFUSED,
				      ENOTCONN, ECHILD, ETOOMANYREFS};

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
		recording_set_aside(lobby, child->slot, child->birth.duel, "crashed");
		child_release_members(lobby, child);
		child_forget(lobby, child);
		return;
	}
	child_list_put(&lobby->unsent, child);
	hall_hold_launches(lobby);
}
