/*
 * socket_trick.c - what a shell cannot do to a connection that it has open:
 *
 *      socket_trick urgent FD TEXT    send the text; its last byte is urgent
 *      socket_trick end FD            say that no more will come, and go on reading
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int main(int argc, char *argv[])
{
	int fd = argc < 3 ? -1 : atoi(argv[2]);

	if (argc == 4 && strcmp(argv[1], "urgent") == 0) {
		size_t length = strlen(argv[3]);

		if (send(fd, argv[3], length, MSG_OOB | MSG_NOSIGNAL) != (ssize_t)length)
			err(1, "cannot send");
	} else if (argc == 3 && strcmp(argv[1], "end") == 0) {
		if (shutdown(fd, SHUT_WR) != 0)
			err(1, "cannot shut it down");
	} else {
		errx(2, "usage: socket_trick urgent FD TEXT | end FD");
	}
	return 0;
}
