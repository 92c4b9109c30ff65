/*
 * holmgang-rules - the rules of one game, without a server: the command line. See rules.h.
 */
#include "tests/rules/rules.h"

#include "proto/table/shape.h"
#include "proto/wire/args.h"
#include "proto/wire/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <getopt.h>

enum { RULES_COLUMNS = 76 };

static const char usage[] =
    "usage: holmgang-rules GAME [OPTION...]       moves on standard input, one a line\n"
    "       holmgang-rules GAME --perft LENGTH    count the sequences of moves\n"
    "       holmgang-rules GAME --rules           the rules, for people\n"
    "       holmgang-rules --list                 the games\n"
    "       holmgang-rules --keys                 the same, with seats and keys of PLAY, as GAMES "
    "has them\n"
    "\n"
    "  --seats N   how many play                  --left MASK  a bit for each seat that is out\n"
    "  --first K   who begins, where that is free --size N     of the board, where it has one\n"
    "  --seed S    of all that chance decides     --cheat      the rules of cheat=on\n"
    "\n"
    "A line of input is a move, in the words of MOVE. The seat is the one that has the turn, or\n"
    "else 0; \"@K MOVE\" and \"seat K: MOVE\" name it. Other lines:\n"
    "\n"
    "  model MODEL [SEAT|-]   set this position up, with this turn\n"
    "  rack SEAT WORD...      and this rack\n"
    "  tick MS                let time pass\n"
    "  join                   somebody takes the next seat\n"
    "  leave SEAT             somebody goes\n"
    "\n"
    "Empty lines and those that begin with # do nothing. The answer to a line ends with an empty\n"
    "line: the events, the position, for each seat that may move its legal moves, and at last the\n"
    "end; or, when the move is refused, the ruling.\n";

/* The null game too: it is in no list, but may be asked for. */
static const struct game *find(const char *name)
{
	const struct game *game = game_find(name);
	char names[GAME_NAMES_TEXT];

	if (game == NULL && strcmp(name, null_game.name) == 0)
		return &null_game;
	game_print_names(names);
	if (game == NULL)
		args_refuse("there is no game \"%s\"; there are %s", name, names);
	return game;
}

static void list(void)
{
	for (int i = 0; game_at(i) != NULL; i++)
		puts(game_at(i)->name);
}

static void list_keys(void)
{
	static const struct shape_defaults defaults = {.wait = 10};

	for (int i = 0; game_at(i) != NULL; i++) {
		char line[256];
		struct text text = TEXT_IN(line);

		wish_print_defaults(game_at(i), &defaults, &text);
		puts(line);
	}
}

static uint64_t read_seed(const char *text)
{
	char *end;
	uint64_t seed = strtoull(text, &end, 0);

	if (*text == '\0' || *end != '\0')
		args_refuse("--seed needs a number, not \"%s\"", text);
	return seed;
}

/* The options, into a setup with the game's defaults; returns the length of --perft or 0. */
static int read_options(struct setup *setup, int argc, char *argv[])
{
	static const struct option options[] = {
	    {"seats", required_argument, NULL, 's'}, {"seed", required_argument, NULL, 'r'},
	    {"first", required_argument, NULL, 'f'}, {"size", required_argument, NULL, 'z'},
	    {"left", required_argument, NULL, 'l'},  {"cheat", no_argument, NULL, 'c'},
	    {"perft", required_argument, NULL, 'p'}, {NULL, 0, NULL, 0},
	};
	int option, length = 0;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		switch (option) {
		case 's':
			setup->seats = (int)args_number("--seats", optarg, 2, GAME_SEATS_MAX);
			break;
		case 'r':
			setup->seed = read_seed(optarg);
			break;
		case 'f':
			setup->first = (int)args_number("--first", optarg, 0, GAME_SEATS_MAX - 1);
			break;
		case 'z':
			setup->size = (int)args_number("--size", optarg, 2, 10);
			break;
		case 'l':
			setup->left = (uint16_t)args_number("--left", optarg, 0,
							    (1 << GAME_SEATS_MAX) - 1);
			break;
		case 'c':
			setup->cheat = true;
			break;
		case 'p':
			length = (int)args_number("--perft", optarg, 1, PERFT_MAX);
			break;
		default:
			args_refuse("\"%s\" is not known, or wants a value", argv[optind - 1]);
		}
	}
	if (optind < argc)
		args_refuse("\"%s\" is one word too many", argv[optind]);
	return length;
}

static void print_rules(const struct game *game)
{
	for (const char *line = game->rules, *next; *line != '\0'; line = next) {
		size_t length = text_line(line, RULES_COLUMNS, &next);

		printf("%.*s\n", (int)length, line);
	}
}

/* Rules need not cope with what no table ever asks of them. */
static void check_setup(const struct game *game, const struct setup *setup)
{
	if (setup->seats < game->seats_min || setup->seats > game->seats_max)
		args_refuse("%s is for %d to %d seats", game->name, game->seats_min,
			    game->seats_max);
	if (setup->first >= setup->seats)
		args_refuse("--first must be a seat from 0 to %d", setup->seats - 1);
	if (setup->left != 0 && game->leave == NULL)
		args_refuse("nobody can be out in %s", game->name);
	if (setup->left >> setup->seats != 0 || __builtin_popcount(setup->left) > setup->seats - 2)
		args_refuse("--left must leave two seats of %d", setup->seats);
	if (setup->cheat && !(game->has & GAME_HAS_CHEAT))
		args_refuse("%s has no --cheat", game->name);
	if (setup->size % 2 != 0)
		args_refuse("--size must be even");
}

int main(int argc, char *argv[])
{
	struct setup setup = {.seed = 1, .size = 4};
	const struct game *game;
	int length;

	if (argc < 2)
		args_refuse("which game?");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		fputs(usage, stdout);
		return 0;
	}
	if (strcmp(argv[1], "--list") == 0) {
		list();
		return 0;
	}
	if (strcmp(argv[1], "--keys") == 0) {
		list_keys();
		return 0;
	}
	game = find(argv[1]);
	if (argc == 3 && strcmp(argv[2], "--rules") == 0) {
		print_rules(game);
		return 0;
	}
	setup.seats = game->seats_min;
	length = read_options(&setup, argc - 1, argv + 1);
	check_setup(game, &setup);
	if (length > 0)
		perft_run(game, &setup, length);
	else
		session_run(game, &setup);
	return 0;
}
