/*
 * main.c - holmgang-recorder, from its command line on. See recorder.h.
 */
#include "server/recorder/cage.h"
#include "server/recorder/recorder.h"
#include "server/shared/helper.h"
#include "server/shared/warrant.h"
#include "server/trace/trace.h"

#include <sys/resource.h>
#include <unistd.h>

#include <bsd/unistd.h>

enum { NICE = 10 /* games that are being played come first */ };

int main(int argc, char *argv[], char *envp[])
{
	static struct config config;
	static struct recorder_memory own;
	struct recorder_memory *memory;
	struct folder folder;

	helper_begin(&config, "recorder", argc, argv, envp);
	helper_die_with(getppid()); /* should it have ended before, the pipe is at its end */
	folder = (struct folder){
	    .journals = HELPER_JOURNALS, .aside = HELPER_ASIDE, .sync = config.sync};
	memory = recorder_memory_map(HELPER_MEMORY);
	if (memory == NULL)
		memory = &own; /* the server has none for us, and has said so */
	close(HELPER_MEMORY);
	warrant_open(config.state, config.sync);
	setproctitle("recorder of %s/games.db", config.state);
	trace_start_process();
	trace_name_process("recorder");
	trace_flush();
	setpriority(PRIO_PROCESS, 0, NICE);
	cage_enter_recorder(&config);
	recorder_run(&config, &folder, memory, HELPER_LINE);
}
