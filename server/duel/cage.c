/*
 * cage.c - the cage of the spawner and the duels. See cage.h.
 *
 * Owns: the filters of system calls, and the limits.
 * Never: asks a player or the server for anything.
 *
 * A filter sees the number of a call and its arguments, but nothing that they point to. So a call
 * is let through whole (read), by its arguments (socket, for one kind of socket), or not at all.
 * There are two. The spawner's is inherited by each duel, and lets through what either of them needs. A duel
 * adds one of its own, which takes away what only the spawner needs.
 *
 * libseccomp compares 64 bits, but of an int the kernel takes 32. So an argument has to be equal, or
 * is seen through a mask of its lower half: by "greater" or "not equal" a number could pass for another.
 */
#include "server/duel/cage.h"

#include "proto/wire/log.h"
#include "server/shared/birth.h"
#include "server/shared/cage.h"
#include "server/shared/capability.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
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

enum {
	/* Of address space, above what a new process has. A duel of any game was seen to take less
	 * than 1 MiB; what is not read of what its players are told takes the rest. */
	MEMORY_MORE = 64 << 20,
	/* 3 standard ones, 4 of the table, a journal, a trace, for each interface one for frames, and
	 * for each seat the socket that it has and one that is on its way. */
	DESCRIPTORS = 41 + BROADCAST_INTERFACES_MAX,
};

/* --- limits ----------------------------------------------------------------------------------- */

/* Reckoned by the spawner, set by each duel: it is counted from its own birth. The spawner's own
 * would add up over all tables. */
static struct rlimit processor;
static rlim_t file_most; /* of a file, for whatever reason */

/* Not on processes, which root has without number: the filters see to that. On its journal each duel has
 * one of its own. */
static void set_limits(enum cage_openness open)
{
	rlim_t memory = cage_address_space() + MEMORY_MORE;
	struct rlimit limit;

	processor = cage_processor_share();
	file_most = cage_narrow(RLIMIT_FSIZE, RLIM_INFINITY, RLIM_INFINITY).rlim_cur;
	limit = cage_narrow(RLIMIT_NOFILE, DESCRIPTORS, DESCRIPTORS);
	cage_set_limit(RLIMIT_NOFILE, &limit);
	limit = cage_narrow(RLIMIT_AS, memory, memory);
	cage_set_limit(RLIMIT_AS, &limit);
	if (open == CAGE_READABLE)
		return;
	limit = cage_narrow(RLIMIT_CORE, 0, 0);
	cage_set_limit(RLIMIT_CORE, &limit);
	if (prctl(PR_SET_DUMPABLE, 0) != 0)
		cage_fail("dumpable", errno);
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

    /* the spawner's: see spawners_only */
    SCMP_SYS(bind),
    SCMP_SYS(getsockname),
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

    /* the spawner's */
    {SCMP_SYS(clone), 1, {{0, SCMP_CMP_EQ, CLONE_PARENT | SIGCHLD, 0}}},
    {SCMP_SYS(socket),
     3,
     {{0, SCMP_CMP_EQ, AF_UNIX, 0},
      {1, SCMP_CMP_EQ, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0},
      {2, SCMP_CMP_EQ, 0, 0}}},
    {SCMP_SYS(prlimit64), 2, {{0, SCMP_CMP_EQ, 0, 0}, {1, SCMP_CMP_EQ, RLIMIT_CPU, 0}}},
    {SCMP_SYS(prlimit64), 2, {{0, SCMP_CMP_EQ, 0, 0}, {1, SCMP_CMP_EQ, RLIMIT_FSIZE, 0}}},
    {SCMP_SYS(fcntl), 1, {{1, SCMP_CMP_EQ, F_ADD_SEALS, 0}}},

    /* what a newborn locks itself in with */
    {SCMP_SYS(seccomp), 2, {{0, SCMP_CMP_EQ, SECCOMP_SET_MODE_FILTER, 0}, {1, SCMP_CMP_EQ, 0, 0}}},
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
	/* abort() sends itself a signal, but the filter cannot know who "itself" is: the call is
	 * refused, and then the process ends itself by a fault */
	if (error == 0)
		error = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(tgkill), 1,
					       &aborts);
	if (error != 0)
		cage_fail("a rule of the filter", -error);
}

static void filter_calls(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
	int error;

	if (filter == NULL)
		cage_fail("the filter", ENOMEM);
	/* calls in the manner of another architecture have other numbers */
	error = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (error != 0)
		cage_fail("the filter", -error);
	add_rules(filter);
	error = seccomp_load(filter); /* and no new privileges from here on */
	if (error != 0)
		cage_fail("the filter", -error);
	seccomp_release(filter);
}

void cage_enter_spawner(const struct config *config)
{
	enum cage_openness open = cage_openness(config);

	if (open == CAGE_OPEN)
		return;
	tzset(); /* the log tells local time; its file is read once, now */
	set_limits(open);
	/* where root has stayed root: a journal may be somebody else's, whom the server was when it made it */
	capability_keep(CAP_DAC_OVERRIDE);
	filter_calls();
}

/* --- the duel's ------------------------------------------------------------------------------- */

#define LOAD_NUMBER	   BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define IF(call, distance) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, distance, 0)
#define RETURN(action)	   BPF_STMT(BPF_RET | BPF_K, action)

/* What only the spawner needs, and the making of more filters, kill a duel. Each line is one instruction, with
 * the distance to the last one. That a number means what we think (the architecture) is seen to by the
 * spawner's filter, which is asked as well. It looks at numbers alone: the kernel remembers what is decided, and
 * does not ask again. */
static const struct sock_filter spawners_only[] = {
    LOAD_NUMBER,
    IF(clone, 14),	 /* the next duel */
    IF(socket, 13),	 /* its datagram socket … */
    IF(bind, 12),	 /* … which gets a name … */
    IF(getsockname, 11), /* … that is told … */
    IF(connect, 10),	 /* … and hears the server alone */
    IF(openat, 9),	 /* its journal … */
    IF(flock, 8),	 /* … which it alone has … */
    IF(lseek, 7),	 /* … and whose end … */
    IF(ftruncate, 6),	 /* … may have to be cut off */
    IF(memfd_create, 5), /* a copy of its chapter … */
    IF(sendfile, 4),	 /* … is made … */
    IF(fcntl, 3),	 /* … and sealed */
    IF(prlimit64, 2),	 /* the limits of this process */
    IF(seccomp, 1),	 /* this filter */
    RETURN(SECCOMP_RET_ALLOW),
    RETURN(SECCOMP_RET_KILL_PROCESS),
};

/* By the system call itself: compiled once, with the program, and so as cheap as it can be. */
static void give_up_spawning(void)
{
	struct sock_fprog program = {
	    .len = sizeof(spawners_only) / sizeof(spawners_only[0]),
	    .filter = (struct sock_filter *)(uintptr_t)spawners_only, /* it is only read */
	};

	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
		cage_fail("the duel's filter", errno);
}

/* The file of a timeline, which a duel may write to as well, may be longer than any journal. */
static void limit_journal(const struct config *config, off_t length)
{
	rlim_t most = (rlim_t)length < file_most ? (rlim_t)length : file_most;
	struct rlimit limit = {most, most};

	if (length == 0 || config->trace != NULL)
		return;
	/* EPERM: somebody has given us less already */
	if (prlimit(0, RLIMIT_FSIZE, &limit, NULL) != 0 && errno != EPERM)
		cage_fail("a limit", errno);
}

void cage_enter_duel(const struct config *config, off_t journal)
{
	if (cage_openness(config) == CAGE_OPEN)
		return;
	if (prlimit(0, RLIMIT_CPU, &processor, NULL) != 0)
		cage_fail("a limit", errno);
	limit_journal(config, journal);
	give_up_spawning();
}
