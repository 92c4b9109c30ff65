/*
 * user.c - from root to somebody who may do little. See user.h.
 *
 * Owns: ids and groups of this process; the owner of the state folder if we make it.
 * Never: comes back. Whoever is forked later is that user from its birth on, so the signal that a
 * child has asked for at our death, which a change of user clears, stays asked for.
 */
#include "server/lobby/user.h"

#include "proto/wire/log.h"
#include "server/shared/cage.h"
#include "server/shared/capability.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder that was there stays whose it is. */
static void make_state_folder(const char *folder, const struct passwd *user)
{
	int fd;

	if (mkdir(folder, 0700) != 0)
		return; /* it is there; if not, whoever needs it will say so */
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fchown(fd, user->pw_uid, user->pw_gid) != 0)
		err(1, "cannot give the state folder %s to %s", folder, user->pw_name);
	close(fd);
}

static void check_state_folder(const char *folder, const struct passwd *user)
{
	if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0 && errno == EACCES)
		errx(1,
		     "%s may not write in the state folder %s: give it away (chown -R %s %s), or "
		     "choose another with --state",
		     user->pw_name, folder, user->pw_name, folder);
}

/* The user's own group only: a server has no use for others. */
static void change(const struct passwd *user)
{
	if (setgroups(1, &user->pw_gid) != 0 ||
	    setresgid(user->pw_gid, user->pw_gid, user->pw_gid) != 0 ||
	    prctl(PR_SET_KEEPCAPS, 1) != 0 ||
	    setresuid(user->pw_uid, user->pw_uid, user->pw_uid) != 0)
		err(1, "cannot become %s", user->pw_name);
	capability_keep(CAP_NET_BIND_SERVICE);
	if (setuid(0) == 0)
		errx(1, "root was given up and can be had again: not going on");
}

void user_become(const struct config *config)
{
	const struct passwd *user;

	if (config->user == NULL)
		return;
	user = getpwnam(config->user);
	if (user == NULL)
		errx(1, "there is no user \"%s\": name one that this machine knows", config->user);
	if (geteuid() != 0 && geteuid() != user->pw_uid)
		errx(1,
		     "only root can become %s: start the server as root, or as %s without --user",
		     config->user, config->user);
	/* who is that user already, and root by --user root, has nothing to give up */
	if (geteuid() == user->pw_uid)
		return;
	make_state_folder(config->state, user);
	change(user);
	check_state_folder(config->state, user);
	/* the kernel has made us unreadable for the new user's other processes */
	if (cage_openness(config) != CAGE_CLOSED && prctl(PR_SET_DUMPABLE, 1) != 0)
		warn("cannot be read by strace");
}

void user_settle(const struct config *config)
{
	if (geteuid() != 0)
		capability_keep(-1);
	else if (config->user == NULL)
		log_warn("runs-as-root hint=\"--user NAME gives root up\"");
	/* nobody of ours starts a program, so nobody needs what a program might bring */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		err(1, "cannot give up privileges that are still to come");
}
