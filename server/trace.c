/*
 * trace.c - writing the timeline. See trace.h.
 *
 * Owns: the descriptor of the file, which all children inherit, and this process's records that have
 * not been written yet.
 * Never: waits; tells anybody that the disk is full (it only stops).
 *
 * The file is opened with O_APPEND, so each write() goes behind all others in one piece. Whole records
 * are written, and each batch begins with a line end: should a kill or a full disk cut one short, what
 * is torn stands on a line of its own, and mend.c can leave it out.
 *
 * A duel should not be seen to be slower for it. It makes some forty records, by hand and not with
 * printf(), in a page of memory that it shares with the server. Most duels never write them: the server
 * finds them when it reaps the duel, however that has died, and writes those of many at once.
 */
#include "trace.h"

#include "../proto/text.h"

#include <assert.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	RECORD_MAX = 256, /* bytes */
	NAME_MAX = 256,	  /* of a process; its record may be so much longer */
	OLD_MS = 500,	  /* records do not wait longer, where a process has time */
	WORD_MAX = 16,

	OWN_SIZE = 65536,   /* of the records of a process that is no duel */
	SHARED_SIZE = 4096, /* of a duel's: each page more that a child writes to costs it more than
			       ten records do */
	SHARED_TABLES = 4096,
};

bool trace_on;

/* The records of a process. */
struct page {
	pid_t pid;	/* of the duel that has it; 0: none */
	int64_t oldest; /* of the records that wait: when it came */
	size_t head_length, length;
	char head[64]; /* that all records of this process begin with */
	char data[];
};

static struct page *page; /* this process's */
static size_t page_size;

static char *shared; /* by table: the pages of the duels; NULL: they have none */

static int descriptor = -1, memory = -1; /* the file; what is `shared` */

static struct page *shared_page(unsigned table)
{
	return (struct page *)(void *)(shared + (size_t)table * SHARED_SIZE);
}

int trace_descriptor(void)
{
	return descriptor;
}

int trace_memory(void)
{
	return memory;
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

/* A child does not inherit it, so that neither has to copy it. */
static bool take_own_page(void)
{
	page = mmap(NULL, OWN_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED || madvise(page, OWN_SIZE, MADV_DONTFORK) != 0)
		return false;
	page_size = OWN_SIZE;
	set_head(getpid());
	return true;
}

/* The page of its table, unless somebody else has it: one of whom the server has never heard may be
 * dying there. */
static bool take_shared_page(unsigned table)
{
	struct page *mine;
	pid_t pid = getpid(), nobody = 0;

	if (shared == NULL || table >= SHARED_TABLES)
		return false;
	mine = shared_page(table);
	if (!__atomic_compare_exchange_n(&mine->pid, &nobody, pid, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		return false;
	page = mine;
	page_size = SHARED_SIZE;
	page->length = 0;
	set_head(pid);
	return true;
}

/* Without it, what a killed duel has not written is lost. */
static void map_shared(void)
{
	void *mapped = MAP_FAILED;

	if (memory >= 0)
		mapped = mmap(NULL, (size_t)SHARED_TABLES * SHARED_SIZE, PROT_READ | PROT_WRITE,
			      MAP_SHARED, memory, 0);
	shared = mapped == MAP_FAILED ? NULL : mapped;
}

/* Once mapped, nobody needs its descriptor any more. */
void trace_adopt(int file, int shared_memory)
{
	descriptor = file;
	memory = shared_memory;
	map_shared();
	if (memory >= 0)
		close(memory);
	memory = -1;
	trace_on = true;
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
	signal(SIGXFSZ, SIG_IGN); /* files that may not grow: neither this one nor the memory */
	memory = memfd_create("holmgang-trace", MFD_CLOEXEC);
	if (memory >= 0 && ftruncate(memory, (off_t)SHARED_TABLES * SHARED_SIZE) != 0) {
		close(memory);
		memory = -1;
	}
	map_shared();
	if (!take_own_page())
		err(1, "no memory for a trace");
	trace_on = true;
	trace_name_process("server");
	trace_flush();
}

/* Whatever is wrong with the file stays wrong: this process traces no more. */
static void append(const char *data, size_t length)
{
	ssize_t written;

	do
		written = write(descriptor, data, length);
	while (written < 0 && errno == EINTR);
	if (written != (ssize_t)length)
		trace_on = false;
}

void trace_flush(void)
{
	size_t length;

	if (!trace_on || page->length == 0)
		return;
	/* whoever is killed here loses them: better than that the server writes them again */
	length = page->length;
	__atomic_store_n(&page->length, 0, __ATOMIC_RELEASE);
	append(page->data, length);
}

/* To our own records. What it says of itself may be anything: it may have been broken into. */
static void take_rest(struct page *left)
{
	size_t length = __atomic_load_n(&left->length, __ATOMIC_ACQUIRE);

	if (trace_on && length > 0 && length <= SHARED_SIZE - sizeof(*left)) {
		if (page->length + length > page_size - sizeof(*page))
			trace_flush();
		if (page->length == 0)
			page->oldest = trace_clock();
		memcpy(page->data + page->length, left->data, length);
		page->length += length;
	}
	left->length = 0;
	__atomic_store_n(&left->pid, 0, __ATOMIC_RELEASE);
}

void trace_take_rest_of(pid_t pid, unsigned table)
{
	if (shared != NULL && table < SHARED_TABLES && shared_page(table)->pid == pid)
		take_rest(shared_page(table));
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

/* Two digits at a time: half of a record's cost is the numbers in it. */
static char *put_number(char *at, uint64_t number)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	char digits[20], *first = digits + sizeof(digits);

	for (; number >= 10; number /= 100) {
		first -= 2;
		memcpy(first, pairs + number % 100 * 2, 2);
	}
	if (number > 0 || first == digits + sizeof(digits))
		*--first = (char)('0' + number);
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
static char *make_room(int64_t now, size_t room)
{
	if (page->length + room > page_size - sizeof(*page) || is_old(now))
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
	char *at = make_room(now, RECORD_MAX);

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
	/* not before the record is whole: the server may have to write what we leave */
	__atomic_store_n(&page->length, (size_t)(at - page->data), __ATOMIC_RELEASE);
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
		trace_on = take_own_page();
}

void trace_start_duel(unsigned table)
{
	if (trace_on)
		trace_on = take_shared_page(table) || take_own_page();
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
	make_room(now, RECORD_MAX + NAME_MAX);
	at = begin_record(now, now, "M\"", "process_name", strlen("process_name"));
	at = stpcpy(at, ",\"args\":{\"name\":\"");
	at = stpcpy(at, name);
	end_record(stpcpy(at, "\"}"));
}

/* What is in a shared page the server finds there. */
void trace_exit(void)
{
	trace_instant("exit", "status", 0);
	if (page_size != SHARED_SIZE)
		trace_flush();
}
