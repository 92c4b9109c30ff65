/*
 * trace.c - writing the timeline. See trace.h.
 *
 * Owns: the descriptor of the file, which all children inherit, and the memory of this process's records
 * that have not been written yet.
 * Never: waits; tells anybody that the disk is full (it only stops).
 *
 * The file is opened with O_APPEND, so each write() goes behind all others in one piece. Whole records
 * are written, and each batch begins with a line end: should a kill or a full disk cut one short, what
 * is torn stands on a line of its own, and repair.c can leave it out.
 *
 * A duel makes its records in a page of memory that it shares with the server. Most duels never write
 * them: the server finds them when it reaps the duel, however that has died, and writes those of many
 * at once, as text.
 */
#include "server/trace/page.h"

#include <assert.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdalign.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	OLD_MS = 500, /* records do not wait longer, where a process has time */

	OWN_SIZE = 65536,   /* of the records of a process that is no duel */
	OWN_TEXT = 16384,   /* as much text at a time */
	SHARED_SIZE = 4096, /* of a duel's: each page more that a child writes to costs it more than
			       forty records do */
	SHARED_TABLES = 4096,
};

/* Of a process that is no duel. A child does not inherit it, so that neither has to copy it. */
struct own {
	struct trace_pen pen;
	char text[OWN_TEXT];
	alignas(struct trace_page) char page[OWN_SIZE];
};

bool trace_on;

static struct trace_pen duel_pen; /* among what each duel writes to anyway */
struct trace_pen *trace_pen = &duel_pen;

static char *shared; /* by table: the pages of the duels; NULL: they have none */

static int descriptor = -1, memory = -1; /* the file; what is `shared` */

static struct trace_page *shared_page(unsigned table)
{
	return (struct trace_page *)(void *)(shared + (size_t)table * SHARED_SIZE);
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

static void take_pen(struct trace_pen *pen, struct trace_page *page, size_t size)
{
	trace_pen = pen;
	pen->page = page;
	pen->room = (uint32_t)((size - sizeof(*page)) / sizeof(page->record[0]));
	pen->pid = page->pid;
	trace_set_count(0);
}

static bool take_own_page(void)
{
	struct trace_page *page;
	struct own *own = mmap(NULL, sizeof(*own), PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (own == MAP_FAILED || madvise(own, sizeof(*own), MADV_DONTFORK) != 0)
		return false;
	page = (struct trace_page *)(void *)own->page;
	page->pid = getpid();
	own->pen.text = own->text;
	own->pen.text_size = sizeof(own->text);
	take_pen(&own->pen, page, sizeof(own->page));
	return true;
}

/* The page of its table, unless somebody else has it: one of whom the server has never heard may be
 * dying there. */
static bool take_shared_page(unsigned table)
{
	struct trace_page *mine;
	pid_t pid = getpid(), nobody = 0;

	if (shared == NULL || table >= SHARED_TABLES)
		return false;
	mine = shared_page(table);
	if (!__atomic_compare_exchange_n(&mine->pid, &nobody, pid, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		return false;
	duel_pen.text = trace_duel_text;
	duel_pen.text_size = sizeof(trace_duel_text);
	take_pen(&duel_pen, mine, SHARED_SIZE);
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

/* All that waits; the last record of an array has no comma behind it. */
static void write_all(bool last)
{
	struct trace_pen *pen = trace_pen;
	const struct trace_record *record = pen->page->record;
	struct trace_reading reading = {
	    .next = record, .end = record + pen->count, .pid = pen->pid};
	size_t length;

	/* whoever is killed here loses them: better than that the server writes them again */
	trace_set_count(0);
	pen->waited = 0;
	while (trace_on && reading.next < reading.end) {
		length = trace_print(&reading, pen->text, pen->text_size);
		if (last && reading.next == reading.end) {
			length -= strlen(",\n");
			memcpy(pen->text + length, "\n]\n", 3);
			length += 3;
		}
		append(pen->text, length);
	}
}

void trace_flush(void)
{
	if (trace_on && trace_pen->count > 0)
		write_all(false);
}

struct trace_record *trace_room(int64_t now, uint32_t count)
{
	struct trace_pen *pen = trace_pen;

	if (pen->count + count > pen->room || trace_is_old(now))
		trace_flush();
	if (pen->count == 0)
		pen->oldest = now;
	return &pen->page->record[pen->count];
}

/* A duel's records go to our own, as its. What it says of itself may be anything: it may have been broken into. */
static void take_rest(struct trace_page *left, pid_t pid)
{
	uint32_t count = __atomic_load_n(&left->count, __ATOMIC_ACQUIRE);
	int64_t now = trace_clock();
	struct trace_record *track;

	if (trace_on && count > 0 &&
	    count <= (SHARED_SIZE - sizeof(*left)) / sizeof(left->record[0])) {
		track = trace_room(now, 1 + count);
		*track = (struct trace_record){
		    .at = now, .mark = TRACK_OF, .pid = pid, .number = {(int32_t)count}};
		memcpy(track + 1, left->record, count * sizeof(*track));
		trace_set_count(trace_pen->count + 1 + count);
	}
	left->count = 0;
	__atomic_store_n(&left->pid, 0, __ATOMIC_RELEASE);
}

void trace_take_rest_of(pid_t pid, unsigned table)
{
	if (shared != NULL && table < SHARED_TABLES && shared_page(table)->pid == pid)
		take_rest(shared_page(table), pid);
}

bool trace_is_old(int64_t now)
{
	return trace_pen->count > 0 && now - trace_pen->oldest >= OLD_MS * INT64_C(1000000);
}

void trace_flush_old(void)
{
	if (trace_on && trace_is_old(trace_clock()))
		trace_flush();
}

/* No clock: if nothing has come while it waited, it has waited long enough. */
int trace_shorten(int wait)
{
	struct trace_pen *pen = trace_pen;

	if (pen->count == 0 || wait == 0)
		return wait;
	if (pen->count == pen->waited) {
		trace_flush();
		return wait;
	}
	pen->waited = pen->count;
	return wait < 0 || wait > OLD_MS ? OLD_MS : wait;
}

void trace_close(void)
{
	if (!trace_on)
		return;
	trace_write_instant(INSTANT_EXIT, 0, 0);
	write_all(true);
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

/* What is in a shared page the server finds there. */
void trace_exit(void)
{
	if (!trace_on)
		return;
	trace_instant(INSTANT_EXIT, 0, 0);
	if (trace_pen != &duel_pen)
		trace_flush();
}
