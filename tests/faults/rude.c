/*
 * rude.c - clients without manners beside the ordinary tables, which must not be worse off: every byte
 * is checked as ever, and nobody waits long. In the end the server has nothing left of them.
 *
 * Owns: the process of the clients (rude_client.c), and the page that it counts in.
 */
#include "tests/faults/faults.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	LONG_MS = 3000, /* a host that has much else to do is no fault */
	END_MS = 10000,
	MORE_MEMORY = 4096, /* KiB: what the allocator keeps of so many connections is half of it */
};

static struct rude *page;
static pid_t clients = -1;
static int64_t begins;
static long memory, memory_after; /* of the server, KiB; 0: not known yet */

/* Those who have said something, and have heard nothing since. */
static struct wait {
	int64_t since;
	unsigned hears;
} * waits;
static int64_t longest;

void rude_start(uint64_t seed, int64_t from, int64_t until)
{
	pid_t parent = getpid();

	begins = from;
	page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	waits = calloc((size_t)players.count, sizeof(*waits));
	if (page == MAP_FAILED || waits == NULL)
		fail("no memory");
	clients = fork();
	if (clients < 0)
		fail("no process: %s", strerror(errno));
	if (clients > 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	rude_client_run(page, seed, from, until);
	_exit(0);
}

static bool awaits_answer(const struct bot *bot)
{
	return bot->fd >= 0 && !bot->stuck &&
	       (bot->phase == BOT_ENTERING || bot->phase == BOT_RETURNING ||
		(bot->phase == BOT_SEATED && bot->saids > 0));
}

void rude_watch(int64_t now)
{
	long resident;

	if (clients < 0 || now < begins)
		return;
	if (memory == 0)
		memory = server_memory(&resident);
	for (int i = 0; i < players.count; i++) {
		const struct bot *bot = &players.bot[i];
		struct wait *wait = &waits[i];

		if (!awaits_answer(bot)) {
			wait->since = 0;
			continue;
		}
		if (wait->since == 0 || wait->hears != bot->hears)
			*wait = (struct wait){.since = now, .hears = bot->hears};
		if (now - wait->since > longest)
			longest = now - wait->since;
		if (longest > LONG_MS)
			table_wrong(bot->table, "%s has waited for %d ms", bot->name, (int)longest);
	}
}

void rude_end(void)
{
	int status = 0;
	int64_t end = now_ms() + END_MS;

	if (clients < 0)
		return;
	while (waitpid(clients, &status, WNOHANG) == 0) {
		if (now_ms() > end)
			fail("the rude clients do not end: the server takes no connection");
		poll(NULL, 0, 10);
	}
	if (page->wrong[0] != '\0')
		fail("a rude %s", page->wrong);
	if (status != 0)
		fail("the rude clients ended with status 0x%x", (unsigned)status);
	for (int kind = 0; kind < RUDE_KINDS; kind++)
		if (page->said[kind] == 0)
			fail("the rude clients of kind %d have said nothing", kind);
}

/* When nothing is played any more. */
void rude_judge(void)
{
	long resident;

	if (clients < 0)
		return;
	memory_after = server_memory(&resident);
	if (memory_after > memory + MORE_MEMORY)
		fail("the rude clients are gone, and the server's memory has grown from %ld to %ld "
		     "KiB",
		     memory, memory_after);
}

void rude_report(void)
{
	unsigned long lines = 0;

	if (clients < 0)
		return;
	for (int kind = 0; kind < RUDE_KINDS; kind++)
		lines += page->said[kind];
	printf("rude: %lu lines on %lu connections; nobody else waited for more than %d ms; the "
	       "server "
	       "had %ld KiB before, and %ld after\n",
	       lines, page->connections, (int)longest, memory, memory_after);
}
