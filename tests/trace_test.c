/*
 * trace_test.c - a timeline of times that are hard to write, into the file that it is told;
 * trace.bats reads it.
 */
#include "../server/trace.h"

#include <stddef.h>

int main(int count, char **words)
{
	static const int64_t times[] = {0, 5, 999999999, 1000000000, 1000000001, 1999999999, 5};

	if (count != 2)
		return 2;
	trace_open(words[1]);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		trace_write_slice(times[i], "slice");
	trace_close();
	return 0;
}
