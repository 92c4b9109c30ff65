/*
 * breaker.c - what is broken, and when: processes killed or stopped, connections cut, the whole
 * server killed. Chance decides, by the run's seed.
 */
#include "tests/faults/faults.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CHILDREN = 4096,
	STOPPED_MAX = 64,
	ZOMBIE_MS = 5000,
};

struct broken broken;

/* Those that stand still now, and until when. */
static struct stopped {
	pid_t pid;
	int64_t until;
} stopped[STOPPED_MAX];

static struct zombie {
	pid_t pid;
	int64_t since;
} zombie[16];

static struct stopped *find_stopped(pid_t pid)
{
	for (int i = 0; i < STOPPED_MAX; i++)
		if (stopped[i].pid == pid)
			return &stopped[i];
	return NULL;
}

static void go_on(int64_t now)
{
	for (int i = 0; i < STOPPED_MAX; i++) {
		if (stopped[i].pid == 0 || stopped[i].until > now)
			continue;
		/* still a child of the server, so it is still the same */
		kill(stopped[i].pid, SIGCONT);
		stopped[i].pid = 0;
	}
}

void breaker_stop(void)
{
	go_on(INT64_MAX);
}

/* A child that the server has not reaped after some seconds stays for ever. */
static void look_for_zombies(const struct server_child *children, int count, int64_t now)
{
	struct zombie seen[16] = {0};
	int zombies = 0;

	for (int i = 0; i < count && zombies < 16; i++) {
		if (children[i].kind != CHILD_ZOMBIE)
			continue;
		seen[zombies] = (struct zombie){.pid = children[i].pid, .since = now};
		for (int old = 0; old < 16; old++)
			if (zombie[old].pid == children[i].pid)
				seen[zombies] = zombie[old];
		if (now - seen[zombies].since > ZOMBIE_MS)
			fail("process %d has been a zombie for %d s", (int)children[i].pid,
			     ZOMBIE_MS / 1000);
		zombies++;
	}
	memcpy(zombie, seen, sizeof(zombie));
}

/* --- one thing --------------------------------------------------------------------------------- */

/* However often the same one: nobody is at fault, so no table may end by it. */
static void kill_one(const struct server_child *child)
{
	unsigned long *count = child->kind == CHILD_DUEL      ? &broken.duels
			       : child->kind == CHILD_SPAWNER ? &broken.spawners
							      : &broken.recorders;

	if (kill(child->pid, SIGKILL) == 0)
		++*count;
}

static void stop_one(const struct server_child *child, int64_t now)
{
	struct stopped *one = find_stopped(0);

	if (one == NULL || find_stopped(child->pid) != NULL || kill(child->pid, SIGSTOP) != 0)
		return;
	*one = (struct stopped){.pid = child->pid, .until = now + 20 + chance(300)};
	broken.stops++;
}

/* Where newcomers are let in somebody must hear that one has come: what the newcomer himself is told
 * is checked against that. */
static bool is_witness(const struct bot *bot)
{
	const struct table *table = bot->table;

	for (int i = 0; i < table->bots; i++)
		if (table->bot[i] != bot && table->bot[i]->phase == BOT_SEATED &&
		    table->bot[i]->fd >= 0)
			return false;
	return table->game->join != NULL;
}

static void cut_one(void)
{
	struct bot *bot = &players.bot[chance((uint32_t)players.count)];

	if (bot->phase != BOT_SEATED || !bot->full || bot->lost || bot->fd < 0 || is_witness(bot))
		return;
	for (int i = 0; i < bot->saids; i++)
		if (bot->said[i].what == SAID_LOGOUT)
			return;
	bot_cut(bot);
	broken.cuts++;
}

static const struct server_child *one_of(const struct server_child *children, int count,
					 enum child_kind kind)
{
	int from = count > 0 ? (int)chance((uint32_t)count) : 0;

	for (int i = 0; i < count; i++)
		if (children[(from + i) % count].kind == kind)
			return &children[(from + i) % count];
	return NULL;
}

/* Called every few milliseconds. */
void breaker_run(int64_t now)
{
	static struct server_child children[CHILDREN];
	static int64_t next;
	const struct server_child *child;
	int count;

	go_on(now);
	if (now < next || server.down)
		return;
	next = now + 5 + chance(30);
	count = server_children(children, CHILDREN);
	look_for_zombies(children, count, now);
	if (chance(2) == 0)
		cut_one();
	child = one_of(children, count, CHILD_DUEL);
	if (child != NULL && chance(4) == 0)
		stop_one(child, now);
	child = one_of(children, count, CHILD_DUEL);
	if (child != NULL)
		kill_one(child);
	child = one_of(children, count, chance(2) ? CHILD_SPAWNER : CHILD_RECORDER);
	if (child != NULL && chance(80) == 0)
		kill_one(child);
}

/* Everybody's connection is gone with it; when it is there again, they come back. */
void breaker_kill_server(void)
{
	go_on(INT64_MAX);
	server_kill();
	broken.restarts++;
	memset(zombie, 0, sizeof(zombie));
	for (int i = 0; i < players.count; i++)
		bot_server_died(&players.bot[i]);
	server_start();
}
