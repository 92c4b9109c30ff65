/*
 * signals.c - the signals that ask a player to end, as something to poll. See signals.h.
 *
 * They are blocked, so nothing is ever interrupted by them.
 */
#include "player/session/signals.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Without those that are ignored, as SIGHUP is under nohup: a blocked signal reaches the descriptor
 * even when it is ignored. */
static void find_ends(sigset_t *set)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction now;

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(set, ends[i]);
}

int signals_open(void)
{
	sigset_t set;
	int fd;

	find_ends(&set);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd >= 0)
		sigprocmask(SIG_BLOCK, &set, NULL);
	return fd;
}

int signals_read(int fd)
{
	struct signalfd_siginfo info;

	return read(fd, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : 0;
}
