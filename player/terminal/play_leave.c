/*
 * play_leave.c - leaving a play, and playing again.
 *
 * Owns the question that comes before somebody leaves a duel, the line about it that the program ends with, and who
 * the last opponent was. It never draws, and ends nothing but by LOGOUT or PLAY.
 */
#include "player/terminal/play.h"

#include "player/terminal/words.h"

#include <stdio.h>
#include <string.h>

/* Would somebody be left alone if we went now? */
static bool is_seated(const struct play *play)
{
	const struct view *view = &play->session->view;

	return (view->phase == VIEW_PLAYING || view->phase == VIEW_BETWEEN) && !view->is_done;
}

/* What the others are told by our going is told to us, too. */
static void note_farewell(struct play *play)
{
	struct text text = TEXT_IN(play->page->farewell);

	play->page->farewell[0] = '\0';
	if (is_seated(play) && !play->broken)
		words_of_farewell(&play->session->view, play_is_shared(play), &text);
}

void play_leave(struct play *play)
{
	note_farewell(play);
	party_leave(&play->page->party);
	play_notice(play, STYLE_PLAIN, "");
	play->leave = true;
}

void play_ask(struct play *play, enum play_question question)
{
	play->question = question;
	play->picker.count = 0;
}

void play_answer(struct play *play, int key)
{
	enum play_question question = play->question;
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	play->question = ASK_NOTHING;
	if (key != 'y')
		return;
	if (question == ASK_QUIT)
		play->page->quit = true;
	if (question == ASK_RESIGN)
		session_resign(play->session);
	if (question != ASK_LEAVE)
		return;
	play_leave(play);
	words_of_reason(play->page->farewell, &line);
	play_notice(play, STYLE_PLAIN, text);
}

/* Ctrl-C in a duel: the first is a question. */
static void interrupt(struct play *play)
{
	play->page->interrupted = false;
	play->helping = false;
	if (play->question == ASK_QUIT)
		play->page->quit = true;
	else
		play_ask(play, ASK_QUIT);
}

void play_follow_interrupts(struct play *play)
{
	play->page->asks = is_seated(play) && !play->broken && play->stage != STAGE_OVER;
	if (play->page->interrupted)
		interrupt(play);
	if (!play->page->asks && play->question == ASK_QUIT)
		play->question = ASK_NOTHING;
}

/* The program ends: by Ctrl-C, or by a signal that asks nobody. */
void play_end(struct play *play)
{
	play->page->asks = play->page->interrupted = false;
	play->page->options->rival[0] = '\0';
	if (play->page->quit && !play->leave)
		note_farewell(play);
}

/* ---- again ---- */

/* Whoever said no name is anybody; several cannot be named; and a computer comes whenever it is asked for. */
void play_note_rival(struct play *play)
{
	const struct view *view = &play->session->view;
	const struct options *options = play->page->options;
	const char *name = view->now.name[!view->seat];

	play->rival[0] = '\0';
	if (view->now.seats != 2 || play_is_shared(play) || options->computer != NULL ||
	    !name_is_valid(name) || strcmp(name, "anon") == 0)
		return;
	for (int k = 0; k < options->keys; k++)
		if (line_value(options->key[k], "vs") != NULL)
			return;
	strcpy(play->rival, name);
}

void play_again(struct play *play, bool with_rival)
{
	strcpy(play->page->options->rival, with_rival ? play->rival : "");
	play_begin(play);
}
