/*
 * descriptors.h - passing descriptors from process to process, and closing those that are not ours.
 */
#ifndef SERVER_SHARED_DESCRIPTORS_H
#define SERVER_SHARED_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

enum { DESCRIPTORS_MAX = 96 };

struct parcel {
	int count;
	int fd[DESCRIPTORS_MAX];
};

/* Send one message with descriptors over a Unix socket; the receiver gets copies. `to` may be NULL
 * on a connected socket. 0, or errno. */
int descriptors_send(int socket, const char *text, size_t length, const struct parcel *parcel,
		     const struct sockaddr_un *to, socklen_t to_length);

/* The length of a message that came, 0 at the end, -1 with errno. The descriptors are ours now.
 * EMSGSIZE: not all of it could be had; its text is there, the descriptors are closed. */
ssize_t descriptors_receive(int socket, char *text, size_t size, struct parcel *parcel, int flags);

void descriptors_close(struct parcel *parcel);

/* Close every descriptor of this process from 3 on but these `count` ones. Sorts `keep`. */
void descriptors_close_others(int *keep, int count);

#endif
