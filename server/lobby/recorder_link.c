/*
 * recorder_link.c - what the recorder is told: which games have ended. How it is started, heard to have died and ended
 * is helper_line.c's.
 *
 * Owns: the memory that the recorders share with the server.
 * Never: does anything with a file, but for a chapter that is set aside: that folder.c copies, which may take as long
 * as the disk does.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"
#include "server/recorder/memory.h"

#include <errno.h>
#include <string.h>

static void give(struct lobby *lobby, int gift[HELPER_GIFTS])
{
	gift[HELPER_JOURNALS - HELPER_FIRST] = lobby->folder.journals;
	gift[HELPER_ASIDE - HELPER_FIRST] = lobby->folder.aside;
	gift[HELPER_MEMORY - HELPER_FIRST] = lobby->recorder.memory_fd;
}

static void begin(struct lobby *lobby)
{
	struct helper_line *line = &lobby->recorder.line;

	helper_line_say(line, "%s %u\n", message_word(RECORDER_BEGIN), line->trace.life);
}

static const struct helper_line_kind recorder_kind = {
    .helper = HELPER_RECORDER,
    .name = "recorder",
    .if_died = "the next one goes on",
    .if_not_started = "finished games stay in journals/, it is tried again",
    .way = WAY_RECORDER,
    .tells = SLICE_TELL_RECORDER,
    .give = give,
    .begin = begin,
};

/* Its memory lives as long as the server. */
void recorder_link_open(struct lobby *lobby)
{
	struct recorder_link *recorder = &lobby->recorder;

	helper_line_open(&recorder->line, &recorder_kind);
	recorder->memory_fd = recorder_memory_make(&recorder->memory);
	if (recorder->memory_fd < 0)
		log_warn("recorder-forgets reason=\"%s\" so=\"journals only grow, and a record "
			 "that kills "
			 "one recorder kills the next\"",
			 strerror(errno));
}

/* What did not fit is forgotten; one that is not there will look by itself. */
static void note_said(struct recorder_link *recorder, bool said)
{
	if (!said && helper_line_is_there(&recorder->line))
		recorder->left_out = true;
}

void recorder_link_tell(struct lobby *lobby, unsigned table)
{
	struct recorder_link *recorder = &lobby->recorder;

	note_said(recorder,
		  helper_line_say(&recorder->line, "%s %u\n", message_word(RECORDER_ENDED), table));
}

void recorder_link_set_aside(struct lobby *lobby, unsigned table, const char *duel, const char *why)
{
	struct recorder_link *recorder = &lobby->recorder;

	folder_set_chapter_aside(&lobby->folder, table, duel, why);
	note_said(recorder, helper_line_say(&recorder->line, "%s %s.%s\n",
					    message_word(RECORDER_ASIDE), duel, why));
}

void recorder_link_flush(struct lobby *lobby)
{
	struct recorder_link *recorder = &lobby->recorder;

	if (!helper_line_flush(&recorder->line) || !recorder->left_out)
		return;
	recorder->left_out = false;
	helper_line_say(&recorder->line, "%s\n", message_word(RECORDER_LOOK));
}
