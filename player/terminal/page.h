/*
 * page.h - what the lobby and a play share: one terminal, those who sit at it, one line of news.
 */
#ifndef PLAYER_TERMINAL_PAGE_H
#define PLAYER_TERMINAL_PAGE_H

#include "player/terminal/party.h"

#include "viewer/terminal/terminal.h"

enum {
	PAGE_TEXT = 192, /* bytes of a line of text, with the NUL */
	PAGE_ESCAPE = 27,
	PAGE_DELETE = 127,
};

struct page {
	struct options *options;
	struct party party;
	int level;		/* of the computer: bot_level_at() */
	struct here here;	/* who is here; the first of the party asks for it */
	int64_t looked;		/* ms; when that was asked last */
	char joined[HERE_KEYS]; /* the terms of whoever is being joined */
	char notice[PAGE_TEXT]; /* shown until something else is */
	enum terminal_style notice_style;
	bool quit; /* the person has had enough, a signal has come, or the terminal has gone */
	bool asks; /* Ctrl-C does not end the program, but makes it `interrupted` */
	bool interrupted;
	char farewell
	    [PAGE_TEXT]; /* what the program ends with, once the terminal is given back; or "" */
};

void page_notice(struct page *page, enum terminal_style style, const char *text);

/* Wait for the person or the server, at most `timeout` ms (-1: as long as it takes), and do what
 * the connection needs. Sets `quit` when a signal has come (see `asks`) or the terminal has gone. */
void page_wait(struct page *page, int timeout);

/* Ask who is here, if that is some time ago. */
void page_look(struct page *page);

/* Say the farewell, where there is one, on standard error. */
void page_say_farewell(const struct page *page);

/* Draw one line in the middle of this row of the area. */
void page_draw_middle(struct area area, int row, enum terminal_style style, const char *text);

/* The two lowest rows: the notice, and which keys do what, the most important first, with
 * three spaces between them: what has no room is left out. In a window that is too low, one row or
 * none. Returns the rest of the screen. */
struct area page_draw_foot(const struct page *page, enum terminal_style style, const char *keys);

bool page_is_enter(int key);

/* A key into a word that is typed: one character more, or one less. False: no such character can be added. */
bool page_type(int key, char *typed, size_t size);

/* Ask for a word; `value` is what is offered, and what was said. `check` gives NULL or what is
 * wrong with it; it is also told of a character that can be in no word. False: the person wants nothing. */
bool page_ask(struct page *page, const char *question, char *value, size_t size,
	      const char *(*check)(const char *value));

/* play.c: from PLAY to the end of the duel, and again if the person likes. */
void play_run(struct page *page);

#endif
