/*
 * heritage.c - what a spawner is told and handed. See heritage.h.
 *
 * Owns: nothing; it only writes and reads the one message.
 */
#include "server/shared/heritage.h"

#include "proto/wire/args.h"
#include "proto/wire/message.h"
#include "server/shared/descriptors.h"
#include "server/trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ADDRESS = 5 /* characters of a name that the kernel chose, behind a NUL */ };

int heritage_send(const struct heritage *heritage, int socket)
{
	struct parcel parcel = {0};
	char text[128];
	int length;

	parcel.fd[parcel.count++] = heritage->journals;
	if (trace_on)
		parcel.fd[parcel.count++] = trace_descriptor();
	if (trace_on && trace_memory() >= 0)
		parcel.fd[parcel.count++] = trace_memory();
	length = snprintf(text, sizeof(text), "%s %d %u %u %.*s", message_word(SPAWN_HERITAGE),
			  (int)getpid(), heritage->launches, heritage->fresh, ADDRESS,
			  heritage->passing.sun_path + 1);
	return descriptors_send(socket, text, (size_t)length, &parcel, NULL, 0);
}

static bool read_words(struct heritage *heritage, char *text, pid_t *server)
{
	struct words words;
	long number[3];

	if (message_read(BY_SERVER_SPAWN, text, &words) != SPAWN_HERITAGE ||
	    strlen(words.word[4]) != ADDRESS)
		return false;
	for (int i = 0; i < 3; i++)
		if (!args_read_number(words.word[1 + i], 0, UINT_MAX, &number[i]))
			return false;
	*server = (pid_t)number[0];
	heritage->launches = (uint32_t)number[1];
	heritage->fresh = (uint32_t)number[2];
	heritage->passing.sun_family = AF_UNIX;
	memcpy(heritage->passing.sun_path + 1, words.word[4], ADDRESS);
	heritage->passing_length = sizeof(sa_family_t) + 1 + ADDRESS;
	return true;
}

/* To the numbers of the spawner's own. */
static int move_up(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, SPAWNER_SOCKET + 1);

	close(fd);
	return moved;
}

bool heritage_receive(struct heritage *heritage, int socket, pid_t *server)
{
	struct parcel parcel = {0};
	char text[128];
	ssize_t length = descriptors_receive(socket, text, sizeof(text) - 1, &parcel, 0);

	if (length <= 0)
		return false;
	text[length] = '\0';
	if (parcel.count < 1 || parcel.count > 3 || !read_words(heritage, text, server))
		return false;
	heritage->journals = move_up(parcel.fd[0]);
	if (parcel.count > 1)
		trace_adopt(move_up(parcel.fd[1]), parcel.count > 2 ? parcel.fd[2] : -1);
	return true;
}
