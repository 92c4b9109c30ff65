/*
 * crowd.c - tables that do nothing: what they need, how quickly one more is started beside them,
 * and what happens when there can be no more.
 */
#include "tests/bench/figures.h"
#include "tests/bench/scenario.h"

#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	AHEAD = 64,	 /* players whose table has not begun */
	QUIET_US = 2000, /* between two tables, so that the one before has gone */
	LATE_US = 500	 /* for each table: until what a run before has freed is free */
};

struct crowd {
	bool plays; /* false: whoever is to move does not */
	int started, ended;
};

static void on_heard(struct load *load, struct player *player, enum heard heard)
{
	struct crowd *crowd = load->scenario;

	if (heard == HEARD_START)
		crowd->started++;
	if (heard == HEARD_TURN && crowd->plays)
		player_move(load, player);
	if (heard == HEARD_TURN)
		player->since = load_now();
	if (heard == HEARD_END) {
		crowd->ended++;
		player_leave(player);
	}
}

static void open_tables(struct load *load, struct crowd *crowd, int players)
{
	for (int i = 0; i < players; i++) {
		player_connect(load, &load->player[i]);
		player_play(load, &load->player[i]);
		while (i % 2 == 1 && i - crowd->started >= AHEAD)
			load_turn(load);
	}
	while (crowd->started < players)
		load_turn(load);
}

/* One more table: from its players' first word to the server until both have heard START. Then it
 * is played to its end. */
static int64_t start_one(struct load *load, struct crowd *crowd, struct player player[2])
{
	int64_t begin, took;

	usleep(QUIET_US);
	*crowd = (struct crowd){.plays = false};
	begin = load_now();
	player[0].since = player[1].since = 0;
	for (int i = 0; i < 2; i++)
		player_connect(load, &player[i]);
	for (int i = 0; i < 2; i++)
		player_play(load, &player[i]);
	while (crowd->started < 2)
		load_turn(load);
	took = load_now() - begin;
	crowd->plays = true;
	player_move(load, &player[player[0].since ? 0 : 1]);
	while (crowd->ended < 2)
		load_turn(load);
	return took;
}

long crowd_run(struct load *load, const struct subject *subject, const struct settings *settings)
{
	static struct times times;
	static struct crowd crowd;
	struct player *more = &load->player[2 * settings->live];
	long before, pss = subject_pss(subject);
	int64_t own, helper, first;

	load->scenario = &crowd;
	load->heard = on_heard;
	usleep((useconds_t)settings->live * LATE_US);
	before = memory_available();
	open_tables(load, &crowd, (int)(2 * settings->live));
	usleep(300000); /* what the kernel frees late has been freed */
	printf(" table_kib=%.1f table_pss_kib=%.1f",
	       (double)(before - memory_available()) / (double)settings->live,
	       (double)(subject_pss(subject) - pss) / (double)settings->live);
	load->spins = true;
	first = start_one(load, &crowd, more); /* not counted: everything has gone cold */
	own = subject_own_cpu(subject);
	helper = subject_helper_cpu(subject);
	for (int i = 0; i < settings->count; i++)
		times_add(&times, start_one(load, &crowd, more));
	times_print(&times, "start");
	printf(" start_first_us=%.1f parent_us=%.2f spawner_us=%.2f", (double)first / 1e3,
	       (double)(subject_own_cpu(subject) - own) / 1e3 / (double)settings->count,
	       (double)(subject_helper_cpu(subject) - helper) / 1e3 / (double)settings->count);
	return 0;
}

/* How many tables the server says that it can have, and whether there is a connection more than
 * these take. */
static int read_limit(const struct subject *subject, bool *spare)
{
	char path[300], line[512];
	int tables = 0, connections = 0;
	FILE *log;

	snprintf(path, sizeof(path), "%s/log", subject->folder);
	log = fopen(path, "r");
	while (log != NULL && tables == 0 && fgets(line, sizeof(line), log) != NULL) {
		const char *said = strstr(line, " connections="), *then = strstr(line, " tables=");

		if (strstr(line, "limits ") == NULL || said == NULL || then == NULL)
			continue;
		sscanf(said, " connections=%d", &connections);
		sscanf(then, " tables=%d", &tables);
	}
	if (log != NULL)
		fclose(log);
	if (tables < 2 || 2 * tables + 2 > PLAYERS_MAX)
		errx(1, "%s: the server says that it can have %d tables; 2 to %d can be tried",
		     path, tables, PLAYERS_MAX / 2 - 1);
	*spare = connections > 2 * tables;
	return tables;
}

static void start_some(struct load *load, struct crowd *crowd, struct player player[2],
		       const struct settings *settings, const char *name)
{
	static struct times times;

	times.count = 0;
	for (int i = 0; i < settings->count; i++)
		times_add(&times, start_one(load, crowd, player));
	times_print(&times, name);
}

/* Who comes when the server is full is told so, and let go. One who finds a connection that no table
 * can use is let in, and says nothing. */
static void be_refused(struct load *load, bool spare)
{
	struct player *more = &load->player[PLAYERS_MAX - 1], *silent = more - 1;
	struct timeval patience = {.tv_sec = 5};
	char line[128];
	ssize_t length;

	if (spare)
		player_connect(load, silent);
	player_connect(load, more);
	epoll_ctl(load->epoll, EPOLL_CTL_DEL, more->fd, NULL);
	setsockopt(more->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	length = recv(more->fd, line, sizeof(line) - 1, 0);
	line[length < 0 ? 0 : length] = '\0';
	if (strncmp(line, "ERROR busy ", 11) != 0)
		errx(1, "the server is full, and says \"%s\" to one player more", line);
	close(more->fd);
	if (spare)
		close(silent->fd);
}

/* All tables are there: two more players are refused, and get theirs when one has ended. */
static void try_one_more(struct load *load, struct crowd *crowd, struct player more[2], bool spare)
{
	struct player *mover = &load->player[load->player[0].since ? 0 : 1];

	*crowd = (struct crowd){.plays = true};
	be_refused(load, spare);
	player_move(load, mover);
	while (crowd->ended < 2)
		load_turn(load);
	for (int i = 0; i < 2; i++) {
		player_connect(load, &more[i]);
		player_play(load, &more[i]);
	}
	while (crowd->ended < 4)
		load_turn(load);
}

long fill_run(struct load *load, const struct subject *subject, const struct settings *settings)
{
	static struct crowd crowd;
	bool spare;
	int tables = read_limit(subject, &spare);
	struct player *last = &load->player[2 * (tables - 1)];

	load->scenario = &crowd;
	load->heard = on_heard;
	load->spins = true;
	printf(" tables=%d", tables);
	start_some(load, &crowd, last, settings, "first");
	crowd = (struct crowd){.plays = false};
	open_tables(load, &crowd, 2 * (tables - 1));
	start_some(load, &crowd, last, settings, "last");
	/* the very last one stays */
	crowd = (struct crowd){.plays = false};
	for (int i = 0; i < 2; i++) {
		player_connect(load, &last[i]);
		player_play(load, &last[i]);
	}
	while (crowd.started < 2)
		load_turn(load);
	try_one_more(load, &crowd, last + 2, spare);
	printf(" one_more=refused-then-served");
	return 0;
}
