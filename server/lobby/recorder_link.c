/*
 * recorder_link.c - the server's end of the recorder: starts it, tells it which games have ended.
 *
 * What is said is gathered and written once in a turn of the loop, as much as the pipe takes. The
 * server never waits for it, and does nothing with a file: a stopped recorder costs it a buffer.
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

static bool is_there(const struct recording *recording)
{
	return recording->pipe.fd >= 0;
}

static void on_again(struct timer *timer, void *owner)
{
	(void)timer;
	recording_start(owner);
}

/* Its end of the pipe is closed: it has died. It is reaped by child_sweep(). */
static void on_death(struct lobby *lobby, struct source *source, uint32_t events)
{
	(void)events;
	log_warn("recorder-died pid=%d so=\"the next one goes on\"", (int)lobby->recording.pid);
	lobby_watch(lobby, source, 0);
	close(source->fd);
	source->fd = -1;
	/* a line may have been cut in the middle; the next one looks for itself */
	lobby->recording.text.length = 0;
	timers_set(&lobby->timers, &lobby->recording.timer, lobby->now + AGAIN_MS);
}

/* Its memory lives as long as the server. */
void recording_open(struct lobby *lobby)
{
	struct recording *recording = &lobby->recording;

	recording->text = TEXT_IN(recording->data);
	recording->pipe.fd = -1;
	recording->memory_fd = recorder_memory_make(&recording->memory);
	if (recording->memory_fd < 0)
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
	gift[HELPER_JOURNALS - HELPER_FIRST] = lobby->shelf.journals;
	gift[HELPER_ASIDE - HELPER_FIRST] = lobby->shelf.aside;
	gift[HELPER_MEMORY - HELPER_FIRST] = lobby->recording.memory_fd;
	gift[HELPER_TRACE - HELPER_FIRST] = trace_descriptor();
	return helper_start(HELPER_RECORDER, gift);
}

static void complain(struct lobby *lobby)
{
	struct recording *recording = &lobby->recording;

	if (errno != recording->said)
		log_warn("recorder-not-started reason=\"%s\" so=\"finished games stay in "
			 "journals/, it is tried again\"",
			 strerror(errno));
	recording->said = errno;
	timers_set(&lobby->timers, &recording->timer, lobby->now + AGAIN_MS);
}

void recording_start(struct lobby *lobby)
{
	struct recording *recording = &lobby->recording;
	int pipe[2] = {-1, -1};
	int64_t begun = trace_begin();

	recording->timer.fire = on_again;
	recording->pipe = (struct source){.fd = -1, .ready = on_death};
	if (lobby->stopping)
		return;
	recording->link = (struct trace_link){.life = recording->link.life + 1};
	recording->pid = pipe2(pipe, O_CLOEXEC) == 0 ? start(lobby, pipe[0]) : -1;
	if (recording->pid < 0)
		complain(lobby);
	if (pipe[0] >= 0)
		close(pipe[0]);
	if (recording->pid < 0) {
		if (pipe[1] >= 0)
			close(pipe[1]);
		return;
	}
	trace_end_with(begun, SLICE_FORK_HELPER, recording->pid, 0);
	recording->said = 0;
	fcntl(pipe[1], F_SETFL, O_NONBLOCK);
	recording->pipe.fd = pipe[1];
	lobby_watch(lobby, &recording->pipe, EPOLLERR);
	text_add(&recording->text, "%s %u\n", message_word(RECORD_BEGIN), recording->link.life);
}

/* What did not fit as a whole is forgotten. */
static void keep_whole(struct recording *recording, size_t before)
{
	if (!recording->text.cut)
		return;
	recording->text.length = before;
	recording->text.cut = false;
	recording->left_out = true;
}

void recording_tell(struct lobby *lobby, unsigned table)
{
	struct recording *recording = &lobby->recording;
	size_t before = recording->text.length;

	if (!is_there(recording))
		return;
	text_add(&recording->text, "%s %u\n", message_word(RECORD_ENDED), table);
	keep_whole(recording, before);
}

void recording_set_aside(struct lobby *lobby, unsigned table, const char *duel, const char *why)
{
	struct recording *recording = &lobby->recording;
	size_t before = recording->text.length;

	shelf_set_aside(&lobby->shelf, table, duel, why);
	if (!is_there(recording))
		return;
	text_add(&recording->text, "%s %s.%s\n", message_word(RECORD_ASIDE), duel, why);
	keep_whole(recording, before);
}

void recording_flush(struct lobby *lobby)
{
	struct recording *recording = &lobby->recording;
	struct text *text = &recording->text;
	int64_t begun;
	ssize_t written;

	if (text->length == 0 || !is_there(recording))
		return;
	begun = trace_begin();
	written = write(recording->pipe.fd, text->data, text->length);
	if (written <= 0)
		return; /* it lags, or has died, which is heard elsewhere */
	trace_sent(&recording->link, WAY_RECORD, begun, text->data, (size_t)written);
	trace_end(begun, SLICE_TELL_RECORDER);
	text->length -= (size_t)written;
	memmove(text->data, text->data + written, text->length);
	if (recording->left_out && text->length == 0) {
		recording->left_out = false;
		text_add(text, "%s\n", message_word(RECORD_LOOK));
	}
}

/* Nobody is here any more who could be kept waiting. */
void recording_finish(struct lobby *lobby)
{
	struct recording *recording = &lobby->recording;
	int process, status, wait;

	if (!is_there(recording))
		return;
	recording_flush(lobby);
	close(recording->pipe.fd);
	wait = timers_wait(lobby->stop_by, clock_ms());
	process = (int)syscall(SYS_pidfd_open, recording->pid, 0);
	if (process >= 0) {
		poll(&(struct pollfd){.fd = process, .events = POLLIN}, 1,
		     wait < FINISH_MS ? wait : FINISH_MS);
		close(process);
	}
	/* what it has not done is done by the next server's */
	kill(recording->pid, SIGKILL);
	if (waitpid(recording->pid, &status, 0) > 0)
		timeline_reaped(recording->pid, status, NULL);
}
