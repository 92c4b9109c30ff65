/*
 * lobby.c - the first screen: who is here, and what a person can do. See lobby.h.
 *
 * Owns the terminal and the people's sessions from the first to the last screen, and keeps the connection
 * while nobody plays: the list of who is here comes over it. What is chosen is done by play.c, by the watching
 * screen of the viewer, or in lobby_do.c. It never plays itself.
 */
#include "player/terminal/lobby.h"

#include "player/beside/own_server.h"
#include "player/terminal/terminal.h"

#include "proto/time/timers.h"

#include "viewer/watch/watch.h"
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	REDRAW_MS = 500, /* seconds are shown that pass */
	PAUSE_FIRST_MS = 500,
	PAUSE_LAST_MS = 8000,
};

void lobby_ask(const struct lobby *lobby, struct options *asked)
{
	*asked = *lobby->page.options;
	terms_apply(&lobby->terms, &lobby->page.party.session[0], asked);
}

void lobby_play(struct lobby *lobby, const struct options *asked)
{
	struct page *page = &lobby->page;
	struct options own = *page->options;

	/* a play may change what is asked for, as long as it lasts */
	*page->options = *asked;
	lobby->wants_server = true;
	play_run(page);
	*page->options = own;
	page->looked = 0;
}

void lobby_watch(struct lobby *lobby, struct watch *opened, const char *why)
{
	struct options *own = lobby->page.options;
	const struct watch_options options = {.leave = "q: lobby", .stop_fd = own->signals};

	if (opened == NULL) {
		page_notice(&lobby->page, STYLE_BAD, why);
		return;
	}
	args_tell_ready(own->ready_fd);
	own->ready_fd = -1;
	if (watch_on_terminal(opened, &options) != WATCH_QUIT)
		lobby->page.quit = true;
	watch_close(opened);
	lobby->page.looked = 0;
}

/* ---- the connection ---- */

/* The connection has gone while nobody played. A server that closes it for just that is no trouble: it is
 * asked again in a moment. */
static void handle_gone(struct lobby *lobby, struct session *session)
{
	char text[PAGE_TEXT];

	lobby->retry_at = clock_ms() + lobby->pause;
	if (lobby->pause < PAUSE_LAST_MS)
		lobby->pause *= 2;
	if (strcmp(session->view.error_code, "not-registered") == 0) {
		session->view.error_code[0] = '\0';
		return;
	}
	lobby->page.here.is_known = false;
	lobby->page.here.now.count = 0;
	lobby->is_lost = true;
	snprintf(text, sizeof(text), "%s; trying again ...", session->trouble);
	page_notice(&lobby->page, STYLE_BAD, text);
}

static void hear(struct lobby *lobby)
{
	struct party *party = &lobby->page.party;
	enum session_event event;

	for (int person = 0; person < party->count; person++)
		while ((event = session_next(&party->session[person])) != SESSION_QUIET)
			if (event == SESSION_GONE && person == 0)
				handle_gone(lobby, &party->session[person]);
}

/* The first of those here asks who is here, and so has a connection; the others do not need one. */
static void keep_connected(struct lobby *lobby)
{
	struct session *session = &lobby->page.party.session[0];

	if (lobby->wants_server && !session->active && clock_ms() >= lobby->retry_at)
		session_connect(session);
	/* a server that closes at once is not asked more often than one that is not there */
	if (session->client.state != CLIENT_OPEN || !session->greeted || session->list != LIST_NONE)
		return;
	if (lobby->is_lost)
		page_notice(&lobby->page, STYLE_GOOD, "The connection is back.");
	lobby->is_lost = false;
	lobby->pause = PAUSE_FIRST_MS;
}

static void run(struct lobby *lobby)
{
	struct terminal_input input;

	while (!lobby->page.quit) {
		hear(lobby);
		keep_connected(lobby);
		page_look(&lobby->page);
		lobby_find_places(lobby);
		lobby_draw(lobby);
		page_wait(&lobby->page, REDRAW_MS);
		while (!lobby->page.quit && terminal_read(&input)) {
			lobby_input(lobby, &input);
			lobby_find_places(lobby);
		}
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
			enum own_server own = own_server_offer(session->options, session->trouble);

			*status = own == OWN_SERVER_NONE;
			if (own != OWN_SERVER_RUNS)
				return false;
			session_connect(session);
			continue;
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

/* The level that --against says, or the one that most people can play with. */
static void choose_level(struct lobby *lobby, const char *level)
{
	for (int i = 0; bot_level_at(i) != NULL; i++)
		if (strcmp(bot_level_at(i), level) == 0)
			lobby->page.level = i;
}

int lobby_run(struct options *options)
{
	static struct lobby lobby;
	bool only_watch = options->watch.count > 0 && !options->has_host;
	const char *kind = getenv("TERM"), *against = options->computer;
	char why[WATCH_WHY_MAX];
	int status;

	lobby.page.options = options;
	lobby.pause = PAUSE_FIRST_MS;
	lobby.wants_server = !only_watch;
	options->computer = NULL;
	choose_level(&lobby, against == NULL ? "easy" : against);
	party_init(&lobby.page.party, options);
	lobby.page.party.session[0].here = &lobby.page.here;
	if (!only_watch && !reach_server(&lobby.page.party.session[0], &status))
		return status;
	if (!terminal_open(true)) {
		warnx("cannot draw on this terminal (TERM=%s); try --bot",
		      kind == NULL ? "" : kind);
		party_quit(&lobby.page.party);
		return 1;
	}
	if (only_watch)
		lobby_watch(&lobby, watch_open(&options->watch, why), why);
	args_tell_ready(options->ready_fd);
	options->ready_fd = -1;
	if (against != NULL)
		lobby_play_computer(&lobby);
	run(&lobby);
	terminal_close();
	party_quit(&lobby.page.party);
	page_say_farewell(&lobby.page);
	return 0;
}
