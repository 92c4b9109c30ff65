/*
 * seat.c - an engine at our seat. See seat.h.
 *
 * Stands between the session and the engine; owns the engine, and how long it may think. Nothing that the
 * engine says gets further than the one line that the server still has to answer, so no flood reaches the
 * server. It never waits, and never touches a descriptor.
 */
#include "player/engine/seat.h"

#include "proto/time/timers.h"

#include <err.h>
#include <stdio.h>
#include <string.h>

enum {
	MARGIN_MS = 2000,    /* more than the table's clock, whose word counts */
	LIMIT_MS = 60000,    /* for a move where there is no clock */
	NOISE_MAX = 100,     /* lines that are no moves at once, */
	NOISE_EVERY_MS = 50, /* and one more every so often */
	RESTART_MS = 250,    /* after a failure without a move */
	SHOWN_MAX = 60,	     /* bytes of what it said */
};

static void report(const struct engine_seat *seat, const char *then)
{
	const struct options *options = seat->options;
	const struct engine *engine = &seat->engine;

	warnx("engine %s: %s%s%s%s", failure_word(engine->failure), engine->why, then,
	      options->engine_way == ENGINE_BY_COMMAND ? "; its standard error is in " : "",
	      options->engine_way == ENGINE_BY_COMMAND ? options->engine_log : "");
}

/* Such an engine would lose one game after the other. */
static void count_failure(struct engine_seat *seat)
{
	if (!seat->has_moved && ++seat->failures == SEAT_FAILURES_MAX)
		seat->given_up = true;
}

/* The engine has failed, and been let go. */
static void handle_failure(struct engine_seat *seat)
{
	bool playing = seat->session->view.phase == VIEW_PLAYING;
	/* an engine that has played and ends between two games has done nothing wrong */
	bool tired = !playing && seat->has_moved && seat->engine.failure == FAILURE_CRASHED;

	if (!tired)
		report(seat, playing ? "; the round is given up" : "");
	if (playing) {
		session_resign(seat->session);
		seat->failed = seat->engine.failure;
	}
	count_failure(seat);
	seat->start_at = clock_ms() + (seat->has_moved ? 0 : RESTART_MS);
	seat->deaf = playing;
	seat->has_moved = seat->awaiting = seat->thinking = false;
	seat->think_until = 0;
}

static void fail(struct engine_seat *seat, enum failure failure, const char *why)
{
	engine_fail(&seat->engine, failure, "%s", why);
	handle_failure(seat);
}

/* There is none, and one may be had. */
static bool is_wanting(const struct engine_seat *seat)
{
	return seat->engine.state == ENGINE_IDLE && seat->has_greeting && !seat->given_up;
}

/* One that was still thinking when the round ended would say its move in the next one. */
static void start_afresh(struct engine_seat *seat)
{
	seat->has_moved = seat->awaiting = seat->thinking = false;
	engine_start(&seat->engine, seat->greeting_bytes);
}

bool engine_seat_open(struct engine_seat *seat, const struct options *options,
		      struct session *session)
{
	seat->options = options;
	seat->session = session;
	seat->greeting = TEXT_IN(seat->greeting_bytes);
	session->tap = engine_seat_tell;
	session->tap_owner = seat;
	return engine_open(&seat->engine, options);
}

void engine_seat_close(struct engine_seat *seat)
{
	engine_close(&seat->engine);
}

bool engine_seat_is_ready(const struct engine_seat *seat)
{
	return seat->engine.state == ENGINE_UP;
}

/* The answer to GAMES, which is the first thing that the server says. */
static void add_greeting(struct engine_seat *seat, const char *line)
{
	bool last = strcmp(line, "END") == 0 || strncmp(line, "ERROR ", 6) == 0;

	text_add(&seat->greeting, "%s%s", seat->greeting.length > 0 ? "\n" : "", line);
	seat->has_greeting = last;
}

void engine_seat_tell(void *owner, const char *line)
{
	struct engine_seat *seat = owner;

	if (!seat->has_greeting) {
		add_greeting(seat, line);
		return;
	}
	if (strncmp(line, "START ", 6) == 0 || strncmp(line, "ID ", 3) == 0)
		seat->deaf = false;
	/* one that starts in the middle of a round does not know it, and is asked for nothing */
	if (strncmp(line, "START ", 6) == 0 && is_wanting(seat))
		start_afresh(seat);
	if (!seat->deaf)
		engine_tell(&seat->engine, line);
}

/* Leaks with time. */
static void hear_noise(struct engine_seat *seat)
{
	int64_t now = clock_ms(), gone = (now - seat->quiet_at) / NOISE_EVERY_MS;

	seat->noise -= gone > seat->noise ? seat->noise : (int)gone;
	seat->quiet_at += gone * NOISE_EVERY_MS;
	if (++seat->noise > NOISE_MAX)
		fail(seat, FAILURE_PROTOCOL, "it says too much that is no move");
}

static void handle_error(struct engine_seat *seat)
{
	const struct view *view = &seat->session->view;
	char why[ENGINE_WHY];

	if (view->phase != VIEW_PLAYING || seat->engine.state == ENGINE_IDLE)
		return;
	snprintf(why, sizeof(why), "%d of its moves were refused, the last with %s",
		 SEAT_COMPLAINTS_MAX, view->error_code);
	/* where all move at once, being late is no mistake */
	if (!view_has_turns(view->game))
		hear_noise(seat);
	else if (++seat->complaints == SEAT_COMPLAINTS_MAX)
		fail(seat, FAILURE_PROTOCOL, why);
}

static void handle_end(struct engine_seat *seat, const char *why, const char *late)
{
	bool thinking = seat->thinking && view_has_turns(seat->session->view.game);

	seat->thinking = false;
	seat->think_until = 0;
	if (!thinking || seat->engine.state == ENGINE_IDLE)
		return;
	if (strcmp(why, late) != 0) {
		start_afresh(seat);
		return;
	}
	engine_fail(&seat->engine, FAILURE_HUNG, "it made no move in time");
	report(seat, "");
	seat->failed = FAILURE_HUNG;
	count_failure(seat);
	if (!seat->given_up)
		start_afresh(seat);
}

void engine_seat_heard(struct engine_seat *seat)
{
	const struct view *view = &seat->session->view;

	if (seat->session->heard != HEARD_COUNTDOWN)
		seat->awaiting = false;
	switch (seat->session->heard) {
	case HEARD_START:
		seat->complaints = 0;
		if (seat->given_up) {
			session_resign(seat->session);
			seat->failed = seat->engine.failure;
		}
		break;
	case HEARD_ERROR:
		handle_error(seat);
		break;
	case HEARD_END:
		handle_end(seat, view->why, "timeout");
		break;
	case HEARD_ABORTED:
		handle_end(seat, view->reason, "idle");
		break;
	default:
		/* it has been told that it is its turn, whether or not we come to wait for it */
		seat->thinking = seat->thinking || view_may_move(view);
		break;
	}
}

void engine_seat_lost(struct engine_seat *seat)
{
	seat->awaiting = false;
	/* it will be asked for this move again, and would say it a second time, for another board */
	if (seat->thinking && seat->engine.state != ENGINE_IDLE &&
	    view_has_turns(seat->session->view.game)) {
		start_afresh(seat);
		seat->deaf = true;
	}
	if (!seat->has_greeting) {
		seat->greeting = TEXT_IN(seat->greeting_bytes);
		seat->greeting_bytes[0] = '\0';
	}
}

static bool is_word(const char *line, const char *word)
{
	size_t length = strlen(word);

	return strncmp(line, word, length) == 0 && (line[length] == ' ' || line[length] == '\0');
}

static void make_move(struct engine_seat *seat, const char *line)
{
	struct session *session = seat->session;

	if (session->view.phase != VIEW_PLAYING) {
		/* the round was over before the move came */
		hear_noise(seat);
		return;
	}
	client_say(&session->client, line);
	view_move(&session->view);
	seat->awaiting = seat->has_moved = true;
	seat->thinking = false;
	seat->think_until = 0;
	seat->failures = 0;
}

/* What cannot be understood may be anything: nothing of it reaches a terminal as it is. */
static void refuse(struct engine_seat *seat, const char *line)
{
	char shown[SHOWN_MAX + 1], why[ENGINE_WHY];
	size_t length = 0;

	for (; length < SHOWN_MAX && line[length] != '\0'; length++)
		shown[length] = line[length] < ' ' || line[length] > '~' ? '?' : line[length];
	shown[length] = '\0';
	snprintf(why, sizeof(why), "it said \"%s\", which is no MOVE", shown);
	fail(seat, FAILURE_PROTOCOL, why);
}

static void hear_engine(struct engine_seat *seat, const char *line)
{
	struct session *session = seat->session;
	bool playing = session->view.phase == VIEW_PLAYING;

	if (is_word(line, "MOVE")) {
		make_move(seat, line);
	} else if (strcmp(line, "RESIGN") == 0 || strcmp(line, "LOGOUT") == 0) {
		/* our place at the server is not the engine's to give back */
		if (playing && !seat->awaiting) {
			session_resign(session);
			seat->awaiting = true;
			seat->thinking = false;
		}
		hear_noise(seat);
	} else if (strcmp(line, "LIST") == 0 || strcmp(line, "GAMES") == 0) {
		client_say(&session->client, line);
		hear_noise(seat);
	} else if (is_word(line, "PLAY")) {
		/* so programs that were written for a connection of their own play here too */
		hear_noise(seat);
	} else {
		refuse(seat, line);
	}
}

static void watch_thinking(struct engine_seat *seat)
{
	const struct session *session = seat->session;
	int64_t now = clock_ms();
	int64_t limit = session->clock > 0 ? session->clock * 1000 + MARGIN_MS : LIMIT_MS;
	char why[ENGINE_WHY];

	if (seat->options->engine_limit > 0)
		limit = seat->options->engine_limit * INT64_C(1000);
	seat->thinking = seat->engine.state != ENGINE_IDLE && !seat->deaf &&
			 view_may_move(&session->view);
	if (!seat->thinking || seat->engine.state != ENGINE_UP)
		seat->think_until = 0;
	else if (seat->think_until == 0)
		seat->think_until = now + limit;
	if (seat->think_until == 0 || now < seat->think_until)
		return;
	snprintf(why, sizeof(why), "it made no move within %d s", (int)(limit / 1000));
	fail(seat, FAILURE_HUNG, why);
}

static bool is_wanted(const struct engine_seat *seat)
{
	return !seat->awaiting || seat->engine.state == ENGINE_STARTING;
}

static void handle_engine(struct engine_seat *seat)
{
	while (is_wanted(seat)) {
		switch (engine_next(&seat->engine)) {
		case ENGINE_SAID:
			hear_engine(seat, seat->engine.line);
			break;
		case ENGINE_FAILED:
			handle_failure(seat);
			return;
		case ENGINE_READY:
			break;
		case ENGINE_QUIET:
			return;
		}
	}
}

int engine_seat_act(struct engine_seat *seat)
{
	if (is_wanting(seat) && clock_ms() >= seat->start_at)
		start_afresh(seat);
	handle_engine(seat);
	watch_thinking(seat);
	if (seat->think_until == 0 && is_wanting(seat))
		return clock_wait(seat->start_at);
	return clock_wait(seat->think_until);
}

int engine_seat_poll(const struct engine_seat *seat, struct pollfd entry[ENGINE_POLLS])
{
	return engine_poll(&seat->engine, is_wanted(seat), entry);
}
