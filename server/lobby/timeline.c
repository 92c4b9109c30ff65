/*
 * timeline.c - what only the server can tell the timeline: counters, signals, the ends of its
 * children; and that it is complete.
 *
 * Talks to: the timeline alone (server/trace/).
 * Never: does anything when tracing is off; waits but at the server's end.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	COUNT_MS = 50, /* between two looks at the counters */
	END_MS = 400,  /* for the last children to end by themselves */
};

/* No table has had this number or a higher one. */
static unsigned tables;

/* Sockets of people, and pipes. */
static long count_descriptors(const struct lobby *lobby)
{
	long count = (long)lobby->connections;

	for (unsigned i = 0; i < lobby->children; i++)
		if (lobby->child[i] != NULL && lobby->child[i]->down >= 0)
			count += 2;
	return count;
}

/* Whether it has changed. */
void timeline_count(const struct lobby *lobby)
{
	static const enum trace_mark marks[] = {COUNTER_WAITING, COUNTER_LIVE, COUNTER_DESCRIPTORS};
	static int64_t counted_at;
	static long last[3] = {-1, -1, -1};
	long now[3];

	tables = lobby->children;
	if (lobby->now - counted_at < COUNT_MS)
		return;
	counted_at = lobby->now;
	now[0] = (long)waiting_count(lobby);
	now[1] = lobby->children_live;
	now[2] = count_descriptors(lobby);
	for (int i = 0; i < 3; i++)
		if (now[i] != last[i])
			trace_instant(marks[i], (int)now[i], 0);
	memcpy(last, now, sizeof(last));
}

void timeline_signal(const struct signalfd_siginfo *info)
{
	static const enum trace_mark marks[NSIG] = {[SIGCHLD] = INSTANT_SIGCHLD,
						    [SIGTERM] = INSTANT_SIGTERM,
						    [SIGINT] = INSTANT_SIGINT,
						    [SIGHUP] = INSTANT_SIGHUP};

	trace_instant(marks[info->ssi_signo], (int)info->ssi_pid, 0);
}

/* What a dead duel has left. The table of one that died before it could say its pid is not known: then
 * all are looked at. So it is for a process of which it is not known whether it was a duel. */
static void take_rest(pid_t pid, const struct child *child)
{
	for (unsigned table = 0; child == NULL && table < tables; table++)
		trace_take_rest_of(pid, table);
	if (child != NULL)
		trace_take_rest_of(pid, child->slot);
}

/* A child that ended well has told so itself; whatever else ended it left it no time to. */
void timeline_reaped(pid_t pid, int status, const struct child *child)
{
	PROBE2(reap, pid, status);
	if (!trace_on)
		return;
	take_rest(pid, child);
	if (WIFSIGNALED(status)) {
		trace_write_instant_of(pid, INSTANT_KILLED, WTERMSIG(status));
		trace_write_instant(INSTANT_REAP_KILLED, pid, WTERMSIG(status));
		return;
	}
	if (status != 0)
		trace_write_instant_of(pid, INSTANT_EXIT, WEXITSTATUS(status));
	trace_write_instant(INSTANT_REAP, pid, WEXITSTATUS(status));
}

/* They write to the same file, so its end comes after theirs. */
void timeline_close(struct lobby *lobby)
{
	int waited = 0, status;
	pid_t pid;

	if (!trace_on)
		return;
	if (lobby->spawner.fd >= 0)
		close(lobby->spawner.fd); /* so the spawner ends */
	while ((pid = waitpid(-1, &status, WNOHANG)) >= 0) {
		if (pid > 0)
			timeline_reaped(pid, status, NULL);
		else if (waited++ < END_MS)
			poll(NULL, 0, 1);
		else
			break;
	}
	if (pid < 0)
		trace_close();
	else
		log_warn("trace-without-end reason=\"a process does not end\" "
			 "hint=\"--trace-mend gives it one\"");
}
