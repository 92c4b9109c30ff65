/*
 * hold_port.c - holds a UDP port for itself alone, as a program that shares nothing does, until it
 * is ended. Says "held" when it has it.
 */
#include <arpa/inet.h>
#include <err.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (argc != 2)
		errx(2, "usage: hold_port PORT");
	address.sin_port = htons((uint16_t)atoi(argv[1]));
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		err(1, "cannot hold port %s", argv[1]);
	puts("held");
	fflush(stdout);
	pause();
	return 0;
}
