/*
 * direct.c - the server starts its duels by itself. See direct.h.
 *
 * Owns: the duels' end of the socket over which they say that they are born.
 *
 * What the spawner spares each duel is done for each anew: a fork of the server, which copies the table of all
 * its descriptors; the start of a program; the whole filter of a cage. In a timeline that stands in the slices
 * "fork" (with the server) and "sandbox" (with the duel).
 */
#include "server/lobby/direct.h"

#include "server/lobby/lobby.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

static int duels_end = -1;

int direct_start(struct lobby *lobby)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return -1;
	/* when it is started again: a duel that has not said by now that it is born cannot any more */
	if (duels_end >= 0)
		close(duels_end);
	duels_end = ends[1];
	lobby->spawner.fd = ends[0];
	return 0;
}

/* It hears what a spawner hears, from a line of its own, at whose end it does not look. */
int direct_spawn(struct lobby *lobby, struct trace_link *link, const char *text, size_t length,
		 const struct parcel *parcel)
{
	int64_t begun = trace_begin();
	int ends[2], error;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return errno;
	error = spawn_tell(&lobby->told, ends[0]);
	if (error == 0)
		error = descriptors_send(ends[0], text, length, parcel, NULL, 0);
	if (error == 0)
		trace_sent(link, WAY_BIRTH, begun, text, length);
	begun = trace_begin();
	pid = error == 0 ? launch_start_duels(lobby, ends[1], duels_end) : 0;
	if (pid < 0)
		error = errno;
	if (pid > 0)
		trace_end_with(begun, SLICE_FORK_HELPER, pid, 0);
	close(ends[0]);
	close(ends[1]);
	return error;
}
