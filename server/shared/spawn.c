/*
 * spawn.c - the first message to a spawner, written and read. See spawn.h.
 */
#include "server/shared/spawn.h"

#include "proto/wire/args.h"
#include "proto/wire/message.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { ADDRESS = 5 /* characters of a name that the kernel chose, behind a NUL */ };

int spawn_tell(const struct spawn_told *told, int socket)
{
	char text[64];
	int length = snprintf(text, sizeof(text), "%s %u %u %.*s", message_word(SPAWN_TOLD),
			      told->launches, told->fresh, ADDRESS, told->handoff.sun_path + 1);

	return send(socket, text, (size_t)length, MSG_NOSIGNAL) == length ? 0 : errno;
}

bool spawn_hear(struct spawn_told *told, int socket)
{
	char text[64];
	ssize_t length = recv(socket, text, sizeof(text) - 1, 0);
	struct words words;
	long number[2];

	text[length < 0 ? 0 : length] = '\0';
	if (message_read(BY_SERVER_SPAWN, text, &words) != SPAWN_TOLD ||
	    strlen(words.word[3]) != ADDRESS)
		return false;
	for (int i = 0; i < 2; i++)
		if (!args_read_number(words.word[1 + i], 0, UINT_MAX, &number[i]))
			return false;
	told->launches = (uint32_t)number[0];
	told->fresh = (uint32_t)number[1];
	told->handoff = (struct sockaddr_un){.sun_family = AF_UNIX};
	memcpy(told->handoff.sun_path + 1, words.word[3], ADDRESS);
	told->handoff_length = sizeof(sa_family_t) + 1 + ADDRESS;
	return true;
}

void spawn_count(struct spawn_told *told, const struct birth *birth)
{
	told->launches++;
	if (!birth->again)
		told->fresh++;
}
