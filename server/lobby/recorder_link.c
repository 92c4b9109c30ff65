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
#include "server/shared/descriptors.h"
#include "server/recorder/recorder.h"
#include "server/shared/title.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	AGAIN_MS = 1000,  /* between a recorder's death and the next one's birth */
	FINISH_MS = 1000, /* for the last games, when the server stops */
	NICE = 10,	  /* games that are being played come first */
};

static bool is_there(const struct recorder_link *recorder)
{
	return recorder->pipe.fd >= 0;
}

static void __attribute__((noreturn))
be_recorder(struct recorder_link *recorder, const struct config *config, const struct shelf *shelf,
	    int words, pid_t server)
{
	int keep[] = {words, shelf->journals, shelf->aside, trace_descriptor()};

	spawner_reset_signals();
	spawner_die_with(server);
	descriptors_close_others(keep, sizeof(keep) / sizeof(keep[0]));
	title_set("recorder");
	log_set_tag("recorder");
	trace_start_process();
	trace_name_process("recorder");
	trace_flush();
	setpriority(PRIO_PROCESS, 0, NICE);
	recorder_run(config, shelf, recorder->memory, words, &recorder->link);
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

/* The spawner has to have it too. */
void recorder_link_open(struct lobby *lobby)
{
	struct recorder_link *recorder = &lobby->recorder;
	void *memory;

	recorder->text = TEXT_IN(recorder->data);
	recorder->pipe.fd = -1;
	if (lobby->config->no_fork)
		return;
	memory = mmap(NULL, sizeof(struct recorder_memory), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		err(1, "no memory for a recorder");
	recorder->memory = lobby->heritage.kept = memory;
}

void recorder_link_start(struct lobby *lobby)
{
	struct recorder_link *recorder = &lobby->recorder;
	int pipe[2] = {-1, -1};
	pid_t server = getpid();
	int64_t begun;

	recorder->timer.fire = on_again;
	recorder->pipe = (struct source){.fd = -1, .ready = on_death};
	if (lobby->config->no_fork || stop_has_begun(lobby))
		return;
	recorder->link = (struct trace_link){.life = recorder->link.life + 1};
	begun = trace_begin();
	recorder->pid = pipe2(pipe, O_CLOEXEC) == 0 ? fork() : -1;
	if (recorder->pid == 0)
		be_recorder(recorder, lobby->config, &lobby->shelf, pipe[0], server);
	if (pipe[0] >= 0)
		close(pipe[0]);
	if (recorder->pid < 0) {
		if (errno != recorder->said)
			log_warn("recorder-not-started reason=\"%s\" so=\"finished games stay in "
				 "journals/, it is tried again\"",
				 strerror(errno));
		recorder->said = errno;
		if (pipe[1] >= 0)
			close(pipe[1]);
		timers_set(&lobby->timers, &recorder->timer, lobby->now + AGAIN_MS);
		return;
	}
	trace_end_with(begun, SLICE_FORK_HELPER, recorder->pid, 0);
	recorder->said = 0;
	fcntl(pipe[1], F_SETFL, O_NONBLOCK);
	recorder->pipe.fd = pipe[1];
	lobby_watch(lobby, &recorder->pipe, EPOLLERR);
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
	text_add(&recorder->text, "ended %u\n", table);
	keep_whole(recorder, before);
}

void recorder_link_set_aside(struct lobby *lobby, unsigned table, const char *duel, const char *why)
{
	struct recorder_link *recorder = &lobby->recorder;
	size_t before = recorder->text.length;

	shelf_set_aside(&lobby->shelf, table, duel, why);
	if (!is_there(recorder))
		return;
	text_add(&recorder->text, "aside %s.%s\n", duel, why);
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
	trace_sent(&recorder->link, WAY_RECORD, begun, text->data, (size_t)written);
	trace_end(begun, SLICE_TELL_RECORDER);
	text->length -= (size_t)written;
	memmove(text->data, text->data + written, text->length);
	if (recorder->left_out && text->length == 0) {
		recorder->left_out = false;
		text_add(text, "look\n");
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
