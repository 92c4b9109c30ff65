/*
 * options.c - the arena's command line, in the words of engine-tournament managers.
 *
 * Owns `struct arena_options` until it is whole, or ends the program with status 2. It never starts
 * anything. An option has one dash; what belongs to it follows as KEY=VALUE words.
 */
#include "player/arena/arena.h"

#include "player/bots/level.h"
#include "player/session/keys.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: holmgang-arena -game GAME -engine ... -engine ... [option ...]\n"
    "Let programs play many games against each other and say which is stronger.\n"
    "\n"
    "  -engine cmd=COMMAND|bot=LEVEL [think=MS] [name=NAME]\n"
    "                      one who takes part: a command as of holmgang-player --engine, or a\n"
    "                      level of its --bot, and its --think; at least two of them\n"
    "  -each KEY=VALUE ... of every table, as of PLAY: clock=, strict=, size=, cheat=\n"
    "  -game GAME          what is played (%s)\n"
    "  -rounds N           everybody meets everybody N times (1)\n"
    "  -games N            games in each of these meetings (1)\n"
    "  -repeat             the same again with sides swapped: games are counted in pairs (with\n"
    "                      more seats: in as many as there are seats); otherwise sides are drawn\n"
    "  -seats N            how many play one game (2)\n"
    "  -tournament KIND    roundrobin, or gauntlet: the first meets each of the others\n"
    "                      (roundrobin)\n"
    "  -concurrency N      games at the same time (1)\n"
    "  -sprt elo0=E elo1=E [alpha=A] [beta=B]\n"
    "                      of two: end as soon as it is clear whether the first is E0 or E1\n"
    "                      stronger (alpha and beta: 0.05)\n"
    "  -srand N            what is drawn follows from N: sides, and what bots leave to chance (0)\n"
    "  -out FILE           a line of JSON for each game, as it ends\n"
    "  -recover            go on with the games that FILE does not have\n"
    "  -server HOST:PORT   play there (a server of its own, on the loopback)\n"
    "  -log FOLDER         keep what players and engines write to standard error there\n"
    "  -help, -version\n";

struct words_left {
	char **next, **end;
};

static const char *take_value(struct words_left *left, const char *option)
{
	if (left->next == left->end)
		args_refuse("%s needs a value", option);
	return *left->next++;
}

/* The next word that belongs to the option before it; NULL when there is none. */
static const char *take_word(struct words_left *left)
{
	if (left->next == left->end || **left->next == '-')
		return NULL;
	return *left->next++;
}

static void __attribute__((noreturn)) refuse_level(const char *value)
{
	char names[128] = "";
	struct text list = TEXT_IN(names);

	for (int i = 0; level_at(i) != NULL; i++)
		text_add(&list, "%s%s", i == 0 ? "" : ", ", level_at(i)->name);
	args_refuse("-engine bot= takes %s, not \"%s\"", names, value);
}

static void read_engine(struct arena_options *options, struct words_left *left)
{
	struct entrant *entrant = &options->entrant[options->entrants];
	const char *word, *value;

	if (options->entrants++ == ARENA_PLAYERS_MAX)
		args_refuse("-engine can be said %d times at most", ARENA_PLAYERS_MAX);
	while ((word = take_word(left)) != NULL) {
		if ((value = line_value(word, "cmd")) != NULL && *value != '\0')
			entrant->command = value;
		else if ((value = line_value(word, "bot")) != NULL)
			entrant->level = value;
		else if ((value = line_value(word, "think")) != NULL)
			entrant->think = (int)args_number("-engine think=", value, 1, 3600000);
		else if ((value = line_value(word, "name")) != NULL && name_is_valid(value))
			strcpy(entrant->name, value);
		else
			args_refuse(
			    "-engine needs cmd=COMMAND or bot=LEVEL, think=MS, and name=NAME "
			    "of 1 to 24 of A-Z a-z 0-9 . _ -, not \"%s\"",
			    word);
	}
	if ((entrant->command == NULL) == (entrant->level == NULL))
		args_refuse("-engine needs either cmd=COMMAND or bot=LEVEL");
	if (entrant->think > 0 && entrant->level == NULL)
		args_refuse(
		    "-engine think= is for bot=LEVEL; a command thinks as long as it likes");
	if (entrant->level != NULL && level_find(entrant->level) == NULL)
		refuse_level(entrant->level);
}

static void read_each(struct arena_options *options, struct words_left *left)
{
	static const char *const ours[] = {"name", "side",  "table", "rounds", "wait",
					   "vs",   "legal", "seats", NULL};
	const char *word;

	while ((word = take_word(left)) != NULL) {
		for (int i = 0; ours[i] != NULL; i++)
			if (line_value(word, ours[i]) != NULL)
				args_refuse("-each does not set %s=, the arena does", ours[i]);
		if (options->keys == ARENA_KEYS_MAX)
			args_refuse("-each has too many words at \"%s\"", word);
		options->key[options->keys++] = word;
	}
}

static double read_real(const char *word, const char *value, double low, double high)
{
	char *end;
	double number = strtod(value, &end);

	if (*value == '\0' || *end != '\0' || !(number > low && number < high))
		args_refuse("-sprt: \"%s\" is no number between %g and %g", word, low, high);
	return number;
}

static void read_sprt(struct arena_options *options, struct words_left *left)
{
	struct sprt *sprt = &options->sprt;
	bool has_elo0 = false, has_elo1 = false;
	const char *word, *value;

	*sprt = (struct sprt){.alpha = 0.05, .beta = 0.05};
	options->has_sprt = true;
	while (left->next != left->end && strchr(*left->next, '=') != NULL) {
		word = *left->next++;
		if ((value = line_value(word, "elo0")) != NULL) {
			sprt->elo0 = read_real(word, value, -2000, 2000);
			has_elo0 = true;
		} else if ((value = line_value(word, "elo1")) != NULL) {
			sprt->elo1 = read_real(word, value, -2000, 2000);
			has_elo1 = true;
		} else if ((value = line_value(word, "alpha")) != NULL) {
			sprt->alpha = read_real(word, value, 0, 0.5);
		} else if ((value = line_value(word, "beta")) != NULL) {
			sprt->beta = read_real(word, value, 0, 0.5);
		} else {
			args_refuse("-sprt knows elo0=, elo1=, alpha= and beta=, not \"%s\"", word);
		}
	}
	if (!has_elo0 || !has_elo1 || sprt->elo0 >= sprt->elo1)
		args_refuse("-sprt needs elo0= and an elo1= that is greater");
}

static void read_server(struct arena_options *options, const char *value)
{
	if (!args_read_address(value, options->host, sizeof(options->host), &options->port))
		args_refuse("-server needs HOST:PORT, not \"%s\"", value);
}

static void read_kind(struct arena_options *options, const char *value)
{
	options->gauntlet = strcmp(value, "gauntlet") == 0;
	if (!options->gauntlet && strcmp(value, "roundrobin") != 0)
		args_refuse("-tournament needs roundrobin or gauntlet, not \"%s\"", value);
}

static void read_game(struct arena_options *options, const char *value)
{
	char names[GAME_NAMES_TEXT];

	options->game = game_find(value);
	game_print_names(names);
	if (options->game == NULL)
		args_refuse("-game takes %s, not \"%s\"", names, value);
}

static long take_number(struct words_left *left, const char *option, long low, long high)
{
	return args_number(option, take_value(left, option), low, high);
}

/* Those of the schedule. False: it is none of them. */
static bool read_schedule(struct arena_options *options, const char *option,
			  struct words_left *left)
{
	if (strcmp(option, "-rounds") == 0)
		options->rounds = take_number(left, option, 1, ARENA_GAMES_MAX);
	else if (strcmp(option, "-games") == 0)
		options->games = (int)take_number(left, option, 1, 10000);
	else if (strcmp(option, "-seats") == 0)
		options->seats = (int)take_number(left, option, 2, GAME_SEATS_MAX);
	else if (strcmp(option, "-srand") == 0)
		options->seed = (uint32_t)take_number(left, option, 0, UINT32_MAX);
	else if (strcmp(option, "-tournament") == 0)
		read_kind(options, take_value(left, option));
	else if (strcmp(option, "-repeat") == 0)
		options->repeat = true;
	else
		return false;
	return true;
}

static void read_option(struct arena_options *options, const char *option, struct words_left *left)
{
	/* two dashes do as well, as everywhere else */
	if (option[0] == '-' && option[1] == '-')
		option++;
	if (strcmp(option, "-engine") == 0) {
		read_engine(options, left);
	} else if (strcmp(option, "-each") == 0) {
		read_each(options, left);
	} else if (strcmp(option, "-sprt") == 0) {
		read_sprt(options, left);
	} else if (strcmp(option, "-game") == 0) {
		read_game(options, take_value(left, option));
	} else if (strcmp(option, "-server") == 0) {
		read_server(options, take_value(left, option));
	} else if (strcmp(option, "-out") == 0) {
		options->out = take_value(left, option);
	} else if (strcmp(option, "-log") == 0) {
		options->log = take_value(left, option);
	} else if (strcmp(option, "-concurrency") == 0) {
		options->at_once = (int)take_number(left, option, 1, ARENA_AT_ONCE_MAX);
	} else if (strcmp(option, "-recover") == 0) {
		options->recover = true;
	} else if (strcmp(option, "-help") == 0) {
		printf(help, game_at(0)->name);
		exit(0);
	} else if (strcmp(option, "-version") == 0) {
		puts("holmgang-arena " HOLMGANG_VERSION);
		exit(0);
	} else if (!read_schedule(options, option, left)) {
		args_refuse("there is no option %s", option);
	}
}

/* An entrant without a name is called by what it is; and no two have the same name. */
static void find_names(struct arena_options *options)
{
	for (int i = 0; i < options->entrants; i++) {
		struct entrant *entrant = &options->entrant[i];

		if (entrant->name[0] == '\0')
			snprintf(entrant->name, sizeof(entrant->name), "%s%d",
				 entrant->level != NULL ? entrant->level : "engine", i + 1);
		for (int j = 0; j < i; j++)
			if (strcmp(entrant->name, options->entrant[j].name) == 0)
				args_refuse("two of -engine have the name \"%s\"", entrant->name);
	}
}

static void check_table(const struct arena_options *options)
{
	const struct game *game = options->game;
	const char *wrong;
	char *words[ARENA_KEYS_MAX];

	memcpy(words, options->key, sizeof(options->key));
	wrong = keys_check(game, words, options->keys);
	if (wrong != NULL)
		args_refuse("-each: %s", wrong);
	if (options->seats > game->seats_max)
		args_refuse("-seats %d: %s is for %d at most", options->seats, game->name,
			    game->seats_max);
}

static void check(struct arena_options *options)
{
	if (options->entrants < 2 || options->entrants < options->seats)
		args_refuse("-engine is needed at least %d times, for each who takes part",
			    options->seats);
	if (options->repeat && options->games % options->seats != 0)
		args_refuse("-repeat needs -games to be %d, or twice that, and so on",
			    options->seats);
	if (options->has_sprt && (options->entrants != 2 || options->seats != 2))
		args_refuse("-sprt is for two of -engine");
	if (options->recover && options->out == NULL)
		args_refuse("-recover needs -out FILE: there is what has been played");
	if (arena_count_games(options) > ARENA_GAMES_MAX)
		args_refuse("these are %ld games, more than %d", arena_count_games(options),
			    ARENA_GAMES_MAX);
	find_names(options);
	check_table(options);
}

void arena_options_read(struct arena_options *options, int argc, char *argv[])
{
	struct words_left left = {argv + 1, argv + argc};

	*options = (struct arena_options){
	    .game = game_at(0), .rounds = 1, .games = 1, .seats = 2, .at_once = 1};
	while (left.next != left.end) {
		const char *option = *left.next++;

		if (*option != '-')
			args_refuse("\"%s\" is not understood", option);
		read_option(options, option, &left);
	}
	check(options);
}
