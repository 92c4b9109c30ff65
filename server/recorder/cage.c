/*
 * cage.c - the cage of the recorder. See cage.h.
 *
 * Owns: its filter of system calls, its limits, its rules for files.
 * Never: lets through a call by what it points to; of paths Landlock knows more.
 *
 * What SQLite and the C library may call in some case or other is a long list, and another version of them may
 * have another. So a call that is not named here fails (EPERM), as in a container, and only what nobody should ever
 * try kills the process.
 */
#include "server/recorder/cage.h"

#include "proto/wire/log.h"
#include "server/shared/cage.h"
#include "server/shared/landlock.h"

#include <errno.h>
#include <seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum {
	MEMORY_MORE =
	    256 << 20, /* bytes; with 65,536 journals and a game of 16 MiB it was seen to take 60 */
	DESCRIPTORS = 128,
};

/* --- system calls ----------------------------------------------------------------------------- */

/* Files below the folder, memory, time, its pipe, its end. */
static const int allowed[] = {
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(pread64),
    SCMP_SYS(pwrite64),
    SCMP_SYS(readv),
    SCMP_SYS(writev),
    SCMP_SYS(lseek),
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(close),
    SCMP_SYS(close_range),
    SCMP_SYS(stat),
    SCMP_SYS(lstat),
    SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(statx),
    SCMP_SYS(access),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getcwd),
    SCMP_SYS(getdents64),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(ftruncate),
    SCMP_SYS(fallocate),
    SCMP_SYS(fsync),
    SCMP_SYS(fdatasync),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchown),
    SCMP_SYS(fcntl),
    SCMP_SYS(flock),
    SCMP_SYS(sendfile),
    SCMP_SYS(dup),
    SCMP_SYS(utimensat),
    SCMP_SYS(umask),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(brk),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(futex),
    SCMP_SYS(getrandom),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(getppid),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sysinfo),
    SCMP_SYS(uname),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
};

/* Whoever tries these is not the recorder any more. */
static const int forbidden[] = {
    SCMP_SYS(socket),	      SCMP_SYS(socketpair), SCMP_SYS(connect),
    SCMP_SYS(bind),	      SCMP_SYS(listen),	    SCMP_SYS(accept),
    SCMP_SYS(accept4),	      SCMP_SYS(execve),	    SCMP_SYS(execveat),
    SCMP_SYS(fork),	      SCMP_SYS(vfork),	    SCMP_SYS(clone),
    SCMP_SYS(clone3),	      SCMP_SYS(ptrace),	    SCMP_SYS(process_vm_readv),
    SCMP_SYS(kill),	      SCMP_SYS(tkill),	    SCMP_SYS(process_vm_writev),
    SCMP_SYS(io_uring_setup), SCMP_SYS(mount),	    SCMP_SYS(pidfd_open),
};

static int add_calls(scmp_filter_ctx filter)
{
	static const struct scmp_arg_cmp no_code = {2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0};
	int error = 0;

	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]) && error == 0; i++)
		error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
	for (size_t i = 0; i < sizeof(forbidden) / sizeof(forbidden[0]) && error == 0; i++)
		error = seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, forbidden[i], 0);
	if (error == 0)
		error = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, &no_code);
	if (error == 0)
		error = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
					       &no_code);
	return error;
}

static void filter_calls(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int error = filter == NULL ? -ENOMEM : add_calls(filter);

	if (error == 0)
		error = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (error == 0)
		error = seccomp_load(filter);
	if (error != 0)
		cage_fail("the recorder's filter", -error);
	seccomp_release(filter);
}

/* --- files ------------------------------------------------------------------------------------ */

enum {
	FILES_STATE = LANDLOCK_FILES_READ | LANDLOCK_ACCESS_FS_WRITE_FILE |
		      LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG,
};

static void confine_to(const char *state)
{
	int rules = landlock_begin(false);

	if (rules < 0) {
		log_warn("recorder-sees-files reason=\"%s\" so=\"whoever breaks it can open what "
			 "this user "
			 "can\" hint=\"a kernel with Landlock\"",
			 strerror(errno));
		return;
	}
	if (landlock_allow_path(rules, state, FILES_STATE) != 0 || landlock_enter(rules) != 0)
		cage_fail("the recorder's files", errno);
}

/* --- all of it -------------------------------------------------------------------------------- */

static void set_limits(enum cage_openness open)
{
	rlim_t memory = cage_address_space() + MEMORY_MORE;
	struct rlimit limit = cage_narrow(RLIMIT_AS, memory, memory);

	cage_set_limit(RLIMIT_AS, &limit);
	limit = cage_narrow(RLIMIT_NOFILE, DESCRIPTORS, DESCRIPTORS);
	cage_set_limit(RLIMIT_NOFILE, &limit);
	if (open == CAGE_READABLE)
		return;
	limit = cage_narrow(RLIMIT_CORE, 0, 0);
	cage_set_limit(RLIMIT_CORE, &limit);
	if (prctl(PR_SET_DUMPABLE, 0) != 0)
		cage_fail("dumpable", errno);
}

void cage_enter_recorder(const struct config *config)
{
	enum cage_openness open = cage_openness(config);

	if (open == CAGE_OPEN)
		return;
	set_limits(open);
	confine_to(config->state);
	filter_calls();
}
