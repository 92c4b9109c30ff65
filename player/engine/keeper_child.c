/*
 * keeper_child.c - the keeper: one command, and all that it starts. See keeper.h.
 *
 * Owns the command's process group, the reading end of the life pipe and the log. Never reads what
 * the command says to the player, and has no descriptor of the player's open, so that nobody waits
 * for it. Ends when no descendant is left, and not before.
 */
#include "player/engine/keeper.h"

#include "proto/time/timers.h"
#include "player/engine/family.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AGAIN_MS = 10 }; /* between two rounds of SIGKILL */

struct keeping {
	const struct keeper_job *job;
	pid_t command;
	int signals, log, said; /* `said`: the command's standard error; -1: at its end */
	bool full;		/* the log is */
	bool left;		/* the life pipe is at its end */
	int64_t term_at;	/* ms; 0: nobody is to end yet */
	int64_t kill_at;	/* ms; 0: SIGTERM has not been sent */
};

/* Our own descriptors may be somebody's pipe, who waits for its end: but for these few, which are then the
 * first after the standard ones, all are closed. */
static void leave_descriptors(struct keeper_job *job, int *log)
{
	int *const kept[] = {&job->life, &job->words, &job->in, &job->out, log};
	enum { KEPT = sizeof(kept) / sizeof(kept[0]) };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), next = STDERR_FILENO + 1;

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	/* out of the way of each other first */
	for (int i = 0; i < KEPT; i++)
		*kept[i] = fcntl(*kept[i], F_DUPFD, next + KEPT);
	for (int i = 0; i < KEPT; i++)
		if (*kept[i] >= 0)
			*kept[i] = dup2(*kept[i], next++);
	close_range((unsigned)next, ~0U, 0);
}

static int open_signals(void)
{
	static const struct sigaction plain = {.sa_handler = SIG_DFL};
	sigset_t set;

	/* where it is ignored the kernel reaps, and nobody learns how the command ended */
	sigaction(SIGCHLD, &plain, NULL);
	sigfillset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* As a shell would start it. */
static void __attribute__((noreturn))
run_command(const struct keeper_job *job, pid_t keeper, int error)
{
	static const struct sigaction plain = {.sa_handler = SIG_DFL};
	sigset_t none;

	setpgid(0, 0);
	/* the keeper may be killed too: then at least the command goes with it */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != keeper)
		_exit(127);
	for (int number = 1; number < NSIG; number++)
		sigaction(number, &plain, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(job->in, STDIN_FILENO);
	dup2(job->out, STDOUT_FILENO);
	dup2(error, STDERR_FILENO);
	close_range(3, ~0U, 0);
	execl("/bin/sh", "sh", "-c", job->command, (char *)NULL);
	_exit(127);
}

static bool start_command(struct keeping *keeping)
{
	const struct keeper_job *job = keeping->job;
	pid_t keeper = getpid();
	int error[2];

	if (pipe2(error, O_CLOEXEC) < 0)
		return false;
	keeping->command = fork();
	if (keeping->command == 0)
		run_command(job, keeper, error[1]);
	if (keeping->command < 0)
		return false;
	/* both do it, so that it is done whoever comes first */
	setpgid(keeping->command, keeping->command);
	close(error[1]);
	close(job->in);
	close(job->out);
	keeping->said = error[0];
	fcntl(keeping->said, F_SETFL, O_NONBLOCK);
	return true;
}

static void write_log(struct keeping *keeping, const char *bytes, size_t length)
{
	static const char full[] = "\n(the log is full)\n";
	struct stat log;

	if (keeping->full || keeping->log < 0 || fstat(keeping->log, &log) < 0)
		return;
	if (log.st_size + (off_t)length > KEEPER_LOG_MAX) {
		keeping->full = true;
		bytes = full;
		length = sizeof(full) - 1;
	}
	/* a disk that is full is no reason to end a game */
	if (write(keeping->log, bytes, length) < 0)
		keeping->full = true;
}

/* One piece, so that a flood does not keep us from the rest. */
static void read_said(struct keeping *keeping)
{
	char bytes[16384];
	ssize_t length;

	if (keeping->said < 0)
		return;
	length = read(keeping->said, bytes, sizeof(bytes));
	if (length > 0) {
		write_log(keeping, bytes, (size_t)length);
	} else if (length == 0 || errno != EAGAIN) {
		close(keeping->said);
		keeping->said = -1;
	}
}

static void begin_end(struct keeping *keeping)
{
	if (keeping->kill_at != 0)
		return;
	keeping->kill_at = clock_ms() + KEEPER_TERM_MS;
	if (keeping->command > 0)
		kill(-keeping->command, SIGTERM);
	family_signal(SIGTERM);
	family_signal(SIGCONT);
}

static void command_ended(struct keeping *keeping, int status)
{
	keeping->command = 0;
	/* what it said last, of why it ends, is there already */
	for (int i = 0; i < 8; i++)
		read_said(keeping);
	/* when nobody reads it the player has gone */
	if (write(keeping->job->words, &status, sizeof(status)) < 0)
		begin_end(keeping);
	begin_end(keeping);
}

/* False: there is no child left. */
static bool reap(struct keeping *keeping)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == keeping->command)
			command_ended(keeping, status);
	return pid == 0;
}

static void read_signals(struct keeping *keeping)
{
	struct signalfd_siginfo info;

	while (read(keeping->signals, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo == SIGTERM)
			begin_end(keeping);
}

static int time_left(const struct keeping *keeping)
{
	int left = clock_wait(keeping->kill_at != 0 ? keeping->kill_at : keeping->term_at);

	return left >= 0 && left < AGAIN_MS ? AGAIN_MS : left;
}

static void keep(struct keeping *keeping)
{
	while (reap(keeping)) {
		struct pollfd entry[] = {
		    {.fd = keeping->left ? -1 : keeping->job->life, .events = POLLIN},
		    {.fd = keeping->signals, .events = POLLIN},
		    {.fd = keeping->said, .events = POLLIN},
		};

		poll(entry, sizeof(entry) / sizeof(entry[0]), time_left(keeping));
		read_signals(keeping);
		if (entry[2].revents != 0)
			read_said(keeping);
		if (entry[0].revents != 0) {
			keeping->left = true;
			keeping->term_at = clock_ms() + KEEPER_QUIET_MS;
		}
		if (keeping->term_at != 0 && clock_ms() >= keeping->term_at)
			begin_end(keeping);
		if (keeping->kill_at != 0 && clock_ms() >= keeping->kill_at)
			family_kill();
	}
}

void keeper_run(const struct keeper_job *job)
{
	struct keeper_job ours = *job;
	struct keeping keeping = {.job = &ours, .said = -1};

	/* while the player's descriptors and its terminal are ours: it may be one of them */
	keeping.log = open(job->log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
	/* out of reach of what is meant for the player and its terminal */
	setsid();
	prctl(PR_SET_NAME, "engine-keeper");
	leave_descriptors(&ours, &keeping.log);
	keeping.signals = open_signals();
	if (!family_adopt() || keeping.signals < 0 || !start_command(&keeping))
		_exit(1);
	keep(&keeping);
	_exit(0);
}
