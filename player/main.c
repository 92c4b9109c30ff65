/*
 * main.c - holmgang-player: its command line, and the three ways from here:
 *
 *      main.c ─┬─ terminal/           a person, or several, at a terminal
 *              ├─ autoplay/ ─┬─ bots/     a program that plays alone
 *              │             └─ engine/   another's program that does, at our seat
 *              └─ viewer/watch/       somebody who only looks on
 *
 * terminal/ and autoplay/ talk to the server through session/; none of them knows a game.
 *
 * Owns the options. Everything that can be wrong with the command line is found here, before a socket or
 * the terminal is touched. Nothing here talks to a server.
 */
#include "player/autoplay/autoplay.h"
#include "player/bots/bots.h"
#include "player/engine/options.h"
#include "player/session/name.h"
#include "player/session/session.h"
#include "player/session/signals.h"
#include "player/terminal/terminal.h"

#include "viewer/terminal/terminal.h"
#include "viewer/watch/watch.h"

#include <err.h>
#include <getopt.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PORT_DEFAULT = 1111, COMPUTERS_TEXT = 64 };

enum {
	OPTION_BOT = OPTION_LONG,
	OPTION_SEED,
	OPTION_THINK,
	OPTION_GAMES,
	OPTION_HOTSEAT,
	OPTION_AGAINST,
	OPTION_KEY,
	OPTION_PACE,
	OPTION_READY,
	OPTION_RESUME,
	OPTION_ASCII,
	OPTION_HELP,
	OPTION_VERSION,
};

static const struct option long_options[] = {
    {"game", required_argument, NULL, 'g'},
    {"name", required_argument, NULL, 'n'},
    {"side", required_argument, NULL, 's'},
    {"watch", required_argument, NULL, 'v'},
    {"bot", optional_argument, NULL, OPTION_BOT},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"think", required_argument, NULL, OPTION_THINK},
    ENGINE_OPTIONS,
    {"games", required_argument, NULL, OPTION_GAMES},
    {"hotseat", required_argument, NULL, OPTION_HOTSEAT},
    {"against", required_argument, NULL, OPTION_AGAINST},
    {"key", required_argument, NULL, OPTION_KEY},
    {"pace", required_argument, NULL, OPTION_PACE},
    {"ready-fd", required_argument, NULL, OPTION_READY},
    {"resume-fd", required_argument, NULL, OPTION_RESUME},
    {"ascii", no_argument, NULL, OPTION_ASCII},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static const char help[] =
    "usage: holmgang-player [HOST [PORT]] [option ...]\n"
    "Play board games at a Holmgang server (127.0.0.1 port 1111), with keyboard and mouse;\n"
    "without a terminal, or with --bot or an engine, as a program that plays alone.\n"
    "\n"
    "  -g, --game GAME      what to play: %s\n"
    "  -n, --name NAME      who you are: 1 to 24 of A-Z a-z 0-9 . _ - ($USER; alone easy-1,\n"
    "                       engine-1 or the like)\n"
    "  -s, --side SIDE      the side you would like to have: %s, any\n"
    "  -v, --watch PORT     a broadcast port to look at, or a range of them; without HOST\n"
    "                       nothing is played at first\n"
    "      --hotseat A,B    several people at this terminal take turns at one table\n"
    "      --against LEVEL  begin with a table against a computer of the server: %s\n"
    "      --bot [LEVEL]    play alone, again and again; LEVEL says how well:\n"
    "                       %s\n"
    "      --think MS       with --bot: think so long about a move at most (200)\n"
    "      --seed N         draw what a bot leaves to chance from N\n" ENGINE_HELP
    "      --games N        alone: end after N duels; of endless rounds each is one\n"
    "      --pace MS        with --bot: wait so long before each move (0; without turns 250), and\n"
    "                       three times as long before the next duel (at most 3 s)\n"
    "      --key KEY=VALUE  more of what PLAY knows, such as rounds=3, clock=5, wait=60 or\n"
    "                       table=WORD; may be repeated\n"
    "      --ascii          draw with ASCII only\n"
    "      --ready-fd N     write a line into this descriptor when up\n"
    "      --resume-fd N    with --bot: read the token of a seat from this descriptor, play there\n"
    "                       until its table ends; so a server's house starts its computers\n"
    "      --help           this text\n"
    "      --version        the version\n";

static void list_levels(struct text *list)
{
	for (int i = 0; level_at(i) != NULL; i++)
		text_add(list, "%s%s", i == 0 ? "" : ", ", level_at(i)->name);
}

/* The levels that a server can be asked for. */
static void print_computers(char names[COMPUTERS_TEXT])
{
	struct text text = {.data = names, .size = COMPUTERS_TEXT};

	names[0] = '\0';
	for (int i = 0; bot_level_at(i) != NULL; i++)
		text_add(&text, "%s%s", i == 0 ? "" : ", ", bot_level_at(i));
}

static void print_help(void)
{
	char games[GAME_NAMES_TEXT], sides[64 * GAME_COUNT] = "", levels[256] = "";
	char computers[COMPUTERS_TEXT];
	struct text side_list = TEXT_IN(sides), level_list = TEXT_IN(levels);

	for (int i = 0; level_at(i) != NULL; i++)
		text_add(&level_list, "%s%s (%s)", i == 0 ? "" : ", ", level_at(i)->name,
			 level_at(i)->is);
	game_print_names(games);
	for (int i = 0; game_at(i) != NULL; i++) {
		const struct game *game = game_at(i);

		if (game->has & GAME_HAS_SIDES)
			text_add(&side_list, "%s%s, %s", side_list.length == 0 ? "" : ", ",
				 game->side_name[0], game->side_name[1]);
	}
	print_computers(computers);
	printf(help, games, sides, computers, levels);
}

static void read_name(struct options *options, const char *value)
{
	if (!name_is_valid(value))
		args_refuse("-n needs a name of 1 to 24 of A-Z a-z 0-9 . _ -, not \"%s\"", value);
	strcpy(options->name, value);
}

static void read_game(struct options *options, const char *value)
{
	char names[GAME_NAMES_TEXT];

	options->game = game_find(value);
	if (options->game != NULL)
		return;
	game_print_names(names);
	args_refuse("there is no game \"%s\"; -g takes %s", value, names);
}

static void read_people(struct options *options, char *value)
{
	options->people = 0;
	for (char *next = value; next != NULL;) {
		const char *name = strsep(&next, ",");

		if (options->people == GAME_SEATS_MAX)
			args_refuse("--hotseat takes %d names at most", GAME_SEATS_MAX);
		if (!name_is_valid(name))
			args_refuse("--hotseat needs names with commas between them, not \"%s\"",
				    name);
		for (int i = 0; i < options->people; i++)
			if (strcmp(options->person[i], name) == 0)
				args_refuse("--hotseat has \"%s\" twice", name);
		strcpy(options->person[options->people++], name);
	}
}

static bool has_key(const struct options *options, const char *key)
{
	for (int k = 0; k < options->keys; k++)
		if (line_value(options->key[k], key) != NULL)
			return true;
	return false;
}

/* What the people at one terminal need is said for them. */
static void check_people(const struct options *options)
{
	const char *wrong = party_check(options);

	if (options->people == 0)
		return;
	if (wrong != NULL)
		args_refuse("%s", wrong);
	if (options->bot || options->engine_way != ENGINE_NONE || !terminal_is_there())
		args_refuse("--hotseat is for people at a terminal");
	if (has_key(options, "table") || has_key(options, "seats") || has_key(options, "vs"))
		args_refuse("--key does not set table=, seats= or vs= together with --hotseat");
}

/* A person begins at a table whose opponents the server chooses. */
static void check_against(const struct options *options)
{
	if (options->computer == NULL)
		return;
	if (options->people > 0 || options->bot || options->engine_way != ENGINE_NONE ||
	    !terminal_is_there())
		args_refuse("--against is for one person at a terminal");
	if (has_key(options, "table") || has_key(options, "vs") || has_key(options, "bot"))
		args_refuse("--key does not set table=, vs= or bot= together with --against");
}

static bool plays_alone(const struct options *options)
{
	bool looks_on = options->watch.count > 0 && !options->has_host;

	return options->bot || options->engine_way != ENGINE_NONE ||
	       (!terminal_is_there() && !looks_on);
}

/* What nobody would ever notice is refused too. */
static void check_alone(const struct options *options)
{
	bool alone = plays_alone(options);

	if (alone && options->watch.count > 0)
		args_refuse("-v is for people who look on, not for a player that plays alone: "
			    "--bot, an engine, or no terminal");
	if (!alone &&
	    (options->has_seed || options->think > 0 || options->pace >= 0 || options->games > 0))
		args_refuse("--seed, --think, --pace and --games are for a player that plays "
			    "alone: with --bot, or --games with an engine");
}

/* Of a seat that is there already nothing can be asked for. */
static void check_token(const struct options *options)
{
	if (options->token[0] == '\0')
		return;
	if (!options->bot || options->engine_way != ENGINE_NONE)
		args_refuse("--resume-fd is for a bot: with --bot, without an engine");
	if (options->games > 0 || options->side != NULL)
		args_refuse("--resume-fd is about a seat at one table: leave out --games and -s");
}

static void read_key(struct options *options, const char *value)
{
	if (line_value(value, "name") != NULL || line_value(value, "side") != NULL)
		args_refuse("--key does not set %.4s=, -%c does", value, *value);
	if (line_value(value, "legal") != NULL)
		args_refuse("--key does not set legal=, the player needs it on");
	if (options->keys == OPTIONS_KEYS_SAID)
		args_refuse("--key can be said %d times at most", OPTIONS_KEYS_SAID);
	options->key[options->keys++] = value;
}

static void __attribute__((noreturn)) refuse_level(const char *value, const char *more)
{
	char names[128];
	struct text list = TEXT_IN(names);

	list_levels(&list);
	args_refuse("--bot has no level \"%s\"%s; the levels are %s", value, more, names);
}

static void read_level(struct options *options, const char *value)
{
	options->bot = true;
	if (value == NULL)
		return;
	options->level = level_find(value);
	if (options->level == NULL)
		refuse_level(value, "");
}

static void read_computer(struct options *options, const char *value)
{
	char names[COMPUTERS_TEXT];

	for (int i = 0; bot_level_at(i) != NULL; i++)
		if (strcmp(bot_level_at(i), value) == 0)
			options->computer = bot_level_at(i);
	print_computers(names);
	if (options->computer == NULL)
		args_refuse("--against has no level \"%s\"; the levels are %s", value, names);
}

/* It is a secret, so it is not said on the command line, which all can read. */
static void read_token(struct options *options, const char *value)
{
	int fd = (int)args_number("--resume-fd", value, 0, INT_MAX);
	ssize_t length;

	args_check_ready(fd);
	length = read(fd, options->token, sizeof(options->token) - 1);
	options->token[length < 0 ? 0 : length] = '\0';
	close(fd);
	if (!token_is_valid(options->token))
		args_refuse("--resume-fd needs a descriptor with a token of %d digits to read",
			    TOKEN_TEXT - 1);
}

/* For a player that plays alone. */
static void read_alone(struct options *options, int option, const char *value)
{
	switch (option) {
	case OPTION_BOT:
		read_level(options, value);
		break;
	case OPTION_SEED:
		options->seed = (uint32_t)args_number("--seed", value, 0, UINT32_MAX);
		options->has_seed = true;
		break;
	case OPTION_THINK:
		options->think = (int)args_number("--think", value, 1, 3600000);
		break;
	case OPTION_GAMES:
		options->games = args_number("--games", value, 1, LONG_MAX);
		break;
	case OPTION_PACE:
		options->pace = (int)args_number("--pace", value, 0, 3600000);
		break;
	default:
		engine_option_read(options, option, value);
		break;
	}
}

static void read_option(struct options *options, int option, char *value)
{
	switch (option) {
	case 'g':
		read_game(options, value);
		break;
	case 'n':
		read_name(options, value);
		break;
	case 's':
		options->side = value;
		break;
	case 'v':
		if (!args_add_ports(&options->watch, value))
			args_refuse(
			    "-v needs a port from 1 to 65535 or a range of them, not \"%s\"",
			    value);
		break;
	case OPTION_HOTSEAT:
		read_people(options, value);
		break;
	case OPTION_AGAINST:
		read_computer(options, value);
		break;
	case OPTION_KEY:
		read_key(options, value);
		break;
	case OPTION_READY:
		options->ready_fd = (int)args_number("--ready-fd", value, 0, INT_MAX);
		args_check_ready(options->ready_fd);
		break;
	case OPTION_RESUME:
		read_token(options, value);
		break;
	case OPTION_ASCII:
		options->ascii = true;
		break;
	case OPTION_HELP:
		print_help();
		exit(0);
	case OPTION_VERSION:
		printf("holmgang-player %s\n", HOLMGANG_VERSION);
		exit(0);
	default:
		read_alone(options, option, value);
		break;
	}
}

/* A number as HOST is taken for an address that nobody means, and an answer from there is waited for. */
static void check_host(const char *host)
{
	if (host[strspn(host, "0123456789")] == '\0')
		args_refuse("\"%s\" is no host; before a port stands one: 127.0.0.1 %s", host,
			    host);
}

/* Is this a word that was meant for a level rather than for a host? */
static bool is_no_host(const char *word)
{
	struct addrinfo *found;

	if (strpbrk(word, ".:") != NULL)
		return false;
	if (getaddrinfo(word, NULL, NULL, &found) != 0)
		return true;
	freeaddrinfo(found);
	return false;
}

static void find_name(struct options *options)
{
	const char *what = "engine";

	if (options->engine_way == ENGINE_NONE && options->level != NULL)
		what = options->level->name;
	if (plays_alone(options))
		name_alone(options->name, what);
	else
		name_guess(options->name);
}

static void read_arguments(struct options *options, int argc, char *argv[])
{
	const char *wrong, *behind_bot = NULL;
	int option;

	while ((option = args_option(argc, argv, ":g:n:s:v:", long_options)) != -1) {
		/* a word behind --bot is its level when it can be one, otherwise HOST */
		if (option == OPTION_BOT && optarg == NULL && argv[optind] != NULL) {
			if (level_find(argv[optind]) != NULL)
				optarg = argv[optind++];
			else
				behind_bot = argv[optind];
		}
		read_option(options, option, optarg);
	}
	if (optind < argc) {
		options->host = argv[optind++];
		options->has_host = true;
		check_host(options->host);
		if (behind_bot != NULL && options->host == behind_bot && is_no_host(behind_bot))
			refuse_level(behind_bot, ", and there is no host of that name");
	}
	if (optind < argc)
		options->port = (uint16_t)args_number("PORT", argv[optind++], 1, UINT16_MAX);
	if (optind < argc)
		args_refuse("\"%s\" is one argument too many", argv[optind]);
	wrong = session_check(options);
	if (wrong != NULL)
		args_refuse("%s", wrong);
	check_people(options);
	check_against(options);
	check_alone(options);
	check_token(options);
	if (options->name[0] == '\0')
		find_name(options);
	engine_options_check(options);
}

/* Somebody who looks on, where there is no terminal. */
static int watch_text(const struct options *options)
{
	const struct watch_options how = {.stop_fd = options->signals};
	char why[WATCH_WHY_MAX];
	struct watch *watch = watch_open(&options->watch, why);
	enum watch_end end;

	if (watch == NULL) {
		warnx("%s", why);
		return 1;
	}
	args_tell_ready(options->ready_fd);
	end = watch_as_text(watch, &how, stdout, strcmp(nl_langinfo(CODESET), "UTF-8") == 0);
	watch_close(watch);
	return end == WATCH_FAILED;
}

int main(int argc, char *argv[])
{
	static struct options options = {
	    .host = "127.0.0.1", .port = PORT_DEFAULT, .pace = -1, .ready_fd = -1};
	bool only_watch;

	args_fill_standard();
	options.game = game_at(0);
	options.level = level_at(BOT_LEVEL_DEFAULT);
	read_arguments(&options, argc, argv);
	/* the locale's characters are drawn with, unless ASCII is wanted */
	if (!options.ascii)
		setlocale(LC_CTYPE, "");
	options.signals = signals_open();
	only_watch = options.watch.count > 0 && !options.has_host;
	if (options.bot || options.engine_way != ENGINE_NONE)
		return autoplay_run(&options);
	if (terminal_is_there())
		return lobby_run(&options);
	return only_watch ? watch_text(&options) : autoplay_run(&options);
}
