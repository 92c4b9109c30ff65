/*
 * repair.c - reading a timeline that was cut short. See repair.h.
 *
 * Each record has a line of its own, so one that is whole is known by its first and last bytes. A
 * batch begins with a line end: what is torn is never in one line with what is whole.
 */
#include "server/trace/repair.h"

#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* The length of a whole record, without what stands behind it; 0: it is none. */
static size_t record_length(const char *line, size_t length)
{
	if (length > 0 && line[length - 1] == '\n')
		length--;
	if (length > 0 && line[length - 1] == ',')
		length--;
	if (length < 2 || line[0] != '{' || line[length - 1] != '}' ||
	    memchr(line, '\0', length) != NULL)
		return 0;
	return length;
}

int repair_timeline(const char *file)
{
	FILE *from = fopen(file, "re");
	const char *before = "[\n";
	size_t size = 0, whole;
	char *line = NULL;
	ssize_t length;

	if (from == NULL) {
		warn("cannot read the trace %s", file);
		return 1;
	}
	while ((length = getline(&line, &size, from)) > 0) {
		whole = record_length(line, (size_t)length);
		if (whole == 0)
			continue;
		printf("%s%.*s", before, (int)whole, line);
		before = ",\n";
	}
	printf("%s\n]\n", before[0] == '[' ? "[" : "");
	free(line);
	fclose(from);
	return 0;
}
