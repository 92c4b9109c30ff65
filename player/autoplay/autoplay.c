/*
 * autoplay.c - a player that needs nobody: PLAY, a duel, PLAY, a duel, again and again. Its moves
 * are a bot's or an engine's.
 *
 * Says on standard output how each duel ended, one line each, and on standard error why it stops.
 * It never reads standard input. The server's countdown is the only pace it keeps when there is
 * nobody to play with; a lost server is looked for some seconds.
 */
#include "player/bots/bots.h"
#include "player/engine/seat.h"
#include "player/session/session.h"
#include "player/session/signals.h"

#include "proto/wire/args.h"
#include "proto/time/timers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <bsd/stdlib.h>

enum {
	COMPLAINTS_MAX = 5, /* moves refused in one round before it is given up */
	BUSY_MS = 1000,	    /* before a full server is asked again */
	BUSY_MAX = 10,	    /* times */
	PACE_MS = 250,	    /* between the moves of a game without turns, unless told otherwise */
	FEW_MOVES = 3,
	OUT_OF_STEP_MS = 3000,
	NEXT_MS = 5000, /* between two rounds, before a table is taken for done */
	STATUS_GOES_ON = -1,
};

struct autoplay {
	struct session session;
	struct engine_seat *seat; /* the engine's; NULL: the moves are the bot's */
	struct bot bot;
	int64_t turn_since; /* when our turn began, on clock_ms(); 0: it is not ours */
	struct options *options;
	long finished; /* duels */
	bool in_duel;  /* one has begun and not been reported yet */
	bool wants_play;
	int64_t move_at, play_at; /* when it is time to, in ms; 0: never */
	int64_t next_by;	  /* when the next round should have begun; 0: none is due */
	int complaints, busy;
	int status;
};

static void fail(struct autoplay *autoplay, const char *what)
{
	fprintf(stderr, "%s: %s\n", getprogname(), what);
	autoplay->status = 1;
}

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
	if (seat != NULL && seat->failed != FAILURE_NONE)
		printf(" engine=%s", failure_word(seat->failed));
	if (seat != NULL)
		seat->failed = FAILURE_NONE;
}

static void report(struct autoplay *autoplay, const char *result, const char *why)
{
	const struct view *view = &autoplay->session.view;
	const char *between = "";
	char text[128];

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
	report_engine(autoplay->seat);
	printf("\n");
	/* a log that nobody can read is no reason to play on */
	if (fflush(stdout) != 0) {
		snprintf(text, sizeof(text), "cannot write to standard output: %s",
			 strerror(errno));
		fail(autoplay, text);
	}
}

/* As soon as it can be: an engine may have to be started first. */
static void play(struct autoplay *autoplay)
{
	autoplay->wants_play = true;
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
		play(autoplay);
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
	char text[64 + VIEW_TEXT];

	snprintf(text, sizeof(text), "the server refuses: %s %s", view->error_code,
		 view->error_text);
	if (view->phase == VIEW_PLAYING && autoplay->seat != NULL) {
		/* the engine has been told, and its seat counts them */
		autoplay->move_at = 0;
	} else if (view->phase == VIEW_PLAYING && !view_has_turns(view->game)) {
		/* another was faster, or time was: the next move is made from what is then known */
		autoplay->move_at = 0;
	} else if (view->phase == VIEW_PLAYING) {
		fprintf(stderr, "%s: %s\n", getprogname(), text);
		if (++autoplay->complaints == COMPLAINTS_MAX)
			session_resign(&autoplay->session);
	} else if (strcmp(view->error_code, "busy") == 0 && autoplay->busy++ < BUSY_MAX) {
		autoplay->play_at = clock_ms() + BUSY_MS;
	} else if (view->phase == VIEW_IDLE) {
		fail(autoplay, text);
	}
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
		autoplay->complaints = 0;
		autoplay->next_by = 0;
		break;
	case HEARD_ROUND:
		end_round(autoplay);
		break;
	case HEARD_ABORTED:
		autoplay->next_by = 0;
		report(autoplay, "aborted",
		       session->view.reason[0] == '\0' ? "-" : session->view.reason);
		play(autoplay);
		break;
	case HEARD_NOBODY:
		play(autoplay);
		break;
	case HEARD_ERROR:
		handle_error(autoplay);
		break;
	default:
		break;
	}
}

/* The table's clock has begun with our turn, not when we come to think. */
static void tell_bot(struct autoplay *autoplay)
{
	const struct view *view = &autoplay->session.view;

	if (!view->turn_is_ours)
		autoplay->turn_since = 0;
	else if (autoplay->turn_since == 0)
		autoplay->turn_since = clock_ms();
	bot_see(&autoplay->bot, view, autoplay->session.heard);
}

static void handle_events(struct autoplay *autoplay)
{
	struct session *session = &autoplay->session;
	char text[CLIENT_ERROR + 40];

	while (autoplay->status == STATUS_GOES_ON) {
		switch (session_next(session)) {
		case SESSION_QUIET:
			return;
		case SESSION_HEARD:
			if (autoplay->seat != NULL)
				engine_seat_heard(autoplay->seat);
			else
				tell_bot(autoplay);
			handle_heard(autoplay);
			break;
		case SESSION_LOST:
			if (autoplay->seat != NULL)
				engine_seat_lost(autoplay->seat);
			break;
		case SESSION_REFUSED:
			report(autoplay, "aborted", "lost");
			play(autoplay);
			break;
		case SESSION_GONE:
			report(autoplay, "aborted", "lost");
			snprintf(text, sizeof(text), "%s (is the server running there?)",
				 session->trouble);
			fail(autoplay, text);
			break;
		}
	}
}

/* A move that leaves the board as it is, or any that lies on it. */
static struct move idle_move(const struct view *view, const union game_state *state)
{
	static struct move moves[GAME_MOVES_MAX];
	const struct game *game = view->game;
	const struct setup setup = {.seats = view->now.seats, .first = view->seat};
	char model[GAME_MODEL_MAX];
	union game_state next;
	int count;

	game->begin(&next, &setup);
	count = game->list_moves(&next, game->turn(&next), moves);
	for (int m = 0; m < count; m++) {
		memcpy(&next, state, game->state_size);
		if (game->put(&next, view->seat, &moves[m], NULL) &&
		    game->print_model(&next, model) > 0 && strcmp(model, view->now.model) == 0)
			return moves[m];
	}
	return moves[0];
}

/* Has the last move ended the round by the rules? Gives the position that it led to. */
static bool is_ended(const struct view *view, union game_state *state, struct outcome *outcome)
{
	const struct game *game = view->game;
	char text[GAME_EVENT_TEXT], model[GAME_MODEL_MAX];
	int mover = view->last.seat;
	struct words words;
	struct move move;

	snprintf(text, sizeof(text), "%s", view->last.text);
	if (mover < 0 || !view->has_board || !view->has_before || !line_split(text, &words) ||
	    !game->read_model(state, view->before.model, mover) ||
	    !game->read_move(&move, words.word, words.count) ||
	    game->judge(state, mover, &move) != RULING_FINE)
		return false;
	game->play(state, mover, &move, 0, NULL);
	game->print_model(state, model);
	game->outcome(state, outcome);
	return outcome->over && strcmp(model, view->now.model) == 0;
}

/* A server that judges nothing plays on after the end, which is for us to admit. False: it is not
 * so. */
static bool admit_end(struct autoplay *autoplay)
{
	struct session *session = &autoplay->session;
	const struct view *view = &session->view;
	struct outcome outcome;
	union game_state state;
	struct move move;

	if (view->phase != VIEW_PLAYING || !view->turn_is_ours || view->has_moved ||
	    view->game->put == NULL || !is_ended(view, &state, &outcome))
		return false;
	move = idle_move(view, &state);
	session_claim(session, &move, outcome.winners == 0 ? "claim=draw" : "claim=lose");
	return true;
}

static void make_move(struct autoplay *autoplay)
{
	struct session *session = &autoplay->session;
	const struct view *view = &session->view;
	int think = autoplay->options->think > 0 ? autoplay->options->think : BOT_THINK_MS;
	int64_t until = bot_deadline(clock_ms(), think, autoplay->turn_since, session->clock);
	int chosen;

	/* a move that was refused once may be so again: then any other will do */
	if (autoplay->complaints == 0)
		chosen = bot_choose(&autoplay->bot, view, until);
	else
		chosen = bot_choose_any(&autoplay->bot, view);
	if (chosen == BOT_WAIT) {
		/* not in a rhythm that another may have as well */
		autoplay->move_at = clock_ms() + 1 + arc4random_uniform(PACE_MS);
		return;
	}
	session_move(session, chosen == BOT_OWN ? &autoplay->bot.own : &view->move[chosen]);
}

/* How long to wait before a move, in ms. Where all move at once and little is left to choose from,
 * two of us could take turns at hiding from each other what both need, in the same rhythm for ever:
 * so now and then one loses it. */
static int pace(const struct autoplay *autoplay)
{
	const struct view *view = &autoplay->session.view;
	bool turns = view_has_turns(view->game);
	int pace = autoplay->options->pace;

	if (pace < 0)
		pace = turns ? 0 : PACE_MS;
	/* all have heard the same now, and want the same card */
	if (!turns)
		pace += (int)arc4random_uniform((uint32_t)pace / 4 + 1);
	if (!turns && view->moves <= FEW_MOVES && arc4random_uniform(4) == 0)
		pace += (int)arc4random_uniform(OUT_OF_STEP_MS);
	return pace;
}

static int64_t earlier(int64_t one, int64_t other)
{
	return one == 0 || (other != 0 && other < one) ? other : one;
}

static int time_until(int64_t next)
{
	int64_t now = clock_ms();

	return next == 0 ? -1 : next <= now ? 0 : (int)(next - now);
}

static int act_for_engine(struct autoplay *autoplay)
{
	int timeout = engine_seat_act(autoplay->seat);
	int own = time_until(earlier(autoplay->play_at, autoplay->next_by));

	if (autoplay->seat->given_up && !autoplay->in_duel) {
		/* for who reads this: it is the engine's fault, not the server's */
		printf("engine %s\n", failure_word(autoplay->seat->engine.failure));
		fail(autoplay, "the engine fails again and again, so it is given up");
	}
	/* it has just come up */
	if (autoplay->wants_play && engine_seat_is_ready(autoplay->seat))
		return 0;
	return timeout < 0 || (own >= 0 && own < timeout) ? own : timeout;
}

/* What it is time for; how long until the next such time, in ms, or -1. */
static int act(struct autoplay *autoplay)
{
	struct session *session = &autoplay->session;
	int64_t now = clock_ms();

	if (autoplay->play_at != 0 && now >= autoplay->play_at) {
		autoplay->play_at = 0;
		play(autoplay);
	}
	if (autoplay->wants_play &&
	    (autoplay->seat == NULL || engine_seat_is_ready(autoplay->seat))) {
		autoplay->wants_play = false;
		session_play(session);
		/* it may have failed at once, which is an event */
		return 0;
	}
	if (autoplay->next_by != 0 && now >= autoplay->next_by) {
		autoplay->next_by = 0;
		end_duel(autoplay);
	}
	if (autoplay->seat != NULL)
		return act_for_engine(autoplay);
	if (admit_end(autoplay) || !view_may_move(&session->view))
		autoplay->move_at = 0;
	else if (autoplay->move_at == 0)
		autoplay->move_at = now + pace(autoplay);
	if (autoplay->move_at != 0 && now >= autoplay->move_at) {
		autoplay->move_at = 0;
		make_move(autoplay);
	}
	return time_until(
	    earlier(autoplay->move_at, earlier(autoplay->play_at, autoplay->next_by)));
}

/* False: a signal wants us to end. */
static bool wait_for_server(struct autoplay *autoplay, int timeout)
{
	struct session *session = &autoplay->session;
	struct pollfd entry[2 + ENGINE_POLLS] = {
	    {.fd = autoplay->options->signals, .events = POLLIN}};
	int soonest = session_poll(session, &entry[1]), entries = 2;

	if (timeout >= 0 && (soonest < 0 || timeout < soonest))
		soonest = timeout;
	if (autoplay->seat != NULL) {
		int engines = engine_seat_poll(autoplay->seat, entry + entries);

		entries += ENGINE_POLLS;
		if (engines >= 0 && (soonest < 0 || engines < soonest))
			soonest = engines;
	}
	if (poll(entry, (nfds_t)entries, soonest) < 0)
		for (int i = 0; i < entries; i++)
			entry[i].revents = 0;
	session_step(session, entry[1].revents);
	if (autoplay->seat != NULL)
		engine_step(&autoplay->seat->engine, entry + 2);
	return entry[0].revents == 0 || signals_read(entry[0].fd) == 0;
}

/* An engine has to be there before anybody waits for it, so nothing is asked for yet. */
static bool take_seat(struct autoplay *autoplay)
{
	static struct engine_seat seat;

	if (autoplay->options->engine_way == ENGINE_NONE)
		return true;
	autoplay->seat = &seat;
	if (!engine_seat_open(&seat, autoplay->options, &autoplay->session)) {
		fprintf(stderr, "%s: %s\n", getprogname(), seat.engine.why);
		return false;
	}
	session_connect(&autoplay->session);
	return true;
}

static bool take_bot(struct autoplay *autoplay)
{
	const struct options *options = autoplay->options;
	uint64_t seed = (uint64_t)arc4random() << 32 | arc4random();

	if (autoplay->seat != NULL ||
	    bot_open(&autoplay->bot, options->game, level_of(options->level),
		     options->has_seed ? options->seed : seed))
		return true;
	fprintf(stderr, "%s: there is no memory for a bot\n", getprogname());
	return false;
}

int autoplay_run(struct options *options)
{
	static struct autoplay autoplay;

	autoplay.options = options;
	autoplay.status = STATUS_GOES_ON;
	bot_heed(options->signals);
	session_init(&autoplay.session, options, true);
	if (!take_seat(&autoplay) || !take_bot(&autoplay))
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
	if (autoplay.seat != NULL)
		engine_seat_close(autoplay.seat);
	bot_close(&autoplay.bot);
	return autoplay.status;
}
