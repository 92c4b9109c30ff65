/*
 * crowd.c - many players who wait, each at a table of his own, until this is ended.
 *
 *      crowd PORT COUNT        prints "ready" when each of them has heard his ID
 */
#include <arpa/inet.h>
#include <err.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { COUNT_MAX = 15000 };

static int connect_one(int port)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)) != 0)
		err(1, "cannot connect to port %d", port);
	return fd;
}

int main(int argc, char *argv[])
{
	static int player[COUNT_MAX];
	struct rlimit limit;
	char text[128];
	int count = argc == 3 ? atoi(argv[2]) : 0;

	if (count < 1 || count > COUNT_MAX)
		errx(2, "usage: crowd PORT COUNT (at most %d)", COUNT_MAX);
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
	for (int i = 0; i < count; i++) {
		player[i] = connect_one(atoi(argv[1]));
		snprintf(text, sizeof(text), "PLAY tictactoe table=crowd%d wait=3600\n", i);
		if (write(player[i], text, strlen(text)) < 0)
			err(1, "player %d cannot speak", i);
	}
	for (int i = 0; i < count; i++)
		if (read(player[i], text, 3) != 3 || memcmp(text, "ID ", 3) != 0)
			errx(1, "player %d is not registered", i);
	puts("ready");
	fflush(stdout);
	pause();
	return 0;
}
