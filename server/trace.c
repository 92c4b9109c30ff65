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

#include <assert.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	PAGE = 4096,
	RECORD_MAX = 512,
	OLD_MS = 100, /* records do not wait longer, where a process has time */
	WORD_MAX = 16,
};

bool trace_on;

/* What a process has, in one page: each that a child writes to costs it more than a record does. It is
 * not inherited: a child finds zeros there, and its parent's page stays the parent's alone. */
static struct page {
	char head[64]; /* that all records of this process begin with */
	size_t head_length;
	int64_t oldest; /* of the records that wait: when it came */
	size_t length;
	char data[PAGE - 64 - 3 * 8]; /* the records */
} * page;

static int descriptor = -1;

static_assert(sizeof(struct page) == PAGE, "it fits");

int trace_descriptor(void)
{
	return descriptor;
}

int64_t trace_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* --- the file --------------------------------------------------------------------------------- */

static void set_head(pid_t pid)
{
	struct text text = TEXT_IN(page->head);

	text_add(&text, "{\"pid\":%d,\"tid\":%d,\"ts\":", (int)pid, (int)pid);
	page->head_length = text.length;
}

/* A file that is there may be one that duels of a dead server still write to: not ours. */
void trace_open(const char *file)
{
	struct stat status;

	if (lstat(file, &status) == 0 && S_ISREG(status.st_mode) && unlink(file) != 0)
		err(1, "cannot make the trace %s anew (choose another file with --trace)", file);
	descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (descriptor < 0 || write(descriptor, "[\n", 2) != 2)
		err(1, "cannot write the trace %s (choose another file with --trace)", file);
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED || madvise(page, PAGE, MADV_WIPEONFORK) != 0)
		err(1, "no memory for a trace");
	set_head(getpid());
	trace_on = true;
	trace_name_process("server");
	trace_flush();
}

/* Whatever is wrong with the file stays wrong: this process traces no more. */
void trace_flush(void)
{
	ssize_t written;

	if (!trace_on || page->length == 0)
		return;
	do
		written = write(descriptor, page->data, page->length);
	while (written < 0 && errno == EINTR);
	if (written != (ssize_t)page->length)
		trace_on = false;
	page->length = 0;
}

static bool is_old(int64_t now)
{
	return page->length > 0 && now - page->oldest >= OLD_MS * INT64_C(1000000);
}

void trace_flush_old(void)
{
	if (trace_on && is_old(trace_clock()))
		trace_flush();
}

int trace_shorten(int wait)
{
	if (page->length == 0 || wait == 0)
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
	if (!trace_on)
		return;
	trace_write_instant("exit", &(struct trace_args){{"status"}, {0}});
	page->length -= strlen(",\n");
	memcpy(page->data + page->length, "\n]\n", 3);
	page->length += 3;
	trace_flush();
}

/* --- records ---------------------------------------------------------------------------------- */

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
	if (page->length > sizeof(page->data) - RECORD_MAX)
		trace_flush();
	if (page->length == 0) {
		page->oldest = now;
		page->data[page->length++] = '\n';
	}
	return page->data + page->length;
}

/* What each record begins with; `phase` is its kind and, maybe, more of it. */
static char *begin_record(int64_t now, int64_t time, const char *phase, const char *name,
			  size_t name_length)
{
	char *at = make_room(now);

	memcpy(at, page->head, page->head_length);
	at = put_time(at + page->head_length, time);
	at = stpcpy(at, ",\"ph\":\"");
	at = stpcpy(at, phase);
	at = stpcpy(at, ",\"name\":\"");
	memcpy(at, name, name_length);
	at += name_length;
	*at++ = '"';
	return at;
}

static void end_record(char *at)
{
	at = stpcpy(at, "},\n");
	page->length = (size_t)(at - page->data);
}

static char *put_args(char *at, const struct trace_args *args)
{
	at = stpcpy(at, ",\"args\":{");
	for (int i = 0; i < 2 && args->name[i] != NULL; i++) {
		at = stpcpy(at, i == 0 ? "\"" : ",\"");
		at = stpcpy(at, args->name[i]);
		at = stpcpy(at, "\":");
		at = put_number(at, (uint64_t)args->number[i]);
	}
	return stpcpy(at, "}");
}

static char *begin_slice(int64_t begun, const char *name)
{
	int64_t now = trace_clock();
	char *at = begin_record(now, begun, "X\"", name, strlen(name));

	return put_time(stpcpy(at, ",\"dur\":"), now - begun);
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

	end_record(put_args(begin_record(now, now, "i\",\"s\":\"t\"", name, strlen(name)), args));
}

void trace_write_instant_of(pid_t pid, const char *name, const struct trace_args *args)
{
	set_head(pid);
	trace_write_instant(name, args);
	set_head(getpid());
}

void trace_count(const char *name, long number)
{
	int64_t now = trace_clock();
	char *at = begin_record(now, now, "C\"", name, strlen(name));

	end_record(put_args(at, &(struct trace_args){{"now"}, {number}}));
}

/* --- arrows ----------------------------------------------------------------------------------- */

/* The first word of a message. It may come from a process that is not to be trusted. */
static size_t word_length(const char *line, size_t length)
{
	size_t i = 0;

	while (i < length && i < WORD_MAX && ((line[i] >= 'a' && line[i] <= 'z') || line[i] == '-'))
		i++;
	return i;
}

/* What goes to the recorder may go in pieces, which begin anywhere. */
static const char record_word[WORD_MAX + 1] = "keep";

/* Viewers read a text as a hexadecimal number: the life, the way, the count. */
static void write_flow(struct trace_link *link, enum trace_way way, const char *phase, int64_t when,
		       const char *line, size_t length)
{
	uint64_t id = (uint64_t)link->life << 32 | (uint64_t)way << 28 | link->count[way]++;
	char *at = begin_record(when, when, phase, line, word_length(line, length));

	at = stpcpy(at, ",\"cat\":\"pipe\",\"id\":\"0x");
	for (int shift = 60 - __builtin_clzll(id | 1) / 4 * 4; shift >= 0; shift -= 4)
		*at++ = "0123456789abcdef"[id >> shift & 15];
	end_record(stpcpy(at, "\""));
}

void trace_write_sent(struct trace_link *link, enum trace_way way, int64_t when, const char *lines,
		      size_t length)
{
	for (size_t used; length > 0; lines += used, length -= used) {
		const char *end = memchr(lines, '\n', length);

		if (end == NULL && way == WAY_RECORD)
			break; /* its end goes another time, and counts then */
		used = end == NULL || way == WAY_BIRTH ? length : (size_t)(end - lines) + 1;
		write_flow(link, way, "s\"", when, way == WAY_RECORD ? record_word : lines, used);
	}
	if (way == WAY_UP || way == WAY_ANSWER)
		trace_flush();
}

void trace_write_heard(struct trace_link *link, enum trace_way way, const char *line)
{
	/* "bp":"e": it ends at the slice around it, not at the next one */
	write_flow(link, way, "f\",\"bp\":\"e\"", trace_clock(),
		   way == WAY_RECORD ? record_word : line, strlen(line));
}

/* --- processes -------------------------------------------------------------------------------- */

void trace_start_process(void)
{
	if (trace_on)
		set_head(getpid());
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
	at = stpcpy(at, ",\"args\":{\"name\":\"");
	at = stpcpy(at, name);
	end_record(stpcpy(at, "\"}"));
}

void trace_exit(void)
{
	trace_instant("exit", "status", 0);
	trace_flush();
}
