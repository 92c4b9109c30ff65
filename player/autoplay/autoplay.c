/*
 * autoplay.c - a player that needs nobody: PLAY, a duel, PLAY, a duel, again and again. See autoplay.h.
 *
 * With --resume-fd it is one table, at which a seat waits for us, and its end is ours.
 *
 * Owns the session, and the seat of the bot or engine. Says on standard output how each duel ended, a line
 * each, and on standard error why it stops. It never reads standard input, and never chooses a move.
 */
#include "player/autoplay/autoplay.h"

#include "player/autoplay/bot_seat.h"
#include "player/beside/own_server.h"
#include "player/engine/seat.h"
#include "player/session/session.h"
#include "player/session/signals.h"

#include "proto/wire/args.h"
#include "proto/time/timers.h"

#include <err.h>
#include <stdio.h>
#include <string.h>

enum {
	BUSY_MS = 1000, /* before a full server is asked again */
	BUSY_MAX = 10,	/* times */
	REST_MS = 3000, /* at most, before the next duel */
	NEXT_MS = 5000, /* between two rounds, before a table is taken for done */
	STATUS_GOES_ON = -1,
};

struct autoplay {
	struct session session;
	struct engine_seat *engine; /* NULL: the moves are the bot's */
	struct bot_seat bot;
	struct options *options;
	long finished; /* duels */
	bool in_duel;  /* one has begun and not been reported yet */
	bool wants_play;
	int64_t play_at; /* ms; when it is time to ask; 0: never */
	int64_t next_by; /* ms; when the next round should have begun; 0: none is due */
	int busy;	 /* times that the server has been */
	int status;
};

/* Where there are points, whose is which: who comes second is seen from them. */
static void report_points(const struct view *view)
{
	if (!view->now.has_scores)
		return;
	printf(" seat=%d points=", view->seat);
	for (int seat = 0; seat < view->now.seats; seat++)
		printf("%s%d", seat == 0 ? "" : ",", view->now.score[seat]);
}

static void report_engine(struct engine_seat *seat)
{
	if (seat == NULL || seat->failed == FAILURE_NONE)
		return;
	printf(" engine=%s", failure_word(seat->failed));
	seat->failed = FAILURE_NONE;
}

static void report(struct autoplay *autoplay, const char *result, const char *why)
{
	const struct view *view = &autoplay->session.view;
	const char *between = "";

	if (!autoplay->in_duel)
		return;
	autoplay->in_duel = false;
	printf("duel %s %s %s opponent=", view->now.duel, result, why);
	for (int seat = 0; seat < view->now.seats; seat++) {
		const char *name = view->now.name[seat];

		if (seat == view->seat || strcmp(name, "-") == 0)
			continue;
		printf("%s%s", between, name[0] == '\0' ? "?" : name);
		between = ",";
	}
	report_points(view);
	report_engine(autoplay->engine);
	printf("\n");
	/* a log that nobody can read is no reason to play on */
	if (fflush(stdout) != 0) {
		warn("cannot write to standard output");
		autoplay->status = 1;
	}
}

static bool has_one_table(const struct autoplay *autoplay)
{
	return autoplay->options->token[0] != '\0';
}

/* As soon as it can be: an engine may have to be started first. */
static void play(struct autoplay *autoplay)
{
	autoplay->wants_play = true;
}

/* Our table is no more: the next one, if there is to be one. */
static void play_on(struct autoplay *autoplay)
{
	if (!has_one_table(autoplay))
		play(autoplay);
	else if (autoplay->status == STATUS_GOES_ON)
		autoplay->status = 0;
}

/* Where there is a pace there may be somebody who looks on: the end stands for a moment. */
static void play_on_after_rest(struct autoplay *autoplay)
{
	int pace = autoplay->options->pace;

	if (pace <= 0 || has_one_table(autoplay))
		play_on(autoplay);
	else
		autoplay->play_at = clock_ms() + (pace < REST_MS / 3 ? 3 * pace : REST_MS);
}

static const char *result_word(enum view_result result)
{
	static const char *const words[] = {
	    [RESULT_NONE] = "draw",
	    [RESULT_WIN] = "win",
	    [RESULT_LOSE] = "lose",
	    [RESULT_DRAW] = "draw",
	};

	return words[result];
}

static void count_duel(struct autoplay *autoplay)
{
	autoplay->finished++;
	if (autoplay->finished == autoplay->options->games && autoplay->status == STATUS_GOES_ON)
		autoplay->status = 0;
}

static void end_duel(struct autoplay *autoplay)
{
	const struct view *view = &autoplay->session.view;

	report(autoplay, result_word(view_table_result(view)), view->now.verdict);
	count_duel(autoplay);
	if (autoplay->status == STATUS_GOES_ON)
		play_on_after_rest(autoplay);
}

/* Where rounds are endless each of them is a duel of its own. */
static void end_round(struct autoplay *autoplay)
{
	const struct view *view = &autoplay->session.view;

	/* who was out of a round is not told that the table has ended with it */
	if (view->is_out && !view->is_done)
		autoplay->next_by = clock_ms() + NEXT_MS;
	if (view->is_done) {
		end_duel(autoplay);
	} else if (view->now.rounds == 0) {
		report(autoplay, result_word(view->result), view->now.verdict);
		count_duel(autoplay);
	}
}

static void handle_error(struct autoplay *autoplay)
{
	const struct view *view = &autoplay->session.view;

	/* that of a move is for the seat, which has heard it; or its table ended while the move was on its way */
	if (view->phase == VIEW_PLAYING || strcmp(view->error_code, "not-registered") == 0)
		return;
	if (strcmp(view->error_code, "busy") == 0 && !has_one_table(autoplay) &&
	    autoplay->busy++ < BUSY_MAX) {
		autoplay->play_at = clock_ms() + BUSY_MS;
	} else if (view->phase == VIEW_IDLE) {
		warnx("the server refuses: %s %s", view->error_code, view->error_text);
		autoplay->status = 1;
	}
}

/* A server's computers do not play on among themselves when the people have left. */
static void leave_computers(struct autoplay *autoplay)
{
	const struct view *view = &autoplay->session.view;
	bool people = false;

	for (int seat = 0; seat < view->now.seats; seat++)
		people = people || (seat != view->seat && strcmp(view->now.name[seat], "-") != 0 &&
				    !bot_has_name(view->now.name[seat]));
	if (has_one_table(autoplay) && !people)
		autoplay->status = 0;
}

static void handle_heard(struct autoplay *autoplay)
{
	struct session *session = &autoplay->session;

	switch (session->heard) {
	case HEARD_ID:
		args_tell_ready(autoplay->options->ready_fd);
		autoplay->options->ready_fd = -1;
		autoplay->busy = 0;
		/* asked again on a new connection, before it was time to */
		autoplay->play_at = 0;
		break;
	case HEARD_START:
		autoplay->in_duel = true;
		autoplay->next_by = 0;
		leave_computers(autoplay);
		break;
	case HEARD_ROUND:
		end_round(autoplay);
		break;
	case HEARD_ABORTED:
		autoplay->next_by = 0;
		report(autoplay, "aborted",
		       session->view.reason[0] == '\0' ? "-" : session->view.reason);
		play_on(autoplay);
		break;
	case HEARD_NOBODY:
		play_on(autoplay);
		break;
	case HEARD_ERROR:
		handle_error(autoplay);
		break;
	default:
		break;
	}
}

static void handle_events(struct autoplay *autoplay)
{
	struct session *session = &autoplay->session;

	while (autoplay->status == STATUS_GOES_ON) {
		switch (session_next(session)) {
		case SESSION_QUIET:
			return;
		case SESSION_HEARD:
			if (autoplay->engine != NULL)
				engine_seat_heard(autoplay->engine);
			else
				bot_seat_heard(&autoplay->bot);
			handle_heard(autoplay);
			break;
		case SESSION_LOST:
			if (autoplay->engine != NULL)
				engine_seat_lost(autoplay->engine);
			break;
		case SESSION_REFUSED:
			report(autoplay, "aborted", "lost");
			if (has_one_table(autoplay))
				autoplay->status = 1;
			play(autoplay);
			break;
		case SESSION_GONE:
			report(autoplay, "aborted", "lost");
			own_server_hint(autoplay->options, session->trouble);
			autoplay->status = 1;
			break;
		}
	}
}

static bool is_ready(const struct autoplay *autoplay)
{
	return autoplay->engine == NULL || engine_seat_is_ready(autoplay->engine);
}

static int act_for_engine(struct autoplay *autoplay)
{
	int timeout = engine_seat_act(autoplay->engine);

	if (autoplay->engine->given_up && !autoplay->in_duel) {
		/* for who reads this: it is the engine's fault, not the server's */
		printf("engine %s\n", failure_word(autoplay->engine->engine.failure));
		warnx("the engine fails again and again, so it is given up");
		autoplay->status = 1;
		return 0;
	}
	/* it has just come up */
	return autoplay->wants_play && is_ready(autoplay) ? 0 : timeout;
}

/* What it is time for; how long until the next such time, in ms, or -1. */
static int act(struct autoplay *autoplay)
{
	int64_t now = clock_ms();
	int timeout;

	if (autoplay->play_at != 0 && now >= autoplay->play_at) {
		autoplay->play_at = 0;
		play(autoplay);
	}
	if (autoplay->wants_play && is_ready(autoplay)) {
		autoplay->wants_play = false;
		if (has_one_table(autoplay))
			session_take(&autoplay->session, autoplay->options->token);
		else
			session_play(&autoplay->session);
		/* it may have failed at once, which is an event */
		return 0;
	}
	if (autoplay->next_by != 0 && now >= autoplay->next_by) {
		autoplay->next_by = 0;
		end_duel(autoplay);
	}
	timeout = autoplay->engine != NULL ? act_for_engine(autoplay)
					   : bot_seat_act(&autoplay->bot);
	timeout = clock_sooner(timeout, clock_wait(autoplay->play_at));
	return clock_sooner(timeout, clock_wait(autoplay->next_by));
}

/* False: a signal wants us to end. */
static bool wait_for_server(struct autoplay *autoplay, int timeout)
{
	struct session *session = &autoplay->session;
	struct pollfd entry[2 + ENGINE_POLLS] = {
	    {.fd = autoplay->options->signals, .events = POLLIN}};
	int entries = 2;

	timeout = clock_sooner(timeout, session_poll(session, &entry[1]));
	if (autoplay->engine != NULL) {
		timeout = clock_sooner(timeout, engine_seat_poll(autoplay->engine, entry + 2));
		entries += ENGINE_POLLS;
	}
	if (poll(entry, (nfds_t)entries, timeout) < 0)
		for (int i = 0; i < entries; i++)
			entry[i].revents = 0;
	session_step(session, entry[1].revents);
	if (autoplay->engine != NULL)
		engine_step(&autoplay->engine->engine, entry + 2);
	return entry[0].revents == 0 || signals_read(entry[0].fd) == 0;
}

/* Of the engine or the bot. An engine has to be there before anybody waits for it, so nothing is asked
 * for yet. */
static bool take_seat(struct autoplay *autoplay)
{
	static struct engine_seat engine;

	if (autoplay->options->engine_way == ENGINE_NONE) {
		if (bot_seat_open(&autoplay->bot, autoplay->options, &autoplay->session))
			return true;
		warnx("there is no memory for a bot");
		return false;
	}
	autoplay->engine = &engine;
	if (!engine_seat_open(&engine, autoplay->options, &autoplay->session)) {
		warnx("%s", engine.engine.why);
		return false;
	}
	session_connect(&autoplay->session);
	return true;
}

int autoplay_run(struct options *options)
{
	static struct autoplay autoplay;

	autoplay.options = options;
	autoplay.status = STATUS_GOES_ON;
	session_init(&autoplay.session, options, true);
	if (!take_seat(&autoplay))
		return 1;
	play(&autoplay);
	for (;;) {
		handle_events(&autoplay);
		if (autoplay.status != STATUS_GOES_ON)
			break;
		if (!wait_for_server(&autoplay, act(&autoplay)))
			autoplay.status = 0;
	}
	session_quit(&autoplay.session);
	if (autoplay.engine != NULL)
		engine_seat_close(autoplay.engine);
	else
		bot_seat_close(&autoplay.bot);
	return autoplay.status;
}
