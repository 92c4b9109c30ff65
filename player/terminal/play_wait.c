/*
 * play_wait.c - waiting for somebody to play with, and what can be done when nobody comes.
 *
 * Owns what is said and drawn meanwhile: who waits for the same game on other terms, and the two ways out, to
 * play with them or against a computer. It changes what the play asks for and begins it anew.
 */
#include "player/terminal/play.h"

#include "player/terminal/terms.h"

#include <stdarg.h>
#include <string.h>

enum { LINES_MAX = 12, MINUTE = 60 };

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
	else if (strcmp(view->error_code, "bad-argument") == 0 &&
		 bot_has_name(play->page->options->name))
		play_notice(play, STYLE_BAD,
			    "Your name is one of the computers' here: n changes it.");
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

/* ---- lines in the middle of the screen ---- */

struct lines {
	int count;
	struct {
		enum terminal_style style;
		char text[PAGE_TEXT]; /* "": only where there is room for it */
	} line[LINES_MAX];
};

static void __attribute__((format(printf, 3, 4)))
add_line(struct lines *lines, enum terminal_style style, const char *format, ...)
{
	va_list args;

	if (lines->count == LINES_MAX)
		return;
	va_start(args, format);
	text_print_list(lines->line[lines->count].text, PAGE_TEXT, format, args);
	va_end(args);
	lines->line[lines->count++].style = style;
}

static void add_space(struct lines *lines)
{
	add_line(lines, STYLE_PLAIN, "%s", "");
}

static void draw_lines(const struct lines *lines, struct area area)
{
	bool spaces = lines->count <= area.height;
	int row = spaces ? (area.height - lines->count) / 2 : 0;

	for (int i = 0; i < lines->count; i++)
		if (spaces || lines->line[i].text[0] != '\0')
			page_draw_middle(area, row++, lines->line[i].style, lines->line[i].text);
}

/* ---- what they say ---- */

/* A private table: what a friend has to know. */
static void add_invitation(const struct play *play, int width, const char *table,
			   struct lines *lines)
{
	const struct options *options = play->page->options;
	char host[PAGE_TEXT] = "", keys[PAGE_TEXT] = "";
	struct text first = TEXT_IN(host), second = TEXT_IN(keys);

	text_add(&first, "holmgang-player %s %u", options->host, options->port);
	text_add(&second, "-g %s", options->game->name);
	add_keys(play, &second);
	add_space(lines);
	add_line(lines, STYLE_GOOD, "The word of this table: %s", table);
	add_line(lines, STYLE_PLAIN, "Tell it to your friend, who starts");
	if ((int)(first.length + 1 + second.length) <= width) {
		add_line(lines, STYLE_GOOD, "%s %s", host, keys);
	} else {
		add_line(lines, STYLE_GOOD, "%s", host);
		add_line(lines, STYLE_GOOD, "%s", keys);
	}
	add_line(lines, STYLE_PLAIN, "presses t there, and types the word.");
}

static void add_what(const struct play *play, struct lines *lines)
{
	const struct options *options = play->session->options;
	int left = view_of(play)->countdown;

	add_line(lines, STYLE_TITLE, "%s", play->page->options->game->title);
	if (play->stage == STAGE_OVER) {
		if (play->nobody && wants_others(play))
			add_line(lines, STYLE_PLAIN, "Nobody has come.");
		return;
	}
	if (play->stage == STAGE_ASKING)
		add_line(lines, STYLE_PLAIN, "asking %s port %u", options->host, options->port);
	else if (options->computer != NULL)
		add_line(lines, STYLE_PLAIN, "the computer comes (%s)", options->computer);
	else if (options->rival[0] != '\0')
		add_line(lines, STYLE_PLAIN, "%s waits for %s", options->name, options->rival);
	else
		add_line(lines, STYLE_PLAIN, "%s looks for an opponent", options->name);
	if (play->stage != STAGE_WAITING || left < 0)
		return;
	add_space(lines);
	if (left < MINUTE)
		add_line(lines, STYLE_TITLE, "%d", left);
	else
		add_line(lines, STYLE_TITLE, "%d:%02d", left / MINUTE, left % MINUTE);
}

/* "ben waits for Quantik, but with 5 s a turn" */
static void add_other(const struct play *play, int width, const struct here_entry *other,
		      struct lines *lines)
{
	struct wish ours, theirs;
	char who[PAGE_TEXT], terms[PAGE_TEXT] = "";
	struct text words = TEXT_IN(terms);

	session_wish(play->session, play->page->options, &ours);
	session_defaults(play->session, other->game, &theirs);
	here_wish(other, &theirs);
	terms_print(&theirs.shape, &ours.shape, &words);
	text_print(who, sizeof(who), "%s waits for %s,", other->names, other->game->title);
	add_space(lines);
	if ((int)(strlen(who) + sizeof(" but with ") + words.length) <= width) {
		add_line(lines, STYLE_GOOD, "%s but with %s", who, terms);
	} else {
		add_line(lines, STYLE_GOOD, "%s", who);
		add_line(lines, STYLE_GOOD, "but with %s", terms);
	}
	add_line(lines, STYLE_GOOD, "j: play with these terms");
}

void play_wait_draw(const struct play *play, struct area area)
{
	const struct here_entry *other = find_other(play);
	const char *table = table_of(play->page->options);
	struct lines lines = {.count = 0};

	add_what(play, &lines);
	if (play->stage == STAGE_OVER && play->nobody && wants_others(play)) {
		add_space(&lines);
		add_line(&lines, STYLE_TITLE, "c: play the computer instead");
	}
	if (play_is_waiting(play) && table != NULL && !play_is_shared(play))
		add_invitation(play, area.width, table, &lines);
	if (other != NULL)
		add_other(play, area.width, other, &lines);
	draw_lines(&lines, area);
}

void play_wait_words(const struct play *play, struct text *keys)
{
	if (play->stage == STAGE_OVER)
		text_add(keys, "Enter: look again   ");
	text_add(keys, "q: lobby");
	if (find_other(play) != NULL)
		text_add(keys, "   j: join");
	if (wants_others(play))
		text_add(keys, "   c: the computer");
	text_add(keys, "   ?: help");
}
