/*
 * log.c - one line an event. See log.h.
 */
#include "log.h"

#include "line.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static struct {
	enum log_level level;
	const char *tag;
} to = {.level = LOG_INFO, .tag = "holmgang"};

static const char *const level_names[] = {"error", "warn", "info", "debug"};

void log_set_level(enum log_level level)
{
	to.level = level;
}

bool log_has(enum log_level level)
{
	return level <= to.level;
}

void log_set_tag(const char *tag)
{
	to.tag = tag;
}

/* Reckoned once a second: it costs more than all the rest of a line. */
static const char *date_of(time_t second)
{
	static char date[32];
	static time_t dated = -1;
	struct tm parts;

	if (second != dated) {
		localtime_r(&second, &parts);
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &parts);
		dated = second;
	}
	return date;
}

void log_event(enum log_level level, const char *format, ...)
{
	char line[1024];
	/* one byte is kept for the LF */
	struct text text = {.data = line, .size = sizeof(line) - 1};
	struct timespec now;
	va_list args;

	if (!log_has(level))
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	text_add(&text, "%s.%03ld %s[%d] %s ", date_of(now.tv_sec), now.tv_nsec / 1000000, to.tag,
		 (int)getpid(), level_names[level]);
	va_start(args, format);
	text_add_list(&text, format, args);
	va_end(args);
	line[text.length++] = '\n';
	/* there is nobody to tell that the log is full */
	(void)!write(STDERR_FILENO, line, text.length);
}
