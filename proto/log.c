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

void log_event(enum log_level level, const char *format, ...)
{
	char line[1024];
	/* one byte is kept for the LF */
	struct text text = {.data = line, .size = sizeof(line) - 1};
	struct timespec now;
	struct tm parts;
	va_list args;

	if (!log_has(level))
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &parts);
	text.length = strftime(line, text.size, "%Y-%m-%dT%H:%M:%S", &parts);
	text_add(&text, ".%03ld %s[%d] %s ", now.tv_nsec / 1000000, to.tag, (int)getpid(),
		 level_names[level]);
	va_start(args, format);
	text_add_list(&text, format, args);
	va_end(args);
	line[text.length++] = '\n';
	/* there is nobody to tell that the log is full */
	(void)!write(STDERR_FILENO, line, text.length);
}
