/*
 * title.c - writing over the command line. See title.h.
 *
 * Owns: the memory that the kernel takes for the command line.
 *
 * libbsd moves what has been there out of the way. It would write the title too, but through printf() and
 * by way of large buffers, which takes a newborn duel four pages that it needs for nothing else.
 */
#include "server/shared/title.h"

#include "proto/wire/text.h"

#include <stdarg.h>
#include <string.h>

#include <bsd/stdlib.h>
#include <bsd/unistd.h>

static char *room;
static size_t size, used;

/* The end of what follows `end` without a gap. */
static char *follow(char *end, char *words[])
{
	for (int i = 0; words[i] != NULL && words[i] == end; i++)
		end += strlen(end) + 1;
	return end;
}

void title_open(int argc, char *argv[], char *envp[])
{
	char *end = follow(follow(argv[0], argv), envp);

	room = argv[0];
	size = used = (size_t)(end - room);
	setproctitle_init(argc, argv, envp);
}

/* What is left of a longer one is wiped out: ps() shows all up to the end of the room. */
void title_set(const char *format, ...)
{
	struct text text = {.data = room, .size = size};
	va_list args;

	if (size == 0)
		return;
	text_add(&text, "%s: ", getprogname());
	va_start(args, format);
	text_add_list(&text, format, args);
	va_end(args);
	if (text.length < used)
		memset(room + text.length, '\0', used - text.length);
	used = text.length;
}
