/*
 * epoll.c - what others do instead: one process with one loop for all matches.
 *
 *	epoll PORT FOLDER
 *
 * A crash takes all matches with it.
 */
#include "tests/bench/floor.h"

#include <err.h>
#include <stdlib.h>
#include <sys/epoll.h>

enum { EVENTS = 64 };

static struct match *dead; /* freed when all events at hand have been dealt with */

static void watch(int epoll, int fd, void *what)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};

	epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

static void accept_all(struct floor *floor, int epoll)
{
	int pair[2];

	while (floor_accept_two(floor, pair)) {
		struct match *match = malloc(sizeof(*match));

		if (match == NULL)
			err(1, "no memory for a match");
		match_begin(match, &floor->outlets, pair[0], pair[1]);
		for (int side = 0; side < 2; side++)
			watch(epoll, pair[side], &match->side[side]);
	}
}

static void hear(struct side *side)
{
	struct match *match = side->match;

	if (match->over)
		return;
	match_hear(match, (int)(side - match->side));
	if (!match->over)
		return;
	match_close(match);
	match->next = dead;
	dead = match;
}

static void free_dead(void)
{
	while (dead != NULL) {
		struct match *next = dead->next;

		free(dead);
		dead = next;
	}
}

int main(int argc, char *argv[])
{
	struct epoll_event event[EVENTS];
	struct floor floor;
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	floor_open(&floor, argc, argv);
	watch(epoll, floor.door, NULL);
	floor_say_ready();
	for (;;) {
		int count = epoll_wait(epoll, event, EVENTS, -1);

		for (int i = 0; i < count; i++) {
			if (event[i].data.ptr == NULL)
				accept_all(&floor, epoll);
			else
				hear(event[i].data.ptr);
		}
		free_dead();
	}
}
