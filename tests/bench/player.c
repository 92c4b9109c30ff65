/*
 * player.c - the players of the load client. See player.h.
 *
 * Owns: one epoll, one socket a player.
 * Never: sends to anywhere but 127.0.0.1; waits for ever.
 */
#include "tests/bench/player.h"

#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 128, SILENCE_MS = 10000, SOURCES = 64 };

int64_t load_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

void load_open(struct load *load, uint16_t port, const struct script *script)
{
	load->port = port;
	load->script = script;
	load->epoll = epoll_create1(EPOLL_CLOEXEC);
	for (int i = 0; i < PLAYERS_MAX; i++)
		load->player[i].fd = -1;
}

/* From many addresses of this machine, one after the other: each has only 28,000 ports, and they
 * are not free at once when a connection is closed. */
static struct sockaddr_in next_source(void)
{
	static unsigned last;

	last = (last + 1) % SOURCES;
	return (struct sockaddr_in){.sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + last)};
}

void player_connect(struct load *load, struct player *player)
{
	struct sockaddr_in source = next_source();
	struct sockaddr_in server = {.sin_family = AF_INET,
				     .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
				     .sin_port = htons(load->port)};
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = player};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	if (fd < 0)
		err(1, "no socket for a player");
	setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (bind(fd, (struct sockaddr *)&source, sizeof(source)) != 0 ||
	    connect(fd, (struct sockaddr *)&server, sizeof(server)) != 0)
		err(1, "cannot connect to port %d", load->port);
	player->fd = fd;
	player->length = 0;
	player->connection++;
	epoll_ctl(load->epoll, EPOLL_CTL_ADD, fd, &event);
}

static void say(struct player *player, const char *line)
{
	if (send(player->fd, line, strlen(line), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		err(1, "cannot say \"%.*s\"", (int)strcspn(line, "\n"), line);
}

void player_play(struct load *load, struct player *player)
{
	say(player, load->script->play);
}

void player_move(struct load *load, struct player *player)
{
	if (player->next >= load->script->count) {
		say(player, "RESIGN\n");
		return;
	}
	say(player, load->script->move[player->next]);
	player->next += 2;
}

void player_leave(struct player *player)
{
	close(player->fd);
	player->fd = -1;
}

static bool begins(const char *line, const char *word)
{
	return strncmp(line, word, strlen(word)) == 0;
}

static void hear_line(struct load *load, struct player *player, const char *line, size_t length)
{
	bool full = load->script->play[4] == ' ';

	if (begins(line, "STATE ")) {
		if (line[length - 1] == '1')
			load->heard(load, player, HEARD_TURN);
	} else if (begins(line, "START ")) {
		player->next = line[6] != '1';
		load->heard(load, player, HEARD_START);
		if (line[6] == '1')
			load->heard(load, player, HEARD_TURN);
	} else if (full ? begins(line, "ROUND ") : begins(line, "WIN ") || begins(line, "LOSE ")) {
		load->heard(load, player, HEARD_END);
	} else if (begins(line, "ABORTED") || begins(line, "ERROR")) {
		errx(1, "the server said \"%s\" to a player at move %d", line, player->next);
	}
}

static void hear(struct load *load, struct player *player)
{
	ssize_t got = recv(player->fd, player->in + player->length,
			   sizeof(player->in) - player->length, MSG_DONTWAIT);
	char *line = player->in, *end;
	unsigned connection = player->connection;

	if (got < 0 && errno == EAGAIN)
		return;
	if (got <= 0)
		errx(1, "a player was cut off at move %d", player->next);
	player->length += (size_t)got;
	while ((end = memchr(line, '\n', player->length)) != NULL) {
		*end = '\0';
		hear_line(load, player, line, (size_t)(end - line));
		/* he has left on the way, and may have come again */
		if (player->fd < 0 || player->connection != connection)
			return;
		player->length -= (size_t)(end + 1 - line);
		line = end + 1;
	}
	memmove(player->in, line, player->length);
}

void load_turn(struct load *load)
{
	static int64_t last;
	struct epoll_event event[EVENTS];
	int count = epoll_wait(load->epoll, event, EVENTS, load->spins ? 0 : SILENCE_MS);

	if (count > 0 || last == 0)
		last = load_now();
	else if (load_now() - last > SILENCE_MS * 1000000LL)
		errx(1, "the server has been silent for %d s", SILENCE_MS / 1000);
	for (int i = 0; i < count; i++) {
		struct player *player = event[i].data.ptr;

		if (player->fd >= 0)
			hear(load, player);
	}
}
