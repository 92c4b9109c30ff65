/*
 * lobby.c - the server's loop: wait, dispatch, let timers fire, bury the dead.
 *
 * Owns: the epoll descriptor, the signals, the order of what is done in a turn.
 * Never: waits in a turn for a client, a duel, the spawner or the recorder. It may wait for a disk, when a chapter is
 * set aside and --sync wants it to stay there, and for whoever reads the log, if that is a pipe that is full. Before
 * the first turn recover.c may wait a second for duels that are dying, and after the last one helper_line.c a
 * second for the recorder.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"
#include "server/lobby/user.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bsd/unistd.h>

enum {
	EVENTS_A_TURN = 512, /* nearly always all there are */
	SWEEP_MS = 500,	     /* so that no zombie, whoever's, stays for a second */
};

void lobby_watch(struct lobby *lobby, struct source *source, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.ptr = source};
	int what = events == 0 ? EPOLL_CTL_DEL : EPOLL_CTL_MOD;

	if (source->watched == events || source->fd < 0)
		return;
	if (source->watched == 0) {
		what = EPOLL_CTL_ADD;
		source->added = lobby->turn;
	}
	source->watched = events;
	if (epoll_ctl(lobby->epoll, what, source->fd, &event) == 0)
		return;
	if (what != EPOLL_CTL_ADD || (errno != ENOMEM && errno != ENOSPC))
		err(1, "cannot watch descriptor %d", source->fd);
	/* a kernel short of memory: whoever it is about tries again, or runs out of time */
	log_warn("not-watched descriptor=%d reason=\"%s\"", source->fd, strerror(errno));
	source->watched = 0;
}

/* Timers of our own and one for each visitor and child. */
bool lobby_has_room(struct lobby *lobby)
{
	enum { OWN = 16 };

	return timers_have_room(&lobby->timers, lobby->people + lobby->children_live +
						    (size_t)lobby->broadcast.ports + OWN + 1);
}

/* What `ps` shows of this process. Now and then is often enough. */
static void set_title(const struct lobby *lobby)
{
	setproctitle("port %u, %zu connections, %u tables", lobby->config->port, lobby->connections,
		     lobby->children_live);
}

/* Somebody has stopped duels, or lets them go on; of several at once one signal tells. */
static void hear_of_stops(struct lobby *lobby)
{
	siginfo_t info = {0};

	while (waitid(P_ALL, 0, &info, WSTOPPED | WCONTINUED | WNOHANG) == 0 && info.si_pid > 0) {
		child_note_stop(lobby, info.si_pid, info.si_code == CLD_STOPPED);
		info.si_pid = 0;
	}
}

static void on_sweep(struct timer *timer, void *owner)
{
	struct lobby *lobby = owner;

	child_sweep(lobby);
	hear_of_stops(lobby);
	admission_sweep(lobby);
	activation_tick(&lobby->activation, lobby->now, lobby->children_live, lobby->connections);
	set_title(lobby);
	timers_set(&lobby->timers, timer, lobby->now + SWEEP_MS);
}

static void on_signal(struct lobby *lobby, struct source *source, uint32_t events)
{
	struct signalfd_siginfo info;

	(void)events;
	if (read(source->fd, &info, sizeof(info)) != sizeof(info))
		return;
	timeline_signal(&info);
	if (info.ssi_signo != SIGCHLD && stop_has_begun(lobby))
		child_kill_all(lobby);
	else if (info.ssi_signo != SIGCHLD)
		stop_begin(lobby);
	else if (info.ssi_code == CLD_STOPPED || info.ssi_code == CLD_CONTINUED)
		hear_of_stops(lobby);
	/* one signal may stand for several, whatever it says */
	if (info.ssi_signo == SIGCHLD)
		child_reap(lobby);
}

static void catch_signals(struct lobby *lobby)
{
	struct sigaction hangup;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	/* nohup wants it ignored, and a signal that is read is not */
	if (sigaction(SIGHUP, NULL, &hangup) != 0 || hangup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow (ulimit -f) is a full disk */
	lobby->signals.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (lobby->signals.fd < 0)
		err(1, "cannot receive signals");
	lobby->signals.ready = on_signal;
	lobby->signals.what = SLICE_SIGNAL;
	lobby_watch(lobby, &lobby->signals, EPOLLIN);
}

/* As many descriptors as we may have. */
static size_t raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		err(1, "cannot read the limit of descriptors");
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
		log_warn("descriptor-limit-not-raised reason=\"%s\"", strerror(errno));
	getrlimit(RLIMIT_NOFILE, &limit);
	return limit.rlim_cur;
}

/* A table of two takes four descriptors: two players, two pipes. */
static void count_connections(struct lobby *lobby, size_t descriptors)
{
	enum { OTHERS = 64 + ADMISSION_LINGERING };
	size_t fixed = OTHERS + (size_t)(lobby->broadcast.ports * lobby->broadcast.interfaces);

	if (descriptors < fixed + 8)
		errx(1, "%zu descriptors are too few: raise the limit (ulimit -n)", descriptors);
	lobby->connections_max = (descriptors - fixed) / 2;
}

static void hear(struct lobby *lobby, const struct epoll_event event[], int count, bool duels)
{
	for (int i = 0; i < count; i++) {
		struct source *source = event[i].data.ptr;
		enum trace_mark what;
		int64_t begun;

		/* an event before this one may have ended what this one is about, or have given it
		 * another descriptor; what is still true comes again */
		if (source->watched == 0 || source->added == lobby->turn)
			continue;
		what = source->what;
		if ((what == SLICE_HEAR_DUEL) != duels)
			continue;
		begun = trace_begin();
		source->ready(lobby, source, event[i].events);
		trace_end(begun, what);
	}
}

static void dispatch(struct lobby *lobby, int wait)
{
	struct epoll_event event[EVENTS_A_TURN];
	int count = epoll_wait(lobby->epoll, event, EVENTS_A_TURN, trace_wait(wait));

	if (count < 0 && errno != EINTR)
		err(1, "cannot wait for events");
	lobby->now = clock_ms();
	lobby->turn++;
	/* first the duels: who has heard from one that a game is over, and asks us, hears the same */
	hear(lobby, event, count, true);
	hear(lobby, event, count, false);
	turns_hear_lines(lobby);
	hear_visitor_settle(lobby);
	timers_fire(&lobby->timers, lobby->now, lobby);
	/* and who has come in by a timer, when the door was opened again */
	hear_visitor_settle(lobby);
	if (trace_on)
		timeline_count(lobby);
	visitor_free_dead(lobby);
	child_free_dead(lobby);
	recorder_link_flush(lobby);
	helper_line_flush(&lobby->house.line);
	stop_look(lobby);
}

void lobby_open(struct lobby *lobby)
{
	size_t descriptors = raise_limit();

	STAILQ_INIT(&lobby->unasked);
	STAILQ_INIT(&lobby->closing);
	STAILQ_INIT(&lobby->buried);
	lobby->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (lobby->epoll < 0)
		err(1, "cannot make an epoll descriptor");
	lobby->now = clock_ms();
	lobby->sweep_timer.fire = on_sweep;
	broadcast_open(&lobby->broadcast, lobby->config);
	count_connections(lobby, descriptors);
	admission_open(lobby);
	catch_signals(lobby);
	listen_open(lobby);
	log_info("limits descriptors=%zu connections=%zu per-address=%u tables=%u", descriptors,
		 lobby->connections_max, lobby->admission.limits.connections_max,
		 lobby->admission.tables_max);
}

void lobby_run(struct lobby *lobby)
{
	user_settle(lobby->config);
	recorder_link_open(lobby);
	house_link_open(lobby);
	launch_start_spawner(lobby);
	recover_tables(lobby);
	helper_line_start(lobby, &lobby->recorder.line);
	house_link_start(lobby);
	timers_set(&lobby->timers, &lobby->sweep_timer, lobby->now + SWEEP_MS);
	helper_line_flush(&lobby->house.line);
	set_title(lobby);
	args_tell_ready(lobby->config->ready_fd);
	activation_say(&lobby->activation, "READY=1");
	while (!stop_is_done(lobby)) {
		dispatch(lobby, !SLIST_EMPTY(&lobby->crowded)
				    ? 0
				    : timers_wait(timers_next(&lobby->timers), clock_ms()));
	}
	helper_line_finish_all(
	    lobby, (struct helper_line *const[]){&lobby->recorder.line, &lobby->house.line}, 2);
	log_info("stopped");
}
