/*
 * refuse.c - runs a command to which this system refuses what many containers refuse: namespaces,
 * mounts, tracing, and looking into the memory of others. They say EPERM to it, and to all that it
 * starts, for ever.
 *
 *      refuse COMMAND [ARGUMENT...]
 *
 * Capabilities are not its business: tests/powers drops them.
 */
#include <err.h>
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <unistd.h>

static const int refused[] = {
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(move_mount),
    SCMP_SYS(fsopen),
    SCMP_SYS(open_tree),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
};

static const unsigned long namespaces[] = {CLONE_NEWUSER,  CLONE_NEWNS,	 CLONE_NEWNET,
					   CLONE_NEWPID,   CLONE_NEWUTS, CLONE_NEWIPC,
					   CLONE_NEWCGROUP};

static void refuse(scmp_filter_ctx filter, int call)
{
	if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0) != 0)
		errx(1, "no rule for system call %d", call);
}

static void refuse_namespaces(scmp_filter_ctx filter)
{
	for (size_t i = 0; i < sizeof(namespaces) / sizeof(namespaces[0]); i++)
		if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
				     SCMP_A0(SCMP_CMP_MASKED_EQ, namespaces[i], namespaces[i])) !=
		    0)
			errx(1, "no rule for clone");
	/* its flags lie in memory, where no filter looks; C libraries then do with clone */
	if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) != 0)
		errx(1, "no rule for clone3");
}

int main(int argc, char *argv[])
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

	if (argc < 2)
		errx(2, "usage: refuse COMMAND [ARGUMENT...]");
	if (filter == NULL)
		errx(1, "no filter");
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		refuse(filter, refused[i]);
	refuse_namespaces(filter);
	/* calls by the numbers of other machines are for the cage of a duel to forbid; and a program
	 * may become root by sudo as before, unless only that makes a filter possible */
	if (seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ALLOW) != 0 ||
	    seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, geteuid() != 0) != 0)
		errx(1, "no filter");
	if ((errno = -seccomp_load(filter)) != 0)
		err(1, "no filter");
	seccomp_release(filter);
	execvp(argv[1], argv + 1);
	err(127, "cannot start %s", argv[1]);
}
