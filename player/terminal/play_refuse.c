/*
 * play_refuse.c - why a person cannot do what they just tried: asked of the rules, in words of the game, before
 * anything is sent.
 *
 * Owns nothing: what it says goes into the line of news, and goes away with the next thing that happens. The
 * position is the one that the player knows. So it may be that the rules see no fault where the server does, as it
 * knows more (what has been laid in this turn, say): then it is said that much.
 */
#include "player/terminal/play.h"

#include "player/terminal/words.h"

#include <string.h>

/* False: as far as is known here the move is fine. */
static bool find_reason(const struct view *view, const struct move *move, struct text *why)
{
	char reason[GAME_REASON_TEXT];
	union game_state state;

	if (!view_state(view, &state) || view->game->judge(&state, view->seat, move) == RULING_FINE)
		return false;
	view->game->why_not(&state, view->seat, move, reason);
	words_of_reason(reason, why);
	return true;
}

void play_refuse(struct play *play, const char *text)
{
	play_notice(play, STYLE_BAD, text);
	play->refused = true;
}

void play_forget_refusal(struct play *play)
{
	if (play->refused)
		play_notice(play, STYLE_PLAIN, "");
}

void play_not_now(struct play *play)
{
	const struct view *view = &play->session->view;
	const struct move any = {0};
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	if (view_has_turns(view->game))
		text_add(&line, "It is not your turn.");
	else if (view->frozen)
		text_add(&line, "The game waits for players.");
	else if (!find_reason(view, &any, &line))
		text_add(&line, "Not just now.");
	play_refuse(play, text);
}

/* Can only pieces beside the board be picked now? */
static bool needs_piece(const struct play *play)
{
	struct pick targets[PICKER_TARGETS_MAX];
	struct choice choice = play_choice(play);
	int count = picker_targets(&play->picker, &choice, targets);

	for (int i = 0; i < count; i++)
		if (!targets[i].beside)
			return false;
	return count > 0;
}

void play_refuse_pick(struct play *play, struct pick picked)
{
	const struct view *view = &play->session->view;
	struct pick picks[GAME_PICKS_MAX];
	int count = play->picker.count;
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);
	struct move move;

	memcpy(picks, play->picker.pick, sizeof(picks));
	if (count < GAME_PICKS_MAX)
		picks[count++] = picked;
	if (picked.beside)
		text_add(&line, "That piece cannot be used now.");
	else if (needs_piece(play))
		text_add(&line, "First pick a piece beside the board.");
	else if (!game_pick_move(view->game, &move, picks, count))
		text_add(&line, "That is not possible.");
	else if (!find_reason(view, &move, &line))
		text_add(&line, view->last.seat == view->seat && view_has_turns(view->game)
				    ? "What you have done in this turn rules that out."
				    : "That is not possible.");
	play_refuse(play, text);
}

bool play_doubts(const struct play *play, const struct move *move, struct text *why)
{
	const struct view *view = &play->session->view;

	return view_find_move(view, move) < 0 && find_reason(view, move, why);
}
