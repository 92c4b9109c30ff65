/*
 * cage.c - the cages of the house and its bots. See cage.h.
 *
 * Owns: their filters of system calls, their limits, their rules for files.
 * Never: names all that a bot may call: what starts a program with its libraries is a long list, and another version of
 * them may have another. Named is what nobody here has a use for.
 */
#include "server/house/cage.h"

#include "proto/wire/log.h"
#include "server/shared/cage.h"
#include "server/shared/landlock.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <seccomp.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	BOT_MEMORY = 256 << 20, /* bytes of address space; 24 MiB were seen */
	BOT_DESCRIPTORS = 16,
	KINDS_OF_SOCKETS = 16,
};

/* --- calls ------------------------------------------------------------------------------------ */

/* Whoever tries these is neither the house nor a bot any more. */
static const int forbidden[] = {
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(process_madvise),
    SCMP_SYS(kcmp),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsmount),
    SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(setns),
    SCMP_SYS(unshare),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(memfd_create),
    SCMP_SYS(memfd_secret),
    SCMP_SYS(name_to_handle_at),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(keyctl),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(syslog),
    SCMP_SYS(acct),
    SCMP_SYS(quotactl),
    SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime),
    SCMP_SYS(clock_adjtime),
    SCMP_SYS(adjtimex),
    SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname),
    SCMP_SYS(ioperm),
    SCMP_SYS(iopl),
    SCMP_SYS(personality),
    SCMP_SYS(shmget),
    SCMP_SYS(shmat),
    SCMP_SYS(msgget),
    SCMP_SYS(semget),
    SCMP_SYS(mq_open),
    SCMP_SYS(socketpair),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
};

/* Nor a bot that tries these: the house needs them. */
static const int forbidden_to_bots[] = {SCMP_SYS(fork),		SCMP_SYS(vfork),
					SCMP_SYS(clone),	SCMP_SYS(clone3),
					SCMP_SYS(kill),		SCMP_SYS(tkill),
					SCMP_SYS(tgkill),	SCMP_SYS(rt_sigqueueinfo),
					SCMP_SYS(pidfd_open),	SCMP_SYS(pidfd_send_signal),
					SCMP_SYS(setpriority),	SCMP_SYS(sched_setscheduler),
					SCMP_SYS(sched_setattr)};

static int forbid(scmp_filter_ctx filter, const int calls[], size_t count)
{
	int error = filter == NULL ? -ENOMEM : 0;

	for (size_t i = 0; i < count && error == 0; i++)
		error = seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, calls[i], 0);
	return error;
}

static int refuse_socket(scmp_filter_ctx filter, unsigned argument, enum scmp_compare compare,
			 scmp_datum_t first, scmp_datum_t second)
{
	const struct scmp_arg_cmp which = {argument, compare, first, second};

	return seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
				      &which);
}

/* TCP and nothing else; a library that tries another finds that there is none. The family is seen here with 64 bits, of
 * which the kernel takes 32: with more in it, it is one above all families. The kind is in its lowest bits. */
static int only_tcp(scmp_filter_ctx filter)
{
	enum { FAMILY, KIND };
	int error = refuse_socket(filter, FAMILY, SCMP_CMP_LT, AF_INET, 0);

	for (scmp_datum_t family = AF_INET + 1; family < AF_INET6 && error == 0; family++)
		error = refuse_socket(filter, FAMILY, SCMP_CMP_EQ, family, 0);
	if (error == 0)
		error = refuse_socket(filter, FAMILY, SCMP_CMP_GT, AF_INET6, 0);
	for (scmp_datum_t kind = 0; kind < KINDS_OF_SOCKETS && error == 0; kind++)
		if (kind != SOCK_STREAM)
			error = refuse_socket(filter, KIND, SCMP_CMP_MASKED_EQ,
					      KINDS_OF_SOCKETS - 1, kind);
	return error;
}

static void enter_filter(scmp_filter_ctx filter, int error)
{
	if (error == 0)
		error = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (error == 0)
		error = seccomp_load(filter);
	if (error != 0)
		cage_fail("the house's filter", -error);
	seccomp_release(filter);
}

/* --- files ------------------------------------------------------------------------------------ */

/* The program that puts programs and their libraries together, as this one names it; NULL: it needs none. */
static const char *find_linker(void)
{
	const ElfW(Phdr) *header = (const ElfW(Phdr) *)getauxval(AT_PHDR);
	unsigned long count = getauxval(AT_PHNUM);
	const char *base = NULL;

	for (unsigned long i = 0; i < count; i++)
		if (header[i].p_type == PT_PHDR)
			base = (const char *)header - header[i].p_vaddr;
	for (unsigned long i = 0; i < count; i++)
		if (header[i].p_type == PT_INTERP && base != NULL)
			return base + header[i].p_vaddr;
	return NULL;
}

static bool allow_files(int rules, int player)
{
	static const char *const folders[] = {"/lib",	       "/lib64",	 "/usr/lib",
					      "/usr/lib64",    "/usr/local/lib", "/etc/ld.so.cache",
					      "/etc/localtime"};
	const uint64_t run = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;
	const char *linker = find_linker();

	/* not all systems have all of them; /etc's are files, of which no folder can be read */
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		landlock_allow_path(rules, folders[i],
				    strncmp(folders[i], "/etc", 4) == 0
					? LANDLOCK_ACCESS_FS_READ_FILE
					: (uint64_t)LANDLOCK_FILES_READ);
	return (player < 0 || landlock_allow(rules, player, run) == 0) &&
	       (linker == NULL || landlock_allow_path(rules, linker, run) == 0);
}

static void confine(int player, uint16_t port)
{
	int rules = landlock_begin(true);

	if (rules < 0) {
		log_warn("house-sees-files reason=\"%s\" so=\"whoever breaks a bot can open what "
			 "this user can\" hint=\"a kernel with Landlock\"",
			 strerror(errno));
		return;
	}
	if (!allow_files(rules, player) || landlock_allow_connect(rules, port) != 0 ||
	    landlock_enter(rules) != 0)
		cage_fail("the house's files", errno);
}

/* --- all of it -------------------------------------------------------------------------------- */

static void set_limit(__rlimit_resource_t resource, rlim_t most)
{
	struct rlimit limit = cage_narrow(resource, most, most);

	cage_set_limit(resource, &limit);
}

void cage_enter_house(const struct config *config, int player, uint16_t port)
{
	scmp_filter_ctx filter;

	if (cage_openness(config) == CAGE_OPEN)
		return;
	if (cage_openness(config) == CAGE_CLOSED)
		set_limit(RLIMIT_CORE, 0);
	confine(player, port);
	filter = seccomp_init(SCMP_ACT_ALLOW);
	enter_filter(filter, forbid(filter, forbidden, sizeof(forbidden) / sizeof(forbidden[0])));
}

void cage_enter_bot(const struct config *config)
{
	scmp_filter_ctx filter;
	int error;

	if (cage_openness(config) == CAGE_OPEN)
		return;
	set_limit(RLIMIT_AS, BOT_MEMORY);
	set_limit(RLIMIT_NOFILE, BOT_DESCRIPTORS);
	/* what it complains of may go to a file */
	if (cage_openness(config) == CAGE_CLOSED)
		set_limit(RLIMIT_FSIZE, 0);
	filter = seccomp_init(SCMP_ACT_ALLOW);
	error = forbid(filter, forbidden_to_bots,
		       sizeof(forbidden_to_bots) / sizeof(forbidden_to_bots[0]));
	enter_filter(filter, error != 0 ? error : only_tcp(filter));
}
