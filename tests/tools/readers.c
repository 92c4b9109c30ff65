/*
 * readers PORT PATH READING STOPPED SECONDS [FROM...] - follows a stream of holmgang-web, many
 * times at once: READING of them read all that comes, STOPPED say what they want and never read. They
 * come from these addresses in turn. At the end it says how much those who read have got, least and
 * most, and how many of them were closed:
 *
 *      200 read 31 to 32, 0 closed
 *
 * What is counted is what is new: events called "board", or frames. Whether those who do not read
 * were closed cannot be seen here, as the end waits behind what they have not read.
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { READERS_MAX = 1024 };

static struct reader {
	long count;
	int matched; /* bytes of the word that is counted */
	bool closed;
} readers[READERS_MAX];

static struct pollfd slots[READERS_MAX];

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

static void come_from(int fd, const char *address)
{
	struct sockaddr_in from = {.sin_family = AF_INET};

	if (inet_pton(AF_INET, address, &from.sin_addr) != 1 ||
	    bind(fd, (struct sockaddr *)&from, sizeof(from)) < 0)
		err(1, "cannot come from %s", address);
}

static void begin(int i, uint16_t port, const char *path, bool stopped, const char *from)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons(port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0), small = 4096, length;
	char request[200];

	if (fd < 0)
		err(1, "reader %d", i);
	if (stopped && setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)) < 0)
		err(1, "reader %d", i);
	if (from != NULL)
		come_from(fd, from);
	if (connect(fd, (struct sockaddr *)&to, sizeof(to)) < 0)
		err(1, "reader %d cannot connect", i);
	length = snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
			  path);
	if (send(fd, request, (size_t)length, MSG_NOSIGNAL) != length)
		err(1, "reader %d cannot ask", i);
	slots[i] = (struct pollfd){.fd = fd, .events = POLLIN};
}

/* How often a word comes, wherever the pieces begin. */
static void count(struct reader *reader, const char *bytes, size_t length, const char *word)
{
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] != word[reader->matched])
			reader->matched = bytes[i] == word[0] ? 1 : 0;
		else if (word[++reader->matched] == '\0') {
			reader->count++;
			reader->matched = 0;
		}
	}
}

static void look(int i, const char *word)
{
	static char bytes[256 * 1024];
	ssize_t length = recv(slots[i].fd, bytes, sizeof(bytes), MSG_DONTWAIT);

	if (length > 0)
		count(&readers[i], bytes, (size_t)length, word);
	else if (length == 0 || errno != EAGAIN)
		readers[i].closed = true;
	if (readers[i].closed)
		slots[i].fd = -1;
}

static void report(int reading)
{
	long least = -1, most = 0;
	int closed = 0;

	for (int i = 0; i < reading; i++) {
		if (least < 0 || readers[i].count < least)
			least = readers[i].count;
		if (readers[i].count > most)
			most = readers[i].count;
		closed += readers[i].closed;
	}
	printf("%d read %ld to %ld, %d closed\n", reading, least, most, closed);
}

int main(int argc, char *argv[])
{
	int reading, total;
	const char *word;
	int64_t end_ms;

	if (argc < 6)
		errx(2, "usage: readers PORT PATH READING STOPPED SECONDS [FROM...]");
	reading = atoi(argv[3]);
	total = reading + atoi(argv[4]);
	if (total > READERS_MAX)
		errx(2, "at most %d", READERS_MAX);
	raise_descriptors();
	word = strcmp(argv[2], "/events") == 0 ? "event: board" : " game=";
	for (int i = 0; i < total; i++)
		begin(i, (uint16_t)atoi(argv[1]), argv[2], i >= reading,
		      argc > 6 ? argv[6 + i % (argc - 6)] : NULL);
	puts("open");
	fflush(stdout);
	end_ms = now_ms() + 1000 * atoi(argv[5]);
	while (now_ms() < end_ms) {
		if (poll(slots, (nfds_t)reading, 100) < 0)
			err(1, "poll");
		for (int i = 0; i < reading; i++)
			if (slots[i].fd >= 0 && slots[i].revents != 0)
				look(i, word);
	}
	report(reading);
	return 0;
}
