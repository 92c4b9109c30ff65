/*
 * page.c - what the lobby and a play share. See page.h.
 *
 * Owns the wait for keyboard, server and signals together, and the line of news. It draws with
 * viewer/terminal/ only. It never shows what the server has sent as it came, and never reads its lines.
 */
#include "player/terminal/page.h"

#include "player/session/signals.h"

#include "proto/time/timers.h"

#include <curses.h>
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FOOT_ROWS = 2, BODY_ROWS_MIN = 5, LOOK_MS = 2000 };

void page_notice(struct page *page, enum terminal_style style, const char *text)
{
	snprintf(page->notice, sizeof(page->notice), "%s", text);
	page->notice_style = style;
}

static void take_signal(struct page *page)
{
	int signal = signals_read(page->options->signals);

	if (signal == SIGINT && page->asks)
		page->interrupted = true;
	else if (signal != 0)
		page->quit = true;
}

void page_say_farewell(const struct page *page)
{
	if (page->farewell[0] != '\0')
		warnx("%s", page->farewell);
}

void page_wait(struct page *page, int timeout)
{
	struct pollfd entry[2 + GAME_SEATS_MAX] = {
	    {.fd = STDIN_FILENO, .events = POLLIN},
	    {.fd = page->options->signals, .events = POLLIN},
	};
	nfds_t entries = (nfds_t)(2 + page->party.count);

	timeout = clock_sooner(timeout, party_poll(&page->party, entry + 2));
	/* a signal ends the wait as well: the window may have another size */
	if (poll(entry, entries, timeout) < 0)
		for (nfds_t i = 0; i < entries; i++)
			entry[i].revents = 0;
	if (entry[1].revents != 0)
		take_signal(page);
	if (entry[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		page->quit = true;
	party_step(&page->party, entry + 2);
}

void page_look(struct page *page)
{
	int64_t now = clock_ms();

	if ((page->looked == 0 || now - page->looked >= LOOK_MS) &&
	    session_look(&page->party.session[0]))
		page->looked = now;
}

void page_draw_middle(struct area area, int row, enum terminal_style style, const char *text)
{
	int spare = area.width - (int)strlen(text);

	if (spare > 1) {
		area.left += spare / 2;
		area.width -= spare / 2;
	}
	terminal_draw_text(area, row, style, text);
}

/* As many of the parts, which have three spaces between them, as there is room for. */
static void draw_parts(struct area area, enum terminal_style style, const char *parts)
{
	char text[PAGE_TEXT];
	char *end;

	snprintf(text, sizeof(text), "%s", parts);
	for (;;) {
		end = NULL;
		for (char *gap = strstr(text, "   "); gap != NULL; gap = strstr(gap + 3, "   "))
			end = gap;
		if (end == NULL || (int)strlen(text) <= area.width)
			break;
		*end = '\0';
	}
	page_draw_middle(area, 0, style, text);
}

struct area page_draw_foot(const struct page *page, enum terminal_style style, const char *keys)
{
	struct area area = terminal_area(), row;
	bool notice = page->notice[0] != '\0';
	int rows = area.height >= FOOT_ROWS + BODY_ROWS_MIN ? FOOT_ROWS : area.height > 2;

	area.height -= rows;
	row = (struct area){area.top + area.height, area.left, 1, area.width};
	if (rows == FOOT_ROWS || (rows == 1 && notice))
		draw_parts(row, page->notice_style, page->notice);
	row.top += rows - 1;
	if (rows == FOOT_ROWS || (rows == 1 && !notice))
		draw_parts(row, style, keys);
	return area;
}

bool page_is_enter(int key)
{
	return key == '\n' || key == '\r' || key == KEY_ENTER;
}

bool page_type(int key, char *typed, size_t size)
{
	size_t length = strlen(typed);

	if ((key == KEY_BACKSPACE || key == PAGE_DELETE || key == '\b') && length > 0)
		typed[length - 1] = '\0';
	else if (key >= ' ' && key < PAGE_DELETE && length + 1 < size)
		snprintf(typed + length, size - length, "%c", key);
	else
		return key < ' ' || key == PAGE_DELETE || key >= KEY_MIN;
	return true;
}

static void draw_question(const struct page *page, const char *question, const char *value)
{
	char line[PAGE_TEXT];
	struct area area;
	int row;

	snprintf(line, sizeof(line), "%s_", value);
	terminal_begin();
	area = page_draw_foot(page, STYLE_DIM, "Enter: take it   Esc: leave it as it was");
	row = area.height > 3 ? area.height / 2 - 1 : 0;
	page_draw_middle(area, row, STYLE_TITLE, question);
	page_draw_middle(area, row + (area.height > 3 ? 2 : 1), STYLE_PLAIN, line);
	terminal_end();
}

/* A key while a word is being typed. True: the question is settled. */
static bool type_key(struct page *page, int key, char *value, size_t size, bool *said,
		     const char *(*check)(const char *value))
{
	const char *wrong;

	if (key == PAGE_ESCAPE)
		return true;
	if (page_is_enter(key)) {
		wrong = check(value);
		*said = wrong == NULL;
		page_notice(page, STYLE_BAD, wrong == NULL ? "" : wrong);
		return *said;
	}
	page_notice(page, STYLE_PLAIN, "");
	if (key == ' ' || !page_type(key, value, size))
		page_notice(page, STYLE_BAD, check(" "));
	return false;
}

bool page_ask(struct page *page, const char *question, char *value, size_t size,
	      const char *(*check)(const char *value))
{
	char typed[PAGE_TEXT / 2];
	struct terminal_input input;
	bool said = false;

	snprintf(typed, sizeof(typed) < size ? sizeof(typed) : size, "%s", value);
	page_notice(page, STYLE_PLAIN, "");
	while (!page->quit) {
		draw_question(page, question, typed);
		page_wait(page, -1);
		/* what the server says meanwhile is the lobby's to hear */
		while (terminal_read(&input))
			if (input.key != 0 &&
			    type_key(page, input.key, typed,
				     sizeof(typed) < size ? sizeof(typed) : size, &said, check)) {
				if (said)
					snprintf(value, size, "%s", typed);
				page_notice(page, STYLE_PLAIN, "");
				return said;
			}
	}
	return false;
}
