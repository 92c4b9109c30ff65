/*
 * trace_record.c - the records of the timeline, as text. See trace.h and TRACING.md.
 *
 * Owns: what a record looks like.
 * Never: a system call, but when the page is full; formats.
 *
 * A duel makes some forty of these and should not be seen to be slower for it. The most of a record is
 * the same in all records of a process within a second, and is copied in one piece.
 */
#include "trace.h"
#include "trace_page.h"

#include "../proto/text.h"

#include <stdarg.h>
#include <string.h>

enum {
	RECORD_MAX = 256, /* bytes */
	NAME_MAX = 256,	  /* of a process; its record may be so much longer */
	WORD_MAX = 16,
	SECOND = 1000000000,
};

/* A literal, whose length the compiler knows. */
#define PUT(at, literal) ((char *)memcpy(at, literal, sizeof(literal) - 1) + sizeof(literal) - 1)

/* --- numbers ---------------------------------------------------------------------------------- */

/* Two digits at a time: half of a record's cost is the numbers in it. */
static char *put_pair(char *at, unsigned number)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";

	memcpy(at, pairs + (size_t)number * 2, 2);
	return at + 2;
}

static char *put_number(char *at, uint64_t number)
{
	char digits[20], *first = digits + sizeof(digits);

	for (; number >= 10; number /= 100)
		put_pair(first -= 2, (unsigned)(number % 100));
	if (number > 0 || first == digits + sizeof(digits))
		*--first = (char)('0' + number);
	for (; first < digits + sizeof(digits); first++)
		*at++ = *first;
	return at;
}

/* Behind the point: nanoseconds. */
static char *put_part(char *at, unsigned part)
{
	*at++ = '.';
	at = put_pair(at, part / 10);
	*at++ = (char)('0' + part % 10);
	return at;
}

/* Nanoseconds as microseconds, which the format wants. */
static char *put_micros(char *at, int64_t time)
{
	return put_part(put_number(at, (uint64_t)time / 1000), (unsigned)(time % 1000));
}

/* Viewers read a text as a hexadecimal number. */
static char *put_id(char *at, uint64_t id)
{
	for (int shift = 60 - __builtin_clzll(id | 1) / 4 * 4; shift >= 0; shift -= 4)
		*at++ = "0123456789abcdef"[id >> shift & 15];
	return at;
}

/* --- what all have ---------------------------------------------------------------------------- */

void trace_set_head(pid_t pid)
{
	struct trace_pen *pen = &trace_pen;
	char *at = PUT(pen->head, "{\"pid\":");

	at = PUT(put_number(at, (uint64_t)pid), ",\"tid\":");
	at = PUT(put_number(at, (uint64_t)pid), ",\"ts\":");
	pen->pid_length = (size_t)(at - pen->head);
	pen->second = -1;
}

/* In the first second of a clock the digits cannot go on from it: no number begins with 0. */
static void begin_second(int64_t second)
{
	struct trace_pen *pen = &trace_pen;
	char *at = pen->head + pen->pid_length;

	if (second > 0)
		at = put_number(at, (uint64_t)second);
	pen->head_length = (size_t)(at - pen->head);
	pen->second = second;
}

static char *put_head(char *at, int64_t time)
{
	const struct trace_pen *pen = &trace_pen;
	int64_t second = time / SECOND;
	unsigned rest = (unsigned)(time - second * SECOND), micros = rest / 1000;

	if (second != pen->second)
		begin_second(second);
	memcpy(at, pen->head, sizeof(pen->head));
	at += pen->head_length;
	if (second == 0)
		return put_micros(at, time);
	at = put_pair(at, micros / 10000);
	at = put_pair(at, micros / 100 % 100);
	at = put_pair(at, micros % 100);
	return put_part(at, rest % 1000);
}

/* A record of something at `time`, where there is room for it. */
static char *begin_record(int64_t now, int64_t time, size_t room)
{
	struct trace_pen *pen = &trace_pen;

	if (pen->length + room > pen->size || trace_is_old(now))
		trace_flush();
	if (pen->length == 0) {
		pen->oldest = now;
		pen->page->data[pen->length++] = '\n';
	}
	return put_head(pen->page->data + pen->length, time);
}

static void end_record(char *at)
{
	at = PUT(at, "},\n");
	/* not before the record is whole: the server may have to write what we leave */
	trace_set_length((size_t)(at - trace_pen.page->data));
}

static char *put_args(char *at, const struct trace_args *args)
{
	at = PUT(at, ",\"args\":{\"");
	at = PUT(stpcpy(at, args->name[0]), "\":");
	at = put_number(at, (uint64_t)args->number[0]);
	if (args->name[1] != NULL) {
		at = stpcpy(PUT(at, ",\""), args->name[1]);
		at = put_number(PUT(at, "\":"), (uint64_t)args->number[1]);
	}
	return PUT(at, "}");
}

/* --- slices, instants, counters --------------------------------------------------------------- */

static char *begin_slice(int64_t begun, const char *name)
{
	int64_t now = trace_clock();
	char *at = PUT(begin_record(now, begun, RECORD_MAX), ",\"ph\":\"X\",\"name\":\"");

	return put_micros(PUT(stpcpy(at, name), "\",\"dur\":"), now - begun);
}

void trace_write_slice(int64_t begun, const char *name)
{
	end_record(begin_slice(begun, name));
}

void trace_write_slice_with(int64_t begun, const char *name, const struct trace_args *args)
{
	end_record(put_args(begin_slice(begun, name), args));
}

void trace_write_instant(const char *name, const struct trace_args *args)
{
	int64_t now = trace_clock();
	char *at = PUT(begin_record(now, now, RECORD_MAX), ",\"ph\":\"i\",\"s\":\"t\",\"name\":\"");

	end_record(put_args(PUT(stpcpy(at, name), "\""), args));
}

void trace_write_instant_of(pid_t pid, const char *name, const struct trace_args *args)
{
	trace_set_head(pid);
	trace_write_instant(name, args);
	trace_set_head(trace_pen.page->pid);
}

void trace_count(const char *name, long number)
{
	int64_t now = trace_clock();
	char *at = PUT(begin_record(now, now, RECORD_MAX), ",\"ph\":\"C\",\"name\":\"");

	end_record(put_args(PUT(stpcpy(at, name), "\""), &(struct trace_args){{"now"}, {number}}));
}

void trace_name_process(const char *format, ...)
{
	char name[NAME_MAX];
	struct text text = TEXT_IN(name);
	int64_t now;
	va_list args;
	char *at;

	if (!trace_on)
		return;
	va_start(args, format);
	text_add_list(&text, format, args);
	va_end(args);
	now = trace_clock();
	at = begin_record(now, now, RECORD_MAX + NAME_MAX);
	at = PUT(at, ",\"ph\":\"M\",\"name\":\"process_name\",\"args\":{\"name\":\"");
	end_record(PUT(stpcpy(at, name), "\"}"));
}

/* --- arrows ----------------------------------------------------------------------------------- */

/* What goes to the recorder may go in pieces, which begin anywhere: all have this name. */
static const char record_word[] = "keep";

/* The first word of a message. It may come from a process that is not to be trusted. */
static char *put_word(char *at, const char *line, size_t length)
{
	for (size_t i = 0; i < length && i < WORD_MAX; i++) {
		if ((line[i] < 'a' || line[i] > 'z') && line[i] != '-')
			break;
		*at++ = line[i];
	}
	return at;
}

/* The id: the life, the way, the count. */
static void end_flow(char *at, struct trace_link *link, enum trace_way way, const char *line,
		     size_t length)
{
	uint64_t id = (uint64_t)link->life << 32 | (uint64_t)way << 28 | link->count[way]++;

	at = way == WAY_RECORD ? PUT(at, record_word) : put_word(at, line, length);
	at = put_id(PUT(at, "\",\"cat\":\"pipe\",\"id\":\"0x"), id);
	end_record(PUT(at, "\""));
}

void trace_write_sent(struct trace_link *link, enum trace_way way, int64_t when, const char *lines,
		      size_t length)
{
	for (size_t used; length > 0; lines += used, length -= used) {
		const char *end = memchr(lines, '\n', length);
		char *at;

		if (end == NULL && way == WAY_RECORD)
			break; /* its end goes another time, and counts then */
		used = end == NULL || way == WAY_BIRTH ? length : (size_t)(end - lines) + 1;
		at = PUT(begin_record(when, when, RECORD_MAX), ",\"ph\":\"s\",\"name\":\"");
		end_flow(at, link, way, lines, used);
	}
}

/* "bp":"e": it ends at the slice around it, not at the next one. */
void trace_write_heard(struct trace_link *link, enum trace_way way, const char *line)
{
	int64_t now = trace_clock();
	char *at = begin_record(now, now, RECORD_MAX);

	at = PUT(at, ",\"ph\":\"f\",\"bp\":\"e\",\"name\":\"");
	end_flow(at, link, way, line, WORD_MAX);
}
