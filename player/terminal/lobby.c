/*
 * menu.c - the first screen: what a person can do here.
 *
 * Owns the terminal and the people's sessions from the first to the last screen. What is chosen is done
 * by play.c, by the watching screen of the viewer, or by a few lines below. It never plays itself.
 */
#include "player/terminal/terminal.h"

#include "player/terminal/page.h"

#include "viewer/watch/watch.h"
#include <curses.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEM_TEXT = 64 };

struct menu {
	struct page page;
	int chosen;
	char port[32];	      /* that was typed to be watched; "": none was */
	int top, first, rows; /* where the items were drawn last: screen row, item, how many */
};

static void choose_play(struct menu *menu)
{
	const struct options *options = menu->page.options;
	const char *wrong = party_check(options);

	if (wrong != NULL)
		page_notice(&menu->page, STYLE_BAD, wrong);
	else
		play_run(&menu->page);
}

static const char *check_ports(const char *value)
{
	struct ports ports = {0};

	return args_add_ports(&ports, value) ? NULL : "A port is 1 to 65535, a range is 9001-9016.";
}

static void watch(struct menu *menu)
{
	const struct watch_options options = {.stop_fd = menu->page.options->signals};
	char why[WATCH_WHY_MAX];
	struct watch *opened = watch_open(&menu->page.options->watch, why);

	if (opened == NULL) {
		page_notice(&menu->page, STYLE_BAD, why);
		return;
	}
	args_tell_ready(menu->page.options->ready_fd);
	menu->page.options->ready_fd = -1;
	if (watch_on_terminal(opened, &options) != WATCH_QUIT)
		menu->page.quit = true;
	watch_close(opened);
}

/* What was said with -v is watched at once; what was typed may have been mistyped. */
static void choose_watch(struct menu *menu)
{
	struct ports *ports = &menu->page.options->watch;

	if (ports->count == 0 || menu->port[0] != '\0') {
		if (!page_ask(&menu->page, "Which broadcast port do you want to watch?", menu->port,
			      sizeof(menu->port), check_ports))
			return;
		ports->count = 0;
		args_add_ports(ports, menu->port);
	}
	watch(menu);
}

static const char *check_name(const char *value)
{
	return name_is_valid(value) ? NULL : "A name is 1 to 24 of A-Z a-z 0-9 . _ -";
}

static void choose_name(struct menu *menu)
{
	struct options *options = menu->page.options;

	if (options->people > 0) {
		page_notice(&menu->page, STYLE_DIM, "The names are those of --hotseat.");
		return;
	}
	page_ask(&menu->page, "What is your name?", options->name, sizeof(options->name),
		 check_name);
}

/* Has the server this game, as far as it has told? */
static bool is_offered(const struct session *session, int game)
{
	return !session->has_games || session->has_game[game];
}

/* The next game that the server has, or the one before. */
static void step_game(struct menu *menu, int step)
{
	struct options *options = menu->page.options;
	int i = 0, next;

	while (game_at(i) != options->game)
		i++;
	next = i;
	do
		next = (next + step + GAME_COUNT) % GAME_COUNT;
	while (next != i && !is_offered(&menu->page.party.session[0], next));
	if (next == i)
		page_notice(&menu->page, STYLE_DIM, "There is no other game here.");
	else
		options->side = NULL;
	options->game = game_at(next);
}

static void choose_game(struct menu *menu)
{
	step_game(menu, 1);
}

/* Any side, then each side of the game. */
static void choose_side(struct menu *menu)
{
	struct options *options = menu->page.options;
	const struct game *game = options->game;

	if (!(game->has & GAME_HAS_SIDES))
		page_notice(&menu->page, STYLE_DIM, "This game has no sides to choose from.");
	else if (options->side == NULL)
		options->side = game->side_name[0];
	else if (strcmp(options->side, game->side_name[0]) == 0)
		options->side = game->side_name[1];
	else
		options->side = NULL;
}

static void choose_quit(struct menu *menu)
{
	menu->page.quit = true;
}

static const struct item {
	int key;
	const char *text;
	void (*choose)(struct menu *menu);
} items[] = {
    {'p', "Play", choose_play}, {'w', "Watch", choose_watch}, {'n', "Name", choose_name},
    {'g', "Game", choose_game}, {'s', "Side", choose_side},   {'q', "Quit", choose_quit},
};

enum { ITEMS = sizeof(items) / sizeof(items[0]) };

/* Who plays here: one, or several. */
static void print_names(const struct options *options, struct text *text)
{
	if (options->people == 0)
		text_add(text, "%s", options->name);
	for (int i = 0; i < options->people; i++)
		text_add(text, "%s%s", i == 0 ? "" : ",", options->person[i]);
}

static void print_item(const struct menu *menu, const struct item *item, char text[ITEM_TEXT])
{
	const struct options *options = menu->page.options;
	const char *value = "";
	char port[16], names[ITEM_TEXT] = "";
	struct text people = TEXT_IN(names);

	print_names(options, &people);
	if (item->choose == choose_play)
		value = options->people > 0 ? "at one terminal" : "find an opponent";
	if (item->choose == choose_watch && options->watch.count == 0)
		value = "look on";
	if (item->choose == choose_watch && options->watch.count > 0) {
		snprintf(port, sizeof(port), "port %u%s", options->watch.port[0],
			 options->watch.count > 1 ? " ..." : "");
		value = port;
	}
	if (item->choose == choose_name)
		value = names;
	if (item->choose == choose_game)
		value = options->game->title;
	if (item->choose == choose_side)
		value = !(options->game->has & GAME_HAS_SIDES) ? "none"
			: options->side == NULL		       ? "any"
							       : options->side;
	snprintf(text, ITEM_TEXT, "%s %c  %-6s %.40s ", &items[menu->chosen] == item ? ">" : " ",
		 item->key, item->text, value);
}

static void draw_items(struct menu *menu, struct area area, int row)
{
	char text[ITEM_TEXT];
	int width = 32 < area.width ? 32 : area.width;

	menu->rows = area.height - row < ITEMS ? area.height - row : ITEMS;
	menu->first = menu->chosen < menu->rows ? 0 : menu->chosen - menu->rows + 1;
	menu->top = area.top + row;
	area.left += (area.width - width) / 2;
	area.width = width;
	for (int i = 0; i < menu->rows; i++) {
		const struct item *item = &items[menu->first + i];

		print_item(menu, item, text);
		terminal_draw_text(area, row + i,
				   menu->first + i == menu->chosen ? STYLE_CHOSEN : STYLE_PLAIN,
				   text);
	}
}

static void draw_server(const struct menu *menu, struct area area, int row)
{
	const struct session *session = &menu->page.party.session[0];
	static const char *const states[] = {
	    [CLIENT_CLOSED] = "not connected",
	    [CLIENT_CONNECTING] = "connecting",
	    [CLIENT_OPEN] = "connected",
	};
	char text[PAGE_TEXT];

	snprintf(text, sizeof(text), "server %s port %u, %s", session->options->host,
		 session->options->port, states[session->client.state]);
	page_draw_middle(area, row, STYLE_DIM, text);
}

static void draw(struct menu *menu)
{
	struct area area;
	int row = 0;
	bool roomy;

	terminal_begin();
	area = page_draw_foot(&menu->page, STYLE_DIM,
			      "arrows, Enter: go   or press a letter   or use the mouse");
	roomy = area.height >= ITEMS + 7;
	if (roomy)
		row = (area.height - ITEMS - 7) / 2;
	if (area.height > 3) {
		page_draw_middle(area, row++, STYLE_TITLE, roomy ? "H O L M G A N G" : "Holmgang");
		if (roomy)
			page_draw_middle(area, row++, STYLE_DIM, "duels of board games");
	}
	row += roomy ? 2 : 0;
	draw_items(menu, area, row);
	if (roomy)
		draw_server(menu, area, row + ITEMS + 2);
	terminal_end();
}

/* The connection has gone while nobody played. */
static void say_gone(struct menu *menu, const struct session *session)
{
	if (strcmp(session->view.error_code, "not-registered") == 0)
		page_notice(
		    &menu->page, STYLE_PLAIN,
		    "Nobody has played for a while, so the server has closed the connection.");
	else
		page_notice(&menu->page, STYLE_BAD, session->trouble);
}

static void hear(struct menu *menu)
{
	struct party *party = &menu->page.party;
	enum session_event event;

	for (int person = 0; person < party->count; person++)
		while ((event = session_next(&party->session[person])) != SESSION_QUIET)
			if (event == SESSION_GONE)
				say_gone(menu, &party->session[person]);
}

static void handle_input(struct menu *menu, const struct terminal_input *input)
{
	int chosen = -1;

	if (input->resized)
		return;
	page_notice(&menu->page, STYLE_PLAIN, "");
	for (int i = 0; i < ITEMS; i++)
		if (input->key == items[i].key)
			chosen = i;
	if (page_is_enter(input->key) || input->key == ' ')
		chosen = menu->chosen;
	if (input->click && input->row >= menu->top && input->row < menu->top + menu->rows)
		chosen = menu->first + input->row - menu->top;
	if (chosen >= 0) {
		menu->chosen = chosen;
		items[chosen].choose(menu);
	} else if ((input->key == KEY_LEFT || input->key == KEY_RIGHT) &&
		   items[menu->chosen].choose == choose_game) {
		step_game(menu, input->key == KEY_LEFT ? -1 : 1);
	} else if (input->key == KEY_UP || input->key == 'k') {
		menu->chosen = (menu->chosen + ITEMS - 1) % ITEMS;
	} else if (input->key == KEY_DOWN || input->key == 'j') {
		menu->chosen = (menu->chosen + 1) % ITEMS;
	} else if (input->key == PAGE_ESCAPE) {
		menu->page.quit = true;
	}
}

static void run(struct menu *menu)
{
	struct terminal_input input;

	while (!menu->page.quit) {
		hear(menu);
		draw(menu);
		page_wait(&menu->page, -1);
		while (!menu->page.quit && terminal_read(&input))
			handle_input(menu, &input);
	}
}

/* Before the screen is touched: is there a server? False: no, and that has been said;
 * or a signal has ended the waiting for an answer. `status` is then the program's. */
static bool reach_server(struct session *session, int *status)
{
	*status = 1;
	session_connect(session);
	while (session->client.state != CLIENT_OPEN) {
		struct pollfd entry[2] = {
		    {.fd = session->options->signals, .events = POLLIN},
		};
		int timeout = session_poll(session, &entry[1]);

		if (session_next(session) == SESSION_GONE) {
			warnx("%s (is the server running there?)", session->trouble);
			return false;
		}
		if (poll(entry, 2, timeout) < 0)
			entry[0].revents = entry[1].revents = 0;
		if (entry[0].revents != 0) {
			*status = 0;
			return false;
		}
		session_step(session, entry[1].revents);
	}
	return true;
}

int menu_run(struct options *options)
{
	static struct menu menu;
	bool only_watch = options->watch.count > 0 && !options->has_host;
	const char *kind = getenv("TERM");
	int status;

	menu.page.options = options;
	party_init(&menu.page.party, options);
	if (!only_watch && !reach_server(&menu.page.party.session[0], &status))
		return status;
	if (!terminal_open(true)) {
		warnx("cannot draw on this terminal (TERM=%s); try --bot",
		      kind == NULL ? "" : kind);
		party_quit(&menu.page.party);
		return 1;
	}
	if (only_watch)
		watch(&menu);
	args_tell_ready(options->ready_fd);
	options->ready_fd = -1;
	run(&menu);
	terminal_close();
	party_quit(&menu.page.party);
	return 0;
}
