/*
 * launch.c - from a table that is made to a duel that is born; and the spawner, which does it.
 *
 * A launch is asked of the spawner with one message. The answer comes from the duel itself ("born")
 * or from the spawner ("failed"). A spawner that dies or hangs is replaced, and so is one whose
 * addresses may be known by now. Whatever goes wrong, the players are where they were: at the head of
 * their queue, told nothing.
 *
 * Owns: the spawner, and who stands in line for it.
 * Never: waits for its answer.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"
#include "proto/wire/message.h"
#include "server/shared/descriptors.h"
#include "server/shared/helper.h"
#include "server/lobby/direct.h"
#include "server/recorder/memory.h"
#include "server/shared/cage.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	BIRTH_OVERDUE_MS = 3000, /* the spawner hangs: another takes its place */
	FAULTS_MS = 60000, /* … also when so many of its duels have died of faults in this time */
};

/* Why no duel is born, said once and not at each try, several times a second; then that it is over.
 */
static void note_trouble(struct lobby *lobby, const struct child *child, int reason)
{
	const char *text = reason == ECHILD ? "it died at its birth" : strerror(reason);

	/* ENOTCONN: there is no spawner, and that has been said; what stays so rebirth.c says */
	if (reason == lobby->launch_trouble || reason == ENOTCONN ||
	    (child->birth.again && !rebirth_passes(reason)))
		return;
	lobby->launch_trouble = reason;
	if (child->birth.again)
		log_warn("duel-not-reborn table=%u duel=%s reason=\"%s\" so=\"its players wait, it "
			 "is tried again\"",
			 child->slot, child->birth.duel, text);
	else
		log_warn("table-not-made table=%u reason=\"%s\" so=\"its players wait, it is tried "
			 "again\"",
			 child->slot, text);
}

static void note_success(struct lobby *lobby, const struct child *child)
{
	if (lobby->launch_trouble != 0)
		log_info("tables-made-again table=%u", child->slot);
	lobby->launch_trouble = 0;
	if (child->birth.again)
		log_info("duel-reborn table=%u pid=%d duel=%s", child->slot, (int)child->pid,
			 child->birth.duel);
}

/* No duel has come of this table: its players are where they were, and another try is made soon. A
 * table that is born again has no such place to go back to: it is tried again itself. */
void launch_undo(struct lobby *lobby, struct child *child, int reason)
{
	if (!stop_has_begun(lobby))
		note_trouble(lobby, child, reason);
	waiting_note_room(lobby, child, 0);
	if (stop_has_begun(lobby))
		child_release_members(lobby, child);
	if (child->birth.again && !stop_has_begun(lobby)) {
		rebirth_failed(lobby, child, reason);
		return;
	}
	if (!stop_has_begun(lobby))
		waiting_hold_launches(lobby);
	for (int place = 0; place < GAME_SEATS_MAX; place++) {
		struct visitor *visitor = child->member[place];

		if (visitor == NULL)
			continue;
		if (visitor->returning != NULL)
			visitor_deny_return(lobby, visitor->returning, ERROR_BUSY);
		waiting_put_back(lobby, visitor);
	}
	if (child->birth.again) /* the server stops, and the game with it */
		recorder_link_set_aside(lobby, child->slot, child->birth.duel, "crashed");
	else if (child->state == CHILD_LAUNCHED) /* before that nothing is written */
		folder_drop_chapter(&lobby->folder, child->slot, child->birth.duel);
	child_forget(lobby, child);
}

static void on_birth_overdue(struct timer *timer, void *owner);

/* A port that no duel has, and the sockets for its frames: how many. Without a port the table
 * is played unseen. */
int launch_give_port(struct lobby *lobby, struct child *child, int fd[BROADCAST_INTERFACES_MAX])
{
	const struct broadcast *broadcast = &lobby->broadcast;

	if (child->port < 0)
		child->port = ports_take(lobby, &child->birth);
	child->birth.feeds = child->port < 0 ? 0 : broadcast->interfaces;
	if (child->port < 0)
		return 0;
	memcpy(fd, broadcast->fd + child->port * broadcast->interfaces,
	       (size_t)broadcast->interfaces * sizeof(int));
	return broadcast->interfaces;
}

static void hand_over(struct child *child, struct parcel *parcel, int place, unsigned connection,
		      int fd, enum birth_socket_kind kind)
{
	struct birth *birth = &child->birth;

	parcel->fd[parcel->count++] = fd;
	birth->socket[birth->sockets++] = (struct birth_socket){
	    .place = place, .connection = connection, .kind = kind};
}

/* Those who are at the table, and the sockets that they have. Who is on the way there is passed to it when
 * it is born; but of those whom a dead one may have had already it has to know at once. */
static void hand_over_all(struct child *child, struct parcel *parcel)
{
	bool again = child->birth.again;

	child->birth.sockets = 0;
	child->birth.away = 0;
	for (int place = 0; place < GAME_SEATS_MAX; place++) {
		struct visitor *visitor = child->member[place];

		if (visitor == NULL ||
		    (visitor->state == VISITOR_JOINING && visitor->handoff == HANDOFF_WAITS))
			continue;
		if (visitor->peer.fd >= 0)
			hand_over(child, parcel, place, visitor->connection, visitor->peer.fd,
				  visitor->state == VISITOR_JOINING ? SOCKET_JOINING : SOCKET_HERE);
		else
			child->birth.away |= (uint16_t)(1u << place);
		visitor->handoff = HANDOFF_WITH_BIRTH;
		if (visitor->returning == NULL || !again)
			continue;
		hand_over(child, parcel, place, visitor->returning->connection,
			  visitor->returning->peer.fd, SOCKET_RETURNING);
		visitor->returning->handoff = HANDOFF_SENT;
	}
}

/* 0, or errno. */
static int ask_for_duel(struct lobby *lobby, struct child *child, const char *text, size_t length,
			const struct parcel *parcel)
{
	int64_t begun = trace_begin();
	int error;

	if (lobby->spawner.fd < 0)
		return ENOTCONN;
	child->link = (struct trace_link){.table = child->slot, .life = lobby->told.launches + 1};
	if (lobby->config->spawn_direct) {
		error = direct_spawn(lobby, &child->link, text, length, parcel);
	} else {
		error = descriptors_send(lobby->spawner.fd, text, length, parcel, NULL, 0);
		if (error == 0)
			trace_sent(&child->link, WAY_BIRTH, begun, text, length);
	}
	if (error == 0)
		spawn_count(&lobby->told, &child->birth);
	trace_end(begun, SLICE_LAUNCH);
	return error;
}

/* False: the spawner's socket is full. */
static bool launch(struct lobby *lobby, struct child *child)
{
	char text[BIRTH_MAX];
	struct parcel parcel = {.count = SPAWN_PARCEL_MORE};
	size_t length;
	int error;

	if (child->source.fd < 0 && !child_open_pipes(lobby, child)) {
		launch_undo(lobby, child, errno);
		return true;
	}
	parcel.fd[SPAWN_PARCEL_UP] = child->ends[SPAWN_PARCEL_UP];
	parcel.fd[SPAWN_PARCEL_DOWN] = child->ends[SPAWN_PARCEL_DOWN];
	parcel.count += launch_give_port(lobby, child, parcel.fd + parcel.count);
	hand_over_all(child, &parcel);
	strcpy(child->birth.date, clock_date());
	child->birth.kept = recorder_memory_kept(lobby->recorder.memory, child->slot);
	length = birth_print(&child->birth, text);
	error = ask_for_duel(lobby, child, text, length, &parcel);
	if (error == EAGAIN && !lobby->config->spawn_direct)
		return false;
	if (error != 0) {
		launch_undo(lobby, child, error);
		return true;
	}
	child_close_ends(child);
	child->state = CHILD_LAUNCHED;
	child->asked_at = metrics_ns();
	child->timer.fire = on_birth_overdue;
	timers_set(&lobby->timers, &child->timer, lobby->now + BIRTH_OVERDUE_MS);
	return true;
}

void launch_unasked(struct lobby *lobby)
{
	struct child *child;

	/* one that cannot be launched stands in line again, until there is hope */
	while (!lobby->no_launches && (child = child_list_take(&lobby->unasked)) != NULL) {
		if (!launch(lobby, child)) {
			STAILQ_INSERT_HEAD(&lobby->unasked, child, next);
			break;
		}
	}
	if (lobby->spawner.fd >= 0)
		lobby_watch(lobby, &lobby->spawner,
			    STAILQ_EMPTY(&lobby->unasked) || lobby->no_launches
				? EPOLLIN
				: EPOLLIN | EPOLLOUT);
}

void launch_table(struct lobby *lobby, struct child *child)
{
	STAILQ_INSERT_TAIL(&lobby->unasked, child, next);
	launch_unasked(lobby);
}

/* --- the spawner ------------------------------------------------------------------------------ */

static struct child *child_at(const struct lobby *lobby, const char *word)
{
	long slot;

	if (!args_read_number(word, 0, (long)lobby->children - 1, &slot))
		return NULL;
	return lobby->child[slot];
}

static void be_born(struct lobby *lobby, struct child *child, const struct words *words)
{
	long pid, chapter;

	if (!args_read_number(words->word[2], 1, INT32_MAX, &pid) ||
	    !args_read_number(words->word[4], 0, LONG_MAX, &chapter))
		return;
	child->birth.chapter = (off_t)chapter;
	child->state = CHILD_ALIVE;
	child->pid = (pid_t)pid;
	child->born_at = lobby->now;
	snprintf(child->handoff_name, sizeof(child->handoff_name), "%s", words->word[3]);
	timers_clear(&lobby->timers, &child->timer);
	metrics_note_birth(lobby, child);
	log_debug("born table=%u pid=%ld duel=%s game=%s", child->slot, pid, child->birth.duel,
		  child->birth.shape.game->name);
	note_success(lobby, child);
	handoff_all(lobby, child);
	if (stop_has_begun(lobby))
		child_stop(lobby, child, "shutdown");
}

static void hear_birth(struct lobby *lobby, char *line)
{
	struct words words;
	enum message message = message_read(BY_BIRTH, line, &words);
	struct child *child = message == BIRTH_BORN || message == BIRTH_FAILED
				  ? child_at(lobby, words.word[1])
				  : NULL;
	long reason = 0;

	if (child == NULL || child->state != CHILD_LAUNCHED) {
		log_error("bad-message from=spawner");
		return;
	}
	trace_heard(&child->link, WAY_ANSWER, line);
	if (message == BIRTH_BORN) {
		be_born(lobby, child, &words);
		return;
	}
	args_read_number(words.word[2], 0, 4095, &reason);
	launch_undo(lobby, child, (int)reason);
}

/* All that the spawner's socket holds. False: it is at its end. */
bool launch_hear_births(struct lobby *lobby)
{
	char line[128];

	while (lobby->spawner.fd >= 0) {
		ssize_t length = recv(lobby->spawner.fd, line, sizeof(line) - 1, MSG_DONTWAIT);

		if (length < 0 && errno == EAGAIN)
			return true;
		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0)
			return false;
		line[length] = '\0';
		hear_birth(lobby, line);
	}
	return false;
}

static void undo_launched(struct lobby *lobby)
{
	for (unsigned i = 0; i < lobby->children; i++)
		if (lobby->child[i] != NULL && lobby->child[i]->state == CHILD_LAUNCHED)
			launch_undo(lobby, lobby->child[i], EPIPE);
}

/* The server stops, and there is no time left for those who have not been born. */
void launch_undo_all(struct lobby *lobby)
{
	struct child *child;

	while ((child = child_list_take(&lobby->unasked)) != NULL)
		launch_undo(lobby, child, ECANCELED);
	undo_launched(lobby);
}

/* What it has answered counts; then its socket is closed, so no duel that we do not know can begin. */
static void leave_spawner(struct lobby *lobby)
{
	/* from here on no duel can say that it is born; one that cannot does not play */
	shutdown(lobby->spawner.fd, SHUT_RD);
	launch_hear_births(lobby);
	lobby_watch(lobby, &lobby->spawner, 0);
	close(lobby->spawner.fd);
	lobby->spawner.fd = -1;
}

/* The spawner has died or hangs. What it was asked and has not answered is asked of the next. */
static void replace_spawner(struct lobby *lobby, const char *reason)
{
	if (lobby->config->no_fork) { /* it has become the one duel */
		leave_spawner(lobby);
		return;
	}
	log_warn("spawner-replaced pid=%d reason=\"%s\"", (int)lobby->spawner_pid, reason);
	/* not when it has been reaped: its pid may be somebody else's by now */
	if (lobby->spawner_pid > 0)
		kill(lobby->spawner_pid, SIGKILL);
	leave_spawner(lobby);
	undo_launched(lobby);
	/* one that dies again and again is not started again and again without a pause */
	if (!stop_has_begun(lobby))
		waiting_hold_launches(lobby);
}

/* There is nothing wrong with this one: it ends by itself, at the end of its socket. */
static void renew_spawner(struct lobby *lobby)
{
	log_warn("spawner-renewed pid=%d reason=\"%d duels have died of faults within a minute\" "
		 "so=\"the "
		 "next ones have other addresses\"",
		 (int)lobby->spawner_pid, FAULTS_MAX);
	leave_spawner(lobby);
	for (unsigned i = 0; i < lobby->children; i++)
		if (lobby->child[i] != NULL && lobby->child[i]->state == CHILD_LAUNCHED)
			rebirth_ask_again(lobby, lobby->child[i]);
	launch_start_spawner(lobby);
}

/* All duels of a spawner have its addresses, and each fault may have told somebody something of them.
 * Those of --spawn direct have addresses of their own each. */
void launch_note_death(struct lobby *lobby, int status)
{
	struct faults *faults = &lobby->faults;

	if (!cage_is_fault(status) || stop_has_begun(lobby) || lobby->config->spawn_direct)
		return;
	faults->at[faults->count++ % FAULTS_MAX] = lobby->now;
	if (faults->count < FAULTS_MAX ||
	    lobby->now - faults->at[faults->count % FAULTS_MAX] >= FAULTS_MS)
		return;
	if (lobby->spawner.fd >= 0)
		renew_spawner(lobby);
}

static void on_birth_overdue(struct timer *timer, void *owner)
{
	(void)timer;
	replace_spawner(owner, "no answer");
}

static void on_spawner(struct lobby *lobby, struct source *source, uint32_t events)
{
	(void)source;
	if (!launch_hear_births(lobby))
		replace_spawner(lobby, "end of its socket");
	else if (events & EPOLLOUT)
		launch_unasked(lobby);
}

/* What the program of the duels is given. */
pid_t launch_start_duels(struct lobby *lobby, int line, int answers)
{
	int gift[HELPER_GIFTS];

	for (int i = 0; i < HELPER_GIFTS; i++)
		gift[i] = -1;
	gift[HELPER_LINE - HELPER_FIRST] = line;
	gift[HELPER_ANSWERS - HELPER_FIRST] = answers;
	gift[HELPER_JOURNALS - HELPER_FIRST] = lobby->folder.journals;
	gift[HELPER_TRACE - HELPER_FIRST] = trace_descriptor();
	gift[HELPER_TRACE_MEMORY - HELPER_FIRST] = trace_memory();
	return helper_start(HELPER_DUELS, gift);
}

/* 0, or -1 with errno. */
static int start_spawner(struct lobby *lobby)
{
	const struct timeval wake_up = {.tv_usec = 500000}; /* to write what it traces */
	int64_t begun = trace_begin();
	int ends[2], error;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return -1;
	if (trace_on &&
	    setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &wake_up, sizeof(wake_up)) != 0)
		log_warn("spawner-traced-late reason=\"%s\"", strerror(errno));
	error = spawn_tell(&lobby->told, ends[0]);
	if (error != 0)
		log_warn("spawner-not-told reason=\"%s\" so=\"it ends\"", strerror(error));
	lobby->spawner_pid = launch_start_duels(lobby, ends[1], -1);
	error = errno;
	close(ends[1]);
	if (lobby->spawner_pid > 0) {
		trace_end_with(begun, SLICE_FORK_HELPER, lobby->spawner_pid, 0);
		lobby->spawner.fd = ends[0];
		return 0;
	}
	close(ends[0]);
	errno = error;
	return -1;
}

void launch_start_spawner(struct lobby *lobby)
{
	int started;

	lobby->spawner.ready = on_spawner;
	lobby->spawner.what = SLICE_HEAR_SPAWNER;
	lobby->spawner.fd = -1;
	lobby->spawner.watched = 0;
	lobby->spawner_pid = 0;
	if (lobby->config->no_fork && lobby->metrics.spawners > 0)
		return;
	started = lobby->config->spawn_direct ? direct_start(lobby) : start_spawner(lobby);
	if (started != 0) {
		if (errno != lobby->spawner_trouble)
			log_warn("spawner-not-started reason=\"%s\" so=\"players wait, it is tried "
				 "again\"",
				 strerror(errno));
		lobby->spawner_trouble = errno;
		waiting_hold_launches(lobby);
		return;
	}
	log_debug("spawner-started pid=%d", (int)lobby->spawner_pid);
	lobby->spawner_trouble = 0;
	lobby->faults.count = 0;
	lobby->metrics.spawners++;
	lobby_watch(lobby, &lobby->spawner, EPOLLIN);
	launch_unasked(lobby);
}
