/*
 * lobby_do.c - what one can do in the lobby: the table of its deeds, and each of them. See lobby.h.
 *
 * Owns what a person sets here: name, game, side, level and terms. It asks for words by page.c, and never
 * speaks to a server.
 */
#include "player/terminal/help.h"
#include "player/terminal/lobby.h"
#include "player/terminal/terminal.h"

#include "player/session/keys.h"

#include "viewer/watch/watch.h"

#include <bsd/stdlib.h>
#include <stdio.h>
#include <string.h>

/* How long a friend may take, who has to be told first: PLAY's key. */
#define FRIEND_WAIT "wait=600"

static struct options *options_of(const struct lobby *lobby)
{
	return lobby->page.options;
}

static bool is_alone(const struct lobby *lobby, int term)
{
	(void)term;
	return options_of(lobby)->people == 0;
}

static bool sit_together(const struct lobby *lobby, int term)
{
	return !is_alone(lobby, term);
}

/* ---- playing ---- */

/* What would be wrong with it is said. */
static bool may_play(struct lobby *lobby)
{
	const char *wrong = party_check(options_of(lobby));

	if (wrong != NULL)
		page_notice(&lobby->page, STYLE_BAD, wrong);
	return wrong == NULL;
}

void lobby_play_computer(struct lobby *lobby)
{
	struct options asked;

	lobby_ask(lobby, &asked);
	terms_against(&asked, bot_level_at(lobby->page.level));
	lobby_play(lobby, &asked);
}

static void step_level(struct lobby *lobby, int term, int step)
{
	int levels = 1;

	(void)term;
	while (bot_level_at(levels) != NULL)
		levels++;
	lobby->page.level = (lobby->page.level + step + levels) % levels;
}

static void print_level(const struct lobby *lobby, int term, struct text *text)
{
	(void)term;
	text_add(text, "%s", bot_level_at(lobby->page.level));
}

static void play_anybody(struct lobby *lobby)
{
	struct options asked;

	if (!may_play(lobby))
		return;
	lobby_ask(lobby, &asked);
	lobby_play(lobby, &asked);
}

static void print_anybody(const struct lobby *lobby, int term, struct text *text)
{
	(void)term;
	text_add(text, "%s", options_of(lobby)->people > 0 ? "at one terminal" : "whoever comes");
}

/* A word that can be said on the telephone: three times a consonant and a vowel. */
static void draw_word(char word[TABLE_WORD_MAX_BYTES])
{
	static const char consonants[] = "bdfgklmnprstvz", vowels[] = "aeiou";
	struct text text = {.data = word, .size = TABLE_WORD_MAX_BYTES};

	for (int i = 0; i < 3; i++)
		text_add(&text, "%c%c", consonants[arc4random_uniform(sizeof(consonants) - 1)],
			 vowels[arc4random_uniform(sizeof(vowels) - 1)]);
}

static const char *check_table(const char *value)
{
	char word[TABLE_WORD_MAX_BYTES + 8];
	char *words[] = {word};

	snprintf(word, sizeof(word), "table=%s", value);
	/* nothing at all takes the word that is offered */
	return value[0] == '\0' || keys_check(game_at(0), words, 1) == NULL
		   ? NULL
		   : "A word is 1 to 32 of A-Z a-z 0-9 . _ -";
}

static const char *said_key(const struct options *options, const char *key)
{
	for (int k = 0; k < options->keys; k++)
		if (line_value(options->key[k], key) != NULL)
			return line_value(options->key[k], key);
	return NULL;
}

/* A word that has been used here before, that was said with --key, or a new one. */
static void find_word(struct lobby *lobby)
{
	const char *said = said_key(options_of(lobby), "table");

	if (lobby->table[0] == '\0' && said != NULL)
		snprintf(lobby->table, sizeof(lobby->table), "%s", said);
	if (lobby->table[0] == '\0')
		draw_word(lobby->table);
}

/* To begin one and to come to one is the same: both say the word. */
static void play_private(struct lobby *lobby)
{
	char question[PAGE_TEXT], word[TABLE_WORD_MAX_BYTES] = "";
	struct options asked;

	find_word(lobby);
	snprintf(question, sizeof(question), "Which word? Enter alone takes %s", lobby->table);
	if (!page_ask(&lobby->page, question, word, sizeof(word), check_table))
		return;
	if (word[0] != '\0')
		strcpy(lobby->table, word);
	snprintf(lobby->table_key, sizeof(lobby->table_key), "table=%s", lobby->table);
	lobby_ask(lobby, &asked);
	terms_say(&asked, lobby->table_key);
	if (said_key(&asked, "wait") == NULL)
		terms_say(&asked, FRIEND_WAIT);
	lobby_play(lobby, &asked);
}

static void print_private(const struct lobby *lobby, int term, struct text *text)
{
	(void)term;
	text_add(text, "%s", lobby->table[0] != '\0' ? lobby->table : "with a friend, by a word");
}

/* ---- who is here ---- */

static void join(struct lobby *lobby, const struct here_entry *entry)
{
	struct options asked = *options_of(lobby);
	char text[PAGE_TEXT];

	if (asked.people > 0) {
		page_notice(&lobby->page, STYLE_DIM, "Those at one terminal play with each other.");
	} else if (!terms_is_open(entry, asked.name)) {
		snprintf(text, sizeof(text), "%.*s waits for somebody else.", NAME_MAX_BYTES,
			 entry->names);
		page_notice(&lobby->page, STYLE_DIM, text);
	} else {
		terms_join(&asked, entry, lobby->page.joined);
		lobby_play(lobby, &asked);
	}
}

/* Is nobody else of this name at a table? */
static bool is_unmistakable(const struct lobby *lobby, const char *name)
{
	const struct here_list *list = &lobby->page.here.now;
	size_t length = strlen(name);
	int found = 0;

	for (int i = 0; i < list->count; i++)
		for (const char *next = list->entry[i].names;
		     !list->entry[i].waits && *next != '\0';
		     next += strcspn(next, ",") + (next[strcspn(next, ",")] != '\0'))
			found += strcspn(next, ",") == length && strncmp(next, name, length) == 0;
	return found == 1;
}

/* A player is followed from duel to duel, where it is clear who is meant. */
static void watch_table(struct lobby *lobby, const struct here_entry *entry)
{
	const struct options *options = options_of(lobby);
	char name[NAME_MAX_BYTES], why[WATCH_WHY_MAX];
	const char *whom = name;

	if (entry->port == 0) {
		page_notice(&lobby->page, STYLE_DIM,
			    "This table cannot be watched: the server has no port left for it.");
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(entry->names, ","), entry->names);
	if (!name_is_valid(name) || !is_unmistakable(lobby, name))
		whom = entry->id;
	lobby_watch(lobby, watch_open_server(options->host, options->port, whom, why), why);
}

void lobby_enter(struct lobby *lobby, const struct here_entry *entry)
{
	if (entry->waits)
		join(lobby, entry);
	else
		watch_table(lobby, entry);
}

/* ---- what is asked for ---- */

/* Has the server this game, as far as it has told? */
static bool is_offered(const struct session *session, int game)
{
	return !session->has_games || session->has_game[game];
}

/* The next game that the server has, or the one before. */
static void step_game(struct lobby *lobby, int term, int step)
{
	struct options *options = options_of(lobby);
	int i = 0, next;

	(void)term;
	while (game_at(i) != options->game)
		i++;
	next = i;
	do
		next = (next + step + GAME_COUNT) % GAME_COUNT;
	while (next != i && !is_offered(&lobby->page.party.session[0], next));
	if (next == i)
		page_notice(&lobby->page, STYLE_DIM, "There is no other game here.");
	else
		options->side = NULL;
	options->game = game_at(next);
}

static void print_game(const struct lobby *lobby, int term, struct text *text)
{
	(void)term;
	text_add(text, "%s", options_of(lobby)->game->title);
}

static bool has_term(const struct lobby *lobby, int term)
{
	return terms_has(options_of(lobby), term);
}

static void step_term(struct lobby *lobby, int term, int step)
{
	terms_step(&lobby->terms, &lobby->page.party.session[0], options_of(lobby), term, step);
}

static void print_term(const struct lobby *lobby, int term, struct text *text)
{
	struct options asked;
	struct wish wish;

	lobby_ask(lobby, &asked);
	session_wish(&lobby->page.party.session[0], &asked, &wish);
	terms_print_one(&wish.shape, term, text);
}

static bool has_sides(const struct lobby *lobby, int term)
{
	(void)term;
	return options_of(lobby)->game->has & GAME_HAS_SIDES;
}

/* Any side, then each side of the game. */
static void step_side(struct lobby *lobby, int term, int step)
{
	struct options *options = options_of(lobby);
	const char *const sides[] = {NULL, options->game->side_name[0],
				     options->game->side_name[1]};
	int i = 0;

	(void)term;
	if (options->side != NULL)
		i = strcmp(options->side, sides[1]) == 0 ? 1 : 2;
	options->side = sides[(i + step + 3) % 3];
}

static void print_side(const struct lobby *lobby, int term, struct text *text)
{
	const char *side = options_of(lobby)->side;

	(void)term;
	text_add(text, "%s", side == NULL ? "any" : side);
}

static const char *check_name(const char *value)
{
	return name_is_valid(value) ? NULL : "A name is 1 to 24 of A-Z a-z 0-9 . _ -";
}

static void change_name(struct lobby *lobby)
{
	struct options *options = options_of(lobby);

	if (options->people > 0) {
		page_notice(&lobby->page, STYLE_DIM, "The names are those of --hotseat.");
		return;
	}
	page_ask(&lobby->page, "What is your name?", options->name, sizeof(options->name),
		 check_name);
}

static void print_name(const struct lobby *lobby, int term, struct text *text)
{
	const struct options *options = options_of(lobby);

	(void)term;
	if (options->people == 0)
		text_add(text, "%s", options->name);
	for (int i = 0; i < options->people; i++)
		text_add(text, "%s%s", i == 0 ? "" : ",", options->person[i]);
}

/* ---- all else ---- */

static const char *check_ports(const char *value)
{
	struct ports ports = {0};

	return args_add_ports(&ports, value) ? NULL : "A port is 1 to 65535, a range is 9001-9016.";
}

/* What was said with -v is watched at once; what was typed may have been mistyped. */
static void watch_port(struct lobby *lobby)
{
	struct ports *ports = &options_of(lobby)->watch;
	char why[WATCH_WHY_MAX];

	if (ports->count == 0 || lobby->port[0] != '\0') {
		if (!page_ask(&lobby->page, "Which broadcast port do you want to watch?",
			      lobby->port, sizeof(lobby->port), check_ports))
			return;
		ports->count = 0;
		args_add_ports(ports, lobby->port);
	}
	lobby_watch(lobby, watch_open(ports, why), why);
}

static void print_port(const struct lobby *lobby, int term, struct text *text)
{
	const struct ports *ports = &options_of(lobby)->watch;

	(void)term;
	if (ports->count == 0)
		text_add(text, "a broadcast port");
	else
		text_add(text, "port %u%s", ports->port[0], ports->count > 1 ? " ..." : "");
}

static void help(struct lobby *lobby)
{
	static const struct help_key keys[] = {
	    {"Up, Down", "choose a line", 0},
	    {"Enter, click", "do it, join, or watch", 0},
	    {"Left, Right", "change what stands in < >", 0},
	    {"Tab", "to who is here, and back", 0},
	    {"a letter", "its line, at once", 0},
	    {"q, Ctrl-C", "quit", 0},
	};

	help_run(&lobby->page, options_of(lobby)->game, keys, sizeof(keys) / sizeof(keys[0]));
}

static void print_help(const struct lobby *lobby, int term, struct text *text)
{
	(void)lobby;
	(void)term;
	text_add(text, "rules, keys");
}

static void quit(struct lobby *lobby)
{
	lobby->page.quit = true;
}

static const struct deed deeds[] = {
    {'c', 0, "Play the computer", is_alone, print_level, lobby_play_computer, step_level},
    {'p', 0, "Play anybody", is_alone, print_anybody, play_anybody, NULL},
    {'p', 0, "Play", sit_together, print_anybody, play_anybody, NULL},
    {'t', 0, "Private table", is_alone, print_private, play_private, NULL},
    {'g', 0, "Game", NULL, print_game, NULL, step_game},
    {'m', TERMS_CLOCK, "Time for a turn", has_term, print_term, NULL, step_term},
    {'r', TERMS_ROUNDS, "Rounds", has_term, print_term, NULL, step_term},
    {'e', TERMS_SEATS, "Seats", has_term, print_term, NULL, step_term},
    {'z', TERMS_SIZE, "Board", has_term, print_term, NULL, step_term},
    {'s', 0, "Side", has_sides, print_side, NULL, step_side},
    {'n', 0, "Name", NULL, print_name, change_name, NULL},
    {'w', 0, "Watch", NULL, print_port, watch_port, NULL},
    {'?', 0, "Help", NULL, print_help, help, NULL},
    {'q', 0, "Quit", NULL, NULL, quit, NULL},
};

const struct deed *lobby_deed_at(int index)
{
	return index < (int)(sizeof(deeds) / sizeof(deeds[0])) ? &deeds[index] : NULL;
}
