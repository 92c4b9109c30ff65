/*
 * log.h - one line an event, in one write, on standard error:
 *
 *      2026-11-18T11:35:43.017 holmgang-server[411] info round-ended table=3 why=048
 *
 * The first word of a message is the event, the others are key=value; a value with spaces in it
 * stands in quotes. The same as JSON, where a program is to read it:
 *
 *      {"time":"2026-11-18T10:35:43.017Z","program":"holmgang-server","process":411,
 *       "level":"info","event":"round-ended","table":"3","why":"048"}
 */
#ifndef PROTO_WIRE_LOG_H
#define PROTO_WIRE_LOG_H

#include <stdbool.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* What is logged from now on; at first everything up to LOG_INFO. */
void log_set_level(enum log_level level);

/* "error", "warn", "info" or "debug". False: it is none of these. */
bool log_read_level(const char *word, enum log_level *level);

/* Who speaks, before the pid: "holmgang-server", "duel". Kept as a pointer. */
void log_set_tag(const char *tag);

/* JSON from now on. */
void log_set_json(void);

/* The descriptor on which lines are written from now on, instead of standard error. */
void log_to(int descriptor);

/* From now on another one is asked first to write a line: a duel has no log, and says to the server what it
 * has to say. `said` is the event and its key=value words. False: then we write it ourselves. */
typedef bool log_say(void *owner, enum log_level level, const char *said);
void log_divert(log_say *say, void *owner);

/* The word of a level, as log_read_level() reads it. */
const char *log_level_word(enum log_level level);

/* When standard error is the system's journal, each line begins with its priority there, <3> to <7>,
 * and has neither time nor level, which the journal keeps itself. */
void log_find_journal(void);

void log_event(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define log_error(...) log_event(LOG_ERROR, __VA_ARGS__)
#define log_warn(...)  log_event(LOG_WARN, __VA_ARGS__)
#define log_info(...)  log_event(LOG_INFO, __VA_ARGS__)
#define log_debug(...) log_event(LOG_DEBUG, __VA_ARGS__)

#endif
