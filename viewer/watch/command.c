/*
 * command.c - the part of a command line that says what is heard. See command.h.
 *
 * What is wrong with a command line is said in one line, and exits with 2, before anything is opened.
 */
#include "viewer/watch/command.h"

#include "viewer/watch/link.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/signalfd.h>

#include <bsd/stdlib.h>

static void print_and_exit(const char *text)
{
	fputs(text, stdout);
	exit(fflush(stdout) == 0 ? 0 : 1);
}

static void add_source(struct watch_sources *sources, const char *text)
{
	if (sources->count == WATCH_SOURCES_MAX)
		args_refuse("--source can be said %d times at most", WATCH_SOURCES_MAX);
	if (inet_pton(AF_INET, text, &sources->address[sources->count++]) != 1)
		args_refuse("--source needs an IPv4 address like 192.168.1.9, not \"%s\"", text);
}

/* False: it is none of WATCH_OPTIONS. */
static bool read_option(struct watch_command *command, int option, const char *usage)
{
	switch (option) {
	case WATCH_FROM:
		command->from = optarg;
		return true;
	case WATCH_SOURCE:
		add_source(&command->sources, optarg);
		return true;
	case WATCH_SECONDS:
		command->options.seconds = (int)args_number("--seconds", optarg, 1, 1000000);
		return true;
	case WATCH_READY:
		command->ready_fd = (int)args_number("--ready-fd", optarg, 0, 1023);
		args_check_ready(command->ready_fd);
		return true;
	case WATCH_HELP:
		print_and_exit(usage);
		return true;
	case WATCH_VERSION:
		printf("%s ", getprogname());
		print_and_exit(HOLMGANG_VERSION "\n");
		return true;
	default:
		return false;
	}
}

void watch_command_read(struct watch_command *command, int argc, char *argv[],
			const struct watch_program *program)
{
	*command = (struct watch_command){.ready_fd = -1};
	for (int option; (option = args_option(argc, argv, ":", program->options)) != -1;)
		if (!read_option(command, option, program->usage))
			program->read(program->to, option);
}

void watch_command_ports(struct watch_command *command, char *const *words, int count)
{
	for (int i = 0; i < count; i++)
		if (!args_add_ports(&command->ports, words[i]))
			args_refuse("\"%s\" is no port and no range of at most %d ports", words[i],
				    ARGS_PORTS_MAX);
	if (command->from != NULL && command->sources.count > 0)
		args_refuse("--source is for frames from the network; with --from all come from "
			    "holmgang-web");
}

/* Each port takes a descriptor. */
static void raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

static struct watch *open_server(const struct watch_command *command, char why[WATCH_WHY_MAX])
{
	char host[LINK_HOST_MAX];
	uint16_t port;

	if (link_read_where(command->server, host, &port))
		return watch_open_server(host, port, command->whom, why);
	snprintf(why, WATCH_WHY_MAX, "--server needs HOST:PORT of a holmgang-server, not \"%.60s\"",
		 command->server);
	return NULL;
}

struct watch *watch_command_open(struct watch_command *command, char why[WATCH_WHY_MAX])
{
	struct watch *watch;

	raise_descriptors();
	command->options.stop_fd = watch_catch_signals();
	if (command->server != NULL)
		watch = open_server(command, why);
	else if (command->from != NULL)
		watch = watch_open_from(command->from, &command->ports, why);
	else
		watch = watch_open(&command->ports, why);
	if (watch != NULL)
		watch_only(watch, &command->sources);
	return watch;
}

int watch_catch_signals(void)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	sigset_t ends;

	sigemptyset(&ends);
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
		struct sigaction before;

		if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaddset(&ends, ending[i]);
	}
	sigprocmask(SIG_BLOCK, &ends, NULL);
	return signalfd(-1, &ends, SFD_CLOEXEC);
}
