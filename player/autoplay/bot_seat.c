/*
 * bot_seat.c - a bot at our seat. See bot_seat.h.
 *
 * Owns the bot, and the time of its next move; says its moves to the session. It never waits, but for the
 * bot to think, and never asks for a duel.
 */
#include "player/autoplay/bot_seat.h"

#include "proto/time/timers.h"

#include <err.h>
#include <stdio.h>
#include <string.h>

#include <bsd/stdlib.h>

enum {
	COMPLAINTS_MAX = 5, /* moves refused in one round before it is given up */
	PACE_MS = 250,	    /* between the moves of a game without turns, unless told otherwise */
	FOLLOW_MS = 600,    /* for people to follow: from our turn to our move, thinking included */
	FEW_MOVES = 3,
	OUT_OF_STEP_MS = 3000,
};

bool bot_seat_open(struct bot_seat *seat, const struct options *options, struct session *session)
{
	uint64_t seed = (uint64_t)arc4random() << 32 | arc4random();

	*seat = (struct bot_seat){.session = session, .options = options};
	bot_heed(options->signals);
	return bot_open(&seat->bot, options->game, level_of(options->level),
			options->has_seed ? options->seed : seed);
}

void bot_seat_close(struct bot_seat *seat)
{
	bot_close(&seat->bot);
}

static void handle_error(struct bot_seat *seat)
{
	const struct view *view = &seat->session->view;

	if (view->phase != VIEW_PLAYING)
		return;
	if (!view_has_turns(view->game)) {
		/* another was faster, or time was: the next move is made from what is then known */
		seat->move_at = 0;
		return;
	}
	warnx("the server refuses: %s %s", view->error_code, view->error_text);
	if (++seat->complaints == COMPLAINTS_MAX)
		session_resign(seat->session);
}

/* The table's clock has begun with our turn, not when we come to think. */
void bot_seat_heard(struct bot_seat *seat)
{
	const struct view *view = &seat->session->view;
	enum heard heard = seat->session->heard;

	if (!view->turn_is_ours)
		seat->turn_since = 0;
	else if (seat->turn_since == 0)
		seat->turn_since = clock_ms();
	bot_see(&seat->bot, view, heard);
	if (heard == HEARD_START)
		seat->complaints = 0;
	else if (heard == HEARD_ERROR)
		handle_error(seat);
}

/* ---- the end, where the server judges nothing ---- */

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
static bool admit_end(const struct bot_seat *seat)
{
	struct session *session = seat->session;
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

/* ---- a move ---- */

static void make_move(struct bot_seat *seat)
{
	struct session *session = seat->session;
	const struct view *view = &session->view;
	int think = seat->options->think > 0 ? seat->options->think : BOT_THINK_MS;
	int64_t until = bot_deadline(clock_ms(), think, seat->turn_since, session->clock);
	int chosen;

	/* a move that was refused once may be so again: then any other will do */
	if (seat->complaints == 0)
		chosen = bot_choose(&seat->bot, view, until);
	else
		chosen = bot_choose_any(&seat->bot, view);
	if (chosen == BOT_WAIT) {
		/* not in a rhythm that another may have as well */
		seat->move_at = clock_ms() + 1 + arc4random_uniform(PACE_MS);
		return;
	}
	session_move(session, chosen == BOT_OWN ? &seat->bot.own : &view->move[chosen]);
}

/* A server's computer plays against people. What it waits and thinks is at most a quarter of the turn, however many
 * moves that takes. */
static int pace_for_people(const struct bot_seat *seat)
{
	int64_t clock = seat->session->clock * INT64_C(1000), now = clock_ms();
	int64_t wait = FOLLOW_MS, left = seat->turn_since + clock / 4 - now;

	if (clock > 0 && left < wait)
		wait = left;
	if (level_of(seat->options->level) == BOT_STRONG)
		wait -= BOT_THINK_MS;
	return wait < 0 ? 0 : (int)wait;
}

/* How long to wait before a move, in ms. Where all move at once and little is left to choose from,
 * two of us could for ever hide from each other, in the same rhythm, what both need: so now and then
 * one loses the rhythm. */
static int pace(const struct bot_seat *seat)
{
	const struct view *view = &seat->session->view;
	bool turns = view_has_turns(view->game);
	int pace = seat->options->pace;

	if (pace < 0 && seat->options->token[0] != '\0')
		pace = turns ? pace_for_people(seat) : FOLLOW_MS;
	else if (pace < 0)
		pace = turns ? 0 : PACE_MS;
	/* all have heard the same now, and want the same card */
	if (!turns)
		pace += (int)arc4random_uniform((uint32_t)pace / 4 + 1);
	if (!turns && view->moves <= FEW_MOVES && arc4random_uniform(4) == 0)
		pace += (int)arc4random_uniform(OUT_OF_STEP_MS);
	return pace;
}

int bot_seat_act(struct bot_seat *seat)
{
	int64_t now = clock_ms();

	if (admit_end(seat) || !view_may_move(&seat->session->view))
		seat->move_at = 0;
	else if (seat->move_at == 0)
		seat->move_at = now + pace(seat);
	if (seat->move_at != 0 && now >= seat->move_at) {
		seat->move_at = 0;
		make_move(seat);
	}
	return clock_wait(seat->move_at);
}
