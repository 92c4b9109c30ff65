/*
 * cage.h - what the cages of the server's processes share: how far they are closed, their limits, and what the
 * end of a process in one tells.
 *
 *      server/duel/cage.h        that of the spawner and the duels
 *      server/recorder/cage.h    that of the recorder
 */
#ifndef SERVER_SHARED_CAGE_H
#define SERVER_SHARED_CAGE_H

#include "server/shared/config.h"

#include <sys/resource.h>
#include <sys/types.h>

enum cage_openness {
	CAGE_CLOSED,
	CAGE_READABLE, /* strace, gdb and /proc show it, and it may leave a core; otherwise closed */
	CAGE_OPEN,     /* no cage */
};

enum cage_openness cage_openness(const struct config *config);

/* A line in the log, and the end: nobody plays outside of a cage. */
void cage_fail(const char *what, int error) __attribute__((noreturn));

/* A limit with these two, and never more than this process may have. */
struct rlimit cage_narrow(__rlimit_resource_t resource, rlim_t soft, rlim_t hard);
void cage_set_limit(__rlimit_resource_t resource, const struct rlimit *limit);

/* A duel's, of the processor. */
struct rlimit cage_processor_share(void);

/* Bytes that this process has now. */
rlim_t cage_address_space(void);

/* What wait4() has told of a duel's end, but for one case: the SIGKILL of the kernel, when a duel has used
 * up its share of the processor, becomes SIGXCPU. So a SIGKILL is always one from outside. */
int cage_judge(int status, const struct rusage *used);

/* Did it touch what is not its own, or try what is forbidden to it? */
bool cage_is_fault(int status);

/* Of that status: what has ended a process, in a word or two for the log. */
const char *cage_explain(int status);

#endif
