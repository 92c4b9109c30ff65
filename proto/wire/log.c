/*
 * log.c - one line an event. See log.h.
 *
 * Owns how and where this process logs, and nothing else. Each line is one write(2), which waits when who
 * reads the log does not: the descriptor decides, not this file. It never opens or closes a file.
 */
#include "proto/wire/log.h"

#include "proto/wire/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct {
	enum log_level level;
	const char *tag;
	bool json, journal;
	int descriptor;
	log_say *say; /* NULL: nobody else writes it */
	void *owner;
} to = {.level = LOG_INFO, .tag = "holmgang", .descriptor = STDERR_FILENO};

static const char *const level_names[] = {"error", "warn", "info", "debug"};

void log_set_level(enum log_level level)
{
	to.level = level;
}

bool log_read_level(const char *word, enum log_level *level)
{
	for (int i = LOG_ERROR; i <= LOG_DEBUG; i++) {
		if (strcmp(word, level_names[i]) != 0)
			continue;
		*level = (enum log_level)i;
		return true;
	}
	return false;
}

const char *log_level_word(enum log_level level)
{
	return level_names[level];
}

void log_to(int descriptor)
{
	to.descriptor = descriptor;
}

void log_divert(log_say *say, void *owner)
{
	to.say = say;
	to.owner = owner;
}

void log_set_tag(const char *tag)
{
	to.tag = tag;
}

void log_set_json(void)
{
	to.json = true;
}

void log_find_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	struct stat status;
	char own[64];

	/* the variable is inherited further than the stream that it speaks of */
	if (stream == NULL || fstat(STDERR_FILENO, &status) != 0)
		return;
	snprintf(own, sizeof(own), "%ju:%ju", (uintmax_t)status.st_dev, (uintmax_t)status.st_ino);
	to.journal = strcmp(stream, own) == 0;
}

/* Reckoned once a second: it costs more than all the rest of a line. Programs are told the time in
 * UTC, people in that of the place. */
static const char *date_of(time_t second)
{
	static char date[32];
	static time_t dated = -1;
	struct tm parts;

	if (second != dated) {
		if (to.json)
			gmtime_r(&second, &parts);
		else
			localtime_r(&second, &parts);
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &parts);
		dated = second;
	}
	return date;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void add_string(struct text *text, const char *data, size_t length)
{
	text_add(text, "\"");
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)data[i];

		/* a byte above 127 alone is no UTF-8: it stands for the character of its number */
		if (byte < 0x20 || byte >= 0x7f)
			text_add(text, "\\u%04x", byte);
		else if (byte == '"' || byte == '\\')
			text_add(text, "\\%c", byte);
		else
			text_add(text, "%c", byte);
	}
	text_add(text, "\"");
}

/* What does not fit is left out, so that the line stays JSON. */
static void add_member(struct text *text, const char *key, size_t key_length, const char *value,
		       size_t length)
{
	size_t before = text->length;

	text_add(text, ",");
	add_string(text, key, key_length);
	text_add(text, ":");
	add_string(text, value, length);
	if (text->cut)
		text->length = before;
}

/* The length of a value: to the space behind it, or, in quotes, to the quote before that. */
static size_t value_length(const char *value, bool quoted)
{
	const char *end = quoted ? strstr(value, "\" ") : strchr(value, ' ');

	if (end != NULL)
		return (size_t)(end - value);
	end = value + strlen(value);
	return (size_t)(end - value) - (quoted && end > value && end[-1] == '"');
}

/* "event key=value key="several words" ..." */
static void add_members(struct text *text, const char *said)
{
	size_t length = strcspn(said, " ");

	add_member(text, "event", 5, said, length);
	said += length;
	while (*(said += strspn(said, " ")) != '\0') {
		size_t key = strcspn(said, "= ");
		bool quoted = said[key] == '=' && said[key + 1] == '"';
		const char *value = said + key + (said[key] == '=') + quoted;

		length = said[key] == '=' ? value_length(value, quoted) : 0;
		add_member(text, said, key, value, length);
		said = value + length + (quoted && value[length] == '"');
	}
}

static void add_json(struct text *text, enum log_level level, const struct timespec *now,
		     const char *format, va_list args)
{
	char data[1024];
	struct text said = TEXT_IN(data);

	text_add_list(&said, format, args);
	text_add(text, "{\"time\":\"%s.%03ldZ\",\"program\":\"%s\",\"process\":%d,\"level\":\"%s\"",
		 date_of(now->tv_sec), now->tv_nsec / 1000000, to.tag, (int)getpid(),
		 level_names[level]);
	text->size--; /* for the brace */
	add_members(text, said.data);
	text->size++;
	text_add(text, "}");
}

/* --- all -------------------------------------------------------------------------------------- */

static bool divert(enum log_level level, const char *format, va_list args)
{
	char data[1024];
	struct text said = TEXT_IN(data);

	text_add_list(&said, format, args);
	return to.say(to.owner, level, said.data);
}

static void write_line(enum log_level level, const char *format, va_list args)
{
	/* as syslog(3) numbers them */
	static const int priority[] = {
	    [LOG_ERROR] = 3, [LOG_WARN] = 4, [LOG_INFO] = 6, [LOG_DEBUG] = 7};
	char line[2048];
	/* one byte is kept for the LF */
	struct text text = {.data = line, .size = sizeof(line) - 1};
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (to.journal)
		text_add(&text, "<%d>", priority[level]);
	if (to.json) {
		add_json(&text, level, &now, format, args);
	} else {
		if (!to.journal)
			text_add(&text, "%s.%03ld ", date_of(now.tv_sec), now.tv_nsec / 1000000);
		text_add(&text, "%s[%d] ", to.tag, (int)getpid());
		if (!to.journal)
			text_add(&text, "%s ", level_names[level]);
		text_add_list(&text, format, args);
	}
	line[text.length++] = '\n';
	/* there is nobody to tell that the log is full */
	(void)!write(to.descriptor, line, text.length);
}

void log_event(enum log_level level, const char *format, ...)
{
	bool said = false;
	va_list args;

	if (level > to.level)
		return;
	if (to.say != NULL) {
		va_start(args, format);
		said = divert(level, format, args);
		va_end(args);
	}
	if (said)
		return;
	va_start(args, format);
	write_line(level, format, args);
	va_end(args);
}
