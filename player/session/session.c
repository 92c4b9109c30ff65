/*
 * session.c - one player at one server. See session.h.
 *
 * Owns the client, which knows the connection and no line, and the view, which knows the lines and no
 * connection. Here is what needs both: what to say when, and what to do when the connection breaks. It
 * never reads a key or draws, and waits only in session_quit(), for half a second.
 */
#include "player/session/session.h"

#include "player/session/keys.h"

#include "proto/time/timers.h"

#include <stdio.h>
#include <string.h>

enum {
	PAUSE_FIRST_MS = 100,
	PAUSE_LAST_MS = 1600,
	QUIT_MS = 500, /* for the answer to the last LOGOUT */
};

const char *session_check(const struct options *options)
{
	char *words[OPTIONS_KEYS_MAX + 1];
	char side[64];
	int count = options->keys;

	memcpy(words, options->key, (size_t)count * sizeof(words[0]));
	if (options->side != NULL) {
		snprintf(side, sizeof(side), "side=%s", options->side);
		words[count++] = side;
	}
	return keys_check(options->game, words, count);
}

static void say_play(struct session *session)
{
	const struct options *options = session->options;
	char line[LINE_MAX_CLIENT];
	struct text text = TEXT_IN(line);

	text_add(&text, "PLAY %s name=%s legal=on", options->game->name, options->name);
	if (options->side != NULL)
		text_add(&text, " side=%s", options->side);
	if (options->computer != NULL)
		text_add(&text, " bot=%s", options->computer);
	else if (options->rival[0] != '\0')
		text_add(&text, " vs=%s", options->rival);
	/* a key of another game, from before the lobby changed the game, is left out */
	for (int k = 0; k < options->keys; k++)
		if (keys_check(options->game, (char *const *)&options->key[k], 1) == NULL)
			text_add(&text, " %s", options->key[k]);
	client_say(&session->client, line);
}

static int game_index(const struct game *game)
{
	int i = 0;

	while (game_at(i) != game)
		i++;
	return i;
}

void session_defaults(const struct session *session, const struct game *game, struct wish *wish)
{
	static const struct shape_defaults defaults = {.wait = 10};
	int i = game_index(game);

	wish_default(wish, game, &defaults);
	if (session->has_game[i])
		wish->shape.clock = session->server_clock[i];
}

void session_wish(const struct session *session, const struct options *options, struct wish *wish)
{
	session_defaults(session, options->game, wish);
	for (int k = 0; k < options->keys; k++)
		wish_read(wish, (char *const *)&options->key[k], 1);
}

static void find_clock(struct session *session)
{
	struct wish wish;

	session_wish(session, session->options, &wish);
	session->clock = wish.shape.clock;
}

void session_init(struct session *session, const struct options *options, bool stubborn)
{
	memset(session, 0, sizeof(*session));
	session->options = options;
	session->stubborn = stubborn;
	client_init(&session->client);
	view_init(&session->view);
}

void session_close(struct session *session)
{
	client_close(&session->client);
	session->active = session->searching = session->pausing = false;
}

static void begin_connecting(struct session *session)
{
	session->active = true;
	session->pausing = session->greeted = session->resuming = false;
	session->view.leaving = false;
	client_open(&session->client, session->options->host, session->options->port);
}

/* On a new connection: say what it is for. */
static void greet(struct session *session)
{
	char line[16 + TOKEN_TEXT];

	session->greeted = session->was_open = true;
	session->list = LIST_NONE;
	session->tells_nothing = false;
	if ((!session->stubborn || session->tap != NULL) && session->want != WANT_RESUME) {
		client_say(&session->client, "GAMES");
		session->list = LIST_GAMES;
	}
	if (session->want == WANT_PLAY)
		say_play(session);
	if (session->want == WANT_RESUME) {
		snprintf(line, sizeof(line), "RESUME %s", session->view.token);
		client_say(&session->client, line);
		view_resume(&session->view);
		session->resuming = true;
	}
}

void session_connect(struct session *session)
{
	session->want = WANT_NOTHING;
	if (session->client.state == CLIENT_CLOSED)
		begin_connecting(session);
}

void session_play(struct session *session)
{
	find_clock(session);
	view_ask(&session->view, session->options->game);
	session->want = WANT_PLAY;
	if (session->client.state == CLIENT_CLOSED)
		begin_connecting(session);
	else if (session->greeted)
		say_play(session);
}

void session_take(struct session *session, const char *token)
{
	find_clock(session);
	view_ask(&session->view, session->options->game);
	strcpy(session->view.token, token);
	session->want = WANT_RESUME;
	begin_connecting(session);
}

void session_move(struct session *session, const struct move *move)
{
	session_claim(session, move, NULL);
}

void session_claim(struct session *session, const struct move *move, const char *claim)
{
	char text[GAME_MOVE_TEXT], line[80 + GAME_MOVE_TEXT];

	session->view.game->print_move(move, text);
	snprintf(line, sizeof(line), "MOVE %s%s%s", text, claim == NULL ? "" : " ",
		 claim == NULL ? "" : claim);
	client_say(&session->client, line);
	view_move(&session->view);
}

void session_resign(struct session *session)
{
	client_say(&session->client, "RESIGN");
}

void session_leave(struct session *session)
{
	session->want = WANT_NOTHING;
	session->searching = false;
	if (session->client.state == CLIENT_OPEN && session->greeted) {
		client_say(&session->client, "LOGOUT");
		view_leave(&session->view);
	} else {
		session_close(session);
		view_forget(&session->view);
	}
}

bool session_look(struct session *session)
{
	const struct view *view = &session->view;

	if (session->here == NULL || session->list != LIST_NONE || session->tells_nothing ||
	    session->client.state != CLIENT_OPEN || !session->greeted || view->leaving ||
	    (view->phase != VIEW_IDLE && view->phase != VIEW_WAITING))
		return false;
	here_begin(session->here);
	client_say(&session->client, "TABLES");
	session->list = LIST_TABLES;
	return true;
}

/* Closing at once could throw the LOGOUT away together with what we have not read, and the others
 * would be left to wait for us. */
void session_quit(struct session *session)
{
	int64_t until = clock_ms() + QUIT_MS;
	bool known = session->view.phase != VIEW_IDLE;

	if (known)
		session_leave(session);
	while (known && session->view.leaving && session->client.state == CLIENT_OPEN &&
	       clock_wait(until) > 0) {
		struct pollfd entry;

		session_poll(session, &entry);
		if (poll(&entry, 1, clock_wait(until)) > 0)
			session_step(session, entry.revents);
		while (session_next(session) != SESSION_QUIET)
			;
	}
	session_close(session);
}

int session_poll(const struct session *session, struct pollfd *entry)
{
	if (!session->pausing)
		return client_poll(&session->client, entry);
	*entry = (struct pollfd){.fd = -1};
	return clock_wait(session->try_at);
}

void session_step(struct session *session, short events)
{
	if (session->pausing) {
		if (clock_ms() < session->try_at)
			return;
		begin_connecting(session);
	}
	client_step(&session->client, events);
	if (session->client.state == CLIENT_OPEN && !session->greeted)
		greet(session);
}

/* There is no connection although there should be one. */
static enum session_event disconnected(struct session *session)
{
	const struct view *view = &session->view;
	bool worth = session->stubborn || view->phase != VIEW_IDLE;
	int64_t now = clock_ms();

	snprintf(session->trouble, sizeof(session->trouble), "%s", session->client.error);
	if (session->searching && now < session->until) {
		session->pause *= session->pause < PAUSE_LAST_MS ? 2 : 1;
		session->try_at = now + session->pause;
		session->pausing = true;
		return SESSION_QUIET;
	}
	if (session->searching || !session->was_open || !worth) {
		session->active = session->searching = session->was_open = false;
		view_forget(&session->view);
		return SESSION_GONE;
	}
	session->searching = session->pausing = true;
	session->pause = PAUSE_FIRST_MS;
	session->try_at = now + session->pause;
	session->until = now + SESSION_TRY_MS;
	if (view_can_resume(view))
		session->want = WANT_RESUME;
	return SESSION_LOST;
}

/* A line of GAMES: <game> <min seats> <max seats> <key=default …>. */
static bool hear_game(struct session *session, const char *line)
{
	static const struct shape_defaults defaults = {.wait = 10};
	char copy[512];
	struct words words;
	struct wish wish;
	const struct game *game;
	int i;

	if (strlen(line) >= sizeof(copy))
		return false;
	strcpy(copy, line);
	if (!line_split(copy, &words) || words.count < 3)
		return false;
	game = game_find(words.word[0]);
	if (game == NULL)
		return false;
	i = game_index(game);
	wish_default(&wish, game, &defaults);
	for (int w = 3; w < words.count; w++)
		wish_read(&wish, words.word + w, 1);
	session->has_games = session->has_game[i] = true;
	session->server_clock[i] = wish.shape.clock;
	if (session->view.game == game)
		find_clock(session);
	return true;
}

/* An ERROR that refuses TABLES: a duel may have begun meanwhile, or the server is an older one. */
static bool is_refusal(const char *line)
{
	static const char *const codes[] = {"unknown-command", "already-playing", "too-fast"};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (strncmp(line, "ERROR ", 6) == 0 &&
		    strncmp(line + 6, codes[i], strlen(codes[i])) == 0)
			return true;
	return false;
}

/* What answers GAMES or TABLES. */
static bool hear_list(struct session *session, char *line)
{
	enum session_list list = session->list;

	if (hear_game(session, line))
		return true;
	if (list == LIST_GAMES && strcmp(line, "END") == 0) {
		session->list = LIST_NONE;
		return true;
	}
	if (list != LIST_TABLES)
		return false;
	if (is_refusal(line)) {
		session->list = LIST_NONE;
		/* where a duel has begun, it is the duel that does not know the word */
		session->tells_nothing = strncmp(line + 6, "unknown", 7) == 0 &&
					 session->view.phase < VIEW_PLAYING;
		return true;
	}
	switch (here_hear(session->here, line, clock_ms())) {
	case HERE_OTHER:
		return false;
	case HERE_TOLD:
		return true;
	case HERE_END:
		session->list = LIST_NONE;
		return true;
	}
	return false;
}

static enum session_event hear(struct session *session, char *line)
{
	if (hear_list(session, line))
		return SESSION_QUIET;
	session->heard = view_hear(&session->view, line);
	/* a connection counts as found again when it serves for something: a server that accepts
	 * and closes at once is not asked more often than one that is not there */
	if (session->heard == HEARD_ID)
		session->resuming = session->searching = false;
	if (session->resuming && session->heard == HEARD_ERROR &&
	    strcmp(session->view.error_code, "busy") == 0 && clock_ms() < session->until) {
		/* not just now: tried again like a server that is not there */
		client_close(&session->client);
		session->resuming = false;
		session->searching = true;
		return SESSION_QUIET;
	}
	if (session->heard == HEARD_ERROR && !session->stubborn)
		session->searching = false;
	if (session->resuming && session->heard == HEARD_ERROR) {
		session->resuming = session->searching = false;
		session->want = WANT_NOTHING;
		view_forget(&session->view);
		return SESSION_REFUSED;
	}
	return SESSION_HEARD;
}

enum session_event session_next(struct session *session)
{
	char *line;

	while ((line = client_next(&session->client)) != NULL) {
		enum session_event event;

		if (session->tap != NULL)
			session->tap(session->tap_owner, line);
		event = hear(session, line);
		if (event != SESSION_QUIET)
			return event;
	}
	if (session->active && session->client.state == CLIENT_CLOSED && !session->pausing)
		return disconnected(session);
	return SESSION_QUIET;
}
