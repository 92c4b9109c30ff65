/*
 * cage.c - the cage of the spawner and the duels. See cage.h.
 *
 * Owns: the filters of system calls, the limits, and the decision how far they are closed.
 * Never: asks a player or the server for anything.
 *
 * A filter sees the number of a call and its arguments, but nothing that they point to. So a call
 * is let through whole (read), by its arguments (socket, for one kind of socket), or not at all.
 * What the spawner needs and a duel must not have, key.c locks.
 *
 * libseccomp compares 64 bits, but of an int the kernel takes 32. So an argument has to be equal, or
 * is seen through a mask of its lower half: by "greater" or "not equal" a number could pass for another.
 */
#include "server/duel/cage.h"

#include "proto/wire/log.h"
#include "server/shared/birth.h"
#include "server/duel/key.h"
#include "server/shared/user.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <linux/sockios.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Sanitizers map terabytes and open /proc; their processes are not for players who cannot be
 * trusted. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

/* For valgrind, whose own work the filters would forbid. */
#ifdef HOLMGANG_OPEN
#define OPENED true
#else
#define OPENED false
#endif

/* make study */
#ifdef HOLMGANG_STUDY
#define STUDIED true
#else
#define STUDIED false
#endif

enum openness {
	CLOSED,
	READABLE, /* strace, gdb and /proc show it, and it may leave a core; otherwise closed */
	OPEN,	  /* no cage */
};

/* The one place. With --no-fork there is neither spawner nor duel, so nobody asks. */
static enum openness openness(const struct config *config)
{
	if (SANITIZED || OPENED)
		return OPEN;
	return config->debug || STUDIED ? READABLE : CLOSED;
}

bool sandbox_is_readable(const struct config *config)
{
	return openness(config) != CLOSED;
}

enum {
	/* Of address space, above what a new process has. A duel of any game was seen to take less
	 * than 1 MiB; what is not read of what its players are told takes the rest. */
	MEMORY_MORE = 64 << 20,
	/* Of the processor, in seconds: some million moves, or one endless loop. */
	CPU_SECONDS = 300,
	/* 3 standard ones, 4 of the table, a journal, a trace, for each interface one for frames, and
	 * for each seat the socket that it has and one that is on its way. */
	DESCRIPTORS = 41 + BROADCAST_INTERFACES_MAX,
	/* Larger than any piece that is free, smaller than what malloc() maps for itself. */
	TIDY = 100000,
};

static void __attribute__((noreturn)) fail(const char *what, int error)
{
	log_error("cage-not-closed what=\"%s\" reason=\"%s\" hint=\"the kernel needs "
		  "CONFIG_SECCOMP_FILTER; nobody plays without\"",
		  what, strerror(error));
	_exit(1);
}

/* --- limits ----------------------------------------------------------------------------------- */

/* Reckoned by the spawner, set by each duel: it is counted from its own birth. The spawner's own
 * would add up over all tables. */
static struct rlimit processor;
static rlim_t file_most; /* of a file, for whatever reason */

/* The kernel warns at `soft` and kills at `hard`; never more than we may have. */
static struct rlimit narrow(__rlimit_resource_t resource, rlim_t soft, rlim_t hard)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) != 0)
		fail("a limit", errno);
	if (limit.rlim_max > hard)
		limit.rlim_max = hard;
	limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
	return limit;
}

/* Of the processor: at `soft` it dies of SIGXCPU, which tells why; who does not listen is killed at `hard`. */
static struct rlimit processor_share(void)
{
	struct rlimit share = narrow(RLIMIT_CPU, CPU_SECONDS, CPU_SECONDS + 1);

	if (share.rlim_cur == share.rlim_max && share.rlim_max > 1)
		share.rlim_cur--;
	return share;
}

/* By this one call: the filter names it. */
static void set_limit(__rlimit_resource_t resource, const struct rlimit *limit)
{
	if (prlimit(0, resource, limit, NULL) != 0)
		fail("a limit", errno);
}

/* A spawner that takes the place of another is a copy of a server that has grown. */
static rlim_t address_space(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages;
	int found = file == NULL ? 0 : fscanf(file, "%lu", &pages);

	if (file != NULL)
		fclose(file);
	if (found != 1)
		fail("its own size in /proc/self/statm", ENOENT);
	return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Not on processes, which root has without number: the filters see to that. On its journal each duel has
 * one of its own. */
static void set_limits(enum openness open)
{
	rlim_t memory = address_space() + MEMORY_MORE;
	struct rlimit limit;

	processor = processor_share();
	file_most = narrow(RLIMIT_FSIZE, RLIM_INFINITY, RLIM_INFINITY).rlim_cur;
	limit = narrow(RLIMIT_NOFILE, DESCRIPTORS, DESCRIPTORS);
	set_limit(RLIMIT_NOFILE, &limit);
	limit = narrow(RLIMIT_AS, memory, memory);
	set_limit(RLIMIT_AS, &limit);
	if (open == READABLE)
		return;
	limit = narrow(RLIMIT_CORE, 0, 0);
	set_limit(RLIMIT_CORE, &limit);
	if (prctl(PR_SET_DUMPABLE, 0) != 0)
		fail("dumpable", errno);
}

/* --- the spawner's filter --------------------------------------------------------------------- */

/* Let through whatever their arguments are. */
static const int harmless[] = {
    /* what a duel lives on */
    SCMP_SYS(recvfrom),
    SCMP_SYS(recvmsg),
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(close),
    SCMP_SYS(close_range),
    SCMP_SYS(getsockopt),
    SCMP_SYS(getpeername), /* whom the log tells of */
    SCMP_SYS(poll),
    SCMP_SYS(ppoll), /* what poll() is where the kernel has no poll */

    /* its journal, which is open already, and a copy of what is in it */
    SCMP_SYS(pread64),
    SCMP_SYS(fsync),
    SCMP_SYS(fdatasync),

    /* time, on machines whose clock cannot be read without the kernel */
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(restart_syscall), /* how a wait goes on after SIGSTOP and SIGCONT */

    /* malloc() */
    SCMP_SYS(brk),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(getrandom), /* later versions of glibc: for its caches */
    SCMP_SYS(futex),	 /* the locks of glibc; there is nobody to wait for */

    /* abort(), assert(), the end */
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(getppid),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),

    /* the spawner's; to the sockets and files that a duel has they do nothing */
    SCMP_SYS(bind),
    SCMP_SYS(getsockname),

    /* the spawner's, locked (see key.h) */
    SCMP_SYS(connect),
    SCMP_SYS(openat),
    SCMP_SYS(flock),
    SCMP_SYS(lseek),
    SCMP_SYS(ftruncate),
    SCMP_SYS(memfd_create),
    SCMP_SYS(sendfile),
};

/* Let through if its arguments are these, numbered from 0. */
static const struct {
	int call;
	unsigned count;
	struct scmp_arg_cmp arg[3];
} guarded[] = {
    {SCMP_SYS(ioctl), 1, {{1, SCMP_CMP_EQ, SIOCINQ, 0}}},
    {SCMP_SYS(ioctl), 1, {{1, SCMP_CMP_EQ, SIOCOUTQ, 0}}},
    {SCMP_SYS(setsockopt), 2, {{1, SCMP_CMP_EQ, SOL_SOCKET, 0}, {2, SCMP_CMP_EQ, SO_RCVLOWAT, 0}}},

    /* memory, but none that is a file's, as the log's, and none that can be run as code */
    {SCMP_SYS(mmap),
     2,
     {{2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0},
      {3, SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS}}},
    {SCMP_SYS(mprotect), 1, {{2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0}}},

    /* advice about it: what is given back, a trace's own page, and what glibc does for who has
     * asked for large pages (GLIBC_TUNABLES). Other advice breaks pages, which others may share. */
    {SCMP_SYS(madvise), 1, {{2, SCMP_CMP_EQ, MADV_DONTNEED, 0}}},
    {SCMP_SYS(madvise), 1, {{2, SCMP_CMP_EQ, MADV_DONTFORK, 0}}},
    {SCMP_SYS(madvise), 1, {{2, SCMP_CMP_EQ, MADV_HUGEPAGE, 0}}},

    /* it ends with the server */
    {SCMP_SYS(prctl), 2, {{0, SCMP_CMP_EQ, PR_SET_PDEATHSIG, 0}, {1, SCMP_CMP_EQ, SIGKILL, 0}}},

    /* the spawner's, locked */
    {SCMP_SYS(clone), 1, {{0, SCMP_CMP_EQ, CLONE_PARENT | SIGCHLD, 0}}},
    {SCMP_SYS(socket),
     3,
     {{0, SCMP_CMP_EQ, AF_UNIX, 0},
      {1, SCMP_CMP_EQ, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0},
      {2, SCMP_CMP_EQ, 0, 0}}},
    {SCMP_SYS(prlimit64), 2, {{0, SCMP_CMP_EQ, 0, 0}, {1, SCMP_CMP_EQ, RLIMIT_CPU, 0}}},
    {SCMP_SYS(prlimit64), 2, {{0, SCMP_CMP_EQ, 0, 0}, {1, SCMP_CMP_EQ, RLIMIT_FSIZE, 0}}},
    {SCMP_SYS(fcntl), 1, {{1, SCMP_CMP_EQ, F_ADD_SEALS, 0}}},
};

static void add_rules(scmp_filter_ctx filter)
{
	static const struct scmp_arg_cmp aborts = {2, SCMP_CMP_EQ, SIGABRT, 0};
	int error = 0;

	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]) && error == 0; i++)
		error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, harmless[i], 0);
	for (size_t i = 0; i < sizeof(guarded) / sizeof(guarded[0]) && error == 0; i++)
		error = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, guarded[i].call,
					       guarded[i].count, guarded[i].arg);
	/* abort() sends itself a signal, but the filter cannot know who "itself" is: it is told that
	 * it may not, and then ends itself by a fault */
	if (error == 0)
		error = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(tgkill), 1,
					       &aborts);
	if (error != 0)
		fail("a rule of the filter", -error);
}

static void filter_calls(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
	int error;

	if (filter == NULL)
		fail("the filter", ENOMEM);
	/* calls in the manner of another architecture have other numbers */
	error = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (error != 0)
		fail("the filter", -error);
	add_rules(filter);
	if (key_lock() != 0) /* first: the other does not let filters be made */
		fail("the lock", errno);
	error = seccomp_load(filter); /* and no new privileges from here on */
	if (error != 0)
		fail("the filter", -error);
	seccomp_release(filter);
}

/* The filter was made of many small pieces, which malloc() has back but has not put in order yet. It
 * would do so at each duel's first malloc(), who would have to copy all these pages; so now, once. And
 * the kernel gets them back: a page that is not there needs not be shared with each duel. */
static void tidy_memory(void)
{
	/* volatile: or the compiler sees that nobody needs it */
	void *volatile piece = malloc(TIDY);

	free(piece);
	malloc_trim(0);
}

void sandbox_enter_spawner(const struct config *config)
{
	enum openness open = openness(config);

	if (open == OPEN)
		return;
	tzset(); /* the log tells local time; its file is read once, now */
	set_limits(open);
	user_keep_files();
	filter_calls();
	tidy_memory();
}

/* --- the duel's ------------------------------------------------------------------------------- */

/* The file of a timeline, which a duel may write to as well, may be longer than any book. */
static void limit_journal(const struct config *config, off_t length)
{
	rlim_t most = (rlim_t)length < file_most ? (rlim_t)length : file_most;
	struct rlimit limit = {most, most};

	if (length == 0 || config->trace != NULL)
		return;
	/* EPERM: somebody has given us less already */
	if (key_call(SYS_prlimit64, 0, RLIMIT_FSIZE, (long)&limit, 0) != 0 && errno != EPERM)
		fail("a limit", errno);
}

void sandbox_enter_duel(const struct config *config, off_t journal)
{
	if (openness(config) == OPEN)
		return;
	if (key_call(SYS_prlimit64, 0, RLIMIT_CPU, (long)&processor, 0) != 0)
		fail("a limit", errno);
	limit_journal(config, journal);
	key_forget();
}

int sandbox_judge(int status, const struct rusage *used)
{
	/* the limit counts whole ticks, what is told does not count those that other machines on this
	 * host have had of them: so of the share that is used up only a part may be told */
	enum { PART = 2 };
	rlim_t seconds = (rlim_t)(used->ru_utime.tv_sec + used->ru_stime.tv_sec);
	rlim_t micros = (rlim_t)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
	rlim_t hard = processor_share().rlim_max;

	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL ||
	    seconds * 1000000 + micros < hard * (1000000 / PART))
		return status;
	return SIGXCPU;
}

bool sandbox_is_fault(int status)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS};

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (WIFSIGNALED(status) && WTERMSIG(status) == faults[i])
			return true;
	return false;
}

const char *sandbox_explain(int status)
{
	if (WIFEXITED(status))
		return "it ended";
	switch (WTERMSIG(status)) {
	case SIGSYS:
		return "a system call that its cage forbids";
	case SIGXCPU:
		return "its share of the processor is used up";
	case SIGABRT: /* without a cage */
	case SIGSEGV:
		return "it gave up, or touched what is not its own";
	case SIGKILL:
		return "killed";
	default:
		return "a signal";
	}
}
