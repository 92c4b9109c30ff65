/*
 * step_trace.c - a duel under ptrace: stopped before and after each system call of what it does,
 * and killed at the stop that is wanted.
 *
 * Who is killed while he is stopped dies there: the call before which he stood is never made, that
 * behind which he stood has been made in full. So all that another process can see of a move lies
 * between two neighbouring stops.
 */
#include "tests/faults/step.h"

#include "tests/faults/faults.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	TRACE_MS = 10000,
	IDLE_MS = 30,	/* a duel that makes no call for so long, with everything said, is done */
	OVER_MS = 2000, /* a server makes a duel again within milliseconds */
	LOOK_US = 100,
};

static pid_t traced, spawner_traced;

static void trace(int request, pid_t pid, long data, const char *what)
{
	if (ptrace((enum __ptrace_request)request, pid, NULL, data) != 0 &&
	    (errno != ESRCH || request == PTRACE_SEIZE))
		fail("ptrace, %s of process %d: %s", what, (int)pid, strerror(errno));
}

/* The next stop of one of these; 0 after so long. */
static pid_t wait_for(pid_t pid, int *status, int64_t ms)
{
	int64_t end = now_ms() + ms;

	for (;;) {
		pid_t got = waitpid(pid, status, WNOHANG | __WALL);

		if (got != 0)
			return got;
		if (now_ms() > end)
			return 0;
		usleep(LOOK_US);
	}
}

void trace_begin(pid_t duel, pid_t spawner, struct kill_at at)
{
	int status;

	(void)at;
	traced = duel;
	spawner_traced = spawner;
	trace(PTRACE_SEIZE, duel, PTRACE_O_TRACESYSGOOD, "taking hold");
	trace(PTRACE_INTERRUPT, duel, 0, "stopping");
	if (wait_for(duel, &status, TRACE_MS) != duel || !WIFSTOPPED(status))
		fail("the duel does not stop");
	if (spawner != 0)
		trace(PTRACE_SEIZE, spawner, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK,
		      "taking hold of the spawner");
}

/* What it does next, and whether that is before the call. */
static void look_at_call(pid_t pid, struct killed *killed)
{
	struct __ptrace_syscall_info info = {0};

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) > 0 &&
	    info.op == PTRACE_SYSCALL_INFO_ENTRY) {
		killed->before = true;
		killed->call = (long)info.entry.nr;
	} else {
		killed->before = false; /* after the one that was looked at before */
	}
}

static void kill_now(pid_t pid)
{
	int status;

	if (kill(pid, SIGKILL) != 0)
		fail("cannot kill process %d: %s", (int)pid, strerror(errno));
	do
		if (wait_for(pid, &status, TRACE_MS) != pid)
			fail("process %d does not die", (int)pid);
	while (!WIFSIGNALED(status) && !WIFEXITED(status));
}

/* All has been said and it does nothing more: it may go on alone. */
static void let_go(pid_t pid)
{
	int status;

	if (ptrace(PTRACE_INTERRUPT, pid, NULL, 0) == 0 &&
	    wait_for(pid, &status, TRACE_MS) == pid && WIFSTOPPED(status))
		trace(PTRACE_DETACH, pid, 0, "letting go");
}

/* From stop to stop. True: killed at this one; false: it was done before, and goes on or has ended.
 */
static bool run_to(pid_t pid, int stop, struct killed *killed)
{
	int status = 0, stops = 0;
	int64_t end = now_ms() + TRACE_MS;
	long signal = 0;

	for (;;) {
		pid_t got;

		trace(PTRACE_SYSCALL, pid, signal, "going on");
		signal = 0;
		while ((got = wait_for(pid, &status, IDLE_MS)) == 0) {
			if (step_heard_all()) {
				let_go(pid);
				return false;
			}
			if (now_ms() > end)
				fail("the duel hangs at stop %d", stops);
		}
		if (got != pid || WIFEXITED(status) || WIFSIGNALED(status))
			return false; /* done, and gone */
		if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
			/* a signal is handed on, a stop of ptrace's own is nothing */
			signal = status >> 16 != 0 ? 0 : WSTOPSIG(status);
			continue;
		}
		look_at_call(pid, killed);
		if (stops++ == stop) {
			kill_now(pid);
			return true;
		}
	}
}

/* Does the server's log say this of the duel? */
static bool log_says(const char *event, pid_t pid)
{
	char line[512], wanted[32];
	FILE *log = fopen(server.log, "re");
	bool says = false;

	if (log == NULL)
		fail("cannot read %s: %s", server.log, strerror(errno));
	snprintf(wanted, sizeof(wanted), " pid=%d ", (int)pid);
	while (!says && fgets(line, sizeof(line), log) != NULL)
		says = strstr(line, event) != NULL && strstr(line, wanted) != NULL;
	fclose(log);
	return says;
}

/* One that had said farewell the server does not miss; how it died it says all the same. */
static bool has_died_late(pid_t pid)
{
	int64_t end = now_ms() + TRACE_MS;

	while (!log_says(" duel-died-late ", pid)) {
		if (now_ms() > end || log_says(" duel-crashed ", pid))
			return false;
		usleep(LOOK_US);
	}
	return true;
}

/* The spawner forks the duel again: that one is ours from its first instant. 0: it had said farewell before
 * it was killed, and all is over. */
static pid_t catch_reborn(const struct killed *killed)
{
	int status = 0;
	unsigned long pid = 0;
	long signal;

	while (wait_for(spawner_traced, &status, step_heard_all() ? OVER_MS : TRACE_MS) ==
	       spawner_traced) {
		if (!WIFSTOPPED(status))
			break;
		signal = status >> 16 != 0 ? 0 : WSTOPSIG(status);
		if (status >> 16 == PTRACE_EVENT_FORK || status >> 16 == PTRACE_EVENT_CLONE) {
			ptrace(PTRACE_GETEVENTMSG, spawner_traced, NULL, &pid);
			trace(PTRACE_DETACH, spawner_traced, 0, "letting go of the spawner");
			if (wait_for((pid_t)pid, &status, TRACE_MS) != (pid_t)pid)
				fail("the duel that is born again does not stop");
			return (pid_t)pid;
		}
		trace(PTRACE_CONT, spawner_traced, signal, "going on with the spawner");
	}
	if (status == 0 && step_heard_all() && has_died_late(traced)) {
		let_go(spawner_traced);
		return 0;
	}
	fail("killed %s %s, and the spawner does not fork the duel again (status 0x%x)",
	     killed->before ? "before" : "after", trace_call_name(killed->call), (unsigned)status);
}

void trace_run(struct kill_at at, struct killed *killed)
{
	struct killed again = {0};
	pid_t reborn;

	killed->was = run_to(traced, at.stop, killed);
	if (spawner_traced == 0)
		return;
	if (!killed->was) {
		let_go(spawner_traced);
		return;
	}
	reborn = catch_reborn(killed);
	killed->was_again = reborn != 0 && run_to(reborn, at.again, &again);
	if (killed->was_again) {
		killed->before = again.before;
		killed->call = again.call;
	}
}

const char *trace_call_name(long call)
{
	static const struct {
		long call;
		const char *name;
	} names[] = {
#ifdef SYS_poll
	    {SYS_poll, "poll"},
#endif
	    {SYS_ppoll, "ppoll"},
	    {SYS_restart_syscall, "restart_syscall"},
	    {SYS_recvfrom, "recvfrom"},
	    {SYS_recvmsg, "recvmsg"},
	    {SYS_sendto, "sendto"},
	    {SYS_sendmsg, "sendmsg"},
	    {SYS_read, "read"},
	    {SYS_pread64, "pread64"},
	    {SYS_write, "write"},
	    {SYS_writev, "writev"},
	    {SYS_getsockopt, "getsockopt"},
	    {SYS_setsockopt, "setsockopt"},
	    {SYS_ioctl, "ioctl"},
	    {SYS_ftruncate, "ftruncate"},
	    {SYS_fdatasync, "fdatasync"},
	    {SYS_lseek, "lseek"},
	    {SYS_fcntl, "fcntl"},
	    {SYS_fstat, "fstat"},
	    {SYS_close, "close"},
	    {SYS_close_range, "close_range"},
	    {SYS_dup3, "dup3"},
	    {SYS_getpid, "getpid"},
	    {SYS_getppid, "getppid"},
	    {SYS_prctl, "prctl"},
	    {SYS_brk, "brk"},
	    {SYS_mmap, "mmap"},
	    {SYS_munmap, "munmap"},
	    {SYS_clock_gettime, "clock_gettime"},
	    {SYS_rt_sigaction, "rt_sigaction"},
	    {SYS_rt_sigprocmask, "rt_sigprocmask"},
	    {SYS_exit_group, "exit_group"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].call == call)
			return names[i].name;
	return "another call";
}
