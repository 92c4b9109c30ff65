/*
 * rude_client.c - clients without manners, each kind from an address of its own.
 *
 * Owns: their connections, in a process of their own (rude.c has it started and ended).
 * Talks to: the server; to rude.c by the page that both have.
 * Never: sits down with anybody else's players, or leaves a table behind when there is time to end it.
 */
#include "tests/faults/faults.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	OF_A_KIND = 24,
	CLIENTS = RUDE_KINDS * OF_A_KIND,
	TURN_MS = 5,
	AGAIN_MS = 40, /* from one connection of a client to its next: ports are not endless */
	HALF_MS = 100,
	LEAVE_MS = 8000,
	BURST = 8,	      /* lines of one client in a turn */
	ADDRESS = 0x7f000102, /* the ordinary players come from 127.0.0.x */
};

enum rude_kind { LISTER, REGISTRAR, MUMBLER, RETURNER, DEAF, HALF, ENDLESS, LEAVER, GUESSER };

static struct client {
	int64_t since;
	struct line_reader reader;
	enum rude_kind kind;
	int number;
	int fd; /* -1: none */
	bool answered;
	bool gone; /* it does not come back */
	char token[TOKEN_TEXT];
} clients[CLIENTS];

static struct rude *rude;
static uint64_t generator;
static bool leaving;

static uint32_t draw(uint32_t below)
{
	return game_draw(&generator, below);
}

static void complain(const struct client *client, const char *what, int byte)
{
	snprintf(rude->wrong, sizeof(rude->wrong), "client %d of kind %d %s 0x%02x", client->number,
		 (int)client->kind, what, (unsigned)byte);
	_exit(1);
}

/* --- a connection ------------------------------------------------------------------------------ */

static void hang_up(struct client *client)
{
	if (client->fd >= 0)
		close(client->fd);
	client->fd = -1;
	client->since = now_ms();
}

static void say_bytes(struct client *client, const char *bytes, size_t length)
{
	ssize_t sent = send(client->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);

	if (sent < 0 && errno != EAGAIN && errno != EINTR)
		hang_up(client);
	if (sent > 0)
		rude->said[client->kind]++;
}

static void __attribute__((format(printf, 2, 3)))
say(struct client *client, const char *format, ...)
{
	char line[LINE_MAX_CLIENT];
	struct text text = TEXT_IN(line);
	va_list args;

	if (client->fd < 0)
		return;
	va_start(args, format);
	text_add_list(&text, format, args);
	va_end(args);
	text_add(&text, "\n");
	say_bytes(client, line, text.length);
}

static void begin(struct client *client)
{
	if (client->kind == HALF)
		say_bytes(client, "PLAY tictac", strlen("PLAY tictac"));
	else if (client->kind == RETURNER && client->token[0] != '\0')
		say(client, "RESUME %s", client->token);
	else if (client->kind == RETURNER)
		say(client, "PLAY tictactoe name=rude clock=off table=rude%d wait=1",
		    client->number / 2);
}

/* Where no port is left for now, it is tried again. */
static void connect_one(struct client *client)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)server.port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr_in from = {.sin_family = AF_INET,
				   .sin_addr.s_addr = htonl(ADDRESS + (uint32_t)client->kind)};
	int few = 4096;

	client->since = now_ms();
	client->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (client->fd < 0)
		return;
	if (client->kind == DEAF)
		setsockopt(client->fd, SOL_SOCKET, SO_RCVBUF, &few, sizeof(few));
	if (bind(client->fd, (struct sockaddr *)&from, sizeof(from)) != 0 ||
	    connect(client->fd, (struct sockaddr *)&to, sizeof(to)) != 0) {
		hang_up(client);
		return;
	}
	rude->connections++;
	client->answered = true;
	client->reader = (struct line_reader){.start = 0};
	begin(client);
}

/* --- what is said ------------------------------------------------------------------------------ */

static void mumble(struct client *client)
{
	char line[LINE_MAX_CLIENT];
	size_t length = 1 + draw(LINE_MAX_CLIENT - 1);

	for (size_t i = 0; i < length - 1; i++) {
		line[i] = (char)(draw(2) ? 128 + draw(128) : draw(32));
		if (line[i] == '\n')
			line[i] = '\x7f';
	}
	line[length - 1] = '\n';
	say_bytes(client, line, length);
}

static void go_on_for_ever(struct client *client)
{
	char line[LINE_MAX_CLIENT + LINE_MAX_CLIENT / 2];

	memset(line, 'x', sizeof(line));
	say_bytes(client, line, sizeof(line));
}

static void guess(struct client *client)
{
	for (int i = 0; i < BURST && client->fd >= 0; i++)
		say(client, "RESUME %08x%08x%08x%08x", draw(UINT32_MAX), draw(UINT32_MAX),
		    draw(UINT32_MAX), draw(UINT32_MAX));
}

static void ask(struct client *client, int times)
{
	for (int i = 0; i < times && client->fd >= 0; i++)
		say(client, draw(4) ? draw(2) ? "LIST" : "TABLES" : "GAMES");
}

static void act_one(struct client *client, int64_t now)
{
	switch (client->kind) {
	case LISTER:
		ask(client, BURST);
		break;
	case REGISTRAR:
		if (client->answered)
			say(client, "PLAY tictactoe name=rude table=r%d wait=1\nLOGOUT",
			    client->number);
		client->answered = false;
		break;
	case MUMBLER:
		mumble(client);
		break;
	case DEAF: /* some want all at once, some as much as never too fast is */
		if (client->number % 2 == 0 || draw(8) == 0)
			ask(client, client->number % 2 == 0 ? BURST : 1);
		break;
	case HALF:
		if (now - client->since > HALF_MS)
			hang_up(client);
		break;
	case ENDLESS:
		go_on_for_ever(client);
		break;
	case LEAVER:
		if (client->answered)
			ask(client, 2);
		client->answered = false;
		break;
	case GUESSER:
		guess(client);
		break;
	case RETURNER: /* speaks when it is told something */
		break;
	}
}

/* --- what is heard ----------------------------------------------------------------------------- */

static void sit_no_more(struct client *client)
{
	client->token[0] = '\0';
	client->gone = leaving;
	if (leaving)
		hang_up(client);
	else
		begin(client);
}

static void return_one(struct client *client, const char *line)
{
	static const char *const ends[] = {"WIN ", "LOSE ", "ABORTED", "ERROR bad-token"};

	if (sscanf(line, "ID %*s %32s", client->token) == 1)
		return;
	if (strncmp(line, "START ", 6) == 0) {
		if (leaving || draw(8) == 0)
			say(client, "RESIGN");
		else
			hang_up(client);
		return;
	}
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (strncmp(line, ends[i], strlen(ends[i])) == 0) {
			sit_no_more(client);
			return;
		}
	if (strcmp(line, "NO_OPPONENTS") == 0)
		sit_no_more(client);
}

/* Whatever was said, what is heard can be shown on a terminal. */
static void check(const struct client *client, const char *data, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (data[i] != '\n' && (data[i] < ' ' || data[i] > '~'))
			complain(client, "heard the byte", (unsigned char)data[i]);
}

static void hear_one(struct client *client)
{
	size_t room;
	char *data = line_room(&client->reader, &room), *line;
	ssize_t got = recv(client->fd, data, client->kind == LEAVER ? 64 : room, MSG_DONTWAIT);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0 || client->kind == LEAVER) {
		hang_up(client); /* a leaver in the middle of what it is told */
		return;
	}
	check(client, data, (size_t)got);
	line_fed(&client->reader, (size_t)got);
	client->answered = true;
	while (client->fd >= 0 && (line = line_next(&client->reader)) != NULL)
		if (client->kind == RETURNER)
			return_one(client, line);
}

/* --- all of them ------------------------------------------------------------------------------- */

static void turn(void)
{
	struct pollfd polls[CLIENTS];
	int64_t now;

	for (int i = 0; i < CLIENTS; i++)
		polls[i] = (struct pollfd){.fd = clients[i].kind == DEAF ? -1 : clients[i].fd,
					   .events = POLLIN};
	poll(polls, CLIENTS, 0);
	for (int i = 0; i < CLIENTS; i++)
		if (polls[i].revents != 0)
			hear_one(&clients[i]);
	now = now_ms();
	for (int i = 0; i < CLIENTS; i++) {
		struct client *client = &clients[i];

		if (client->fd >= 0 && !leaving)
			act_one(client, now);
		else if (client->fd < 0 && !client->gone && now - client->since >= AGAIN_MS)
			connect_one(client);
	}
	poll(NULL, 0, TURN_MS);
}

/* The tables at which they sit come to an end. */
static void leave(void)
{
	bool some = true;

	leaving = true;
	for (int i = 0; i < CLIENTS; i++) {
		if (clients[i].kind == RETURNER)
			continue; /* each START is answered by RESIGN now, and nothing begins again */
		clients[i].gone = true;
		hang_up(&clients[i]);
	}
	for (int64_t end = now_ms() + LEAVE_MS; some && now_ms() < end;) {
		some = false;
		turn();
		for (int i = 0; i < CLIENTS; i++)
			some = some || !clients[i].gone;
	}
}

static bool all_kinds_have_said(void)
{
	for (int kind = 0; kind < RUDE_KINDS; kind++)
		if (rude->said[kind] == 0)
			return false;
	return true;
}

/* Longer where the machine is so busy that not each kind has had its turn; rude_end() waits only so long. */
void rude_client_run(struct rude *page, uint64_t seed, int64_t from, int64_t until)
{
	rude = page;
	game_seed(&generator, seed);
	for (int i = 0; i < CLIENTS; i++)
		clients[i] = (struct client){
		    .kind = (enum rude_kind)(i % RUDE_KINDS), .number = i / RUDE_KINDS, .fd = -1};
	while (now_ms() < from)
		poll(NULL, 0, TURN_MS);
	while (now_ms() < until || !all_kinds_have_said())
		turn();
	leave();
}
