/*
 * play_wait.c - waiting for somebody to play with, and what can be done when nobody comes.
 *
 * Owns what is said and drawn meanwhile: who waits for the same game on other terms, and the two ways out, to
 * play with them or against a computer. It changes what the play asks for and begins it anew.
 */
#include "player/terminal/play.h"

#include "player/terminal/terms.h"

#include <stdio.h>
#include <string.h>

static const struct view *view_of(const struct play *play)
{
	return &play->session->view;
}

bool play_is_waiting(const struct play *play)
{
	return play->stage == STAGE_WAITING || (play->stage == STAGE_OVER && play->nobody);
}

static const char *table_of(const struct options *options)
{
	for (int k = 0; k < options->keys; k++)
		if (line_value(options->key[k], "table") != NULL)
			return line_value(options->key[k], "table");
	return NULL;
}

/* Those who came together, or wait for a friend, want nobody else. */
static bool wants_others(const struct play *play)
{
	return play_is_waiting(play) && !play_is_shared(play) &&
	       play->page->options->computer == NULL && table_of(play->page->options) == NULL;
}

void play_wait(struct play *play)
{
	if (wants_others(play))
		page_look(play->page);
}

/* Somebody who waits for this game on other terms; NULL: nobody does. */
static const struct here_entry *find_other(const struct play *play)
{
	const struct page *page = play->page;
	int found;

	if (!wants_others(play))
		return NULL;
	found = terms_find_other(play->session, page->options, view_of(play)->id);
	return found < 0 ? NULL : &page->here.now.entry[found];
}

/* ---- what can be done ---- */

static void ask_anew(struct play *play)
{
	if (play->stage == STAGE_WAITING)
		party_leave(&play->page->party);
	play_begin(play);
}

bool play_wait_key(struct play *play, int key)
{
	struct page *page = play->page;
	const struct here_entry *other = find_other(play);

	if (key == 'j' && other != NULL) {
		terms_join(page->options, other, page->joined);
		ask_anew(play);
		return true;
	}
	if (key == 'c' && wants_others(play)) {
		terms_against(page->options, bot_level_at(page->level));
		ask_anew(play);
		return true;
	}
	return false;
}

/* A server may have no computers, all of them at tables, or never have heard of them. */
bool play_wait_refused(struct play *play)
{
	const struct view *view = view_of(play);

	if (play->page->options->computer == NULL || view->phase != VIEW_IDLE ||
	    play->stage != STAGE_ASKING)
		return false;
	if (strcmp(view->error_code, "busy") == 0)
		play_notice(play, STYLE_BAD, "The server has no computer to play with just now.");
	else if (strcmp(view->error_code, "bad-argument") == 0)
		play_notice(play, STYLE_BAD, "This server has no computers to play with.");
	else
		return false;
	play->leave = true;
	return true;
}

/* ---- what is shown ---- */

/* What somebody else would not ask for without being told: "--key rounds=3". */
static void add_keys(const struct play *play, struct text *text)
{
	static const struct terms unset;
	const struct options *options = play->page->options;
	struct options other = {.game = options->game};

	terms_apply(&unset, play->session, &other);
	for (int k = 0; k < options->keys; k++) {
		const char *key = options->key[k];
		bool told = line_value(key, "table") != NULL || line_value(key, "wait") != NULL;

		for (int i = 0; i < other.keys; i++)
			told |= strcmp(other.key[i], key) == 0;
		if (!told)
			text_add(text, " --key %s", key);
	}
}

/* A private table: what a friend has to know. */
static void draw_invitation(const struct play *play, struct area area, int row, const char *table)
{
	const struct options *options = play->page->options;
	char text[PAGE_TEXT] = "";
	struct text command = TEXT_IN(text);

	text_add(&command, "holmgang-player %s %u -g %s", options->host, options->port,
		 options->game->name);
	add_keys(play, &command);
	page_draw_middle(area, row, STYLE_PLAIN, "Tell your friend to start");
	page_draw_middle(area, row + 1, STYLE_GOOD, text);
	snprintf(text, sizeof(text), "to press t, and to type the word %s", table);
	page_draw_middle(area, row + 2, STYLE_GOOD, text);
}

static void print_what(const struct play *play, char text[PAGE_TEXT])
{
	const struct options *options = play->session->options;

	if (play->stage == STAGE_ASKING)
		snprintf(text, PAGE_TEXT, "asking %s port %u", options->host, options->port);
	else if (options->rival[0] != '\0')
		snprintf(text, PAGE_TEXT, "%s waits for %s", options->name, options->rival);
	else
		snprintf(text, PAGE_TEXT, "%s looks for an opponent", options->name);
}

static void print_countdown(const struct play *play, char text[PAGE_TEXT])
{
	int left = view_of(play)->countdown;

	if (left < 60)
		snprintf(text, PAGE_TEXT, "%d", left);
	else
		snprintf(text, PAGE_TEXT, "%d:%02d", left / 60, left % 60);
}

/* "ben waits for Quantik, but with 5 s a turn" */
static void draw_other(const struct play *play, struct area area, int row,
		       const struct here_entry *other)
{
	struct wish ours, theirs;
	char terms[PAGE_TEXT] = "", text[2 * PAGE_TEXT];
	struct text words = TEXT_IN(terms);

	session_wish(play->session, play->page->options, &ours);
	session_defaults(play->session, other->game, &theirs);
	here_wish(other, &theirs);
	terms_print(&theirs.shape, &ours.shape, &words);
	snprintf(text, sizeof(text), "%s waits for %s, but with %s", other->names,
		 other->game->title, terms);
	page_draw_middle(area, row, STYLE_GOOD, text);
	page_draw_middle(area, row + 1, STYLE_GOOD, "j: play with these terms");
}

void play_wait_draw(const struct play *play, struct area area)
{
	const struct here_entry *other = find_other(play);
	const char *table = table_of(play->page->options);
	int row = area.height > 4 ? area.height / 2 - 2 : 0;
	char text[PAGE_TEXT] = "";

	if (row > 4)
		row -= 2;
	page_draw_middle(area, row, STYLE_TITLE, play->page->options->game->title);
	if (play->stage != STAGE_OVER) {
		print_what(play, text);
		page_draw_middle(area, row + 1, STYLE_PLAIN, text);
	} else if (play->nobody && wants_others(play)) {
		page_draw_middle(area, row + 1, STYLE_PLAIN, "Nobody has come.");
		page_draw_middle(area, row + 3, STYLE_TITLE, "c: play the computer instead");
	}
	if (play->stage == STAGE_WAITING && view_of(play)->countdown >= 0) {
		print_countdown(play, text);
		page_draw_middle(area, row + 3, STYLE_TITLE, text);
	}
	if (play_is_waiting(play) && table != NULL && !play_is_shared(play))
		draw_invitation(play, area, row + 5, table);
	if (other != NULL)
		draw_other(play, area, row + 5, other);
}

void play_wait_words(const struct play *play, struct text *keys)
{
	if (!play_is_waiting(play))
		return;
	if (play->stage == STAGE_OVER)
		text_add(keys, "Enter: look again   ");
	if (find_other(play) != NULL)
		text_add(keys, "j: play with these terms   ");
	if (wants_others(play))
		text_add(keys, "c: play the computer   ");
	text_add(keys, "q: back");
}
