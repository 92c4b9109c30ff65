/*
 * trace.c - writing the timeline. See trace.h.
 *
 * Owns: the descriptor of the file, which all children inherit, and this process's records that have
 * not been written yet.
 * Never: allocates; waits; tells anybody that the disk is full (it only stops).
 *
 * The file is opened with O_APPEND, so each write() goes behind all others in one piece. Whole records
 * are written, and each batch begins with a line end: should a kill or a full disk cut one short, what
 * is torn stands on a line of its own, and mend.c can leave it out.
 *
 * Records are made by hand, not by printf(): a duel makes some forty, and they should not be seen in
 * its time.
 */
#include "trace.h"

#include "../proto/text.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	BATCH = 8192, /* bytes of records before they are written */
	RECORD_MAX = 512,
	OLD_MS = 100, /* records do not wait longer, where a process has time */
	NAME_MAX_SENT = 16,
};

bool trace_on;

static struct {
	int fd;
	char head[64]; /* that all records of this process begin with */
	size_t head_length;
	int64_t oldest; /* of the records that wait: when it came */
	size_t length;
	_Alignas(4096) char data[BATCH]; /* a child touches one page of it, mostly */
} trace = {.fd = -1};

int trace_descriptor(void)
{
	return trace.fd;
}

int64_t trace_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* --- the file --------------------------------------------------------------------------------- */

static void set_head(void)
{
	struct text text = TEXT_IN(trace.head);

	text_add(&text, "{\"pid\":%d,\"tid\":%d,\"ts\":", (int)getpid(), (int)getpid());
	trace.head_length = text.length;
}

/* A file that is there may be one that duels of a dead server still write to: not ours. */
void trace_open(const char *file)
{
	struct stat status;

	if (lstat(file, &status) == 0 && S_ISREG(status.st_mode) && unlink(file) != 0)
		err(1, "cannot make the trace %s anew (choose another file with --trace)", file);
	trace.fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (trace.fd < 0 || write(trace.fd, "[\n", 2) != 2)
		err(1, "cannot write the trace %s (choose another file with --trace)", file);
	set_head();
	trace_on = true;
	trace_name_process("server");
	trace_flush();
}

/* Whatever is wrong with the file stays wrong: this process traces no more. */
void trace_flush(void)
{
	ssize_t written;

	if (!trace_on || trace.length == 0)
		return;
	do
		written = write(trace.fd, trace.data, trace.length);
	while (written < 0 && errno == EINTR);
	if (written != (ssize_t)trace.length)
		trace_on = false;
	trace.length = 0;
}

static bool is_old(int64_t now)
{
	return trace.length > 0 && now - trace.oldest >= OLD_MS * INT64_C(1000000);
}

void trace_flush_old(void)
{
	if (trace_on && is_old(trace_clock()))
		trace_flush();
}

int trace_shorten(int wait)
{
	if (trace.length == 0 || wait == 0)
		return wait;
	if (is_old(trace_clock())) {
		trace_flush();
		return wait;
	}
	return wait < 0 || wait > OLD_MS ? OLD_MS : wait;
}

/* The last record of an array has no comma behind it. */
void trace_close(void)
{
	TRACE_INSTANT(0, "exit", "\"status\":0");
	if (trace.length == 0)
		return;
	trace.length -= strlen(",\n");
	memcpy(trace.data + trace.length, "\n]\n", 3);
	trace.length += 3;
	trace_flush();
}

/* --- records ---------------------------------------------------------------------------------- */

static char *put_text(char *at, const char *text)
{
	size_t length = strlen(text);

	memcpy(at, text, length);
	return at + length;
}

static char *put_number(char *at, uint64_t number)
{
	char digits[20], *first = digits + sizeof(digits);

	do
		*--first = (char)('0' + number % 10);
	while ((number /= 10) != 0);
	memcpy(at, first, (size_t)(digits + sizeof(digits) - first));
	return at + (digits + sizeof(digits) - first);
}

/* Nanoseconds as microseconds, which the format wants. */
static char *put_time(char *at, int64_t time)
{
	unsigned part = (unsigned)(time % 1000);

	at = put_number(at, (uint64_t)time / 1000);
	*at++ = '.';
	*at++ = (char)('0' + part / 100);
	*at++ = (char)('0' + part / 10 % 10);
	*at++ = (char)('0' + part % 10);
	return at;
}

/* Room for one record. */
static char *make_room(int64_t now)
{
	if (trace.length > BATCH - RECORD_MAX)
		trace_flush();
	if (trace.length == 0) {
		trace.oldest = now;
		trace.data[trace.length++] = '\n';
	}
	return trace.data + trace.length;
}

/* What each record begins with; `phase` is its kind and, maybe, more of it. */
static char *begin_record(int64_t now, int64_t time, const char *phase, const char *name,
			  size_t name_length)
{
	char *at = make_room(now);

	memcpy(at, trace.head, trace.head_length);
	at = put_time(at + trace.head_length, time);
	at = put_text(at, ",\"ph\":\"");
	at = put_text(at, phase);
	at = put_text(at, ",\"name\":\"");
	memcpy(at, name, name_length);
	at += name_length;
	*at++ = '"';
	return at;
}

static void end_record(char *at)
{
	at = put_text(at, "},\n");
	trace.length = (size_t)(at - trace.data);
}

static char *put_args(char *at, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

static char *put_args(char *at, const char *format, va_list args)
{
	char data[RECORD_MAX / 2];
	struct text text = TEXT_IN(data);

	text_add_list(&text, format, args);
	at = put_text(at, ",\"args\":{");
	/* what is cut could end anywhere */
	if (!text.cut)
		at = put_text(at, data);
	return put_text(at, "}");
}

static char *begin_slice(int64_t begun, const char *name)
{
	int64_t now = trace_clock();
	char *at = begin_record(now, begun, "X\"", name, strlen(name));

	return put_time(put_text(at, ",\"dur\":"), now - begun);
}

void trace_write_slice(int64_t begun, const char *name)
{
	end_record(begin_slice(begun, name));
}

void trace_write_slice_with(int64_t begun, const char *name, const char *format, ...)
{
	char *at = begin_slice(begun, name);
	va_list args;

	va_start(args, format);
	at = put_args(at, format, args);
	va_end(args);
	end_record(at);
}

void trace_write_instant(pid_t pid, const char *name, const char *format, ...)
{
	int64_t now = trace_clock();
	size_t head = trace.head_length;
	char own[sizeof(trace.head)];
	va_list args;
	char *at;

	if (pid != 0) {
		struct text text = TEXT_IN(trace.head);

		memcpy(own, trace.head, sizeof(own));
		text_add(&text, "{\"pid\":%d,\"tid\":%d,\"ts\":", (int)pid, (int)pid);
		trace.head_length = text.length;
	}
	at = begin_record(now, now, "i\",\"s\":\"t\"", name, strlen(name));
	if (pid != 0) {
		memcpy(trace.head, own, sizeof(own));
		trace.head_length = head;
	}
	va_start(args, format);
	at = put_args(at, format, args);
	va_end(args);
	end_record(at);
}

void trace_count(const char *name, long number)
{
	int64_t now = trace_clock();
	char *at = begin_record(now, now, "C\"", name, strlen(name));

	at = put_text(at, ",\"args\":{\"now\":");
	at = put_number(at, (uint64_t)number);
	end_record(put_text(at, "}"));
}

/* --- arrows ----------------------------------------------------------------------------------- */

/* The first word of a message. It may come from a process that is not to be trusted. */
static size_t word_length(const char *line, size_t length)
{
	size_t i = 0;

	while (i < length && i < NAME_MAX_SENT &&
	       ((line[i] >= 'a' && line[i] <= 'z') || line[i] == '-'))
		i++;
	return i;
}

/* Viewers read a text as a hexadecimal number: the life, the way, the count. */
static void write_flow(struct trace_link *link, enum trace_way way, const char *phase, int64_t when,
		       const char *line, size_t length)
{
	uint64_t id = (uint64_t)link->life << 32 | (uint64_t)way << 28 | link->count[way]++;
	char *at = begin_record(when, when, phase, line, word_length(line, length));

	at = put_text(at, ",\"cat\":\"pipe\",\"id\":\"0x");
	for (int shift = 60; shift >= 0; shift -= 4)
		*at++ = "0123456789abcdef"[id >> shift & 15];
	end_record(put_text(at, "\""));
}

void trace_write_sent(struct trace_link *link, enum trace_way way, int64_t when, const char *lines,
		      size_t length)
{
	for (size_t used; length > 0; lines += used, length -= used) {
		const char *end = memchr(lines, '\n', length);

		used = end == NULL || way == WAY_BIRTH ? length : (size_t)(end - lines) + 1;
		write_flow(link, way, "s\"", when, lines, used);
	}
	if (way == WAY_UP || way == WAY_ANSWER)
		trace_flush();
}

void trace_write_heard(struct trace_link *link, enum trace_way way, const char *line)
{
	/* "bp":"e": it ends at the slice around it, not at the next one */
	write_flow(link, way, "f\",\"bp\":\"e\"", trace_clock(), line, strlen(line));
}

/* --- processes -------------------------------------------------------------------------------- */

void trace_start_process(void)
{
	if (!trace_on)
		return;
	trace.length = 0;
	set_head();
}

void trace_name_process(const char *format, ...)
{
	char name[RECORD_MAX / 2 - 16];
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
	at = begin_record(now, now, "M\"", "process_name", strlen("process_name"));
	at = put_text(at, ",\"args\":{\"name\":\"");
	at = put_text(at, name);
	end_record(put_text(at, "\"}"));
}

void trace_exit(void)
{
	TRACE_INSTANT(0, "exit", "\"status\":0");
	trace_flush();
}
