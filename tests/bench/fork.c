/*
 * fork.c - the plain forking floor: what everybody writes. The parent forks each match itself.
 *
 *	fork PORT FOLDER [keep]
 *
 * keep: the parent keeps the players' sockets, as a server must that takes players back. Then each
 * child has to close those of all others, or nobody's connection would ever be closed.
 */
#include "tests/bench/parent.h"

#include <err.h>
#include <unistd.h>

static bool keep;

/* Leave only what a match needs: 3 and 4 the players, 5 the result, 6 and 7 the outlets. */
static void close_others(struct floor *floor, int pair[2], int *result)
{
	int *own[] = {&pair[0], &pair[1], result, &floor->outlets.frames, &floor->outlets.record};
	const int count = sizeof(own) / sizeof(own[0]);

	/* first out of the way of each other */
	for (int i = 0; i < count; i++)
		*own[i] = dup(*own[i]);
	for (int i = 0; i < count; i++)
		*own[i] = dup2(*own[i], 3 + i);
	close_range(3 + (unsigned)count, ~0U, 0);
}

static void bear(struct floor *floor, const int pair[2], int result)
{
	int own[2] = {pair[0], pair[1]};
	pid_t pid = fork();

	if (pid < 0)
		err(1, "cannot fork");
	if (pid > 0)
		return;
	if (keep)
		close_others(floor, own, &result);
	parent_be_match(floor, own, result);
}

int main(int argc, char *argv[])
{
	struct floor floor;

	keep = argc > 3;
	floor_open(&floor, argc, argv);
	parent_run(&floor, bear, keep);
}
