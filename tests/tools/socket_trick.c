/*
 * socket_trick.c - what a shell cannot do to a connection that it has open:
 *
 *      socket_trick urgent FD TEXT    send the text; its last byte is urgent
 *      socket_trick end FD            say that no more will come, and go on reading
 *      socket_trick vanish FD         hear nothing from now on, and answer nothing, not even that it
 *                                     has come: as when the cable is cut
 */
#include <err.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* TCP throws away whatever has been on its way for so long, which is all that there is. */
static void vanish(int fd)
{
	int most = 255;

	if (setsockopt(fd, IPPROTO_IP, IP_MINTTL, &most, sizeof(most)) != 0)
		err(1, "cannot vanish");
}

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
	} else if (argc == 3 && strcmp(argv[1], "vanish") == 0) {
		vanish(fd);
	} else {
		errx(2, "usage: socket_trick urgent FD TEXT | end FD | vanish FD");
	}
	return 0;
}
