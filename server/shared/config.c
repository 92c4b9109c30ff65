/*
 * config.c - reading the server's command line. See config.h.
 *
 * Owns: the list of options, and the usage. What is wrong it says on standard error, and ends the program.
 * Never: opens a file, but for --trace-mend, which does nothing else.
 */
#include "server/shared/config.h"

#include "server/trace/repair.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: holmgang-server [PORT] [-b PORT ...] [option ...]\n"
    "       holmgang-server ps|stop|drain|metrics [--state DIR]   ask one that runs; say --help\n"
    "A forking referee for board games. It listens on PORT (1111) and forks one process a duel.\n"
    "\n"
    "  -b PORT ...            broadcast ports, one a duel; ranges too: 9001-9016\n"
    "  --listen ADDRESS       take players at this address only (repeatable; all)\n"
    "  --interface NAME       broadcast on this interface only (repeatable; all active ones;\n"
    "                         default from HOLMGANG_INTERFACE)\n"
    "  --house PROGRAM|off    what supplies the computers of bot= (holmgang-house beside this\n"
    "                         program, if it is there); off: there are none\n"
    "  --house-max N          let so many computers play at once (64)\n"
    "  --match-timeout S      look for opponents for S seconds (10)\n"
    "  --idle S               end a duel without a clock after S seconds without a move (600)\n"
    "  --grace S              keep the seat of a lost connection for S seconds (30)\n"
    "  --max-connections N    take so many connections in all (what descriptors allow)\n"
    "  --max-per-address N    take so many from one address; never from the loopback's (1000,\n"
    "                         or half of all); an IPv6 /64 is one address\n"
    "  --max-tables N         play so many duels at once (what descriptors allow)\n"
    "  --tables-per-second N  let one address start so many a second, 0: any number;\n"
    "                         the loopback's always may (50)\n"
    "  --tables-per-address N let one address have seats at so many tables at once, also\n"
    "                         seats of players who are away, 0: any number; the loopback's\n"
    "                         always may (32)\n"
    "  --play-within S        close a connection that has not been registered for S seconds,\n"
    "                         0: never (60)\n"
    "  --answers N/RATE       answer N lines at once with ERROR, LIST or GAMES, and RATE a\n"
    "                         second; whoever sends more is closed (200/50)\n"
    "  --unsent BYTES/S       close a connection that lets more than BYTES wait for S seconds\n"
    "                         (65536/10)\n"
    "  --state DIR            keep what is on disk in DIR (run, or HOLMGANG_STATE)\n"
    "  --sync WHEN            force journals to the disk: never, at a table's end, at each move\n"
    "                         (never, end, move; never)\n"
    "  --user NAME            started as root: give root up, become NAME (stay root)\n"
    "  --no-timeout           no clock runs, whatever players ask for\n"
    "  --no-valid             trust the players: no move is judged, the mover claims the end\n"
    "  --show-board           print each board as it changes\n"
    "  --metrics PORT         tell Prometheus what is going on: http://127.0.0.1:PORT/metrics\n"
    "  --metrics-address ADDRESS\n"
    "                         the same at this address (127.0.0.1)\n"
    "  --log-level LEVEL      log so much: error, warn, info or debug (info)\n"
    "  --log-json             log each event as one line of JSON\n"
    "  --debug                log every step\n"
    "  --no-fork              play one duel outside of the cage, for a debugger, then exit\n"
    "  --trace FILE           write what every process does, as a timeline for Perfetto, to FILE\n"
    "  --trace-mend FILE      print such a timeline with its end, without what was cut short; "
    "exit\n"
    "  --spawn HOW            how duels are made: cloned by a small spawner, or each started by\n"
    "                         the server, to see what that costs (spawner, direct; spawner)\n"
    "  --crash-duel N         abort the Nth duel after its second move, to see it come back\n"
    "  --ready-fd N           write \"ready\" to descriptor N when players can connect\n"
    "  --help, --version\n";

enum option_code {
	OPT_LISTEN = 256,
	OPT_INTERFACE,
	OPT_HOUSE,
	OPT_HOUSE_MAX,
	OPT_MATCH_TIMEOUT,
	OPT_IDLE,
	OPT_GRACE,
	OPT_MAX_CONNECTIONS,
	OPT_MAX_PER_ADDRESS,
	OPT_MAX_TABLES,
	OPT_TABLES_PER_SECOND,
	OPT_TABLES_PER_ADDRESS,
	OPT_PLAY_WITHIN,
	OPT_ANSWERS,
	OPT_UNSENT,
	OPT_STATE,
	OPT_SYNC,
	OPT_USER,
	OPT_NO_TIMEOUT,
	OPT_NO_VALID,
	OPT_SHOW_BOARD,
	OPT_METRICS,
	OPT_METRICS_ADDRESS,
	OPT_LOG_LEVEL,
	OPT_LOG_JSON,
	OPT_DEBUG,
	OPT_NO_FORK,
	OPT_TRACE,
	OPT_TRACE_MEND,
	OPT_SPAWN,
	OPT_CRASH_DUEL,
	OPT_READY_FD,
	OPT_HELP,
	OPT_VERSION,
};

/* The spellings without a dash are those of the programs that users come from. */
static const struct option options[] = {
    {"listen", required_argument, NULL, OPT_LISTEN},
    {"interface", required_argument, NULL, OPT_INTERFACE},
    {"house", required_argument, NULL, OPT_HOUSE},
    {"house-max", required_argument, NULL, OPT_HOUSE_MAX},
    {"match-timeout", required_argument, NULL, OPT_MATCH_TIMEOUT},
    {"idle", required_argument, NULL, OPT_IDLE},
    {"grace", required_argument, NULL, OPT_GRACE},
    {"max-connections", required_argument, NULL, OPT_MAX_CONNECTIONS},
    {"max-per-address", required_argument, NULL, OPT_MAX_PER_ADDRESS},
    {"max-tables", required_argument, NULL, OPT_MAX_TABLES},
    {"tables-per-second", required_argument, NULL, OPT_TABLES_PER_SECOND},
    {"tables-per-address", required_argument, NULL, OPT_TABLES_PER_ADDRESS},
    {"play-within", required_argument, NULL, OPT_PLAY_WITHIN},
    {"answers", required_argument, NULL, OPT_ANSWERS},
    {"unsent", required_argument, NULL, OPT_UNSENT},
    {"state", required_argument, NULL, OPT_STATE},
    {"sync", required_argument, NULL, OPT_SYNC},
    {"user", required_argument, NULL, OPT_USER},
    {"no-timeout", no_argument, NULL, OPT_NO_TIMEOUT},
    {"noTimeout", no_argument, NULL, OPT_NO_TIMEOUT},
    {"no-valid", no_argument, NULL, OPT_NO_VALID},
    {"noValid", no_argument, NULL, OPT_NO_VALID},
    {"show-board", no_argument, NULL, OPT_SHOW_BOARD},
    {"showBoard", no_argument, NULL, OPT_SHOW_BOARD},
    {"metrics", required_argument, NULL, OPT_METRICS},
    {"metrics-address", required_argument, NULL, OPT_METRICS_ADDRESS},
    {"log-level", required_argument, NULL, OPT_LOG_LEVEL},
    {"log-json", no_argument, NULL, OPT_LOG_JSON},
    {"debug", no_argument, NULL, OPT_DEBUG},
    {"no-fork", no_argument, NULL, OPT_NO_FORK},
    {"trace", required_argument, NULL, OPT_TRACE},
    {"trace-mend", required_argument, NULL, OPT_TRACE_MEND},
    {"spawn", required_argument, NULL, OPT_SPAWN},
    {"crash-duel", required_argument, NULL, OPT_CRASH_DUEL},
    {"ready-fd", required_argument, NULL, OPT_READY_FD},
    {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, OPT_VERSION},
    {NULL, 0, NULL, 0},
};

static void add_name(struct names *names, const char *what, const char *name)
{
	if (names->count == CONFIG_NAMES_MAX)
		args_refuse("%s can be said %d times at most", what, CONFIG_NAMES_MAX);
	names->name[names->count++] = name;
}

static enum sync read_sync(const char *word)
{
	static const char *const words[] = {
	    [SYNC_NEVER] = "never", [SYNC_END] = "end", [SYNC_MOVE] = "move"};

	for (int sync = SYNC_NEVER; sync <= SYNC_MOVE; sync++)
		if (strcmp(word, words[sync]) == 0)
			return (enum sync)sync;
	args_refuse("--sync needs never, end or move, not \"%s\"", word);
}

/* Two numbers with a slash between them. */
static void read_pair(const char *what, const char *text, const long low[2], const long high[2],
		      long number[2])
{
	const char *slash = strchr(text, '/');
	char first[16] = "";

	if (slash != NULL && slash - text < (long)sizeof(first))
		memcpy(first, text, (size_t)(slash - text));
	if (!args_read_number(first, low[0], high[0], &number[0]) ||
	    !args_read_number(slash + 1, low[1], high[1], &number[1]))
		args_refuse("%s needs two numbers, %ld-%ld/%ld-%ld, not \"%s\"", what, low[0],
			    high[0], low[1], high[1], text);
}

/* What is told of the server. False: it is none of these. */
static bool read_telling(struct config *config, int code)
{
	switch (code) {
	case OPT_METRICS:
		config->metrics_port = (uint16_t)args_number("--metrics", optarg, 1, UINT16_MAX);
		return true;
	case OPT_METRICS_ADDRESS:
		config->metrics_address = optarg;
		return true;
	case OPT_LOG_LEVEL:
		if (!log_read_level(optarg, &config->log_level))
			args_refuse("--log-level needs error, warn, info or debug, not \"%s\"",
				    optarg);
		return true;
	case OPT_LOG_JSON:
		config->log_json = true;
		return true;
	case OPT_DEBUG:
		config->debug = true;
		config->log_level = LOG_DEBUG;
		return true;
	default:
		return false;
	}
}

/* False: it is none of these. */
static bool read_limit(struct config *config, int code)
{
	struct config_limits *limits = &config->limits;
	long pair[2];

	switch (code) {
	case OPT_MAX_CONNECTIONS:
		limits->connections = (int)args_number("--max-connections", optarg, 1, 1000000);
		return true;
	case OPT_MAX_PER_ADDRESS:
		limits->per_address = (int)args_number("--max-per-address", optarg, 1, 1000000);
		return true;
	case OPT_MAX_TABLES:
		limits->tables = (int)args_number("--max-tables", optarg, 1, 1000000);
		return true;
	case OPT_TABLES_PER_SECOND:
		limits->tables_a_second = (int)args_number("--tables-per-second", optarg, 0,
							   1000000);
		return true;
	case OPT_TABLES_PER_ADDRESS:
		limits->tables_held = (int)args_number("--tables-per-address", optarg, 0, 1000000);
		return true;
	case OPT_HOUSE_MAX:
		limits->bots = (int)args_number("--house-max", optarg, 1, CONFIG_BOTS_MAX);
		return true;
	case OPT_PLAY_WITHIN:
		limits->play_within = (int)args_number("--play-within", optarg, 0, 86400);
		return true;
	case OPT_ANSWERS:
		read_pair("--answers", optarg, (const long[]){1, 0}, (const long[]){100000, 100000},
			  pair);
		config->peer.burst = (int)pair[0];
		config->peer.a_second = (int)pair[1];
		return true;
	case OPT_UNSENT:
		/* a LIST puts PEER_UNSENT_PAUSE bytes there at once */
		read_pair("--unsent", optarg, (const long[]){2L * PEER_UNSENT_PAUSE, 1},
			  (const long[]){INT32_MAX / 64, 3600}, pair);
		config->peer.unsent = (size_t)pair[0];
		config->peer.unsent_ms = pair[1] * 1000;
		return true;
	default:
		return false;
	}
}

static bool read_spawn(const char *word)
{
	if (strcmp(word, "direct") != 0 && strcmp(word, "spawner") != 0)
		args_refuse("--spawn needs spawner or direct, not \"%s\"", word);
	return strcmp(word, "direct") == 0;
}

/* What is there to be studied. False: it is none of these. */
static bool read_study(struct config *config, int code)
{
	switch (code) {
	case OPT_TRACE:
		config->trace = optarg;
		return true;
	case OPT_TRACE_MEND:
		exit(repair_timeline(optarg));
	case OPT_SPAWN:
		config->spawn_direct = read_spawn(optarg);
		return true;
	case OPT_CRASH_DUEL:
		config->crash_duel = (int)args_number("--crash-duel", optarg, 1, INT32_MAX);
		return true;
	case OPT_SHOW_BOARD:
		config->show_board = true;
		return true;
	case OPT_NO_FORK:
		config->no_fork = true;
		return true;
	default:
		return false;
	}
}

static void read_option(struct config *config, int code)
{
	if (read_limit(config, code) || read_telling(config, code) || read_study(config, code))
		return;
	switch (code) {
	case OPT_LISTEN:
		add_name(&config->listen, "--listen", optarg);
		break;
	case OPT_INTERFACE:
		add_name(&config->interface, "--interface", optarg);
		break;
	case OPT_HOUSE:
		config->house = optarg;
		break;
	case OPT_MATCH_TIMEOUT:
		config->defaults.wait = (int)args_number("--match-timeout", optarg, 1, 3600);
		break;
	case OPT_IDLE:
		config->idle = (int)args_number("--idle", optarg, 1, 86400);
		break;
	case OPT_GRACE:
		config->grace = (int)args_number("--grace", optarg, 0, 3600);
		break;
	case OPT_STATE:
		config->state = optarg;
		break;
	case OPT_SYNC:
		config->sync = read_sync(optarg);
		break;
	case OPT_USER:
		config->user = optarg;
		break;
	case OPT_NO_TIMEOUT:
		config->defaults.no_clock = true;
		break;
	case OPT_NO_VALID:
		config->no_valid = true;
		break;
	case OPT_READY_FD:
		config->ready_fd = (int)args_number("--ready-fd", optarg, 0, 1023);
		break;
	case OPT_HELP:
		fputs(usage, stdout);
		exit(0);
	case OPT_VERSION:
		puts("holmgang-server " HOLMGANG_VERSION);
		exit(0);
	default:
		break;
	}
}

static void add_broadcast(struct config *config, const char *text)
{
	if (!args_add_ports(&config->broadcast, text))
		args_refuse("-b needs ports from 1 to 65535 (at most %d), not \"%s\"",
			    ARGS_PORTS_MAX, text);
}

void config_read(struct config *config, int argc, char *argv[])
{
	const char *interface = getenv("HOLMGANG_INTERFACE");
	bool after_b = false, port_said = false;
	int code;

	*config = (struct config){
	    .port = 1111,
	    .defaults = {.wait = 10},
	    .idle = 600,
	    .grace = 30,
	    .state = getenv("HOLMGANG_STATE"),
	    .ready_fd = -1,
	    .log_level = LOG_INFO,
	    .limits = {.tables_a_second = 50, .tables_held = 32, .play_within = 60, .bots = 64},
	    .peer = PEER_LIMITS_DEFAULT,
	};
	/* the leading '-' hands us the words that are no options, in their order: those behind -b
	 * are broadcast ports */
	while ((code = args_option(argc, argv, "-:b:", options)) != -1) {
		if (code == 'b') {
			add_broadcast(config, optarg);
		} else if (code == 1 && after_b) {
			add_broadcast(config, optarg);
			continue;
		} else if (code == 1) {
			if (port_said)
				args_refuse("the port has been said before \"%s\"", optarg);
			port_said = true;
			config->port = (uint16_t)args_number("PORT", optarg, 1, UINT16_MAX);
		} else {
			read_option(config, code);
		}
		after_b = code == 'b';
	}
	if (optind < argc)
		args_refuse("\"%s\" is not understood", argv[optind]);
	if (config->metrics_address != NULL && config->metrics_port == 0)
		args_refuse("--metrics-address does nothing without --metrics PORT");
	if (config->metrics_address == NULL)
		config->metrics_address = "127.0.0.1";
	if (config->no_fork && (config->spawn_direct || config->crash_duel > 0))
		args_refuse("--no-fork forks no duel: leave out --spawn and --crash-duel");
	if (config->state == NULL || *config->state == '\0')
		config->state = "run";
	if (config->interface.count == 0 && interface != NULL && *interface != '\0')
		add_name(&config->interface, "HOLMGANG_INTERFACE", interface);
}
