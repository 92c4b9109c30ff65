/*
 * record_frames PORT FILE - every datagram to PORT becomes a line of FILE: the time of its arrival
 * in milliseconds, a space, and the datagram. Says "ready" when it listens. Ends by itself in five
 * minutes.
 */
#include <arpa/inet.h>
#include <err.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

int main(int argc, char *argv[])
{
	struct sockaddr_in any = {.sin_family = AF_INET};
	int fd = socket(AF_INET, SOCK_DGRAM, 0), on = 1;
	char bytes[2048];
	FILE *out;

	if (argc != 3)
		errx(2, "usage: record_frames PORT FILE");
	any.sin_port = htons((uint16_t)strtol(argv[1], NULL, 10));
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, (struct sockaddr *)&any, sizeof(any)) != 0)
		err(1, "cannot listen on port %s", argv[1]);
	out = fopen(argv[2], "w");
	if (out == NULL)
		err(1, "cannot write %s", argv[2]);
	setlinebuf(out);
	alarm(300);
	puts("ready");
	fflush(stdout);
	for (;;) {
		ssize_t length = recv(fd, bytes, sizeof(bytes), 0);

		if (length < 0)
			err(1, "cannot receive");
		fprintf(out, "%lld %.*s", now_ms(), (int)length, bytes);
	}
}
