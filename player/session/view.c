/*
 * view.c - what a player knows, and what follows from it. See view.h.
 *
 * Owns nothing but the view. It asks the rules of the game, and never anybody else. The server's lines are
 * read in view_hear.c.
 */
#include "player/session/view.h"

#include "proto/wire/line.h"

#include <string.h>

void view_init(struct view *view)
{
	memset(view, 0, sizeof(*view));
	view->now.turn = -1;
	view->countdown = -1;
	view->before_mover = -1;
	view->last.seat = view->next = -1;
}

void view_ask(struct view *view, const struct game *game)
{
	bool leaving = view->leaving;

	view_init(view);
	view->leaving = leaving;
	view->game = game;
	view->phase = VIEW_ASKED;
}

void view_resume(struct view *view)
{
	view->phase = VIEW_ASKED;
	view->leaving = false;
	view->moves = 0;
}

void view_leave(struct view *view)
{
	view->leaving = true;
	view->phase = VIEW_IDLE;
	view->token[0] = '\0';
	view->moves = 0;
}

void view_move(struct view *view)
{
	view->has_moved = true;
}

void view_forget(struct view *view)
{
	view->phase = VIEW_IDLE;
	view->leaving = false;
	view->token[0] = '\0';
	view->moves = 0;
	view->turn_is_ours = false;
	if (view->has_board && !frame_is_over(&view->now)) {
		strcpy(view->now.verdict, "aborted");
		view->now.turn = -1;
	}
}

void view_begin_round(struct view *view, const struct frame *frame, int seat, bool ours)
{
	/* a seat that was taken up again keeps its score */
	if (strcmp(frame->duel, view->now.duel) != 0)
		memset(view->won, 0, sizeof(view->won));
	memset(view->away, 0, sizeof(view->away));
	view->now = *frame;
	view->seat = seat;
	view->turn_is_ours = ours;
	view->phase = VIEW_PLAYING;
	view->result = RESULT_NONE;
	view->why[0] = view->rack[0] = '\0';
	view->has_board = view->has_before = view->has_moved = view->frozen = view->is_done = false;
	view->is_out = false;
	view->last = (struct event){.seat = -1};
	view->next = -1;
	view->out = 0;
	view->before_mover = view->countdown = -1;
	view->moves = 0;
}

/* What a turn takes can only be limited where there are turns. */
bool view_has_turns(const struct game *game)
{
	return game->has & GAME_HAS_CLOCK;
}

/* Whose turn the server means: it only says whether it is ours. */
static int guess_turn(const struct view *view)
{
	if (view->phase != VIEW_PLAYING && !view->is_out)
		return -1;
	if (view->turn_is_ours)
		return view->seat;
	return view->now.seats == 2 ? !view->seat : view->next;
}

/* The last position of a round is nobody's turn, and may only be read so. */
bool view_read_model(const struct view *view, const char *model, union game_state *state)
{
	const struct game *game = view->game;

	return game->read_model(state, model, guess_turn(view)) ||
	       game->read_model(state, model, -1);
}

/* Into a state that was read from the model. */
static bool read_rack(const struct view *view, const char *rack, union game_state *state)
{
	char copy[GAME_RACK_TEXT];
	struct words words = {0};

	if (view->game->read_rack == NULL)
		return false;
	strcpy(copy, rack);
	if (*copy != '\0' && !line_split(copy, &words))
		return false;
	return view->game->read_rack(state, view->seat, words.word, words.count);
}

bool view_state(const struct view *view, union game_state *state)
{
	if (!view->has_board || !view_read_model(view, view->now.model, state))
		return false;
	return view->game->read_rack == NULL || read_rack(view, view->rack, state);
}

bool view_may_move(const struct view *view)
{
	return view->phase == VIEW_PLAYING && view->turn_is_ours && !view->has_moved &&
	       !view->frozen && view->has_board && view->moves > 0;
}

int view_find_move(const struct view *view, const struct move *move)
{
	for (int m = 0; m < view->moves; m++)
		if (memcmp(&view->move[m], move, sizeof(*move)) == 0)
			return m;
	return -1;
}

bool view_can_resume(const struct view *view)
{
	return view->token[0] != '\0' && !view->leaving;
}

void view_print_opponents(const struct view *view, struct text *text)
{
	const char *between = "";

	for (int seat = 0; seat < view->now.seats; seat++) {
		const char *name = view->now.name[seat];

		if (seat == view->seat || strcmp(name, "-") == 0)
			continue;
		text_add(text, "%s%s", between, name[0] == '\0' ? "somebody" : name);
		between = ", ";
	}
	if (*between == '\0')
		text_add(text, "nobody");
}

enum view_result view_table_result(const struct view *view)
{
	int best = -1;

	if (view->now.rounds == 1)
		return view->result;
	for (int seat = 0; seat < view->now.seats; seat++)
		if (seat != view->seat && view->won[seat] > best)
			best = view->won[seat];
	if (view->won[view->seat] == best)
		return RESULT_DRAW;
	return view->won[view->seat] > best ? RESULT_WIN : RESULT_LOSE;
}

/* Has the turn of the seat ended with this event? It has not when the event is a move that leaves
 * the turn with it, or one that the rules refuse for want of what that seat holds and we know not.
 */
static bool ends_turn(const struct view *view, const struct event *event)
{
	const struct game *game = view->game;
	char copy[GAME_EVENT_TEXT];
	union game_state state;
	struct words words;
	struct move move;

	strcpy(copy, event->text);
	if (!line_split(copy, &words) || !game->read_move(&move, words.word, words.count) ||
	    !game->read_model(&state, view->now.model, event->seat))
		return true;
	if (game->judge(&state, event->seat, &move) != RULING_FINE)
		return false;
	game->play(&state, event->seat, &move, 0, NULL);
	return game->turn(&state) != event->seat;
}

void view_guess_next(struct view *view, const struct event *event, bool ours)
{
	int next = event->seat;

	if (!view_has_turns(view->game) || !view->has_board)
		return;
	if (view->out >> next & 1 || ends_turn(view, event))
		do
			next = (next + 1) % view->now.seats;
		while (next != event->seat && (view->out >> next & 1));
	view->next = ours ? view->seat : next == view->seat ? -1 : next;
}
