/*
 * main.c - the command line of holmgang-viewer: hear ports, show the duels; or show games that have
 * been kept.
 *
 * On a terminal it draws, otherwise it prints; or it writes a file, or serves a page. The work is
 * done by the watch_ files, with kept games by command.c.
 */
#include "viewer/games/command.h"
#include "viewer/terminal/terminal.h"
#include "viewer/web/watch.h"

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
    "       holmgang-viewer [options] --from HOST:PORT [PORT ...]\n"
    "       holmgang-viewer --games | --replay ID | --export ID | --import FILE | --ratings GAME\n"
    "\n"
    "Shows the duels that are broadcast on these UDP ports (9001, or a range: 9001-9016),\n"
    "on the whole terminal, or as text where there is no terminal.\n"
    "\n"
    "  --web PORT     serve them as a page for browsers on this TCP port (0: any that is free)\n"
    "  --web-address A  for browsers on other machines too: the address to serve at (127.0.0.1)\n"
    "  --svg FILE     write the board of the next frame to this file as SVG, and end;\n"
    "                 with --replay ID all positions: FILE-000.svg, FILE-001.svg, ...\n"
    "  --from H:P     hear what another viewer hears, one with --web at this host and port;\n"
    "                 without PORT: all that it hears\n"
    "  --ascii        draw with ASCII only\n"
    "  --seconds N    stop after N seconds\n"
    "  --source A     believe only frames that come from this IPv4 address (repeatable)\n"
    "  --ready-fd N   write \"ready\" to descriptor N when all ports are heard\n"
    "\n"
    "Games that a server has kept:\n"
    "  --games        list them, the newest first\n"
    "  --replay ID    play one again (an id may be cut short)\n"
    "  --export ID    print one as text\n"
    "  --import FILE  judge such a text by the rules and keep its game\n"
    "  --ratings GAME how strong the players are, by Glicko-2\n"
    "  --state DIR    the server's folder (HOLMGANG_STATE, else run); for --web too\n"
    "  --json, --csv  lists for programs\n"
    "Which ones --games lists:\n"
    "  --game GAME    of this game\n"
    "  --player NAME  in which this name played\n"
    "  --result WORD  won, drawn, unfinished; or how they ended: normal, resigned,\n"
    "                 \"time forfeit\", \"illegal move\", left, claimed, aborted\n"
    "  --since T      that began at or after T (UTC), 2026-11-18 or 2026-11-18T15:04\n"
    "  --until T      that began before T\n"
    "  --limit N      so many at most (50; 0: all)\n"
    "\n"
    "  --help         this\n"
    "  --version\n"
    "\n"
    "On the terminal: Tab and the arrows turn pages, q quits. In a replay: space plays and\n"
    "pauses, the arrows go step by step, Home and End to its ends, + and - change the speed.\n";

struct arguments {
	struct ports ports;
	struct watch_sources sources;
	int seconds, ready_fd;
	bool ascii;
	struct games_options games;
	const char *svg;  /* a file, or NULL */
	const char *from; /* another viewer, or NULL */
	int web;	  /* a TCP port, or -1 */
	const char *web_address;
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

/* Options that say what is shown, and where it comes from. False: it is none of them. */
static bool read_way(struct arguments *arguments, int option)
{
	switch (option) {
	case 'S':
		arguments->svg = optarg;
		return true;
	case 'F':
		arguments->from = optarg;
		return true;
	case 'W':
		arguments->web = (int)args_number("--web", optarg, 0, UINT16_MAX);
		return true;
	case 'A':
		arguments->web_address = optarg;
		return true;
	default:
		return false;
	}
}

static void read_options(struct arguments *arguments, int argc, char *argv[])
{
	static const struct option options[] = {
	    {"svg", required_argument, NULL, 'S'},
	    {"from", required_argument, NULL, 'F'},
	    {"web", required_argument, NULL, 'W'},
	    {"web-address", required_argument, NULL, 'A'},
	    {"ascii", no_argument, NULL, 'a'},
	    {"seconds", required_argument, NULL, 's'},
	    {"source", required_argument, NULL, 'f'},
	    {"ready-fd", required_argument, NULL, 'r'},
	    {"help", no_argument, NULL, 'h'},
	    {"version", no_argument, NULL, 'v'},
	    {"games", no_argument, NULL, OPT_GAMES},
	    {"replay", required_argument, NULL, OPT_REPLAY},
	    {"export", required_argument, NULL, OPT_EXPORT},
	    {"import", required_argument, NULL, OPT_IMPORT},
	    {"ratings", required_argument, NULL, OPT_RATINGS},
	    {"state", required_argument, NULL, OPT_STATE},
	    {"json", no_argument, NULL, OPT_JSON},
	    {"csv", no_argument, NULL, OPT_CSV},
	    {"game", required_argument, NULL, OPT_GAME},
	    {"player", required_argument, NULL, OPT_PLAYER},
	    {"result", required_argument, NULL, OPT_RESULT},
	    {"since", required_argument, NULL, OPT_SINCE},
	    {"until", required_argument, NULL, OPT_UNTIL},
	    {"limit", required_argument, NULL, OPT_LIMIT},
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
			args_check_ready(arguments->ready_fd);
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
			if (!read_way(arguments, option) &&
			    !games_options_read(&arguments->games, option, optarg))
				args_refuse("unknown option %s", argv[optind - 1]);
		}
	}
}

/* Options that make no sense beside each other. */
static void check_ways(const struct arguments *arguments)
{
	if (arguments->svg != NULL && arguments->web >= 0)
		args_refuse("--svg and --web are two ways to show a duel; say one");
	if (arguments->web_address != NULL && arguments->web < 0)
		args_refuse("--web-address is for --web PORT");
	if (arguments->from != NULL && arguments->sources.count > 0)
		args_refuse("--source is for frames from the network; with --from all come from "
			    "the other viewer");
	if (arguments->ports.count == 0 && arguments->from == NULL)
		args_refuse("say which port to watch");
}

/* Of the ways to show a duel, a kept game knows one. */
static void check_kept(struct arguments *arguments)
{
	if (arguments->web >= 0 || arguments->web_address != NULL || arguments->from != NULL)
		args_refuse("--web and --from show duels as they are played; the page of --web "
			    "has the kept games too");
	if (arguments->svg != NULL && arguments->games.task != GAMES_REPLAY)
		args_refuse("--svg draws a duel, or a kept game with --replay ID");
	arguments->games.svg = arguments->svg;
}

static void read_arguments(struct arguments *arguments, int argc, char *argv[])
{
	*arguments = (struct arguments){.ready_fd = -1, .web = -1};
	games_options_init(&arguments->games);
	read_options(arguments, argc, argv);
	games_options_check(&arguments->games);
	if (arguments->games.task != GAMES_NOTHING) {
		check_kept(arguments);
		if (optind < argc)
			args_refuse("kept games need no port: \"%s\" is one too many",
				    argv[optind]);
		return;
	}
	for (int i = optind; i < argc; i++)
		if (!args_add_ports(&arguments->ports, argv[i]))
			args_refuse("\"%s\" is no port and no range of at most %d ports", argv[i],
				    ARGS_PORTS_MAX);
	check_ways(arguments);
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

static int fail(const char *why)
{
	fprintf(stderr, "holmgang-viewer: %s\n", why);
	return 1;
}

/* "port 9001", "9001 to 9016", in words for who waits for them. */
static const char *name_ports(const struct arguments *arguments, char text[WATCH_WHY_MAX])
{
	const struct ports *ports = &arguments->ports;
	int last = ports->count == 0 ? 0 : ports->port[ports->count - 1];

	if (ports->count == 0)
		snprintf(text, WATCH_WHY_MAX, "any port of %.80s", arguments->from);
	else if (ports->count == 1)
		snprintf(text, WATCH_WHY_MAX, "port %d", ports->port[0]);
	else
		snprintf(text, WATCH_WHY_MAX, "ports %d to %d", ports->port[0], last);
	return text;
}

static int write_svg(struct watch *watch, const struct arguments *arguments,
		     const struct watch_options *options)
{
	char ports[WATCH_WHY_MAX], why[WATCH_WHY_MAX], late[2 * WATCH_WHY_MAX];

	name_ports(arguments, ports);
	fprintf(stderr, "holmgang-viewer: waiting for a frame on %s%s\n", ports,
		arguments->seconds == 0 ? "; Ctrl-C ends it" : "");
	args_tell_ready(arguments->ready_fd);
	switch (watch_as_svg(watch, options, arguments->svg, why)) {
	case WATCH_QUIT:
		return 0;
	case WATCH_TIMED:
		snprintf(late, sizeof(late),
			 "nothing was heard on %s in %d s; is a duel being played there?", ports,
			 arguments->seconds);
		return fail(late);
	case WATCH_FAILED:
		return fail(why);
	default:
		return fail("ended before a frame was heard; nothing is written");
	}
}

static int serve_web(struct watch *watch, const struct arguments *arguments,
		     const struct watch_options *options)
{
	const char *address = arguments->web_address;
	char why[WATCH_WHY_MAX], url[WEB_URL_MAX];
	struct web *web = web_open(address == NULL ? "127.0.0.1" : address,
				   (uint16_t)arguments->web, arguments->games.state, why);

	if (web == NULL)
		return fail(why);
	web_url(web, url);
	printf("%s\n", url);
	fflush(stdout);
	args_tell_ready(arguments->ready_fd);
	watch_as_web(watch, options, web);
	web_close(web);
	return 0;
}

static int show(struct watch *watch, const struct arguments *arguments,
		const struct watch_options *options)
{
	enum watch_end end;

	args_tell_ready(arguments->ready_fd);
	if (terminal_is_there() && terminal_open(false)) {
		end = watch_on_terminal(watch, options);
		terminal_close();
		return end == WATCH_FAILED ? 1 : 0;
	}
	end = watch_as_text(watch, options, stdout, strcmp(nl_langinfo(CODESET), "UTF-8") == 0);
	if (watch_dropped(watch) > 0)
		fprintf(stderr, "dropped %lu malformed frames\n", watch_dropped(watch));
	return end == WATCH_FAILED ? 1 : 0;
}

int main(int argc, char *argv[])
{
	struct arguments arguments;
	struct watch_options options;
	struct watch *watch;
	char why[WATCH_WHY_MAX];
	int status;

	args_fill_standard();
	read_arguments(&arguments, argc, argv);
	if (!arguments.ascii)
		setlocale(LC_CTYPE, "");
	if (arguments.games.task != GAMES_NOTHING) {
		arguments.games.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
		if (arguments.games.task == GAMES_REPLAY)
			arguments.games.stop_fd = catch_signals();
		return games_main(&arguments.games);
	}
	raise_descriptors();
	options = (struct watch_options){.seconds = arguments.seconds, .stop_fd = catch_signals()};
	watch = arguments.from == NULL ? watch_open(&arguments.ports, why)
				       : watch_open_from(arguments.from, &arguments.ports, why);
	if (watch == NULL)
		return fail(why);
	watch_only(watch, &arguments.sources);
	if (arguments.svg != NULL)
		status = write_svg(watch, &arguments, &options);
	else if (arguments.web >= 0)
		status = serve_web(watch, &arguments, &options);
	else
		status = show(watch, &arguments, &options);
	watch_close(watch);
	return status;
}
