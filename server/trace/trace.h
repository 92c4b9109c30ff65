/*
 * trace.h - the timeline of --trace: what every process does, and when, in one file that Perfetto and
 * chrome://tracing open. TRACING.md says what is in it.
 *
 * Each process collects its records and appends them in batches, so there is no lock and nobody waits
 * for another. With tracing off each call is one test of a global, which the processor foresees.
 *
 * The static probes for bpftrace that belong to the same places are here too; see probes.h.
 */
#ifndef SERVER_TRACE_TRACE_H
#define SERVER_TRACE_TRACE_H

#include "server/trace/probes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

extern bool trace_on;

/* All that can be in a timeline, with the names of its numbers. */
/* clang-format off */
#define TRACE_MARKS(M)                                                                      \
	/* what a process does */                                                           \
	M(SLICE_OTHER,         SLICE,   "other",              NULL,     NULL)               \
	M(SLICE_ACCEPT,        SLICE,   "accept",             NULL,     NULL)               \
	M(SLICE_HEAR_PLAYER,   SLICE,   "hear player",        NULL,     NULL)               \
	M(SLICE_MATCH,         SLICE,   "match",              NULL,     NULL)               \
	M(SLICE_LAUNCH,        SLICE,   "launch",             NULL,     NULL)               \
	M(SLICE_HEAR_SPAWNER,  SLICE,   "hear spawner",       NULL,     NULL)               \
	M(SLICE_HEAR_DUEL,     SLICE,   "hear duel",          NULL,     NULL)               \
	M(SLICE_TELL_DUEL,     SLICE,   "tell duel",          NULL,     NULL)               \
	M(SLICE_HAND_OFF,          SLICE,   "pass a socket",      NULL,     NULL)               \
	M(SLICE_TELL_RECORDER, SLICE,   "tell recorder",      NULL,     NULL)               \
	M(SLICE_TELL_HOUSE,    SLICE,   "tell house",         NULL,     NULL)               \
	M(SLICE_SIGNAL,        SLICE,   "signal",             NULL,     NULL)               \
	M(SLICE_COMMAND,       SLICE,   "answer a command",   NULL,     NULL)               \
	M(SLICE_SANDBOX,       SLICE,   "sandbox",            NULL,     NULL)               \
	M(SLICE_SPAWN,         SLICE,   "spawn",              NULL,     NULL)               \
	M(SLICE_FORK,          SLICE,   "fork",               "child",  "table")            \
	M(SLICE_FORK_HELPER,   SLICE,   "fork",               "child",  NULL)               \
	M(SLICE_ANSWER,        SLICE,   "answer",             NULL,     NULL)               \
	M(SLICE_BIRTH,         SLICE,   "birth",              NULL,     NULL)               \
	M(SLICE_REPLAY,        SLICE,   "replay",             NULL,     NULL)               \
	M(SLICE_JOURNAL,       SLICE,   "journal",            NULL,     NULL)               \
	M(SLICE_MOVE,          SLICE,   "move",               NULL,     NULL)               \
	M(SLICE_BROADCAST,     SLICE,   "broadcast",          NULL,     NULL)               \
	M(SLICE_TELL_SERVER,   SLICE,   "tell server",        NULL,     NULL)               \
	M(SLICE_HEAR_SERVER,   SLICE,   "hear server",        NULL,     NULL)               \
	M(SLICE_TAKE,          SLICE,   "take a socket",      NULL,     NULL)               \
	M(SLICE_READ_JOURNAL,     SLICE,   "read journal",          NULL,     NULL)               \
	M(SLICE_COMMIT,        SLICE,   "commit",             NULL,     NULL)               \
	/* what happens at once */                                                          \
	M(INSTANT_SIGCHLD,     INSTANT, "SIGCHLD",            "from",   NULL)               \
	M(INSTANT_SIGTERM,     INSTANT, "SIGTERM",            "from",   NULL)               \
	M(INSTANT_SIGINT,      INSTANT, "SIGINT",             "from",   NULL)               \
	M(INSTANT_SIGHUP,      INSTANT, "SIGHUP",             "from",   NULL)               \
	M(INSTANT_EXIT,        INSTANT, "exit",               "status", NULL)               \
	M(INSTANT_KILLED,      INSTANT, "exit",               "signal", NULL)               \
	M(INSTANT_REAP,        INSTANT, "reap",               "child",  "status")           \
	M(INSTANT_REAP_KILLED, INSTANT, "reap",               "child",  "signal")           \
	/* how many there are */                                                            \
	M(COUNTER_WAITING,     COUNTER, "waiting players",    "now",    NULL)               \
	M(COUNTER_LIVE,        COUNTER, "live duels",         "now",    NULL)               \
	M(COUNTER_DESCRIPTORS, COUNTER, "descriptors",        "now",    NULL)               \
	/* a message goes, and is heard: its first word is the name */                      \
	M(ARROW_SENT,          SENT,    "",                   NULL,     NULL)               \
	M(ARROW_HEARD,         HEARD,   "",                   NULL,     NULL)               \
	/* what a process is called; whose the next records are */                          \
	M(TRACK_NAME,          TITLE,   "",                   NULL,     NULL)               \
	M(TRACK_OF,            NOTHING, "",                   NULL,     NULL)
/* clang-format on */

#define TRACE_MARK(mark, kind, name, number, other) mark,
enum trace_mark { TRACE_MARKS(TRACE_MARK) TRACE_MARK_COUNT };
#undef TRACE_MARK

/* The ways a message can go, as the server sees them. */
enum trace_way {
	WAY_UP,	      /* a duel's pipe to the server */
	WAY_DOWN,     /* the server's pipe to a duel */
	WAY_HANDOFF,  /* the datagram socket */
	WAY_BIRTH,    /* the server's socket to the spawner */
	WAY_ANSWER,   /* the same socket back; duels say there that they are born */
	WAY_RECORDER, /* the server's pipe to the recorder, whose lives count apart */
	WAY_HOUSE,    /* the server's pipe to the house, likewise */
	WAY_COUNT,
};

/* One end's knowledge of the talk with one duel. Both ends count alike, so a message has the same
 * number at both, and the arrow between them needs nothing in the message. */
struct trace_link {
	unsigned table;
	uint32_t life; /* of all launches which one: a duel that is born again has another */
	uint32_t count[WAY_COUNT];
};

/* The server, before its first child: make the file anew. Exits with 1 when that cannot be. */
void trace_open(const char *file);

/* The server, after its last child: the end of the array. */
void trace_close(void);

/* The file, and the memory of the duels' records; -1: tracing is off. */
int trace_descriptor(void);
int trace_memory(void);

/* A program that the server has started: it gets these two. */
void trace_adopt(int file, int shared_memory);

/* After a fork, in the child, before anything else of this: it has not inherited its parent's records.
 * What a duel has not written when it dies the server can. */
void trace_start_process(void);
void trace_start_duel(unsigned table);
void trace_name_process(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Before a process ends by itself: that it does, and, unless the server will find it, all that it has not
 * written yet. */
void trace_exit(void);

void trace_flush(void);

/* The same when it has waited for a while: where a process may sleep for long. */
void trace_flush_old(void);

/* The functions behind those below. */
int64_t trace_clock(void); /* nanoseconds */
void trace_write_slice(int64_t begun, enum trace_mark mark, int number, int other);
void trace_write_instant(enum trace_mark mark, int number, int other);
void trace_write_sent(struct trace_link *link, enum trace_way way, int64_t when, const char *lines,
		      size_t length);
void trace_write_heard(struct trace_link *link, enum trace_way way, const char *line);
int trace_shorten(int wait);

/* The server: this duel has died; what it has left in the page of its table is ours to write. */
void trace_take_rest_of(pid_t pid, unsigned table);

/* On the track of another process. */
void trace_write_instant_of(pid_t pid, enum trace_mark mark, int number);

/* Something that takes time: keep what trace_begin() gave for trace_end(). */
static inline int64_t trace_begin(void)
{
	return trace_on ? trace_clock() : 0;
}

static inline void trace_end(int64_t begun, enum trace_mark mark)
{
	if (trace_on)
		trace_write_slice(begun, mark, 0, 0);
}

static inline void trace_end_with(int64_t begun, enum trace_mark mark, int number, int other)
{
	if (trace_on)
		trace_write_slice(begun, mark, number, other);
}

/* An instant, or how many there are now. */
static inline void trace_instant(enum trace_mark mark, int number, int other)
{
	if (trace_on)
		trace_write_instant(mark, number, other);
}

/* The beginning of an arrow for each of these lines; `when` is a trace_begin() from before they
 * went. To be called before the message goes out: whoever is killed then has left the arrow's
 * beginning, if not its end. */
static inline void trace_sent(struct trace_link *link, enum trace_way way, int64_t when,
			      const char *lines, size_t length)
{
	PROBE4(pipe_send, link->table, way, lines, length);
	if (trace_on)
		trace_write_sent(link, way, when, lines, length);
}

/* Its end. */
static inline void trace_heard(struct trace_link *link, enum trace_way way, const char *line)
{
	PROBE3(pipe_receive, link->table, way, line);
	if (trace_on)
		trace_write_heard(link, way, line);
}

/* How long to wait, in milliseconds, so that records do not wait much longer for the file. */
static inline int trace_wait(int wait)
{
	return trace_on ? trace_shorten(wait) : wait;
}

#endif
