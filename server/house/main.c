/*
 * main.c - holmgang-house, from its command line on. See house.h.
 */
#include "server/house/house.h"
#include "server/shared/helper.h"
#include "server/trace/trace.h"

#include "proto/wire/log.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bsd/unistd.h>

enum { NICE = 5 /* the tables come first, also when a bot thinks */ };

/* The players' program lies beside this one, or, where they are installed, in ../../bin. */
static int find_player(void)
{
	static const char name[] = "holmgang-player";
	char folder[PATH_MAX];
	int player;

	helper_own_folder(folder);
	player = helper_open_program(folder, "", name);
	if (player < 0)
		player = helper_open_program(folder, "../../bin/", name);
	if (player < 0)
		log_error("no-bots reason=\"%s is missing\" folder=%s so=\"bot= is answered busy\"",
			  name, folder);
	return player;
}

int main(int argc, char *argv[], char *envp[])
{
	static struct config config;
	static struct house house;

	helper_begin(&config, "house", argc, argv, envp);
	helper_die_with(getppid()); /* should it have ended before, the pipe is at its end */
	trace_start_process();
	trace_name_process("house");
	trace_flush();
	/* beside the bots that play there are some that are about to end */
	house = (struct house){.config = &config,
			       .words = HELPER_LINE,
			       .player = find_player(),
			       .nothing = open("/dev/null", O_RDWR | O_CLOEXEC),
			       .room = 2 * (size_t)config.limits.bots};
	house.bot = calloc(house.room, sizeof(*house.bot));
	if (house.nothing < 0 || house.bot == NULL) {
		log_error("no-bots reason=\"no memory, or no /dev/null\"");
		return 1;
	}
	setpriority(PRIO_PROCESS, 0, NICE);
	house_run(&house);
}
