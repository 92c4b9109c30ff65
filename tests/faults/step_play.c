/*
 * step_play.c - one run of a scenario: players, their script, what they heard.
 */
#include "tests/faults/step.h"

#include "tests/faults/faults.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	STREAM_MAX = 65536,
	AWAIT_MS = 15000,
	QUIET_MS = 15, /* for bytes that should not come at all */
};

static struct client {
	int fd;
	char bytes[STREAM_MAX];
	size_t length;
	size_t since; /* where the present step began for him */
	bool ended;
} client[STEP_CLIENTS];

static const char *awaited;

static void hang_up(struct client *one)
{
	if (one->fd >= 0)
		close(one->fd);
	one->fd = -1;
}

static void take(struct client *one)
{
	for (;;) {
		ssize_t got = recv(one->fd, one->bytes + one->length,
				   sizeof(one->bytes) - 1 - one->length, MSG_DONTWAIT);

		if (got <= 0) {
			one->ended = got == 0 || (errno != EAGAIN && errno != EINTR);
			return;
		}
		one->length += (size_t)got;
		one->bytes[one->length] = '\0';
	}
}

static void take_all(void)
{
	for (int i = 0; i < STEP_CLIENTS; i++)
		if (client[i].fd >= 0 && !client[i].ended)
			take(&client[i]);
}

/* The last whole line from here on that begins so. */
static const char *find_line(const struct client *one, size_t since, const char *word,
			     size_t length)
{
	const char *line = one->bytes + since, *found = NULL, *end;

	for (; (end = strchr(line, '\n')) != NULL; line = end + 1)
		if (strncmp(line, word, length) == 0)
			found = line;
	return found;
}

bool step_heard_all(void)
{
	const char *await = awaited;

	take_all();
	while (*await != '\0') {
		const struct client *one = &client[*await - '0'];
		size_t length = strcspn(await += 2, ",");

		if (find_line(one, one->since, await, length) == NULL)
			return false;
		await += length + (await[length] == ',');
	}
	return true;
}

static void await_all(const struct scenario *scenario, const char *what)
{
	struct pollfd slot[STEP_CLIENTS];
	int64_t end = now_ms() + AWAIT_MS;

	while (!step_heard_all()) {
		if (now_ms() > end) {
			for (int i = 0; i < STEP_CLIENTS; i++)
				printf("player %d%s heard:\n%s", i,
				       client[i].ended ? ", whose connection has ended," : "",
				       client[i].bytes);
			fail("%s: nobody hears %s after \"%s\"", scenario->name, awaited, what);
		}
		for (int i = 0; i < STEP_CLIENTS; i++)
			slot[i] = (struct pollfd){.fd = client[i].ended ? -1 : client[i].fd,
						  .events = POLLIN};
		poll(slot, STEP_CLIENTS, 5);
	}
}

static void dial(struct client *one)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)server.port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	one->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (one->fd < 0 || connect(one->fd, (struct sockaddr *)&to, sizeof(to)) != 0)
		fail("cannot connect to the server: %s", strerror(errno));
}

static void say(struct client *one, const char *line)
{
	char text[1024];
	int length = snprintf(text, sizeof(text), "%s\n", line);

	if (one->fd < 0)
		dial(one);
	if (send(one->fd, text, (size_t)length, MSG_NOSIGNAL) != length)
		fail("cannot say \"%s\": %s", line, strerror(errno));
}

/* "$legal", "$rack" and "$token0" become what they stand for. */
static void act_out(const struct step *step)
{
	char line[512];
	struct client *one;
	const char *dollar;

	if (step->client < 0)
		return;
	one = &client[step->client];
	if (step->line == NULL) {
		hang_up(one);
		return;
	}
	snprintf(line, sizeof(line), "%s", step->line);
	dollar = strchr(step->line, '$');
	if (dollar != NULL && dollar[1] == 'l') {
		const char *legal = find_line(one, 0, "LEGAL ", 6);

		if (legal == NULL)
			fail("no LEGAL was heard");
		snprintf(line, sizeof(line), "%.*s%.*s", (int)(dollar - step->line), step->line,
			 (int)strcspn(legal + 6, ";\n"), legal + 6);
	} else if (dollar != NULL && dollar[1] == 'r') {
		const char *rack = find_line(one, 0, "RACK ", 5);

		if (rack == NULL)
			fail("no RACK was heard");
		snprintf(line, sizeof(line), "%.*s%.2s", (int)(dollar - step->line), step->line,
			 rack + 5);
	} else if (dollar != NULL) {
		const struct client *other = &client[dollar[6] - '0'];
		const char *id = find_line(other, 0, "ID ", 3);

		if (id == NULL)
			fail("no ID was heard");
		snprintf(line, sizeof(line), "%.*s%.32s", (int)(dollar - step->line), step->line,
			 id + 3 + 37);
	}
	say(one, line);
}

static void begin_step(const char *await)
{
	awaited = await;
	take_all();
	for (int i = 0; i < STEP_CLIENTS; i++)
		client[i].since = client[i].length;
}

/* --- a table ----------------------------------------------------------------------------------- */

/* Who just hung up would be waited for. */
static void leave_table(const struct scenario *scenario)
{
	static const char *const await[] = {"0:ABORTED", "1:ABORTED", "2:ABORTED"};

	for (int i = 0; i < STEP_CLIENTS; i++) {
		if (client[i].fd < 0)
			continue;
		begin_step(await[i]);
		say(&client[i], "LOGOUT");
		await_all(scenario, "LOGOUT");
	}
}

static void close_all(void)
{
	for (int i = 0; i < STEP_CLIENTS; i++)
		hang_up(&client[i]);
}

/* Nothing is left of the table before: the next duel is then the only one. */
static void wait_for_no_duel(void)
{
	struct server_child children[64];
	int64_t end = now_ms() + AWAIT_MS;

	/* by their number: a duel that was born just now still has the spawner's title */
	while (server_children(children, 64) != server.children) {
		if (now_ms() > end)
			fail("a duel does not end, or is not reaped");
		poll(NULL, 0, 1);
	}
}

static pid_t find_child(enum child_kind kind)
{
	struct server_child children[64];
	int64_t end = now_ms() + AWAIT_MS;

	for (;;) {
		int count = server_children(children, 64);

		for (int i = 0; i < count; i++)
			if (children[i].kind == kind)
				return children[i].pid;
		if (now_ms() > end)
			fail("the server has no such child");
		poll(NULL, 0, 1);
	}
}

static bool sit_down(const struct scenario *scenario)
{
	const char *start;

	for (int i = 0; i < STEP_CLIENTS; i++) {
		client[i] = (struct client){.fd = -1};
		client[i].bytes[0] = '\0';
	}
	begin_step("0:NO_OPPONENTS");
	say(&client[0], scenario->play[0]);
	await_all(scenario, scenario->play[0]);
	begin_step("0:START,1:START");
	say(&client[1], scenario->play[1]);
	await_all(scenario, scenario->play[1]);
	start = find_line(&client[0], 0, "START ", 6);
	if (strncmp(start, scenario->start, strlen(scenario->start)) != 0)
		return false;
	/* what follows START comes in the same breath: all is there when the duel waits */
	poll(NULL, 0, 2);
	return true;
}

/* The step itself: as it is, or with a duel that is stopped at every call. */
static bool do_step(const struct scenario *scenario, int number, struct kill_at at,
		    struct killed *killed)
{
	const struct step *step = &scenario->step[number];

	begin_step(step->await);
	if (number == scenario->probe && at.stop >= 0) {
		trace_begin(find_child(CHILD_DUEL), at.again >= 0 ? find_child(CHILD_SPAWNER) : 0,
			    at);
		act_out(step);
		trace_run(at, killed);
	} else {
		act_out(step);
	}
	await_all(scenario, step->line == NULL ? "(time, or an end)" : step->line);
	return step->require == NULL ||
	       strstr(client[0].bytes + client[0].since, step->require) != NULL;
}

/* Those that should not come at all would come now. */
static void take_the_rest(void)
{
	int64_t end = now_ms() + QUIET_MS;

	while (now_ms() < end) {
		take_all();
		poll(NULL, 0, 1);
	}
}

bool step_run(const struct scenario *scenario, struct kill_at at, struct killed *killed,
	      char *heard[STEP_CLIENTS])
{
	bool good;

	*killed = (struct killed){0};
	wait_for_no_duel();
	good = sit_down(scenario);
	for (int i = 0; good && scenario->step[i].await != NULL; i++)
		good = do_step(scenario, i, at, killed);
	if (good)
		take_the_rest();
	else
		leave_table(scenario);
	close_all();
	for (int i = 0; good && i < STEP_CLIENTS; i++)
		heard[i] = step_normal(client[i].bytes,
				       strstr(scenario->play[0], "memory") != NULL);
	return good;
}
