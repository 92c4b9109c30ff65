/*
 * ps_lines.c - the processes as they are now, one line each:
 *
 *      kind=server pid=411 parent=1 state=running port=1111 connections=5 waiting=1 tables=2
 *      kind=spawner pid=412 parent=411 state=running up=0
 *      kind=recorder pid=413 parent=411 state=running down=0
 *      kind=house pid=414 parent=411 state=running down=0 bots=3
 *      kind=duel pid=420 parent=411 state=playing table=0 duel=5d0e… game=quantik players=a,b ...
 *
 * Owns: nothing. Talks to: nobody; what it writes, control.c sends.
 * Never: looks into /proc. Told here is what only the server knows. What anybody may read of a process in /proc, the asking
 * program reads there (ps_proc.c), so that the server has no work with it.
 */
#include "server/control/control.h"
#include "server/lobby/lobby.h"

#include <sys/ioctl.h>
#include <unistd.h>

enum {
	ROW_MAX = 1024,	  /* bytes: a full table of memory takes 700 */
	ROWS_A_TURN = 32, /* of the loop: then others are heard */
};

/* Bytes that wait in a pipe, or in the next message of a socket. */
static void add_waiting(struct text *text, const char *key, int fd)
{
	int bytes;

	if (fd >= 0 && ioctl(fd, FIONREAD, &bytes) == 0)
		text_add(text, " %s=%d", key, bytes);
}

static void add_server(const struct lobby *lobby, struct text *text)
{
	static const char *const states[] = {[LOBBY_RUNNING] = "running",
					     [LOBBY_DRAINING] = "draining",
					     [LOBBY_STOPPING] = "stopping",
					     [LOBBY_KILLING] = "stopping",
					     [LOBBY_FORCED] = "stopping"};

	text_add(text,
		 "kind=server pid=%d parent=%d state=%s port=%u connections=%zu waiting=%zu "
		 "tables=%u\n",
		 (int)getpid(), (int)getppid(), states[lobby->state], lobby->config->port,
		 lobby->connections, waiting_count(lobby), lobby->children_live);
}

/* A child of the server that is no duel; what else there is to tell of it. */
static void add_helper(struct text *text, const char *kind, pid_t pid, const char *way, int fd,
		       const char *more)
{
	if (pid <= 0 || fd < 0)
		return; /* the next one is still to be started */
	text_add(text, "kind=%s pid=%d parent=%d state=running", kind, (int)pid, (int)getpid());
	add_waiting(text, way, fd);
	text_add(text, "%s\n", more);
}

/* The server, and those of its children that are no duels. */
static void add_server_and_helpers(const struct lobby *lobby, struct text *text)
{
	const struct helper_line *recorder = &lobby->recorder.line, *house = &lobby->house.line;
	char bots[24];

	text_print(bots, sizeof(bots), " bots=%u", house_link_bots(lobby));
	add_server(lobby, text);
	add_helper(text, "spawner", lobby->spawner_pid, "up", lobby->spawner.fd, "");
	add_helper(text, "recorder", recorder->pid, "down", recorder->pipe.fd, "");
	add_helper(text, "house", house->pid, "down", house->pipe.fd, bots);
}

static void add_players(const struct child *child, struct text *text)
{
	const char *before = " players=";
	int here = 0;

	for (int place = 0; place < GAME_SEATS_MAX; place++) {
		const struct visitor *visitor = child->member[place];

		if (visitor == NULL)
			continue;
		text_add(text, "%s%s", before, visitor->waiting.wish.name);
		before = ",";
		here += visitor->source.fd >= 0;
	}
	text_add(text, " connections=%d", here);
}

static void add_duel(const struct child *child, struct text *text)
{
	static const char *const states[] = {[CHILD_UNASKED] = "waiting",
					     [CHILD_LAUNCHED] = "forking",
					     [CHILD_ALIVE] = "playing",
					     [CHILD_DONE] = "ending"};

	text_add(text, "kind=duel");
	if (child->pid > 0)
		text_add(text, " pid=%d", (int)child->pid);
	text_add(text, " parent=%d state=%s table=%u duel=%s game=%s", (int)getpid(),
		 states[child->state], child->slot, child->birth.duel,
		 child->birth.shape.game->name);
	add_players(child, text);
	if (child->results >= 0)
		text_add(text, " rounds=%d", child->results);
	if (child->births > 0)
		text_add(text, " crashes=%d", child->births - 1);
	add_waiting(text, "up", child->source.fd);
	add_waiting(text, "down", child->down);
	text_add(text, "\n");
}

/* The cursor counts the server with its helpers, and the numbers of its tables. */
bool ps_lines_tell(const struct lobby *lobby, unsigned *cursor, struct text *text)
{
	const unsigned last = 1 + lobby->children;
	const unsigned end = *cursor + ROWS_A_TURN < last ? *cursor + ROWS_A_TURN : last;

	for (; *cursor < end && text->size - text->length > ROW_MAX; ++*cursor) {
		if (*cursor == 0)
			add_server_and_helpers(lobby, text);
		else if (lobby->child[*cursor - 1] != NULL)
			add_duel(lobby->child[*cursor - 1], text);
	}
	return *cursor < last;
}
