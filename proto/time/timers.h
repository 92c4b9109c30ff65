/*
 * timers.h - what is to be done when: a heap of timers, each embedded in the thing it is about.
 *
 * Times are milliseconds of the monotonic clock, so setting the wall clock moves nothing.
 */
#ifndef PROTO_TIME_TIMERS_H
#define PROTO_TIME_TIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timer {
	int64_t due;
	size_t place; /* in the heap, from 1; 0: not set */
	void (*fire)(struct timer *timer, void *owner);
};

struct timers {
	struct timer **heap; /* from 1 */
	size_t count, room;
};

#define TIMER_NEVER INT64_MAX

/* What a timer, or another part, is embedded in. */
#define CONTAINER_OF(part, type, member) ((type *)(void *)((char *)(part)-offsetof(type, member)))

int64_t clock_ms(void);

/* For a poll(): milliseconds from now until `at`, 0 if that has passed, -1 when `at` is 0, for never; and
 * the sooner of two such waits. */
int clock_wait(int64_t at);
int clock_sooner(int wait, int other);

/* The wall clock's date and time in UTC, 2026-11-18T15:04:05Z: for people, and reckoned with by
 * nobody. Made once a second. */
enum { CLOCK_DATE = 24 };
const char *clock_date(void);

/* Room for so many timers, made before they are needed: setting one then cannot fail. False: there
 * is no memory. */
bool timers_have_room(struct timers *timers, size_t count);

/* Set or set anew. */
void timers_set(struct timers *timers, struct timer *timer, int64_t due);
void timers_clear(struct timers *timers, struct timer *timer);

/* When the first one is due; TIMER_NEVER when none is set. */
int64_t timers_next(const struct timers *timers);

/* Fire those that are due, the earliest first; each is cleared before it fires and may be set again then.
 * Of many that are due at once some come in the next turns, so that no turn is long. */
enum { TIMERS_A_TURN = 64 };
void timers_fire(struct timers *timers, int64_t now, void *owner);

/* For a poll(): milliseconds from now until `due`, 0 if that has passed, -1 for never. */
int timers_wait(int64_t due, int64_t now);

#endif
