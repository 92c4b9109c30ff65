/*
 * trace_test.c - timelines that are hard to write; trace.bats reads them.
 *
 *   trace_test FILE     strange times, into the file
 *   trace_test strange  records that make no sense, among others that do, to the standard output
 */
#include "server/trace/page.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static void write_times(const char *file)
{
	static const int64_t times[] = {0, 5, 999999999, 1000000000, 1000000001, 1999999999, 5};

	trace_open(file);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		trace_write_slice(times[i], SLICE_MOVE, 0, 0);
	trace_close();
}

/* As the server has them when a duel that was broken into has filled its page. */
static void print_strange(void)
{
	struct trace_record record[] = {
	    {.at = 1000, .mark = INSTANT_EXIT},
	    {.at = 2000, .mark = TRACK_OF, .pid = 20, .number = {10}},
	    {.at = 3000, .mark = ARROW_SENT, .id = 0xabc, .word = "ok\"},{\n\\"},
	    {.at = -1, .mark = SLICE_MOVE, .length = 1},
	    {.at = 4000, .mark = SLICE_MOVE, .length = INT64_MIN},
	    {.at = 5000, .mark = TRACE_MARK_COUNT},
	    {.at = 6000, .mark = TRACK_OF, .pid = 30, .number = {100}},
	    {.at = 7000, .mark = INSTANT_EXIT, .number = {-1}},
	    {.at = 8000, .mark = TRACK_NAME, .length = 8},
	    {.at = 0},
	    {.at = INT64_MAX, .mark = SLICE_MOVE, .length = INT64_MAX},
	    /* its name would be what is the server's again */
	    {.at = 9000, .mark = TRACK_NAME, .length = sizeof(struct trace_record)},
	    {.at = 10000, .mark = INSTANT_SIGINT, .number = {1}},
	    {.at = 11000, .mark = TRACK_NAME, .length = -1},
	    {.at = 12000, .mark = TRACK_NAME, .length = TRACE_NAME_MAX + 1},
	    {.at = 13000, .mark = TRACK_OF, .pid = 40, .number = {100}},
	    {.at = 14000, .mark = TRACK_NAME, .length = 64},
	};
	struct trace_reading reading = {
	    .next = record, .end = record + sizeof(record) / sizeof(record[0]), .pid = 10};
	char text[600]; /* of one record each */

	memcpy(&record[9], "a\"b\\c\nd\377", 8);
	/* a batch may end anywhere */
	while (reading.next < reading.end) {
		size_t length = trace_print(&reading, text, sizeof(text));

		fwrite(text, 1, length, stdout);
	}
}

int main(int count, char **words)
{
	if (count != 2)
		return 2;
	if (strcmp(words[1], "strange") == 0)
		print_strange();
	else
		write_times(words[1]);
	return 0;
}
