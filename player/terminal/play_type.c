/*
 * play_type.c - a move that a person types, as the game says it, where no pick leads to it.
 *
 * Owns what has been typed; what is said goes to the session. A move that the rules would refuse is said when it is
 * confirmed, for the last word is the server's: it may be one that judges nothing (--no-valid). There this is also
 * how the end is claimed.
 */
#include "player/terminal/play.h"

#include <stdio.h>
#include <string.h>

bool play_may_type(const struct play *play)
{
	const struct view *view = &play->session->view;

	return play->stage == STAGE_PLAYING && !play->broken && !play_is_hidden(play) &&
	       view->turn_is_ours && !view->has_moved && !view->frozen && view->has_board;
}

static void send_typed(struct play *play)
{
	const struct game *game = play->session->view.game;
	char copy[PLAY_TYPED_MAX], text[PAGE_TEXT];
	const char *claim = NULL;
	struct words words = {0};
	struct text doubt = TEXT_IN(play->doubt);
	bool confirmed = play->doubt[0] != '\0';
	struct move move;

	strcpy(copy, play->typed);
	play->typing = false;
	if (!line_split(copy, &words))
		words.count = 0;
	if (words.count > 1 && line_value(words.word[words.count - 1], "claim") != NULL)
		claim = words.word[--words.count];
	if (words.count == 0 || !game->read_move(&move, words.word, words.count)) {
		snprintf(text, sizeof(text), "MOVE wants %s", game->move_help);
		play_refuse(play, text);
	} else if (!play_may_type(play)) {
		play_not_now(play);
	} else if (claim == NULL && !confirmed && play_doubts(play, &move, &doubt)) {
		play->typing = true;
	} else {
		session_claim(play->session, &move, claim);
		play_drop_picks(play);
		play_notice(play, STYLE_PLAIN, "");
	}
}

void play_type_key(struct play *play, int key)
{
	if (page_is_enter(key)) {
		send_typed(play);
		return;
	}
	play->doubt[0] = '\0';
	if (key == PAGE_ESCAPE) {
		play->typing = false;
		play_notice(play, STYLE_PLAIN, "");
	} else {
		page_type(key, play->typed, sizeof(play->typed));
	}
}

void play_type(struct play *play)
{
	if (!play_may_type(play)) {
		play_not_now(play);
		return;
	}
	play->typing = true;
	play->typed[0] = play->doubt[0] = '\0';
	play_notice(play, STYLE_PLAIN, "");
}
