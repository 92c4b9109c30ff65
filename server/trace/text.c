/*
 * text.c - the records of the timeline as text: the JSON of Chrome's trace events. See
 * page.h.
 *
 * Owns: what a record looks like in the file.
 * Never: believes a record. It may come from a duel that has been broken into, so whatever it says, what
 * is printed is a line of JSON, and on that duel's track.
 *
 * The most of a record is the same in all records of a process within a second, or in all with the same
 * mark, and is copied in one piece.
 */
#include "server/trace/page.h"

#include <string.h>

enum {
	RECORD_MAX = 256, /* bytes, besides a process's name */
	PIECE = 64,
	SECOND = 1000000000,
};

char trace_duel_text[TRACE_DUEL_TEXT];

/* A literal, whose length the compiler knows. */
#define PUT(at, literal) ((char *)memcpy(at, literal, sizeof(literal) - 1) + sizeof(literal) - 1)

/* --- marks ------------------------------------------------------------------------------------ */

enum kind { SLICE, INSTANT, COUNTER, SENT, HEARD, TITLE, NOTHING };

/* What stands behind the time. "bp":"e": an arrow ends at the slice around it, not at the next one. */
#define TEXT_SLICE(name)   ",\"ph\":\"X\",\"name\":\"" name "\",\"dur\":"
#define TEXT_INSTANT(name) ",\"ph\":\"i\",\"s\":\"t\",\"name\":\"" name "\""
#define TEXT_COUNTER(name) ",\"ph\":\"C\",\"name\":\"" name "\""
#define TEXT_SENT(name)	   ",\"ph\":\"s\",\"name\":\""
#define TEXT_HEARD(name)   ",\"ph\":\"f\",\"bp\":\"e\",\"name\":\""
#define TEXT_TITLE(name)   ",\"ph\":\"M\",\"name\":\"process_name\""
#define TEXT_NOTHING(name) ""

static const struct mark {
	char text[PIECE];
	size_t length;
	enum kind kind;
	const char *number, *other;
} marks[TRACE_MARK_COUNT] = {
#define MARK(mark, kind, name, number, other)                                                      \
	[mark] = {TEXT_##kind(name), sizeof(TEXT_##kind(name)) - 1, kind, number, other},
    TRACE_MARKS(MARK)
#undef MARK
};

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

static char *put_small(char *at, unsigned number) /* below 100 */
{
	if (number >= 10)
		return put_pair(at, number);
	*at = (char)('0' + number);
	return at + 1;
}

static char *put_number(char *at, uint64_t number)
{
	if (number < 100)
		return put_small(at, (unsigned)number);
	return put_pair(put_number(at, number / 100), (unsigned)(number % 100));
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
	uint64_t micros = (uint64_t)time / 1000;

	return put_part(put_number(at, micros), (unsigned)((uint64_t)time - micros * 1000));
}

/* Viewers read a text as a hexadecimal number. */
static char *put_id(char *at, uint64_t id)
{
	for (int shift = 60 - __builtin_clzll(id | 1) / 4 * 4; shift >= 0; shift -= 4)
		*at++ = "0123456789abcdef"[id >> shift & 15];
	return at;
}

/* --- what all have ---------------------------------------------------------------------------- */

/* What all records of a process begin with in this second of the clock. */
struct head {
	char text[PIECE];
	size_t pid_length, length;
	int64_t second;
};

static void begin_head(struct head *head, pid_t pid)
{
	char *at = PUT(head->text, "{\"pid\":"), *number = at;
	size_t digits;

	at = put_number(at, (uint32_t)pid);
	digits = (size_t)(at - number);
	at = PUT(at, ",\"tid\":");
	memcpy(at, number, digits);
	at = PUT(at + digits, ",\"ts\":");
	head->pid_length = (size_t)(at - head->text);
	head->second = -1;
}

/* In the first second of a clock the digits cannot go on from it: no number begins with 0. */
static void begin_second(struct head *head, int64_t second)
{
	char *at = head->text + head->pid_length;

	if (second > 0)
		at = put_number(at, (uint64_t)second);
	head->length = (size_t)(at - head->text);
	head->second = second;
}

static char *put_head(struct head *head, char *at, int64_t time)
{
	int64_t second = time / SECOND;
	unsigned rest = (unsigned)(time - second * SECOND), micros = rest / 1000;

	if (second != head->second)
		begin_second(head, second);
	memcpy(at, head->text, sizeof(head->text));
	at += head->length;
	if (second == 0)
		return put_micros(at, time);
	at = put_pair(at, micros / 10000);
	at = put_pair(at, micros / 100 % 100);
	at = put_pair(at, micros % 100);
	return put_part(at, rest - micros * 1000);
}

/* --- what each has ---------------------------------------------------------------------------- */

static char *put_text(char *at, const char *text)
{
	while (*text != '\0')
		*at++ = *text++;
	return at;
}

static char *put_numbers(char *at, const struct mark *mark, const struct trace_record *record)
{
	at = PUT(at, ",\"args\":{\"");
	at = PUT(put_text(at, mark->number), "\":");
	at = put_number(at, (uint32_t)record->number[0]);
	if (mark->other != NULL) {
		at = PUT(put_text(PUT(at, ",\""), mark->other), "\":");
		at = put_number(at, (uint32_t)record->number[1]);
	}
	return PUT(at, "}");
}

static char *put_arrow(char *at, const struct trace_record *record)
{
	for (size_t i = 0; i < TRACE_WORD; i++) {
		char letter = record->word[i];

		if ((letter < 'a' || letter > 'z') && letter != '-')
			break;
		*at++ = letter;
	}
	at = put_id(PUT(at, "\",\"cat\":\"pipe\",\"id\":\"0x"), record->id);
	return PUT(at, "\"");
}

static char *put_name(char *at, const struct trace_record *record)
{
	const char *name = (const char *)(record + 1);

	at = PUT(at, ",\"args\":{\"name\":\"");
	for (int64_t i = 0; i < record->length; i++)
		*at++ = name[i] < ' ' || name[i] > '~' || name[i] == '"' || name[i] == '\\'
			    ? '?'
			    : name[i];
	return PUT(at, "\"}");
}

static char *put_record(char *at, const struct mark *mark, const struct trace_record *record)
{
	memcpy(at, mark->text, sizeof(mark->text));
	at += mark->length;
	if (mark->kind == SLICE)
		at = put_micros(at, record->length);
	if (mark->number != NULL)
		return put_numbers(at, mark, record);
	if (mark->kind == SENT || mark->kind == HEARD)
		return put_arrow(at, record);
	return mark->kind == TITLE ? put_name(at, record) : at;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* How many records it is, with its name; 0: it makes no sense. */
static size_t count_of(const struct trace_record *record, const struct trace_record *end)
{
	size_t count;

	if (record->mark >= TRACE_MARK_COUNT || record->at < 0)
		return 0;
	if (marks[record->mark].kind == SLICE)
		return record->length >= 0;
	if (record->mark != TRACK_NAME)
		return 1;
	if (record->length < 0 || record->length > TRACE_NAME_MAX)
		return 0;
	count = 1 + ((size_t)record->length + sizeof(*record) - 1) / sizeof(*record);
	return count <= (size_t)(end - record) ? count : 0;
}

/* Those of one process, as far as they fit. */
static char *print_track(struct trace_reading *reading, pid_t pid, const struct trace_record *end,
			 char *at, const char *last)
{
	struct head head;
	size_t count;

	begin_head(&head, pid);
	for (; reading->next < end && at<last; reading->next += count> 0 ? count : 1) {
		const struct trace_record *record = reading->next;

		count = count_of(record, end);
		if (count > 0 && record->mark == TRACK_OF)
			break;
		if (count > 0)
			at = PUT(put_record(put_head(&head, at, record->at), &marks[record->mark],
					    record),
				 "},\n");
	}
	return at;
}

/* The next record says that those behind it are another's. On another's track it says nothing: nobody but
 * the server leads there. */
static void change_track(struct trace_reading *reading)
{
	const struct trace_record *record = reading->next++;
	size_t count = (uint32_t)record->number[0], left = (size_t)(reading->end - reading->next);

	if (reading->until != NULL)
		return;
	reading->until = reading->next + (count < left ? count : left);
	reading->other = (pid_t)record->pid;
}

/* Each batch begins with a line end: what a batch before it has lost is never in one line with it. */
size_t trace_print(struct trace_reading *reading, char *text, size_t size)
{
	const char *last = text + size - RECORD_MAX - TRACE_NAME_MAX;
	char *at = PUT(text, "\n");

	while (reading->next < reading->end && at < last) {
		if (reading->until != NULL)
			at = print_track(reading, reading->other, reading->until, at, last);
		else
			at = print_track(reading, reading->pid, reading->end, at, last);
		if (reading->next == reading->until)
			reading->until = NULL;
		else if (reading->next < reading->end && at < last)
			change_track(reading);
	}
	return (size_t)(at - text);
}
