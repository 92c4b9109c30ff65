/*
 * record.c - the records of the timeline, as they are made. See trace.h.
 *
 * Owns: what of something that happens is kept.
 * Never: a system call, but when the page is full; text: that is made of many records at once
 * (text.c), by whoever writes them.
 */
#include "server/trace/page.h"

#include "proto/wire/text.h"

#include <stdarg.h>
#include <string.h>

static struct trace_record *make(int64_t now, int64_t at, enum trace_mark mark)
{
	struct trace_record *record = trace_room(now, 1);

	record->at = at;
	record->mark = mark;
	return record;
}

/* It is whole: the server may have to write what we leave. */
static void keep(uint32_t count)
{
	trace_set_count(trace_pen->count + count);
}

void trace_write_slice(int64_t begun, enum trace_mark mark, int number, int other)
{
	int64_t now = trace_clock();
	struct trace_record *record = make(now, begun, mark);

	record->length = now - begun;
	record->number[0] = number;
	record->number[1] = other;
	keep(1);
}

void trace_write_instant(enum trace_mark mark, int number, int other)
{
	int64_t now = trace_clock();
	struct trace_record *record = make(now, now, mark);

	record->number[0] = number;
	record->number[1] = other;
	keep(1);
}

void trace_write_instant_of(pid_t pid, enum trace_mark mark, int number)
{
	int64_t now = trace_clock();
	struct trace_record *record = trace_room(now, 2);

	record[0] = (struct trace_record){.at = now, .mark = TRACK_OF, .pid = pid, .number = {1}};
	record[1] = (struct trace_record){.at = now, .mark = mark, .number = {number}};
	keep(2);
}

void trace_name_process(const char *format, ...)
{
	char name[TRACE_NAME_MAX];
	struct text text = TEXT_IN(name);
	struct trace_record *record;
	uint32_t more;
	int64_t now;
	va_list args;

	if (!trace_on)
		return;
	va_start(args, format);
	text_add_list(&text, format, args);
	va_end(args);
	more = (uint32_t)((text.length + sizeof(*record) - 1) / sizeof(*record));
	now = trace_clock();
	record = trace_room(now, 1 + more);
	record->at = now;
	record->mark = TRACK_NAME;
	record->length = (int64_t)text.length;
	memcpy(record + 1, name, text.length);
	keep(1 + more);
}

/* --- arrows ----------------------------------------------------------------------------------- */

/* What goes to the recorder or the house may go in pieces, which begin anywhere: all have one name. */
static const char *const way_names[WAY_COUNT] = {[WAY_RECORDER] = "keep", [WAY_HOUSE] = "invite"};

/* Its first word, and its id: the life, the way, the count. */
static void write_arrow(struct trace_record *record, struct trace_link *link, enum trace_way way,
			const char *line, size_t length)
{
	record->id = (uint64_t)link->life << 32 | (uint64_t)way << 28 | link->count[way]++;
	if (way_names[way] != NULL) {
		line = way_names[way];
		length = strlen(line);
	}
	for (size_t i = 0; i < TRACE_WORD; i++) {
		record->word[i] = i < length ? line[i] : '\0';
		if (record->word[i] <= ' ')
			break;
	}
	keep(1);
}

void trace_write_sent(struct trace_link *link, enum trace_way way, int64_t when, const char *lines,
		      size_t length)
{
	for (size_t used; length > 0; lines += used, length -= used) {
		const char *end = memchr(lines, '\n', length);

		if (end == NULL && way_names[way] != NULL)
			break; /* its end goes another time, and counts then */
		used = end == NULL || way == WAY_BIRTH ? length : (size_t)(end - lines) + 1;
		write_arrow(make(when, when, ARROW_SENT), link, way, lines, used);
	}
}

void trace_write_heard(struct trace_link *link, enum trace_way way, const char *line)
{
	int64_t now = trace_clock();

	write_arrow(make(now, now, ARROW_HEARD), link, way, line, TRACE_WORD);
}
