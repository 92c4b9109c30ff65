/*
 * main.c - the server from its command line to its exit.
 *
 *      holmgang-server                     lobby/      accepts, matches, hears all duels, reaps
 *      ├─ holmgang-duels: spawner          duel/       forks the duels in constant time
 *      ├─ holmgang-recorder                recorder/   puts the games that are over into a database
 *      ├─ holmgang-house                   house/      starts a computer for each seat that is asked for with bot=
 *      ├─ holmgang-duels: duel 5d0e…       duel/       one table: its rules, its clocks, its players' sockets
 *      └─ holmgang-duels: duel 91c2…
 *
 * As holmgang-server ps and the like it is another program, that asks one which runs: control/ask.c.
 *
 * Read README.md in this folder next, then lobby/lobby.h: it is the map of the server.
 *
 * Owns: the order in which things are made at the start.
 * Never: hears or tells anybody anything; what goes on is the lobby's.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"
#include "server/control/ask.h"
#include "server/control/control.h"
#include "server/lobby/state.h"
#include "server/shared/helper.h"
#include "server/lobby/user.h"
#include "server/shared/warrant.h"
#include "server/trace/trace.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <bsd/unistd.h>

/* The socket from which duels are passed the sockets of players who come back. The kernel gives it
 * a name; nobody needs to know it but the spawner, which connects the duels' sockets to it. */
static void open_handoff(struct lobby *lobby)
{
	struct spawn_told *told = &lobby->told;
	struct sockaddr_un any = {.sun_family = AF_UNIX};

	lobby->handoff = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	told->handoff_length = sizeof(told->handoff);
	if (lobby->handoff < 0 ||
	    bind(lobby->handoff, (struct sockaddr *)&any, sizeof(sa_family_t)) != 0 ||
	    getsockname(lobby->handoff, (struct sockaddr *)&told->handoff, &told->handoff_length) !=
		0)
		err(1, "cannot make a socket to pass descriptors");
}

/* A title is written over the command line and the environment, so it can be no longer than these.
 * Started with an empty environment we start again with a larger one. */
static void make_room_for_titles(char *argv[], char *const envp[])
{
	enum { ROOM = 256 };
	char padding[ROOM + 1];
	size_t room = 0;

	for (int i = 0; argv[i] != NULL; i++)
		room += strlen(argv[i]) + 1;
	for (int i = 0; envp[i] != NULL; i++)
		room += strlen(envp[i]) + 1;
	if (room >= ROOM)
		return;
	memset(padding, '.', ROOM);
	padding[ROOM] = '\0';
	if (setenv("HOLMGANG_ROOM_FOR_TITLES", padding, 1) == 0)
		execv("/proc/self/exe", argv);
	/* short titles are no reason not to play */
}

int main(int argc, char *argv[], char *envp[])
{
	static struct config config;
	static struct lobby lobby;

	args_fill_standard();
	if (argc > 1 && ask_is_command(argv[1]))
		return ask_run(argc - 1, argv + 1);
	make_room_for_titles(argv, envp);
	setproctitle_init(argc, argv, envp);
	config_read(&config, argc, argv);
	args_check_ready(config.ready_fd);
	helpers_find(argv, config.house);
	activation_take(&config);
	activation_open(&lobby.activation);
	helper_speak(&config, "holmgang-server");
	user_become(&config);
	lobby.config = &config;
	lobby.metrics.started_at = time(NULL);
	peer_limits = config.peer;
	ports_open(&lobby);
	lobby.pid_file = state_lock(config.state);
	if (config.trace != NULL)
		trace_open(config.trace); /* not before the lock: it may be another's */
	folder_open(&lobby.folder, config.state, config.sync);
	warrant_open(config.state, config.sync);
	open_handoff(&lobby);
	lobby_open(&lobby);
	control_open(&lobby);
	lobby_run(&lobby);
	control_close(&lobby);
	timeline_close(&lobby);
	state_unlock(config.state, lobby.pid_file);
	return 0;
}
