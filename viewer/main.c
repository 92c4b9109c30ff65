/*
 * main.c - the command line of holmgang-viewer: hear ports, show the duels.
 *
 * On a terminal it draws, otherwise it prints. The work is done by watch.c.
 */
#include "terminal.h"
#include "watch.h"

#include <arpa/inet.h>
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const char usage[] =
    "usage: holmgang-viewer [options] PORT ...\n"
    "\n"
    "Shows the duels that are broadcast on these UDP ports (9001, or a range: 9001-9016),\n"
    "on the whole terminal, or as text where there is no terminal.\n"
    "\n"
    "  --ascii        draw with ASCII only\n"
    "  --seconds N    stop after N seconds\n"
    "  --source A     believe only frames that come from this IPv4 address (repeatable)\n"
    "  --ready-fd N   write \"ready\" to descriptor N when all ports are heard\n"
    "  --help         this\n"
    "  --version\n"
    "\n"
    "On the terminal: Tab and the arrows turn pages, q quits.\n";

struct arguments {
	struct ports ports;
	struct watch_sources sources;
	int seconds, ready_fd;
	bool ascii;
};

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

static void read_options(struct arguments *arguments, int argc, char *argv[])
{
	static const struct option options[] = {
	    {"ascii", no_argument, NULL, 'a'},
	    {"seconds", required_argument, NULL, 's'},
	    {"source", required_argument, NULL, 'f'},
	    {"ready-fd", required_argument, NULL, 'r'},
	    {"help", no_argument, NULL, 'h'},
	    {"version", no_argument, NULL, 'v'},
	    {0},
	};

	opterr = 0;
	for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
		switch (option) {
		case 'a':
			arguments->ascii = true;
			break;
		case 's':
			arguments->seconds = (int)args_number("--seconds", optarg, 1, 1000000);
			break;
		case 'f':
			add_source(&arguments->sources, optarg);
			break;
		case 'r':
			arguments->ready_fd = (int)args_number("--ready-fd", optarg, 0, 1023);
			break;
		case 'h':
			print_and_exit(usage);
			break;
		case 'v':
			print_and_exit("holmgang-viewer " HOLMGANG_VERSION "\n");
			break;
		case ':':
			args_refuse("%s needs a value", argv[optind - 1]);
		default:
			args_refuse("unknown option %s", argv[optind - 1]);
		}
	}
}

static void read_arguments(struct arguments *arguments, int argc, char *argv[])
{
	*arguments = (struct arguments){.ready_fd = -1};
	read_options(arguments, argc, argv);
	for (int i = optind; i < argc; i++)
		if (!args_add_ports(&arguments->ports, argv[i]))
			args_refuse("\"%s\" is no port and no range of at most %d ports", argv[i],
				    ARGS_PORTS_MAX);
	if (arguments->ports.count == 0)
		args_refuse("say which port to watch");
}

/* The signals that end the program, as a descriptor that can be waited for with the others. One
 * that is ignored (nohup, a background job of a script) stays so. */
static int catch_signals(void)
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

/* Each port takes a descriptor. */
static void raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

static enum watch_end run(struct watch *watch, const struct watch_options *options)
{
	enum watch_end end;

	if (terminal_is_there() && terminal_open(false)) {
		end = watch_on_terminal(watch, options);
		terminal_close();
		return end;
	}
	end = watch_as_text(watch, options, stdout, strcmp(nl_langinfo(CODESET), "UTF-8") == 0);
	if (watch_dropped(watch) > 0)
		fprintf(stderr, "dropped %lu malformed frames\n", watch_dropped(watch));
	return end;
}

int main(int argc, char *argv[])
{
	struct arguments arguments;
	struct watch_options options;
	struct watch *watch;
	enum watch_end end;
	char why[WATCH_WHY_MAX];

	read_arguments(&arguments, argc, argv);
	if (!arguments.ascii)
		setlocale(LC_CTYPE, "");
	raise_descriptors();
	options = (struct watch_options){.seconds = arguments.seconds, .stop_fd = catch_signals()};
	watch = watch_open(&arguments.ports, why);
	if (watch == NULL) {
		fprintf(stderr, "holmgang-viewer: %s\n", why);
		return 1;
	}
	watch_only(watch, &arguments.sources);
	args_tell_ready(arguments.ready_fd);
	end = run(watch, &options);
	watch_close(watch);
	return end == WATCH_FAILED ? 1 : 0;
}
