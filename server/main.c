/*
 * main.c - the server from its command line to its exit.
 *
 *      holmgang-server        lobby.c    accepts, matches, hears all duels, reaps
 *      ├─ spawner             spawner.c  forks the duels in constant time; this program, started anew
 *      ├─ recorder            recorder.c puts the games that are over into a database
 *      ├─ duel 5d0e…          duel.c     one table: its rules, its clocks, its players' sockets
 *      └─ duel 91c2…
 *
 * As holmgang-server ps and the like it is another program, that asks one which runs: command.c.
 *
 * Read lobby.h next: it is the map of the parent.
 */
#include "server/lobby/lobby.h"

#include "proto/wire/log.h"
#include "server/control/ask.h"
#include "server/control/control.h"
#include "server/lobby/state.h"
#include "server/shared/title.h"
#include "server/trace/trace.h"
#include "server/shared/user.h"
#include "server/shared/warrant.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/rseq.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bsd/stdlib.h>

static char spawner_word[] = "spawner";

/* The socket from which duels are passed the sockets of players who come back. The kernel gives it
 * a name; nobody needs to know it but the spawner, which connects the duels' sockets to it. */
static void open_passing(struct lobby *lobby)
{
	struct heritage *heritage = &lobby->heritage;
	struct sockaddr_un any = {.sun_family = AF_UNIX};

	lobby->passing = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	heritage->passing_length = sizeof(heritage->passing);
	if (lobby->passing < 0 ||
	    bind(lobby->passing, (struct sockaddr *)&any, sizeof(sa_family_t)) != 0 ||
	    getsockname(lobby->passing, (struct sockaddr *)&heritage->passing,
			&heritage->passing_length) != 0)
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

/* The C library asks the kernel to note in its memory on which processor we run, each time that we begin
 * to run: for functions that we never call. A duel runs ten times, for some microseconds each, and would
 * write to a page more. Who is forked later has no such note either; a kernel that refuses goes on as
 * before. */
static void forget_processor(void)
{
	char *note = (char *)__builtin_thread_pointer() + __rseq_offset;

	if (__rseq_size > 0)
		syscall(SYS_rseq, note, sizeof(struct rseq), RSEQ_FLAG_UNREGISTER, RSEQ_SIG);
}

static void speak(const struct config *config, const char *tag)
{
	log_set_tag(tag);
	tzset(); /* a duel that logs may not read the zone's file */
	log_set_level(config->log_level);
	if (config->log_json)
		log_set_json();
	log_find_journal();
}

/* The server has started its own program once more: "spawner", then the server's command line. */
static void __attribute__((noreturn)) start_spawner(int argc, char *argv[])
{
	static struct config config;
	char *word = argv[1];

	prctl(PR_SET_NAME, getprogname()); /* not "exe", as which it was executed */
	argv[1] = argv[0];
	argv[0] = word; /* both are copies that libbsd has made */
	config_read(&config, argc - 1, argv + 1);
	speak(&config, "spawner");
	peer_limits = config.peer;
	spawner_run(&config);
}

/* What the spawner is started with. */
static char **words_for_spawner(int argc, char *argv[])
{
	char **words = calloc((size_t)argc + 2, sizeof(char *));

	if (words == NULL)
		err(1, "no memory");
	words[0] = argv[0];
	words[1] = spawner_word;
	memcpy(words + 2, argv + 1, (size_t)argc * sizeof(char *));
	return words;
}

int main(int argc, char *argv[], char *envp[])
{
	static struct config config;
	static struct lobby lobby;

	args_fill_standard();
	if (argc > 1 && ask_is_command(argv[1]))
		return ask_run(argc - 1, argv + 1);
	make_room_for_titles(argv, envp);
	forget_processor();
	title_open(argc, argv, envp);
	if (argc > 1 && strcmp(argv[1], spawner_word) == 0)
		start_spawner(argc, argv);
	config_read(&config, argc, argv);
	/* only here: a spawner has the same words, but not that descriptor */
	args_check_ready(config.ready_fd);
	activation_take(&config);
	activation_open(&lobby.activation);
	speak(&config, "holmgang-server");
	user_become(&config);
	lobby.config = &config;
	lobby.metrics.started_at = time(NULL);
	peer_limits = config.peer;
	lobby.heritage = (struct heritage){.config = &config};
	lobby.heritage.words = words_for_spawner(argc, argv);
	ports_open(&lobby);
	lobby.pid_file = state_lock(config.state);
	if (config.trace != NULL)
		trace_open(config.trace); /* not before the lock: it may be another's */
	shelf_open(&lobby.shelf, config.state, config.sync);
	if (!config.no_fork)
		warrant_open(config.state, config.sync);
	lobby.heritage.journals = lobby.shelf.journals;
	open_passing(&lobby);
	lobby_open(&lobby);
	control_open(&lobby);
	lobby_run(&lobby);
	control_close(&lobby);
	timeline_close(&lobby);
	state_unlock(config.state, lobby.pid_file);
	return 0;
}
