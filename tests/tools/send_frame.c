/*
 * send_frame.c - sends its standard input by UDP, as a duel or a liar would.
 *
 *      send_frame ADDRESS PORT         a datagram for each line, with its LF
 *      send_frame --raw ADDRESS PORT   all of the input as one datagram
 *      send_frame --raw --from ADDRESS ADDRESS PORT    … that comes from another address of ours
 */
#include <arpa/inet.h>
#include <err.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { INPUT_MAX = 60000 };

static int open_socket(const char *source, const char *address, const char *port)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
	struct sockaddr_in from = {.sin_family = AF_INET};
	int fd = socket(AF_INET, SOCK_DGRAM, 0), on = 1;

	if (fd < 0 || inet_pton(AF_INET, address, &to.sin_addr) != 1)
		err(1, "cannot send to %s", address);
	if (source != NULL && (inet_pton(AF_INET, source, &from.sin_addr) != 1 ||
			       bind(fd, (struct sockaddr *)&from, sizeof(from)) < 0))
		err(1, "cannot send from %s", source);
	if (setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on)) < 0 ||
	    connect(fd, (struct sockaddr *)&to, sizeof(to)) < 0)
		err(1, "cannot send to %s port %s", address, port);
	return fd;
}

static void send_all(int fd, const char *bytes, size_t length)
{
	if (send(fd, bytes, length, 0) != (ssize_t)length)
		err(1, "cannot send %zu bytes", length);
}

int main(int argc, char *argv[])
{
	static char bytes[INPUT_MAX];
	bool raw = argc > 3 && strcmp(argv[1], "--raw") == 0;
	const char *source = argc == 6 && strcmp(argv[2], "--from") == 0 ? argv[3] : NULL;
	int fd;

	if (argc != 3 && !(raw && argc == (source == NULL ? 4 : 6)))
		errx(2, "usage: send_frame [--raw [--from ADDRESS]] ADDRESS PORT");
	fd = open_socket(source, argv[argc - 2], argv[argc - 1]);
	if (raw)
		send_all(fd, bytes, fread(bytes, 1, sizeof(bytes), stdin));
	else
		while (fgets(bytes, sizeof(bytes), stdin) != NULL)
			send_all(fd, bytes, strlen(bytes));
	return 0;
}
