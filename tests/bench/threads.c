/*
 * threads.c - what others do instead: one thread a match.
 *
 *	threads PORT FOLDER
 *
 * A crash takes all matches with it.
 */
#include "tests/bench/floor.h"

#include <err.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { STACK = 64 * 1024 };

static void *live(void *own)
{
	struct match *match = own;

	match_play(match);
	match_close(match);
	free(match);
	return NULL;
}

int main(int argc, char *argv[])
{
	struct floor floor;
	struct pollfd door;
	pthread_attr_t attributes;
	pthread_t thread;
	int pair[2];

	floor_open(&floor, argc, argv);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, STACK);
	door = (struct pollfd){.fd = floor.door, .events = POLLIN};
	floor_say_ready();
	for (;;) {
		struct match *match;

		if (!floor_accept_two(&floor, pair)) {
			poll(&door, 1, -1);
			continue;
		}
		match = malloc(sizeof(*match));
		if (match == NULL)
			err(1, "no memory for a match");
		match_begin(match, &floor.outlets, pair[0], pair[1]);
		errno = pthread_create(&thread, &attributes, live, match);
		if (errno != 0)
			err(1, "cannot start a thread");
	}
}
