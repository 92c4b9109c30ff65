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

#include <fcntl.h>
#include <linux/prctl.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>

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

/* What the kernel knows of this process's memory, by /proc/self/stat, whose fields are counted from 1. */
static bool read_map(struct prctl_mm_map *map)
{
	__u64 *const place[] = {
	    [26] = &map->start_code, [27] = &map->end_code, [28] = &map->start_stack,
	    [45] = &map->start_data, [46] = &map->end_data, [47] = &map->start_brk,
	    [50] = &map->env_start,  [51] = &map->env_end,
	};
	const int fields = sizeof(place) / sizeof(place[0]);
	char stat[1024], *rest;
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC), field = 3;
	ssize_t length = fd < 0 ? -1 : read(fd, stat, sizeof(stat) - 1);

	if (fd >= 0)
		close(fd);
	stat[length < 0 ? 0 : length] = '\0';
	/* the second is a name in brackets, which may have spaces */
	rest = strrchr(stat, ')');
	for (rest = rest == NULL ? NULL : rest + 1; rest != NULL && field < fields; field++) {
		if (place[field] != NULL)
			*place[field] = strtoull(rest, NULL, 10);
		rest = strchr(rest + 1, ' ');
	}
	return field == fields;
}

void title_move(char *to, size_t length)
{
	struct prctl_mm_map map = {
	    .brk = (uintptr_t)sbrk(0),
	    .arg_start = (uintptr_t)to,
	    .arg_end = (uintptr_t)to + length,
	    .exe_fd = UINT32_MAX,
	};

	memset(to, '\0', length);
	if (!read_map(&map) ||
	    prctl(PR_SET_MM, PR_SET_MM_MAP, (unsigned long)&map, sizeof(map), 0) != 0)
		return;
	room = to;
	size = length;
	used = 0;
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
