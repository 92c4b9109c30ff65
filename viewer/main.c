/*
 * main.c - the command line of holmgang-viewer: hear ports, show the duels; or show games that have
 * been kept.
 *
 * On a terminal it draws, otherwise it prints; or it writes a drawing to a file. The work is done in
 * watch/, with kept games in games/command.c.
 */
#include "viewer/games/command.h"
#include "viewer/terminal/terminal.h"
#include "viewer/watch/command.h"

#include <err.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <bsd/stdlib.h>

/* clang-format off */
static const char usage[] =
    "usage: holmgang-viewer [options] PORT ...\n"
    "       holmgang-viewer [options] --server HOST:PORT [--player NAME]\n"
    "       holmgang-viewer [options] --from HOST:PORT [PORT ...]\n"
    "       holmgang-viewer --games | --replay ID | --export ID | --import FILE | --ratings GAME\n"
    "\n"
    "Shows the duels that are broadcast on these UDP ports (9001, or a range: 9001-9016),\n"
    "on the whole terminal, or as text where there is no terminal. In browsers holmgang-web\n"
    "shows them.\n"
    "\n"
    "  --server H:P   show what the holmgang-server at this host and port plays, whatever\n"
    "                 the ports: tables come and go as it tells of them; with --player NAME\n"
    "                 that player's alone, from one to the next\n"
    "  --svg FILE     write the board of the next frame to this file as SVG, and end;\n"
    "                 with --replay ID all positions: FILE-000.svg, FILE-001.svg, ...\n"
    "  --ascii        draw with ASCII only\n"
    WATCH_USAGE
    "\n"
    "Games that a server has kept:\n"
    "  --games        list them, the newest first\n"
    "  --replay ID    play one again (an id may be cut short)\n"
    "  --export ID    print one as text\n"
    "  --import FILE  judge such a text by the rules and keep its game\n"
    "  --ratings GAME how strong the players are, by Glicko-2\n"
    "  --state DIR    the server's folder (HOLMGANG_STATE, else run)\n"
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
/* clang-format on */

struct arguments {
	struct watch_command watch;
	struct games_options games;
	bool ascii;
	const char *player; /* of --games or --server, or NULL */
	const char *svg;    /* a file, or NULL */
	const char *web;    /* the port of a page, which another program serves; or NULL */
};

enum { OPT_ASCII = 'a', OPT_SVG = 's', OPT_SERVER = 'S', OPT_WEB = 'w', OPT_WEB_ADDRESS = 'A' };

/* One that is not WATCH_OPTIONS. */
static bool read_option(void *to, int option)
{
	struct arguments *arguments = to;

	switch (option) {
	case OPT_ASCII:
		arguments->ascii = true;
		return true;
	case OPT_SVG:
		arguments->svg = optarg;
		return true;
	case OPT_SERVER:
		arguments->watch.server = optarg;
		return true;
	case OPT_PLAYER:
		arguments->player = optarg;
		return true;
	case OPT_WEB:
		arguments->web = optarg;
		return true;
	case OPT_WEB_ADDRESS:
		if (arguments->web == NULL)
			arguments->web = "8080";
		return true;
	default:
		return games_options_read(&arguments->games, option, optarg);
	}
}

static void read_options(struct arguments *arguments, int argc, char *argv[])
{
	static const struct option options[] = {
	    {"server", required_argument, NULL, OPT_SERVER},
	    {"svg", required_argument, NULL, OPT_SVG},
	    {"web", required_argument, NULL, OPT_WEB},
	    {"web-address", required_argument, NULL, OPT_WEB_ADDRESS},
	    {"ascii", no_argument, NULL, OPT_ASCII},
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
	    WATCH_OPTIONS,
	};

	watch_command_read(&arguments->watch, argc, argv,
			   &(struct watch_program){usage, options, read_option, arguments});
}

/* Say what to type instead: the port of the page comes first, and the other words stay. */
static void refuse_web(const char *port, int argc, char *argv[])
{
	static const char web[] = "--web", address[] = "--web-address";

	fprintf(stderr, "%s: the page is a program of its own: holmgang-web %s", getprogname(),
		port);
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], web) == 0)
			i++;
		else if (strncmp(argv[i], address, strlen(address)) == 0)
			fprintf(stderr, " --listen%s", argv[i] + strlen(address));
		else if (strncmp(argv[i], web, strlen(web)) != 0)
			fprintf(stderr, " %s", argv[i]);
	}
	fputc('\n', stderr);
	exit(2);
}

/* Of the ways to show a duel, a kept game knows one. */
static void check_kept(struct arguments *arguments)
{
	if (arguments->watch.from != NULL)
		args_refuse("--from shows duels as they are played; kept games are in the state "
			    "folder");
	if (arguments->watch.server != NULL)
		args_refuse("--server shows what is played just now; kept games are in the state "
			    "folder");
	if (arguments->svg != NULL && arguments->games.task != GAMES_REPLAY)
		args_refuse("--svg draws a duel, or a kept game with --replay ID");
	arguments->games.svg = arguments->svg;
}

/* Two lists have players: those of kept games, and what a server plays. */
static void set_player(struct arguments *arguments)
{
	if (arguments->player == NULL)
		return;
	if (arguments->watch.server == NULL && arguments->games.task == GAMES_NOTHING)
		args_refuse("--player is for --server and --games");
	else if (arguments->games.task != GAMES_NOTHING)
		games_options_read(&arguments->games, OPT_PLAYER, arguments->player);
	else if (!name_is_valid(arguments->player))
		args_refuse("--player needs a name, 1 to 24 of A-Z a-z 0-9 . _ -, not \"%s\"",
			    arguments->player);
	else
		arguments->watch.whom = arguments->player;
}

static void check_server(const struct watch_command *watch)
{
	if (watch->from != NULL)
		args_refuse("--server and --from are two ways to the same boards: say one");
	if (watch->ports.count > 0)
		args_refuse("with --server no port is said: it tells of them itself");
}

static void read_arguments(struct arguments *arguments, int argc, char *argv[])
{
	*arguments = (struct arguments){.svg = NULL};
	games_options_init(&arguments->games);
	read_options(arguments, argc, argv);
	if (arguments->web != NULL)
		refuse_web(arguments->web, argc, argv);
	set_player(arguments);
	games_options_check(&arguments->games);
	if (arguments->games.task != GAMES_NOTHING) {
		check_kept(arguments);
		if (optind < argc)
			args_refuse("kept games need no port: \"%s\" is one too many",
				    argv[optind]);
		return;
	}
	watch_command_ports(&arguments->watch, argv + optind, argc - optind);
	if (arguments->watch.server != NULL)
		check_server(&arguments->watch);
	else if (arguments->watch.ports.count == 0 && arguments->watch.from == NULL)
		args_refuse("say which port to watch, or a server: --server 127.0.0.1:1111");
}

static int fail(const char *why)
{
	warnx("%s", why);
	return 1;
}

/* "port 9001", "9001 to 9016", as people are told. */
static const char *name_ports(const struct watch_command *command, char text[WATCH_WHY_MAX])
{
	const struct ports *ports = &command->ports;

	if (ports->count == 0)
		snprintf(text, WATCH_WHY_MAX, "any port of %.80s",
			 command->server != NULL ? command->server : command->from);
	else if (ports->count == 1)
		snprintf(text, WATCH_WHY_MAX, "port %d", ports->port[0]);
	else
		snprintf(text, WATCH_WHY_MAX, "ports %d to %d", ports->port[0],
			 ports->port[ports->count - 1]);
	return text;
}

static int write_svg(struct watch *watch, const struct watch_command *command, const char *file)
{
	char ports[WATCH_WHY_MAX], why[WATCH_WHY_MAX], late[2 * WATCH_WHY_MAX];
	int seconds = command->options.seconds;

	name_ports(command, ports);
	warnx("waiting for a frame on %s%s", ports, seconds == 0 ? "; Ctrl-C ends it" : "");
	args_tell_ready(command->ready_fd);
	switch (watch_as_svg(watch, &command->options, file, why)) {
	case WATCH_QUIT:
		return 0;
	case WATCH_TIMED:
		snprintf(late, sizeof(late),
			 "nothing was heard on %s in %d s; is a duel being played there?", ports,
			 seconds);
		return fail(late);
	case WATCH_FAILED:
		return fail(why);
	default:
		return fail("ended before a frame was heard; nothing is written");
	}
}

static int show(struct watch *watch, const struct watch_command *command)
{
	enum watch_end end;

	args_tell_ready(command->ready_fd);
	if (terminal_is_there() && terminal_open(false)) {
		end = watch_on_terminal(watch, &command->options);
		terminal_close();
		return end == WATCH_FAILED ? 1 : 0;
	}
	end = watch_as_text(watch, &command->options, stdout,
			    strcmp(nl_langinfo(CODESET), "UTF-8") == 0);
	if (watch_dropped(watch) > 0)
		fprintf(stderr, "dropped %lu malformed frames\n", watch_dropped(watch));
	return end == WATCH_FAILED ? 1 : 0;
}

/* Of the terminal that we print on; 0: it is none, or does not say. */
static int output_width(void)
{
	struct winsize size;

	return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col
										     : 0;
}

static int show_kept(struct games_options *games)
{
	games->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	games->width = output_width();
	if (games->task == GAMES_REPLAY)
		games->stop_fd = watch_catch_signals();
	return games_main(games);
}

int main(int argc, char *argv[])
{
	struct arguments arguments;
	struct watch *watch;
	char why[WATCH_WHY_MAX];
	int status;

	args_fill_standard();
	read_arguments(&arguments, argc, argv);
	if (!arguments.ascii)
		setlocale(LC_CTYPE, "");
	if (arguments.games.task != GAMES_NOTHING)
		return show_kept(&arguments.games);
	watch = watch_command_open(&arguments.watch, why);
	if (watch == NULL)
		return fail(why);
	status = arguments.svg == NULL ? show(watch, &arguments.watch)
				       : write_svg(watch, &arguments.watch, arguments.svg);
	watch_close(watch);
	return status;
}
