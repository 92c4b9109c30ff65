/*
 * storm.c - two addresses that say more than a server can answer, and two players between them.
 *
 *      storm PORT SECONDS [list] [play]    how long the two wait, in microseconds: to be registered
 *                                          (PLAY to ID), and to play (PLAY to START)
 *      storm PORT turn SERVER-PID          who is answered first, when the server has stood still and
 *                                          many have asked before one: prints how many before him,
 *                                          when all have been answered
 *
 * An answer is there when the kernel has it, however late this process looks.
 * list: 900 connections from 127.0.0.2, each registered, and each with a LIST on its way as often as
 * the server lets it. play: 900 from 127.0.0.3, which say PLAY and LOGOUT as fast as they are answered.
 * The two players come from 127.0.0.1. Each kind is a process of its own; all end by themselves.
 */
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	CROWD = 900,
	LISTS_A_SECOND = 45, /* of one connection: 50 are allowed */
	SECONDS_MAX = 60,
	SAMPLES_MAX = 100000,
	PAUSE_MS = 5,
};

static int port;

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

/* As recv(). `at`: when it came. */
static ssize_t receive(int fd, void *data, size_t size, int flags, int64_t *at)
{
	char room[256];
	struct iovec part = {.iov_base = data, .iov_len = size};
	struct msghdr message = {
	    .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof(room)};
	ssize_t got = recvmsg(fd, &message, flags);
	struct timespec came;

	for (struct cmsghdr *found = CMSG_FIRSTHDR(&message); got > 0 && found != NULL;
	     found = CMSG_NXTHDR(&message, found)) {
		if (found->cmsg_level != SOL_SOCKET || found->cmsg_type != SCM_TIMESTAMPNS)
			continue;
		memcpy(&came, CMSG_DATA(found), sizeof(came));
		*at = came.tv_sec * INT64_C(1000000) + came.tv_nsec / 1000;
	}
	return got;
}

static int connect_from(const char *address)
{
	struct sockaddr_in from = {.sin_family = AF_INET};
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	inet_pton(AF_INET, address, &from.sin_addr);
	if (fd < 0 || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) != 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof(one)) != 0 ||
	    bind(fd, (struct sockaddr *)&from, sizeof(from)) != 0 ||
	    connect(fd, (struct sockaddr *)&to, sizeof(to)) != 0)
		err(1, "cannot connect from %s to port %d", address, port);
	return fd;
}

static void say(int fd, const char *line)
{
	if (write(fd, line, strlen(line)) != (ssize_t)strlen(line))
		err(1, "cannot say %s", line);
}

/* --- the two who play ------------------------------------------------------------------------- */

struct player {
	int fd;
	char heard[4096]; /* that has not been looked at */
	size_t length;
	int64_t at; /* when the last of it came */
};

/* Hears until a line begins with this word. */
static void hear(struct player *player, const char *word)
{
	for (;;) {
		char *end = memchr(player->heard, '\n', player->length);
		ssize_t got;

		if (end != NULL) {
			bool found = strncmp(player->heard, word, strlen(word)) == 0;
			size_t used = (size_t)(end + 1 - player->heard);

			player->length -= used;
			memmove(player->heard, end + 1, player->length);
			if (found)
				return;
			continue;
		}
		got = receive(player->fd, player->heard + player->length,
			      sizeof(player->heard) - player->length, 0, &player->at);
		if (got <= 0)
			errx(1, "a player was closed before he heard %s", word);
		player->length += (size_t)got;
	}
}

static int by_size(const void *a, const void *b)
{
	const int64_t *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

static void tell(const char *what, int64_t sample[], int count) /* in µs */
{
	qsort(sample, (size_t)count, sizeof(*sample), by_size);
	printf("%s=%d median=%ld p99=%ld max=%ld\n", what, count, (long)sample[count / 2],
	       (long)sample[count * 99 / 100], (long)sample[count - 1]);
}

static void play(int seconds)
{
	static int64_t registered[SAMPLES_MAX], started[SAMPLES_MAX];
	static struct player one, other;
	int64_t begun = now_us(), asked;
	int count = 0;

	one.fd = connect_from("127.0.0.1");
	other.fd = connect_from("127.0.0.1");
	while (count < SAMPLES_MAX &&
	       (count == 0 || now_us() < begun + seconds * INT64_C(1000000))) {
		asked = now_us();
		say(one.fd, "PLAY tictactoe table=calm\n");
		hear(&one, "ID ");
		registered[count] = one.at - asked;
		asked = now_us();
		say(other.fd, "PLAY tictactoe table=calm\n");
		hear(&other, "START ");
		started[count++] = other.at - asked;
		hear(&one, "START ");
		say(one.fd, "RESIGN\n");
		hear(&one, "ROUND ");
		hear(&other, "ROUND ");
		poll(NULL, 0, PAUSE_MS);
	}
	tell("registered", registered, count);
	tell("started", started, count);
}

/* --- the storms ------------------------------------------------------------------------------- */

struct storm {
	const char *from, *greeting, *line; /* said at first; said again and again */
	const char *end;		    /* of the answer to a line; no byte of it twice in it */
	int64_t pause_us;		    /* between two of them */
	int fd[CROWD];
	int64_t next[CROWD];
	size_t matched[CROWD]; /* bytes of `end` */
};

static void enter(struct storm *storm, int epoll)
{
	char text[128];

	for (int i = 0; i < CROWD; i++) {
		struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};

		storm->fd[i] = connect_from(storm->from);
		fcntl(storm->fd[i], F_SETFL, O_NONBLOCK);
		snprintf(text, sizeof(text), storm->greeting, i);
		say(storm->fd[i], text);
		say(storm->fd[i], storm->line);
		epoll_ctl(epoll, EPOLL_CTL_ADD, storm->fd[i], &event);
	}
}

/* True: an answer is complete. */
static bool read_answer(struct storm *storm, int i)
{
	static char data[65536];
	ssize_t got = recv(storm->fd[i], data, sizeof(data), 0);
	bool complete = false;

	for (ssize_t at = 0; at < got; at++) {
		size_t *matched = &storm->matched[i];

		*matched = data[at] == storm->end[*matched] ? *matched + 1
							    : data[at] == storm->end[0];
		if (storm->end[*matched] != '\0')
			continue;
		complete = true;
		*matched = 0;
	}
	return complete;
}

/* Until it is killed, or whoever began it has ended. */
static void blow(struct storm *storm)
{
	struct epoll_event event[CROWD];
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	bool due[CROWD] = {false};

	enter(storm, epoll);
	for (;;) {
		int count = epoll_wait(epoll, event, CROWD, 1);
		int64_t now = now_us();

		for (int i = 0; i < count; i++)
			if (read_answer(storm, (int)event[i].data.u32))
				due[event[i].data.u32] = true;
		for (int i = 0; i < CROWD; i++) {
			if (!due[i] || storm->next[i] > now)
				continue;
			due[i] = false;
			storm->next[i] = now + storm->pause_us;
			(void)!write(storm->fd[i], storm->line, strlen(storm->line));
		}
	}
}

static struct storm storms[] = {
    {.from = "127.0.0.2",
     .greeting = "PLAY tictactoe table=storm%d wait=3600\n",
     .line = "LIST\n",
     .end = "\nEND\n",
     .pause_us = 1000000 / LISTS_A_SECOND},
    {.from = "127.0.0.3",
     .greeting = "",
     .line = "PLAY tictactoe table=a\nLOGOUT\nPLAY tictactoe table=b\nLOGOUT\n"
	     "PLAY tictactoe table=c\nLOGOUT\nPLAY tictactoe table=d\nLOGOUT\n",
     .end = "\nABORTED logout\n"},
};

static void stay_on_first(void)
{
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
}

static pid_t begin(struct storm *storm)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "cannot fork");
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* the server is to be waited for, not a processor */
		(void)!nice(19);
		stay_on_first();
		alarm(SECONDS_MAX + 20);
		blow(storm);
	}
	return pid;
}

/* --- whose turn it is ------------------------------------------------------------------------- */

static void wait_for_answers(struct storm *storm)
{
	for (int i = 0; i < CROWD; i++)
		while (!read_answer(storm, i))
			poll(&(struct pollfd){.fd = storm->fd[i], .events = POLLIN}, 1, -1);
}

static int64_t wait_until_answered(int fd)
{
	int64_t at = 0;
	char byte;

	poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, -1);
	if (receive(fd, &byte, 1, MSG_PEEK, &at) != 1)
		errx(1, "somebody was closed before he was answered");
	return at;
}

/* All ask while the server stands still, the one last; so he is the last that it hears of. */
static void ask_in_turn(pid_t server)
{
	struct storm *storm = &storms[0];
	static struct player calm, another;
	int epoll = epoll_create1(EPOLL_CLOEXEC), before = 0;
	int64_t answered;

	enter(storm, epoll);
	calm.fd = connect_from("127.0.0.1");
	wait_for_answers(storm);
	for (int i = 0; i < CROWD; i++)
		say(storm->fd[i], "GAMES\n");
	wait_for_answers(storm);
	say(calm.fd, "GAMES\n");
	hear(&calm, "END");
	/* the server has looked again, and found that he has said no more */
	another.fd = connect_from("127.0.0.1");
	say(another.fd, "GAMES\n");
	hear(&another, "END");
	if (kill(server, SIGSTOP) != 0)
		err(1, "cannot stop %d", (int)server);
	for (int i = 0; i < CROWD; i++)
		say(storm->fd[i], storm->line);
	say(calm.fd, "GAMES\n");
	kill(server, SIGCONT);
	answered = wait_until_answered(calm.fd);
	for (int i = 0; i < CROWD; i++)
		before += wait_until_answered(storm->fd[i]) < answered;
	wait_for_answers(storm);
	printf("%d\n", before);
}

int main(int argc, char *argv[])
{
	struct rlimit limit;
	pid_t pid[2];
	int count = 0, seconds;

	if (argc < 3)
		errx(2, "usage: storm PORT SECONDS [list] [play], or storm PORT turn SERVER-PID");
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	alarm(SECONDS_MAX + 20);
	port = atoi(argv[1]);
	if (strcmp(argv[2], "turn") == 0 && argc == 4) {
		ask_in_turn(atoi(argv[3]));
		return 0;
	}
	seconds = atoi(argv[2]);
	if (seconds < 1 || seconds > SECONDS_MAX)
		errx(2, "SECONDS is a number from 1 to %d", SECONDS_MAX);
	for (int i = 3; i < argc && count < 2; i++)
		pid[count++] = begin(&storms[strcmp(argv[i], "play") == 0]);
	if (count > 0)
		poll(NULL, 0, 1500); /* until they are all there */
	play(seconds);
	while (count > 0) {
		kill(pid[--count], SIGKILL);
		waitpid(pid[count], NULL, 0);
	}
	return 0;
}
