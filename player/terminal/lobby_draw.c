/*
 * lobby_draw.c - the lobby on the screen: above what one can do, below who is here. See lobby.h.
 *
 * Owns where the places were drawn, which the mouse needs; it reads all else, and never changes it. Where there
 * is no room for all, each of the two parts shows what is around the chosen place.
 */
#include "player/terminal/lobby.h"

#include "proto/time/timers.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
	WIDTH_MAX = 80,
	WIDTH_FULL = 56, /* below it, less is told of each who is here */
	ROWS_ROOMY = 20, /* from here on, rows are left empty */
	ROWS_BOTH = 4,	 /* below it, only the part is shown in which a place is chosen */
	MARK = 2,	 /* columns before a line: is it the chosen one? */
	MORE = 2,	 /* columns behind it, for a mark that there is more */
	TITLE = 20,	 /* columns of what one can do */
	LINES_MAX = LOBBY_PLACES_MAX + 4,
	NO_ANSWER_MS = 5000,
};

/* A line of a part: a place, or words, when it is -1. */
struct line {
	int place;
	const char *words;
};

/* One of the two parts. */
struct part {
	int count;
	struct line line[LINES_MAX];
};

static bool is_chosen(const struct lobby *lobby, const struct line *line)
{
	return line->place >= 0 && line->place == lobby->chosen;
}

/* ---- what the lines say ---- */

/* A column of this width, and a space; what is too long ends in dots. */
static void add_column(struct text *text, int width, const char *word)
{
	if ((int)strlen(word) <= width)
		text_add(text, "%-*s ", width, word);
	else if (width > 2)
		text_add(text, "%.*s.. ", width - 2, word);
}

static void print_deed(const struct lobby *lobby, const struct deed *deed, struct text *text)
{
	char value[LOBBY_VALUE] = "";
	struct text words = TEXT_IN(value);

	if (deed->print != NULL)
		deed->print(lobby, deed->term, &words);
	text_add(text, "%c  %-*s", deed->key, TITLE, deed->title);
	if (deed->step != NULL)
		text_add(text, "< %s >", value);
	else
		text_add(text, "%s", value);
}

/* "anna - ben": the dash of the server's list is a comma. */
static void print_players(const struct here_entry *entry, char names[2 * HERE_NAMES])
{
	struct text text = {.data = names, .size = 2 * HERE_NAMES};

	names[0] = '\0';
	for (const char *c = entry->names; *c != '\0'; c++)
		if (*c == ',')
			TEXT_ADD(&text, " - ");
		else
			text_add_bytes(&text, c, 1);
}

static void print_waiting(const struct lobby *lobby, const struct here_entry *entry, int width,
			  struct text *text)
{
	int name = width >= WIDTH_FULL + 10 ? 20 : width >= WIDTH_FULL ? 13 : 9;
	int left = entry->seconds - (int)((clock_ms() - lobby->page.here.told) / 1000);
	char terms[PAGE_TEXT] = "", seconds[16] = "";
	struct text words = TEXT_IN(terms);

	terms_print_entry(&lobby->page.party.session[0], entry, &words);
	if (width >= WIDTH_FULL)
		snprintf(seconds, sizeof(seconds), "%d s", left > 0 ? left : 0);
	add_column(text, name, entry->names);
	add_column(text, 13, entry->game->title);
	add_column(text, width - name - 14 - (width >= WIDTH_FULL ? 8 : 2), terms);
	text_add(text, "%6s", seconds);
}

static void print_played(const struct here_entry *entry, int width, struct text *text)
{
	char names[2 * HERE_NAMES], round[48] = "";

	if (entry->rounds > 1 && width >= WIDTH_FULL)
		snprintf(round, sizeof(round), "round %d of %d", entry->round, entry->rounds);
	else if (entry->rounds > 1)
		snprintf(round, sizeof(round), "%d/%d", entry->round, entry->rounds);
	else if (entry->rounds == 0 && width >= WIDTH_FULL)
		snprintf(round, sizeof(round), "round %d", entry->round);
	print_players(entry, names);
	add_column(text, width - 14 - (width >= WIDTH_FULL ? 16 : 6), names);
	add_column(text, 13, entry->game->title);
	text_add(text, "%s", round);
}

static void print_line(const struct lobby *lobby, const struct line *line, int width,
		       struct text *text)
{
	const struct place *place = &lobby->place[line->place];

	text_add(text, is_chosen(lobby, line) ? "> " : "  ");
	if (place->deed != NULL)
		print_deed(lobby, place->deed, text);
	else if (place->entry->waits)
		print_waiting(lobby, place->entry, width - MARK, text);
	else
		print_played(place->entry, width - MARK, text);
}

/* ---- the two parts ---- */

static void add_line(struct part *part, int place, const char *words)
{
	if (part->count < LINES_MAX)
		part->line[part->count++] = (struct line){place, words};
}

static void list_deeds(const struct lobby *lobby, struct part *part)
{
	part->count = 0;
	for (int i = 0; i < lobby->places; i++)
		if (lobby->place[i].deed != NULL)
			add_line(part, i, NULL);
}

/* Who waits, or what is played, below its heading. */
static void list_entries(const struct lobby *lobby, struct part *part, bool waits,
			 const char *heading)
{
	bool none = true;

	for (int i = 0; i < lobby->places; i++) {
		const struct here_entry *entry = lobby->place[i].entry;

		if (entry == NULL || entry->waits != waits)
			continue;
		if (none)
			add_line(part, -1, heading);
		none = false;
		add_line(part, i, NULL);
	}
}

static void list_here(const struct lobby *lobby, struct part *part)
{
	static char more[48];
	const struct here *here = &lobby->page.here;

	part->count = 0;
	list_entries(lobby, part, true, "Who waits");
	list_entries(lobby, part, false, "What is played");
	if (here->is_known && here->now.more > 0) {
		snprintf(more, sizeof(more), "and %d more", here->now.more);
		add_line(part, -1, more);
	}
	if (part->count > 0)
		return;
	if (lobby->page.party.session[0].tells_nothing)
		add_line(part, -1, "This server does not tell who is here.");
	else if (here->is_known)
		add_line(part, -1, "Nobody waits, and nothing is played.");
}

static bool may_enter(const struct lobby *lobby, const struct place *place)
{
	if (place->entry == NULL)
		return true;
	return place->entry->waits ? terms_is_open(place->entry, lobby->page.options->name)
				   : place->entry->port != 0;
}

static void draw_line(struct lobby *lobby, const struct line *line, struct area area)
{
	char text[PAGE_TEXT] = "";
	struct text words = TEXT_IN(text);

	if (line->place < 0) {
		terminal_draw_text(area, 0, STYLE_DIM, line->words);
		return;
	}
	print_line(lobby, line, area.width, &words);
	terminal_draw_text(area, 0,
			   is_chosen(lobby, line)			  ? STYLE_CHOSEN
			   : may_enter(lobby, &lobby->place[line->place]) ? STYLE_PLAIN
									  : STYLE_DIM,
			   text);
	if (area.top < LOBBY_ROWS_MAX)
		lobby->place_of_row[area.top] = line->place;
}

/* As much as there is room for, with the chosen place in view; a mark says that there is more. */
static void draw_part(struct lobby *lobby, const struct part *part, struct area area)
{
	struct area corner = {.left = area.left + area.width - 1, .height = 1, .width = 1};
	int first = 0;

	for (int i = 0; i < part->count; i++)
		if (is_chosen(lobby, &part->line[i]) && i >= area.height)
			first = i - area.height + 1;
	for (int row = 0; row < area.height && first + row < part->count; row++)
		draw_line(lobby, &part->line[first + row],
			  (struct area){area.top + row, area.left, 1, area.width - MORE});
	corner.top = area.top;
	if (first > 0)
		terminal_draw_text(corner, 0, STYLE_DIM, "^");
	corner.top = area.top + area.height - 1;
	if (first + area.height < part->count && area.height > 0)
		terminal_draw_text(corner, 0, STYLE_DIM, "v");
}

/* How many rows the lower part has: all that it needs, where there are so many, and two fifths otherwise. */
static int share_rows(const struct lobby *lobby, int rows, int deeds, int here)
{
	int share = rows - deeds > rows * 2 / 5 ? rows - deeds : rows * 2 / 5;

	if (rows < ROWS_BOTH)
		share = lobby->place[lobby->chosen].entry != NULL ? rows : 0;
	return here < share ? here : share;
}

static void draw_parts(struct lobby *lobby, struct area area)
{
	static struct part deeds, here;
	struct area below = area;
	int gap;

	list_deeds(lobby, &deeds);
	list_here(lobby, &here);
	gap = area.height >= ROWS_ROOMY - 3 && here.count > 0;
	below.height = share_rows(lobby, area.height - gap, deeds.count, here.count);
	area.height -= below.height + gap;
	if (area.height > deeds.count)
		area.height = deeds.count;
	below.top = area.top + area.height + gap;
	draw_part(lobby, &deeds, area);
	draw_part(lobby, &here, below);
}

/* ---- above and below them ---- */

static const char *server_state(const struct session *session, const struct page *page)
{
	static const char *const states[] = {
	    [CLIENT_CLOSED] = "not connected",
	    [CLIENT_CONNECTING] = "connecting",
	    [CLIENT_OPEN] = "connected",
	};

	if (session->list == LIST_TABLES && clock_ms() - page->looked > NO_ANSWER_MS)
		return "it does not answer";
	return states[session->client.state];
}

/* The name of it all on the left, the server on the right; in a narrow window one of them. */
static void draw_head(const struct lobby *lobby, struct area area)
{
	static const char title[] = "H O L M G A N G";
	const struct session *session = &lobby->page.party.session[0];
	const char *state = server_state(session, &lobby->page);
	char text[PAGE_TEXT];
	int length = snprintf(text, sizeof(text), "%s port %u, %s", session->options->host,
			      session->options->port, state);

	if (length + (int)sizeof(title) + 1 <= area.width)
		terminal_draw_text(area, 0, STYLE_TITLE, title);
	if (length > area.width)
		length = snprintf(text, sizeof(text), "%s", state);
	if (length < area.width) {
		area.left += area.width - length;
		area.width = length;
	}
	terminal_draw_text(area, 0, STYLE_DIM, text);
}

/* What Enter does here. */
static void print_keys(const struct lobby *lobby, struct text *text)
{
	struct place place = lobby->place[lobby->chosen];

	if (place.entry != NULL && place.entry->waits)
		text_add(text, "Enter: play with %s", place.entry->names);
	else if (place.entry != NULL)
		text_add(text, "Enter: watch");
	else if (place.deed->act == NULL)
		text_add(text, "Left, Right: change");
	else
		text_add(text, "Enter: %c%s", tolower((unsigned char)place.deed->title[0]),
			 place.deed->title + 1);
	if (place.deed != NULL && place.deed->act != NULL && place.deed->step != NULL)
		text_add(text, "   Left, Right: change");
	text_add(text, "   Up, Down: choose");
	if (lobby->place[lobby->places - 1].entry != NULL)
		text_add(text, "   Tab: %s", place.entry == NULL ? "who is here" : "what to do");
	text_add(text, "   or a letter");
	text_add(text, "   or the mouse");
}

void lobby_draw(struct lobby *lobby)
{
	char keys[PAGE_TEXT] = "";
	struct text text = TEXT_IN(keys);
	struct area area;
	int rows;

	for (int row = 0; row < LOBBY_ROWS_MAX; row++)
		lobby->place_of_row[row] = -1;
	print_keys(lobby, &text);
	terminal_begin();
	area = page_draw_foot(&lobby->page, STYLE_DIM, keys);
	if (area.width > WIDTH_MAX) {
		area.left += (area.width - WIDTH_MAX) / 2;
		area.width = WIDTH_MAX;
	}
	rows = area.height >= 2 * ROWS_ROOMY ? 3 : 0;
	area.top += rows;
	area.height -= rows;
	if (area.height >= ROWS_BOTH) {
		draw_head(lobby, area);
		rows = area.height >= ROWS_ROOMY ? 2 : 1;
		area.top += rows;
		area.height -= rows;
	}
	draw_parts(lobby, area);
	terminal_end();
}
