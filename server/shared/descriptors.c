/*
 * descriptors.c - SCM_RIGHTS and close_range in plain calls. See descriptors.h.
 *
 * Owns nothing: what has come in a parcel is its caller's to close, but for one that came in part.
 * Never waits to send, and never looks at what it carries.
 */
#include "server/shared/descriptors.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The kernel wants the room for control data aligned. */
union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))];
};

int descriptors_send(int socket, const char *text, size_t length, const struct parcel *parcel,
		     const struct sockaddr_un *to, socklen_t to_length)
{
	union control control;
	struct iovec part = {.iov_base = (void *)(uintptr_t)text, .iov_len = length};
	size_t size = (size_t)parcel->count * sizeof(int);
	struct msghdr message = {
	    .msg_name = (void *)(uintptr_t)to,
	    .msg_namelen = to_length,
	    .msg_iov = &part,
	    .msg_iovlen = 1,
	    .msg_control = control.bytes,
	    .msg_controllen = CMSG_SPACE(size),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	memset(&control, 0, sizeof(control));
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(size);
	memcpy(CMSG_DATA(header), parcel->fd, size);
	if (sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		return errno;
	return 0;
}

static void take_descriptors(struct msghdr *message, struct parcel *parcel)
{
	struct cmsghdr *header;

	for (header = CMSG_FIRSTHDR(message); header != NULL;
	     header = CMSG_NXTHDR(message, header)) {
		if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
			continue;
		parcel->count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
		memcpy(parcel->fd, CMSG_DATA(header), (size_t)parcel->count * sizeof(int));
	}
}

ssize_t descriptors_receive(int socket, char *text, size_t size, struct parcel *parcel, int flags)
{
	union control control;
	struct iovec part = {.iov_base = text, .iov_len = size};
	struct msghdr message = {
	    .msg_iov = &part,
	    .msg_iovlen = 1,
	    .msg_control = control.bytes,
	    .msg_controllen = sizeof(control.bytes),
	};
	ssize_t length = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);

	parcel->count = 0;
	if (length >= 0)
		take_descriptors(&message, parcel);
	if (length >= 0 && (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) {
		/* a process of ours never sends so much, or we are out of descriptors */
		descriptors_close(parcel);
		errno = EMSGSIZE;
		return -1;
	}
	return length;
}

/* Nearly always they are numbers one after another: what is received takes the lowest that are free. */
void descriptors_close(struct parcel *parcel)
{
	for (int i = 0, next; i < parcel->count; i = next) {
		for (next = i + 1; next < parcel->count; next++)
			if (parcel->fd[next] != parcel->fd[next - 1] + 1)
				break;
		/* where a container refuses it, one by one */
		if (close_range((unsigned)parcel->fd[i], (unsigned)parcel->fd[next - 1], 0) != 0)
			for (int one = i; one < next; one++)
				close(parcel->fd[one]);
	}
	parcel->count = 0;
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

void descriptors_close_others(int *keep, int count)
{
	int from = 3;

	qsort(keep, (size_t)count, sizeof(int), compare);
	for (int i = 0; i < count; i++) {
		if (keep[i] > from)
			close_range((unsigned)from, (unsigned)keep[i] - 1, 0);
		if (keep[i] >= from)
			from = keep[i] + 1;
	}
	close_range((unsigned)from, ~0u, 0);
}
