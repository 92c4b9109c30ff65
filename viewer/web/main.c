/*
 * main.c - the command line of holmgang-web: hear ports, serve what is heard and what has been kept as a
 * page. The work is done by web.c and the loop in watch.c.
 */
#include "viewer/games/games.h"
#include "viewer/watch/command.h"
#include "viewer/web/watch.h"

#include <err.h>

enum { PORT_DEFAULT = 8080 };

/* clang-format off */
static const char usage[] =
    "usage: holmgang-web [options] PORT BROADCAST_PORT ...\n"
    "       holmgang-web [options] --from HOST:PORT [PORT [BROADCAST_PORT ...]]\n"
    "\n"
    "Serves a page for browsers on the TCP port PORT (0: any that is free; 8080): the duels that\n"
    "are broadcast on these UDP ports (9001, or a range: 9001-9016), and the games that a server\n"
    "has kept.\n"
    "\n"
    "  --listen A     for browsers on other machines too: the address to serve at (127.0.0.1)\n"
    "  --state DIR    the server's folder, for the kept games (HOLMGANG_STATE, else run)\n"
    WATCH_USAGE
    "  --help         this\n"
    "  --version\n";
/* clang-format on */

struct arguments {
	struct watch_command watch;
	uint16_t port; /* of the page */
	const char *listen, *state;
};

enum { OPT_LISTEN = 'l', OPT_STATE = 's' };

/* One that is not WATCH_OPTIONS. */
static bool read_option(void *to, int option)
{
	struct arguments *arguments = to;

	switch (option) {
	case OPT_LISTEN:
		arguments->listen = optarg;
		return true;
	case OPT_STATE:
		arguments->state = optarg;
		return true;
	default:
		return false;
	}
}

static uint16_t read_port(const char *text)
{
	long port;

	if (!args_read_number(text, 0, UINT16_MAX, &port))
		args_refuse("the page's own port comes first, a number from 0 to 65535, not "
			    "\"%s\": holmgang-web %d %s",
			    text, PORT_DEFAULT, text);
	return (uint16_t)port;
}

static void read_arguments(struct arguments *arguments, int argc, char *argv[])
{
	static const struct option options[] = {
	    {"listen", required_argument, NULL, OPT_LISTEN},
	    {"state", required_argument, NULL, OPT_STATE},
	    WATCH_OPTIONS,
	};

	*arguments = (struct arguments){
	    .port = PORT_DEFAULT, .listen = "127.0.0.1", .state = games_state_folder()};
	watch_command_read(&arguments->watch, argc, argv,
			   &(struct watch_program){usage, options, read_option, arguments});
	if (optind < argc)
		arguments->port = read_port(argv[optind++]);
	watch_command_ports(&arguments->watch, argv + optind, argc - optind);
	if (arguments->watch.ports.count == 0 && arguments->watch.from == NULL)
		args_refuse("say which broadcast ports to show, behind the page's own: "
			    "holmgang-web %d 9001-9016",
			    arguments->port);
}

static void serve(struct watch *watch, struct web *web, const struct watch_command *command)
{
	char url[WEB_URL_MAX];

	web_url(web, url);
	printf("%s\n", url);
	fflush(stdout);
	args_tell_ready(command->ready_fd);
	watch_as_web(watch, &command->options, web);
}

int main(int argc, char *argv[])
{
	struct arguments arguments;
	char why[WATCH_WHY_MAX];
	struct watch *watch;
	struct web *web;

	args_fill_standard();
	read_arguments(&arguments, argc, argv);
	watch = watch_command_open(&arguments.watch, why);
	if (watch == NULL)
		errx(1, "%s", why);
	web = web_open(arguments.listen, arguments.port, arguments.state, why);
	if (web == NULL)
		errx(1, "%s", why);
	serve(watch, web, &arguments.watch);
	web_close(web);
	watch_close(watch);
	return 0;
}
