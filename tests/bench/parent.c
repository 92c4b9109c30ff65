/*
 * parent.c - the parent of a floor with a process a match. See parent.h.
 *
 * Owns: the read end of a pipe for each match.
 */
#include "tests/bench/parent.h"

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EVENTS = 64, PIPES = 20000 };

void parent_be_match(const struct floor *floor, const int pair[2], int result)
{
	struct match match;
	char text[32];
	int length;

	match_begin(&match, &floor->outlets, pair[0], pair[1]);
	match_play(&match);
	length = snprintf(text, sizeof(text), "result %d %d\n", (int)getpid(), match.moves);
	(void)!write(result, text, (size_t)length);
	_exit(0);
}

/* By the descriptor of a pipe: the sockets of its match, where they are kept. */
static int kept[PIPES][2];

static void start_match(struct floor *floor, int epoll, parent_bear *bear, bool keep,
			const int pair[2])
{
	struct epoll_event event = {.events = EPOLLIN};
	int result[2];

	if (pipe2(result, O_CLOEXEC) != 0)
		err(1, "cannot make a pipe");
	bear(floor, pair, result[1]);
	close(result[1]);
	if (keep && result[0] < PIPES) {
		kept[result[0]][0] = pair[0];
		kept[result[0]][1] = pair[1];
	} else {
		close(pair[0]);
		close(pair[1]);
	}
	event.data.fd = result[0];
	epoll_ctl(epoll, EPOLL_CTL_ADD, result[0], &event);
}

/* A result is the last that a match says. Its process is waited for by its number: the kernel looks
 * at all children, dead or not, when it is asked for any. */
static void hear_result(int epoll, int fd, bool keep)
{
	char text[64];
	ssize_t length = read(fd, text, sizeof(text) - 1);
	int pid = 0;

	text[length > 0 ? length : 0] = '\0';
	/* closing is not enough: children that were forked meanwhile have it too */
	epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL);
	close(fd);
	if (keep) {
		close(kept[fd][0]);
		close(kept[fd][1]);
	}
	if (sscanf(text, "result %d", &pid) == 1 && pid > 0)
		waitpid(pid, NULL, 0);
	else
		warnx("a match has ended without a result");
}

void parent_run(struct floor *floor, parent_bear *bear, bool keep)
{
	struct epoll_event event[EVENTS] = {{.events = EPOLLIN, .data.fd = floor->door}};
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	int pair[2];

	epoll_ctl(epoll, EPOLL_CTL_ADD, floor->door, event);
	floor_say_ready();
	for (;;) {
		int count = epoll_wait(epoll, event, EVENTS, -1);

		for (int i = 0; i < count; i++) {
			if (event[i].data.fd != floor->door) {
				hear_result(epoll, event[i].data.fd, keep);
				continue;
			}
			while (floor_accept_two(floor, pair))
				start_match(floor, epoll, bear, keep, pair);
		}
	}
}
