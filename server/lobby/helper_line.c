/*
 * helper_line.c - the server's end of a helper that is told what has happened, over a pipe, and answers nothing: it
 * starts one, tells it, hears its death, starts the next, and takes it along at the server's own end.
 *
 * Owns: the pipe, and what could not be written into it yet: it is gathered, and written once in a turn of the loop, or
 * when it has become much, as much as the pipe takes.
 * Talks to: the recorder, of which recorder_link.c knows what it is told; the house, of which house_link.c does.
 * Never: waits for one before the server's own end: a helper that is stopped costs a buffer.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	AGAIN_MS = 1000,  /* between a helper's death and the next one's birth */
	FINISH_MS = 1000, /* for its last work, when the server stops */
};

bool helper_line_is_there(const struct helper_line *line)
{
	return line->pipe.fd >= 0;
}

static void on_again(struct timer *timer, void *owner)
{
	helper_line_start(owner, CONTAINER_OF(timer, struct helper_line, timer));
}

/* Its end of the pipe is closed: it has died. It is reaped by child_sweep(). */
static void on_death(struct lobby *lobby, struct source *source, uint32_t events)
{
	struct helper_line *line = CONTAINER_OF(source, struct helper_line, pipe);

	(void)events;
	log_warn("%s-died pid=%d so=\"%s\"", line->kind->name, (int)line->pid, line->kind->if_died);
	lobby_watch(lobby, source, 0);
	close(source->fd);
	source->fd = -1;
	/* what it has not read is lost with it, and a line may have been cut in the middle */
	line->text.length = 0;
	timers_set(&lobby->timers, &line->timer, lobby->now + AGAIN_MS);
	if (line->kind->died != NULL)
		line->kind->died(lobby);
}

void helper_line_open(struct helper_line *line, const struct helper_line_kind *kind)
{
	line->kind = kind;
	line->text = TEXT_IN(line->data);
	line->timer.fire = on_again;
	line->pipe = (struct source){.fd = -1, .ready = on_death};
}

/* The pid, or -1 with errno. */
static pid_t start(struct lobby *lobby, const struct helper_line *line, int words)
{
	int gift[HELPER_GIFTS];

	for (int i = 0; i < HELPER_GIFTS; i++)
		gift[i] = -1;
	gift[HELPER_LINE - HELPER_FIRST] = words;
	gift[HELPER_TRACE - HELPER_FIRST] = trace_descriptor();
	if (line->kind->give != NULL)
		line->kind->give(lobby, gift);
	return helper_start(line->kind->helper, gift);
}

static void complain(struct lobby *lobby, struct helper_line *line)
{
	if (errno != line->said)
		log_warn("%s-not-started reason=\"%s\" so=\"%s\"", line->kind->name,
			 strerror(errno), line->kind->if_not_started);
	line->said = errno;
	timers_set(&lobby->timers, &line->timer, lobby->now + AGAIN_MS);
}

void helper_line_start(struct lobby *lobby, struct helper_line *line)
{
	int pipe[2] = {-1, -1};
	int64_t begun = trace_begin();

	if (stop_has_begun(lobby))
		return;
	line->trace = (struct trace_link){.life = line->trace.life + 1};
	line->pid = pipe2(pipe, O_CLOEXEC) == 0 ? start(lobby, line, pipe[0]) : -1;
	if (line->pid < 0)
		complain(lobby, line);
	if (pipe[0] >= 0)
		close(pipe[0]);
	if (line->pid < 0) {
		if (pipe[1] >= 0)
			close(pipe[1]);
		return;
	}
	trace_end_with(begun, SLICE_FORK_HELPER, line->pid, 0);
	line->said = 0;
	fcntl(pipe[1], F_SETFL, O_NONBLOCK);
	line->pipe.fd = pipe[1];
	lobby_watch(lobby, &line->pipe, EPOLLERR);
	line->kind->begin(lobby);
}

/* All of it, or nothing. */
static bool gather(struct text *text, const char *format, va_list args)
{
	size_t before = text->length;

	text_add_list(text, format, args);
	if (!text->cut)
		return true;
	text->length = before;
	text->cut = false;
	return false;
}

/* False: there is none to be told, or it lags so far behind that this is forgotten. */
bool helper_line_say(struct helper_line *line, const char *format, ...)
{
	bool said = false;
	va_list args;

	for (int try = 0; try < 2 && !said && helper_line_is_there(line); try++) {
		if (try > 0)
			helper_line_flush(line);
		va_start(args, format);
		said = gather(&line->text, format, args);
		va_end(args);
	}
	return said;
}

/* True: something was written, and nothing waits any more. */
bool helper_line_flush(struct helper_line *line)
{
	struct text *text = &line->text;
	int64_t begun;
	ssize_t written;

	if (text->length == 0 || !helper_line_is_there(line))
		return false;
	begun = trace_begin();
	written = write(line->pipe.fd, text->data, text->length);
	if (written <= 0)
		return false; /* it lags, or has died, which is heard elsewhere */
	trace_sent(&line->trace, line->kind->way, begun, text->data, (size_t)written);
	trace_end(begun, line->kind->tells);
	text->length -= (size_t)written;
	memmove(text->data, text->data + written, text->length);
	return text->length == 0;
}

/* Nothing more will come: the end of its pipe is its last word. */
static void close_line(struct helper_line *line)
{
	helper_line_flush(line);
	close(line->pipe.fd);
	line->pipe.fd = -1;
}

static void wait_until(pid_t pid, int64_t end)
{
	int process = (int)syscall(SYS_pidfd_open, pid, 0);

	if (process < 0)
		return;
	poll(&(struct pollfd){.fd = process, .events = POLLIN}, 1, timers_wait(end, clock_ms()));
	close(process);
}

/* Nobody is here any more who could be kept waiting. They end side by side. */
void helper_line_finish_all(struct lobby *lobby, struct helper_line *const lines[], int count)
{
	int64_t end = clock_ms() + FINISH_MS;
	bool was_there[HELPERS];
	int status;

	if (end > lobby->stop_by)
		end = lobby->stop_by;
	for (int i = 0; i < count; i++) {
		was_there[i] = helper_line_is_there(lines[i]);
		if (was_there[i])
			close_line(lines[i]);
	}
	for (int i = 0; i < count; i++) {
		if (!was_there[i])
			continue;
		wait_until(lines[i]->pid, end);
		/* what it has not done is done by the next server's */
		kill(lines[i]->pid, SIGKILL);
		if (waitpid(lines[i]->pid, &status, 0) > 0)
			timeline_reaped(lines[i]->pid, status, NULL);
	}
}
