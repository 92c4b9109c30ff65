/*
 * cage.c - what the cages of the server's processes share. See cage.h.
 *
 * Owns: the decision how far cages are closed.
 * Never: asks a player or the server for anything.
 */
#include "server/shared/cage.h"

#include "proto/wire/log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

/* The one place. With --no-fork a debugger is wanted, which may do what it likes. */
enum cage_openness cage_openness(const struct config *config)
{
	if (SANITIZED || OPENED || config->no_fork)
		return CAGE_OPEN;
	return config->debug || STUDIED ? CAGE_READABLE : CAGE_CLOSED;
}

enum { CPU_SECONDS = 300 /* some million moves, or one endless loop */ };

void cage_fail(const char *what, int error)
{
	log_error("cage-not-closed what=\"%s\" reason=\"%s\" hint=\"the kernel needs "
		  "CONFIG_SECCOMP_FILTER; nobody plays without\"",
		  what, strerror(error));
	_exit(1);
}

/* --- limits ----------------------------------------------------------------------------------- */

/* The kernel warns at `soft` and kills at `hard`; never more than we may have. */
struct rlimit cage_narrow(__rlimit_resource_t resource, rlim_t soft, rlim_t hard)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) != 0)
		cage_fail("a limit", errno);
	if (limit.rlim_max > hard)
		limit.rlim_max = hard;
	limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
	return limit;
}

/* Of the processor: at `soft` it dies of SIGXCPU, which tells why; who does not listen is killed at `hard`. */
struct rlimit cage_processor_share(void)
{
	struct rlimit share = cage_narrow(RLIMIT_CPU, CPU_SECONDS, CPU_SECONDS + 1);

	if (share.rlim_cur == share.rlim_max && share.rlim_max > 1)
		share.rlim_cur--;
	return share;
}

/* By this one call: the filter names it. */
void cage_set_limit(__rlimit_resource_t resource, const struct rlimit *limit)
{
	if (prlimit(0, resource, limit, NULL) != 0)
		cage_fail("a limit", errno);
}

rlim_t cage_address_space(void)
{
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	char pages[32];
	ssize_t length = fd < 0 ? -1 : read(fd, pages, sizeof(pages) - 1);

	if (fd >= 0)
		close(fd);
	if (length <= 0)
		cage_fail("its own size in /proc/self/statm", ENOENT);
	pages[length] = '\0';
	return strtoul(pages, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* --- the end of a process --------------------------------------------------------------------- */

int cage_judge(int status, const struct rusage *used)
{
	/* the limit counts whole ticks, what is told does not count those that other machines on this
	 * host have had of them: so of the share that is used up only a part may be told */
	enum { PART = 2 };
	rlim_t seconds = (rlim_t)(used->ru_utime.tv_sec + used->ru_stime.tv_sec);
	rlim_t micros = (rlim_t)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
	rlim_t hard = cage_processor_share().rlim_max;

	if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL ||
	    seconds * 1000000 + micros < hard * (1000000 / PART))
		return status;
	return SIGXCPU;
}

bool cage_is_fault(int status)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS};

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (WIFSIGNALED(status) && WTERMSIG(status) == faults[i])
			return true;
	return false;
}

const char *cage_explain(int status)
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
