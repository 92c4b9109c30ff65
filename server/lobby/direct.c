/*
 * direct.c - the server forks its duels itself. See direct.h.
 *
 * Owns: the duels' end of the socket over which they say that they are born.
 *
 * What the spawner spares each duel it has to do here by itself: it inherits a copy of all that the
 * server has, closes some thousand descriptors that are not its own, and makes the whole filter of
 * its cage. In a timeline that stands in the slices "fork" (with the server) and "sandbox" (with the
 * duel).
 */
#include "server/lobby/direct.h"

#include "server/duel/ends.h"
#include "server/recorder/recorder.h"
#include "server/duel/cage.h"
#include "server/shared/warrant.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static int duels_end = -1;

pid_t direct_start(int *socket)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return -1;
	/* when it is started again: a duel that has not said by now that it is born cannot any more */
	if (duels_end >= 0)
		close(duels_end);
	duels_end = ends[1];
	*socket = ends[0];
	return 0;
}

static void enter(const struct heritage *heritage, int socket, const struct duel_ends *ends,
		  const struct parcel *parcel)
{
	int keep[DESCRIPTORS_MAX + 7];
	int count = parcel->count;
	int64_t begun;

	memcpy(keep, parcel->fd, (size_t)parcel->count * sizeof(int));
	keep[count++] = socket;
	keep[count++] = heritage->journals;
	keep[count++] = ends->passing;
	keep[count++] = ends->book.append;
	keep[count++] = ends->book.record;
	keep[count++] = trace_descriptor();
	spawner_reset_signals();
	spawner_leave_terminal(heritage->config);
	warrant_forget();
	/* as for the spawner's: whoever could write there could have records thrown away */
	if (heritage->kept != NULL)
		munmap(heritage->kept, sizeof(*heritage->kept));
	keep[count++] = log_descriptor();
	begun = trace_begin();
	descriptors_close_others(keep, count);
	trace_end(begun, SLICE_CLOSE);
	begun = trace_begin();
	sandbox_enter_spawner(heritage->config);
	trace_end(begun, SLICE_SANDBOX);
}

int direct_spawn(const struct heritage *heritage, struct birth *birth, const struct parcel *parcel)
{
	return spawner_spawn(heritage, duels_end, getpid(), birth, parcel, enter);
}
