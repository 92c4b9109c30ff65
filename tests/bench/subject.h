/*
 * subject.h - the server that is measured: started, pinned, its time and memory counted, ended.
 */
#ifndef BENCH_SUBJECT_H
#define BENCH_SUBJECT_H

#include <stdint.h>
#include <sys/types.h>

struct subject {
	pid_t pid;
	uint16_t port;
	char folder[256];
	int64_t cpu_begin, own_begin; /* ns, when it was ready */
	int64_t helper_begin;
};

/* Run this command until it says "ready" on descriptor 3. In its words %P is a free port, %D a new
 * folder. Exits when it does not get ready. */
void subject_start(struct subject *subject, char *const word[], int words);

/* CPU time since it was ready, in ns. The helpers are its children that are there all the time: a
 * spawner, a recorder. */
int64_t subject_own_cpu(const struct subject *subject);
int64_t subject_helper_cpu(const struct subject *subject);

/* Wait until its matches have gone, but not longer than two seconds. */
void subject_settle(const struct subject *subject);

/* What it and all its children have in memory, shared pages shared out, in KiB. */
long subject_pss(const struct subject *subject);

/* End it. CPU time of it and all its children since it was ready, in ns; their page faults, with
 * those before. */
int64_t subject_stop(struct subject *subject, long *faults);

/* Any process, in ns, and any command on a processor of its own. */
int64_t cpu_of(pid_t pid);
void pin_to_first(void); /* the load client's */
void pin_to_others(void);

#endif
