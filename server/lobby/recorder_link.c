/*
 * recorder_link.c - the server's end of the recorder: starts it, tells it which games have ended.
 *
 * Owns: the pipe to the recorder, and what could not be written into it yet: it is gathered, and written once in a
 * turn of the loop, as much as the pipe takes.
 * Never: waits for the recorder before the server's own end: one that is stopped costs a buffer. It does nothing with
 * a file, but for a chapter that is set aside: that folder.c copies, which may take as long as the disk does.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"
#include "server/recorder/memory.h"
#include "server/shared/helper.h"

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
	AGAIN_MS = 1000,  /* between a recorder's death and the next one's birth */
	FINISH_MS = 1000, /* for the last games, when the server stops */
};

static bool is_there(const struct recorder_link *recorder)
{
	return recorder->pipe.fd >= 0;
}

static void on_again(struct timer *timer, void *owner)
{
	(void)timer;
	recorder_link_start(owner);
}

/* Its end of the pipe is closed: it has died. It is reaped by child_sweep(). */
static void on_death(struct lobby *lobby, struct source *source, uint32_t events)
{
	(void)events;
	log_warn("recorder-died pid=%d so=\"the next one goes on\"", (int)lobby->recorder.pid);
	lobby_watch(lobby, source, 0);
	close(source->fd);
	source->fd = -1;
	/* a line may have been cut in the middle; the next one looks for itself */
	lobby->recorder.text.length = 0;
	timers_set(&lobby->timers, &lobby->recorder.timer, lobby->now + AGAIN_MS);
}

/* Its memory lives as long as the server. */
void recorder_link_open(struct lobby *lobby)
{
	struct recorder_link *recorder = &lobby->recorder;

	recorder->text = TEXT_IN(recorder->data);
	recorder->pipe.fd = -1;
	recorder->memory_fd = recorder_memory_make(&recorder->memory);
	if (recorder->memory_fd < 0)
		log_warn("recorder-forgets reason=\"%s\" so=\"journals only grow, and a record "
			 "that kills "
			 "one recorder kills the next\"",
			 strerror(errno));
}

/* The pid, or -1 with errno. */
static pid_t start(struct lobby *lobby, int words)
{
	int gift[HELPER_GIFTS];

	for (int i = 0; i < HELPER_GIFTS; i++)
		gift[i] = -1;
	gift[HELPER_LINE - HELPER_FIRST] = words;
	gift[HELPER_JOURNALS - HELPER_FIRST] = lobby->folder.journals;
	gift[HELPER_ASIDE - HELPER_FIRST] = lobby->folder.aside;
	gift[HELPER_MEMORY - HELPER_FIRST] = lobby->recorder.memory_fd;
	gift[HELPER_TRACE - HELPER_FIRST] = trace_descriptor();
	return helper_start(HELPER_RECORDER, gift);
}

static void complain(struct lobby *lobby)
{
	struct recorder_link *recorder = &lobby->recorder;

	if (errno != recorder->said)
		log_warn("recorder-not-started reason=\"%s\" so=\"finished games stay in "
			 "journals/, it is tried again\"",
			 strerror(errno));
	recorder->said = errno;
	timers_set(&lobby->timers, &recorder->timer, lobby->now + AGAIN_MS);
}

void recorder_link_start(struct lobby *lobby)
{
	struct recorder_link *recorder = &lobby->recorder;
	int pipe[2] = {-1, -1};
	int64_t begun = trace_begin();

	recorder->timer.fire = on_again;
	recorder->pipe = (struct source){.fd = -1, .ready = on_death};
	if (stop_has_begun(lobby))
		return;
	recorder->link = (struct trace_link){.life = recorder->link.life + 1};
	recorder->pid = pipe2(pipe, O_CLOEXEC) == 0 ? start(lobby, pipe[0]) : -1;
	if (recorder->pid < 0)
		complain(lobby);
	if (pipe[0] >= 0)
		close(pipe[0]);
	if (recorder->pid < 0) {
		if (pipe[1] >= 0)
			close(pipe[1]);
		return;
	}
	trace_end_with(begun, SLICE_FORK_HELPER, recorder->pid, 0);
	recorder->said = 0;
	fcntl(pipe[1], F_SETFL, O_NONBLOCK);
	recorder->pipe.fd = pipe[1];
	lobby_watch(lobby, &recorder->pipe, EPOLLERR);
	text_add(&recorder->text, "%s %u\n", message_word(RECORDER_BEGIN), recorder->link.life);
}

/* What did not fit as a whole is forgotten. */
static void keep_whole(struct recorder_link *recorder, size_t before)
{
	if (!recorder->text.cut)
		return;
	recorder->text.length = before;
	recorder->text.cut = false;
	recorder->left_out = true;
}

void recorder_link_tell(struct lobby *lobby, unsigned table)
{
	struct recorder_link *recorder = &lobby->recorder;
	size_t before = recorder->text.length;

	if (!is_there(recorder))
		return;
	text_add(&recorder->text, "%s %u\n", message_word(RECORDER_ENDED), table);
	keep_whole(recorder, before);
}

void recorder_link_set_aside(struct lobby *lobby, unsigned table, const char *duel, const char *why)
{
	struct recorder_link *recorder = &lobby->recorder;
	size_t before = recorder->text.length;

	folder_set_chapter_aside(&lobby->folder, table, duel, why);
	if (!is_there(recorder))
		return;
	text_add(&recorder->text, "%s %s.%s\n", message_word(RECORDER_ASIDE), duel, why);
	keep_whole(recorder, before);
}

void recorder_link_flush(struct lobby *lobby)
{
	struct recorder_link *recorder = &lobby->recorder;
	struct text *text = &recorder->text;
	int64_t begun;
	ssize_t written;

	if (text->length == 0 || !is_there(recorder))
		return;
	begun = trace_begin();
	written = write(recorder->pipe.fd, text->data, text->length);
	if (written <= 0)
		return; /* it lags, or has died, which is heard elsewhere */
	trace_sent(&recorder->link, WAY_RECORDER, begun, text->data, (size_t)written);
	trace_end(begun, SLICE_TELL_RECORDER);
	text->length -= (size_t)written;
	memmove(text->data, text->data + written, text->length);
	if (recorder->left_out && text->length == 0) {
		recorder->left_out = false;
		text_add(text, "%s\n", message_word(RECORDER_LOOK));
	}
}

/* Nobody is here any more who could be kept waiting. */
void recorder_link_finish(struct lobby *lobby)
{
	struct recorder_link *recorder = &lobby->recorder;
	int process, status, wait;

	if (!is_there(recorder))
		return;
	recorder_link_flush(lobby);
	close(recorder->pipe.fd);
	wait = timers_wait(lobby->stop_by, clock_ms());
	process = (int)syscall(SYS_pidfd_open, recorder->pid, 0);
	if (process >= 0) {
		poll(&(struct pollfd){.fd = process, .events = POLLIN}, 1,
		     wait < FINISH_MS ? wait : FINISH_MS);
		close(process);
	}
	/* what it has not done is done by the next server's */
	kill(recorder->pid, SIGKILL);
	if (waitpid(recorder->pid, &status, 0) > 0)
		timeline_reaped(recorder->pid, status, NULL);
}
