/*
 * child.c - the life of a duel as the server sees it.
 *
 *      child_register   the table is made, its players' sockets are not heard here any more
 *      (launch.c)       the spawner is handed its descriptors; the duel says that it is born
 *      child_close      its pipe is at its end
 *      child_reap       its process has been waited for
 *      (finish)         both of these, in whatever order: the players are told, the child is forgotten
 *
 * A crash, a failed fork and an ordinary end all go this way. Zombies are looked for only among
 * duels whose pipe is at its end: asking for any child (waitpid(-1)) makes the kernel look at all
 * of them, so that is done only now and then.
 *
 * Owns: the table of children, their pipes, their zombies.
 * Never: waits for a child.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"
#include "proto/wire/message.h"
#include "server/shared/descriptors.h"
#include "server/shared/cage.h"
#include "server/lobby/secret.h"
#include "server/shared/warrant.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bsd/stdlib.h>

enum {
	END_OVERDUE_MS =
	    100, /* a duel that has said farewell hangs; its players wait for its end */
};

struct child *child_list_take(struct child_list *list)
{
	struct child *child = STAILQ_FIRST(list);

	if (child != NULL)
		STAILQ_REMOVE_HEAD(list, next);
	return child;
}

/* --- children --------------------------------------------------------------------------------- */

/* The lowest number that no table has. */
static unsigned free_slot(struct lobby *lobby)
{
	unsigned slot = lobby->child_hint;

	while (slot < lobby->children && lobby->child[slot] != NULL)
		slot++;
	lobby->child_hint = slot;
	return slot;
}

static bool has_slot(struct lobby *lobby, unsigned slot)
{
	unsigned size = 2 * slot + 16;
	struct child **more;

	if (slot < lobby->children)
		return true;
	more = recallocarray(lobby->child, lobby->children, size, sizeof(*lobby->child));
	if (more == NULL)
		return false;
	lobby->child = more;
	lobby->children = size;
	return true;
}

void child_close_ends(struct child *child)
{
	for (int i = 0; i < 2; i++) {
		if (child->ends[i] >= 0)
			close(child->ends[i]);
		child->ends[i] = -1;
	}
}

void child_close_pipes(struct child *child)
{
	if (child->source.fd >= 0)
		close(child->source.fd);
	if (child->down >= 0)
		close(child->down);
	child->source.fd = child->down = -1;
	child_close_ends(child);
}

void child_forget(struct lobby *lobby, struct child *child)
{
	metrics_note_forgotten(lobby, child);
	waiting_note_room(lobby, child, 0);
	timers_clear(&lobby->timers, &child->timer);
	lobby_watch(lobby, &child->source, 0);
	child_close_pipes(child);
	if (child->port >= 0)
		ports_give_back(lobby, child->port);
	roll_leave(&lobby->tables, child->opening.serial);
	lobby->child[child->slot] = NULL;
	if (child->slot < lobby->child_hint)
		lobby->child_hint = child->slot;
	lobby->children_live--;
	child->state = CHILD_GONE;
	STAILQ_INSERT_TAIL(&lobby->buried, child, next);
}

void child_free_dead(struct lobby *lobby)
{
	struct child *child;

	while ((child = child_list_take(&lobby->buried)) != NULL) {
		free(child->rest);
		free(child);
	}
}

/* Two pipes. Nobody ever waits in one: the server has others to look after, a duel waits in poll(). */
bool child_open_pipes(struct lobby *lobby, struct child *child)
{
	int up[2], down[2];

	if (pipe2(up, O_CLOEXEC | O_NONBLOCK) != 0)
		return false;
	if (pipe2(down, O_CLOEXEC | O_NONBLOCK) != 0) {
		close(up[0]);
		close(up[1]);
		return false;
	}
	child->source.fd = up[0];
	child->ends[SPAWN_PARCEL_UP] = up[1];
	child->ends[SPAWN_PARCEL_DOWN] = down[0];
	child->down = down[1];
	child->source.ready = hear_duel;
	child->source.what = SLICE_HEAR_DUEL;
	lobby_watch(lobby, &child->source, EPOLLIN);
	return true;
}

static void fill_birth(struct child *child, struct waiting *const chosen[], int count)
{
	struct birth *birth = &child->birth;

	secret_id(birth->duel);
	birth->table = child->slot;
	birth->seed = secret_seed();
	birth->shape = chosen[0]->wish.shape;
	birth->first = (int)arc4random_uniform((uint32_t)count);
	birth->seats = count;
	birth->open = birth->shape.game->join != NULL;
	for (int i = 0; i < count; i++)
		if (CONTAINER_OF(chosen[i], struct visitor, waiting)->full)
			birth->open = true;
}

/* What a duel has to know of a player. */
void child_fill_seat(struct seat *seat, const struct visitor *visitor)
{
	*seat = (struct seat){
	    .full = visitor->full,
	    .legal = visitor->waiting.wish.legal,
	    .bot = visitor->bot != 0,
	    .wait = visitor->waiting.wish.wait,
	};
	strcpy(seat->id, visitor->id);
	strcpy(seat->token, visitor->token);
	strcpy(seat->name, visitor->waiting.wish.name);
}

void child_give_place(struct lobby *lobby, struct child *child, int place, struct visitor *visitor,
		      enum visitor_state state)
{
	visitor_become(visitor, state);
	visitor->child = child;
	visitor->place = place;
	visitor->connection = child->connections++;
	visitor->lists = 0;
	child->member[place] = visitor;
	if (state == VISITOR_SEATED)
		child->seat_place[child->seats++] = place;
	admission_sit(lobby, visitor);
}

void child_take_member(struct lobby *lobby, struct child *child, int place, struct visitor *visitor,
		       enum visitor_state state)
{
	waiting_leave(lobby, visitor);
	lobby_watch(lobby, &visitor->source, 0);
	peer_ready_to_give(&visitor->peer);
	child_give_place(lobby, child, place, visitor, state);
}

/* Of nothing yet, under a number that no table has; NULL: there is no memory. */
struct child *child_make(struct lobby *lobby, unsigned slot)
{
	struct child *child = calloc(1, sizeof(*child));

	if (child == NULL || !has_slot(lobby, slot) || !lobby_has_room(lobby) ||
	    !roll_enter(&lobby->tables, lobby->tables_made, child)) {
		free(child);
		return NULL;
	}
	child->port = -1;
	child->opening.serial = lobby->tables_made++;
	child->source.fd = child->down = -1;
	child->ends[0] = child->ends[1] = -1;
	child->slot = slot;
	child->made_at = lobby->now;
	lobby->child[child->slot] = child;
	lobby->children_live++;
	return child;
}

void child_register(struct lobby *lobby, struct waiting *const chosen[], int count)
{
	struct waiting *seated[GAME_SEATS_MAX];
	struct child *child = child_make(lobby, free_slot(lobby));

	if (child == NULL) {
		waiting_no_table(lobby, chosen, count);
		return;
	}
	memcpy(seated, chosen, (size_t)count * sizeof(seated[0]));
	match_seat(seated, (int)arc4random_uniform(2));
	fill_birth(child, seated, count);
	for (int place = 0; place < count; place++) {
		struct visitor *visitor = CONTAINER_OF(seated[place], struct visitor, waiting);

		child_take_member(lobby, child, place, visitor, VISITOR_SEATED);
		child_fill_seat(&child->birth.seat[place], visitor);
		child->birth.allowance[place] = peer_allowance(&visitor->peer, lobby->now);
	}
	warrant_table(&child->birth);
	if (!child_open_pipes(lobby, child)) {
		launch_undo(lobby, child, errno);
		return;
	}
	if (child->birth.shape.game->join != NULL)
		waiting_note_room(lobby, child, child->birth.shape.game->seats_max - count);
	launch_table(lobby, child);
}

/* --- talk ------------------------------------------------------------------------------------- */

/* A pipe has room for all that we ever have to say; a duel whose pipe is full does not read it. */
void child_tell(struct lobby *lobby, struct child *child, const char *lines, size_t length)
{
	int64_t begun = trace_begin();

	(void)lobby;
	if (child->closed || child->down < 0)
		return;
	trace_sent(&child->link, WAY_DOWN, begun, lines, length);
	if (write(child->down, lines, length) < 0 && errno != EPIPE)
		child_kill(child, strerror(errno));
	trace_end(begun, SLICE_TELL_DUEL);
}

void child_kill(struct child *child, const char *why)
{
	if (child->killed || child->reaped || child->pid <= 0)
		return;
	log_warn("duel-killed table=%u pid=%d reason=\"%s\"", child->slot, (int)child->pid, why);
	child->killed = true;
	kill(child->pid, SIGKILL);
}

/* --- death ------------------------------------------------------------------------------------ */

/* They have left the table, or it has ended: they are no longer a member. */
void child_release(struct lobby *lobby, struct child *child, struct visitor *visitor)
{
	child->member[visitor->place] = NULL;
	admission_stand_up(lobby, visitor);
	if (visitor->returning != NULL)
		visitor_deny_return(lobby, visitor->returning, ERROR_BAD_TOKEN);
	if (visitor->state != VISITOR_LEFT)
		unsent_drop(visitor);
	if (visitor->state == VISITOR_LOST)
		visitor_let_socket_out(lobby, visitor);
	/* of a duel that did not say that they have left they hear why they are free */
	else if (visitor->state != VISITOR_LEFT && visitor->source.fd >= 0)
		visitor_say_aborted(visitor, stop_has_begun(lobby) ? "shutdown" : "crashed");
	visitor_unregister(lobby, visitor);
	visitor->child = NULL;
}

/* All who are there, whether it has ended well or crashed; nobody is heard as long as another one is still
 * registered. A newcomer whom it had not taken yet heard nothing of it; of one that was killed nobody
 * knows. */
void child_release_members(struct lobby *lobby, struct child *child)
{
	struct visitor *back[GAME_SEATS_MAX];
	int count = 0;

	for (int place = 0; place < GAME_SEATS_MAX; place++) {
		struct visitor *visitor = child->member[place];

		if (visitor == NULL)
			continue;
		if (visitor->state == VISITOR_JOINING && !child->killed) {
			waiting_take_back(lobby, visitor);
			continue;
		}
		child_release(lobby, child, visitor);
		back[count++] = visitor;
	}
	for (int i = 0; i < count; i++)
		visitor_come_back(lobby, back[i]);
}

static void finish(struct lobby *lobby, struct child *child)
{
	/* whoever has not given back its port has not sent its last frame */
	bool ended = child->state == CHILD_DONE && child->port < 0;

	launch_note_death(lobby, child->status);
	if (!ended) {
		lobby->metrics.crashes++;
		log_warn("duel-crashed table=%u pid=%d duel=%s status=0x%x reason=\"%s\"",
			 child->slot, (int)child->pid, child->birth.duel, (unsigned)child->status,
			 cage_explain(child->status));
		if (rebirth_try(lobby, child))
			return;
	} else if (child->status != 0 && !child->killed) {
		log_warn("duel-died-late table=%u pid=%d duel=%s status=0x%x reason=\"%s\" "
			 "so=\"its game was over, and nothing is lost\"",
			 child->slot, (int)child->pid, child->birth.duel, (unsigned)child->status,
			 cage_explain(child->status));
	}
	if (child->state != CHILD_DONE)
		recorder_link_set_aside(lobby, child->slot, child->birth.duel, "crashed");
	else if (child->unsafe)
		recorder_link_set_aside(lobby, child->slot, child->birth.duel, "behind");
	else
		recorder_link_tell(lobby, child->slot);
	waiting_note_room(lobby, child, 0); /* until then newcomers may wait for it to go on */
	child_release_members(lobby, child);
	child_forget(lobby, child);
	if (lobby->config->no_fork) /* it was the one table that there is */
		stop_begin(lobby);
}

static bool wait_for(struct child *child)
{
	struct rusage used;
	pid_t reaped;

	assert(child->pid > 0); /* 0 would be any child */
	reaped = wait4(child->pid, &child->status, WNOHANG, &used);
	if (reaped > 0) {
		timeline_reaped(reaped, child->status, child);
		child->status = cage_judge(child->status, &used);
	}
	return reaped != 0;
}

static void on_end_overdue(struct timer *timer, void *owner)
{
	struct child *child = CONTAINER_OF(timer, struct child, timer);

	(void)owner;
	child_kill(child, "does not end");
}

/* It has said farewell, or closed its pipe: it has to end soon. */
void child_expect_end(struct lobby *lobby, struct child *child)
{
	child->timer.fire = on_end_overdue;
	timers_set(&lobby->timers, &child->timer, lobby->now + END_OVERDUE_MS);
}

/* Its pipe is at its end. */
void child_close(struct lobby *lobby, struct child *child)
{
	if (child->state == CHILD_LAUNCHED)
		launch_hear_births(
		    lobby); /* its birth may have been said, and not been heard yet */
	if (child->state == CHILD_GONE || child->state == CHILD_UNASKED)
		return;
	lobby_watch(lobby, &child->source, 0);
	child->closed = true;
	if (child->state == CHILD_LAUNCHED) {
		launch_undo(lobby, child, ECHILD);
		return;
	}
	if (child->reaped || wait_for(child)) {
		finish(lobby, child);
		return;
	}
	STAILQ_INSERT_TAIL(&lobby->closing, child, next);
	child_expect_end(lobby, child);
}

static struct child *child_of_pid(const struct lobby *lobby, pid_t pid)
{
	for (unsigned i = 0; i < lobby->children; i++)
		if (lobby->child[i] != NULL && lobby->child[i]->pid == pid &&
		    !lobby->child[i]->reaped)
			return lobby->child[i];
	return NULL;
}

/* Somebody has stopped a duel, or lets it go on. Its clocks are real time and run on; what its
 * players say meanwhile waits in their sockets, and is heard before time is looked at. */
void child_note_stop(struct lobby *lobby, pid_t pid, bool stopped)
{
	const struct child *child = child_of_pid(lobby, pid);

	if (child == NULL)
		return;
	if (stopped)
		log_warn(
		    "duel-stopped table=%u pid=%d duel=%s so=\"its players wait until it goes on "
		    "(kill -CONT)\"",
		    child->slot, (int)pid, child->birth.duel);
	else
		log_info("duel-continued table=%u pid=%d duel=%s", child->slot, (int)pid,
			 child->birth.duel);
}

/* SIGCHLD: it may stand for several deaths. */
void child_reap(struct lobby *lobby)
{
	struct child_list waiting = STAILQ_HEAD_INITIALIZER(waiting);
	struct child *child;

	STAILQ_CONCAT(&waiting, &lobby->closing);
	while ((child = child_list_take(&waiting)) != NULL) {
		if (child->reaped || wait_for(child))
			finish(lobby, child);
		else
			STAILQ_INSERT_TAIL(&lobby->closing, child, next);
	}
}

/* Now and then: whoever else has died, a spawner, or a duel that died before it could say its pid.
 */
void child_sweep(struct lobby *lobby)
{
	struct rusage used;
	int status;
	pid_t pid;

	child_reap(lobby);
	while ((pid = wait4(-1, &status, WNOHANG, &used)) > 0) {
		struct child *child = child_of_pid(lobby, pid);

		timeline_reaped(pid, status, child);
		if (pid == lobby->spawner_pid)
			lobby->spawner_pid = 0;
		if (child == NULL)
			continue;
		child->reaped = true; /* the end of its pipe is still to come */
		child->status = cage_judge(status, &used);
	}
}

/* Its duel is told to end. */
void child_stop(struct lobby *lobby, struct child *child, const char *reason)
{
	char line[64];
	int length = snprintf(line, sizeof(line), "%s %s\n", message_word(SERVER_STOP), reason);

	child_tell(lobby, child, line, (size_t)length);
}

void child_stop_all(struct lobby *lobby, const char *reason)
{
	for (unsigned i = 0; i < lobby->children; i++) {
		if (lobby->child[i] != NULL && lobby->child[i]->state == CHILD_ALIVE)
			child_stop(lobby, lobby->child[i], reason);
		else if (lobby->child[i] != NULL)
			rebirth_hasten(lobby, lobby->child[i]);
	}
}

void child_kill_all(struct lobby *lobby)
{
	for (unsigned i = 0; i < lobby->children; i++)
		if (lobby->child[i] != NULL)
			child_kill(lobby->child[i], "the server stops");
}
