/*
 * timers.c - the clock, and a binary heap of embedded timers. See timers.h.
 *
 * Owns the heap; each timer is its owner's, and is told when it is due. It never waits.
 */
#include "proto/time/timers.h"

#include <err.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

int64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int clock_wait(int64_t at)
{
	return at == 0 ? -1 : timers_wait(at, clock_ms());
}

int clock_sooner(int wait, int other)
{
	return wait < 0 || (other >= 0 && other < wait) ? other : wait;
}

const char *clock_date(void)
{
	static char date[CLOCK_DATE];
	static time_t dated = -1;
	time_t now = time(NULL);

	if (now != dated)
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	dated = now;
	return date;
}

static void put(struct timers *timers, size_t place, struct timer *timer)
{
	timers->heap[place] = timer;
	timer->place = place;
}

/* Move the timer at `place` up or down to where it belongs. */
static void settle(struct timers *timers, size_t place)
{
	struct timer *timer = timers->heap[place];

	while (place > 1 && timers->heap[place / 2]->due > timer->due) {
		put(timers, place, timers->heap[place / 2]);
		place /= 2;
	}
	for (;;) {
		size_t below = 2 * place;

		if (below < timers->count &&
		    timers->heap[below + 1]->due < timers->heap[below]->due)
			below++;
		if (below > timers->count || timers->heap[below]->due >= timer->due)
			break;
		put(timers, place, timers->heap[below]);
		place = below;
	}
	put(timers, place, timer);
}

bool timers_have_room(struct timers *timers, size_t count)
{
	size_t room = 2 * count + 64;
	struct timer **heap;

	/* the heap begins at 1 */
	if (count + 1 <= timers->room)
		return true;
	heap = reallocarray(timers->heap, room, sizeof(*heap));
	if (heap == NULL)
		return false;
	timers->heap = heap;
	timers->room = room;
	return true;
}

void timers_set(struct timers *timers, struct timer *timer, int64_t due)
{
	timer->due = due;
	if (timer->place == 0) {
		if (!timers_have_room(timers, timers->count + 1))
			err(1, "no memory for timers");
		put(timers, ++timers->count, timer);
	}
	settle(timers, timer->place);
}

void timers_clear(struct timers *timers, struct timer *timer)
{
	size_t place = timer->place;
	struct timer *last;

	if (place == 0)
		return;
	last = timers->heap[timers->count--];
	timer->place = 0;
	if (last != timer) {
		put(timers, place, last);
		settle(timers, place);
	}
}

int64_t timers_next(const struct timers *timers)
{
	return timers->count == 0 ? TIMER_NEVER : timers->heap[1]->due;
}

void timers_fire(struct timers *timers, int64_t now, void *owner)
{
	for (int i = 0; i < TIMERS_A_TURN && timers_next(timers) <= now; i++) {
		struct timer *timer = timers->heap[1];

		timers_clear(timers, timer);
		timer->fire(timer, owner);
	}
}

int timers_wait(int64_t due, int64_t now)
{
	if (due == TIMER_NEVER)
		return -1;
	if (due <= now)
		return 0;
	return due - now > INT_MAX ? INT_MAX : (int)(due - now);
}
