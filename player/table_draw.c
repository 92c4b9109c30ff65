/*
 * table_draw.c - a table on the screen: the board, who is to move, what can be picked.
 *
 * Reads the table and what the session knows; changes nothing but where things were drawn, which
 * the mouse needs. The scene comes from viewer/scene.h; what is said here is about us: the words
 * of a viewer ("ben to move") become those of a player ("your move").
 */
#include "table.h"

#include "words.h"

#include <stdio.h>
#include <string.h>

enum { BESIDE_WIDTH = 6, CLOCK_SHORT = 10 };

static int seconds_since(int64_t then)
{
	return (int)((client_clock() - then) / 1000);
}

static const struct view *view_of(const struct table *table)
{
	return &table->page->session.view;
}

/* ---- the pieces beside the board ---- */

/* The places that can be picked now, or have been; returns how many. */
static int beside_places(const struct table *table, struct pick places[PICKER_TARGETS_MAX])
{
	struct choice choice = table_choice(table);
	struct pick targets[PICKER_TARGETS_MAX];
	int count = table_may_pick(table) ? picker_targets(&table->picker, &choice, targets) : 0;
	int places_count = 0;

	for (int i = 0; i < count; i++)
		if (targets[i].beside)
			places[places_count++] = targets[i];
	return places_count;
}

int table_beside_at(const struct table *table, int row, int column)
{
	struct pick places[PICKER_TARGETS_MAX];
	int count = beside_places(table, places);
	int i = (column - table->beside.left) / BESIDE_WIDTH;

	if (table->beside.height == 0 || row != table->beside.top || column < table->beside.left ||
	    i >= count)
		return -1;
	return places[i].x;
}

/* The row below the board that they are drawn in; it is taken from the area. */
static struct area beside_row(struct area *area, int count)
{
	struct area row = *area;
	int width = count * BESIDE_WIDTH;

	area->height--;
	row.top += area->height;
	row.height = 1;
	if (width < row.width) {
		row.left += (row.width - width) / 2;
		row.width = width;
	}
	return row;
}

static void draw_piece(struct area row, int place, enum terminal_style style, const char *label)
{
	char text[BESIDE_WIDTH + 1];

	snprintf(text, sizeof(text), " %.4s ", label[0] == '\0' ? "?" : label);
	row.left += place * BESIDE_WIDTH;
	row.width -= place * BESIDE_WIDTH;
	terminal_draw_text(row, 0, style, text);
}

/* The piece that has been picked already, when there is none to pick. */
static void draw_picked(const struct table *table, struct area *area)
{
	struct choice choice = table_choice(table);

	for (int i = 0; i < table->picker.count; i++) {
		struct picker until = {.count = i};
		char label[GAME_MOVE_TEXT];

		if (!table->picker.pick[i].beside)
			continue;
		memcpy(until.pick, table->picker.pick, sizeof(until.pick));
		picker_label(&until, &choice, table->picker.pick[i], label);
		draw_piece(beside_row(area, 1), 0, STYLE_GOOD, label);
		return;
	}
}

static void draw_beside(struct table *table, struct area *area)
{
	struct pick places[PICKER_TARGETS_MAX];
	struct choice choice = table_choice(table);
	int count = beside_places(table, places);

	table->beside = (struct area){0};
	if (area->height < 2)
		return;
	if (count == 0) {
		draw_picked(table, area);
		return;
	}
	table->beside = beside_row(area, count);
	for (int i = 0; i < count; i++) {
		char label[GAME_MOVE_TEXT];

		picker_label(&table->picker, &choice, places[i], label);
		draw_piece(table->beside, i,
			   pick_equal(places[i], table->cursor) ? STYLE_CHOSEN : STYLE_PLAIN,
			   label);
	}
}

/* ---- the board ---- */

static void mark_cell(struct scene *scene, struct pick pick, enum mark mark)
{
	struct cell *cell = pick.beside ? NULL : scene_cell(scene, pick.x, pick.y);

	if (cell != NULL)
		cell->marks |= (uint8_t)mark;
}

static void mark_picks(struct table *table)
{
	struct pick targets[PICKER_TARGETS_MAX];
	struct choice choice = table_choice(table);
	int count;

	if (!table_may_pick(table))
		return;
	count = picker_targets(&table->picker, &choice, targets);
	for (int i = 0; i < count; i++)
		mark_cell(&table->scene, targets[i], MARK_TARGET);
	for (int i = 0; i < table->picker.count; i++)
		mark_cell(&table->scene, table->picker.pick[i], MARK_PICKED);
}

/* In the middle of the board at first, and always on it, though it may grow. */
static void place_cursor(struct table *table)
{
	struct scene *scene = &table->scene;
	struct pick *cursor = &table->cursor;

	if (!table->has_cursor)
		*cursor = (struct pick){.x = scene->first_x + scene->columns / 2,
					.y = scene->first_y + scene->rows / 2};
	table->has_cursor = true;
	if (!cursor->beside && scene_cell(scene, cursor->x, cursor->y) == NULL)
		*cursor = (struct pick){.x = scene->first_x, .y = scene->first_y};
	mark_cell(scene, *cursor, MARK_CURSOR);
}

static void name_ourselves(struct scene *scene, int seat)
{
	char *name = scene->player[seat].name;
	size_t length = strlen(name);

	if (length + sizeof(" (you)") <= NAME_MAX_BYTES)
		strcpy(name + length, " (you)");
}

/* The referee says who has won, also where the board does not tell. */
static void mark_winner(struct scene *scene, enum view_result result, int seat)
{
	if (scene->players != 2 || result == RESULT_NONE)
		return;
	scene->player[seat].winner = result == RESULT_WIN;
	scene->player[!seat].winner = result == RESULT_LOSE;
}

static void caption_turn(const struct table *table, struct text *caption)
{
	const struct view *view = view_of(table);
	int left = table->page->session.clock - seconds_since(table->turn_since);

	if (view->has_moved)
		text_add(caption, "...");
	else if (view->turn_is_ours)
		text_add(caption, "Your move");
	else if (view->now.turn >= 0)
		text_add(caption, "%s to move", view->now.name[view->now.turn]);
	else
		text_add(caption, "Others to move");
	if (table->page->session.clock > 0 && !view->has_moved)
		text_add(caption, "   %d:%02d%s", left > 0 ? left / 60 : 0,
			 left > 0 ? left % 60 : 0,
			 view->turn_is_ours && left < CLOCK_SHORT ? " !" : "");
}

static void make_scene(struct table *table)
{
	const struct view *view = view_of(table);
	const struct ending *ending = &table->ending;
	struct scene *scene = &table->scene;
	bool ended = table->has_ending && table->stage != STAGE_ASKING;
	struct text caption = TEXT_IN(scene->caption);

	if (ended) {
		scene_of_frame(scene, &ending->now, ending->has_before ? &ending->before : NULL);
		mark_winner(scene, ending->result, ending->seat);
		name_ourselves(scene, ending->seat);
		scene->caption[0] = '\0';
		text_add(&caption, "%s", ending->text);
		return;
	}
	scene_of_frame(scene, &view->now, view->has_before ? &view->before : NULL);
	name_ourselves(scene, view->seat);
	if (table->stage != STAGE_PLAYING)
		return;
	scene->caption[0] = '\0';
	caption_turn(table, &caption);
	mark_picks(table);
	place_cursor(table);
}

static void draw_board(struct table *table, struct area area)
{
	draw_beside(table, &area);
	make_scene(table);
	table->board = area;
	terminal_draw_scene(&table->scene, area);
}

/* ---- when there is no board ---- */

static void draw_waiting(const struct table *table, struct area area)
{
	const struct options *options = table->page->options;
	const struct view *view = view_of(table);
	int row = area.height > 4 ? area.height / 2 - 2 : 0;
	char text[PAGE_TEXT] = "";

	snprintf(text, sizeof(text), "%s", options->game->name);
	page_draw_middle(area, row, STYLE_TITLE, text);
	if (table->stage == STAGE_OVER)
		return;
	if (table->stage == STAGE_ASKING)
		snprintf(text, sizeof(text), "asking %s port %u", options->host, options->port);
	else
		snprintf(text, sizeof(text), "%s looks for an opponent", options->name);
	page_draw_middle(area, row + 1, STYLE_PLAIN, text);
	if (table->stage != STAGE_WAITING || view->countdown < 0)
		return;
	snprintf(text, sizeof(text), "%d", view->countdown);
	page_draw_middle(area, row + 3, STYLE_TITLE, text);
}

/* ---- words at the foot ---- */

static const char *playing_keys(const struct table *table, char text[PAGE_TEXT])
{
	struct choice choice = table_choice(table);
	char words[GAME_MOVE_TEXT] = "";
	struct move move;

	if (!table_may_pick(table))
		return "q: leave   r: resign";
	if (picker_whole(&table->picker, &choice, &move)) {
		choice.drawing->game->print_move(&move, words);
		snprintf(text, PAGE_TEXT, ".: %s   Enter: pick   q: leave   r: resign", words);
		return text;
	}
	if (table->picker.count > 0)
		return "arrows, Enter: pick   q: leave   Backspace: take back   or the mouse";
	return "arrows, Enter: move   q: leave   r: resign   Tab: next   or the mouse";
}

static const char *keys(const struct table *table, char text[PAGE_TEXT])
{
	if (table->question == ASK_LEAVE)
		return "Leave and lose? y/n   (y: leave the duel, n: play on)";
	if (table->question == ASK_RESIGN)
		return "Resign? y/n   (y: give this round up, n: play on)";
	switch (table->stage) {
	case STAGE_ASKING:
	case STAGE_WAITING:
		break;
	case STAGE_PLAYING:
		return table->broken ? "q: give it up" : playing_keys(table, text);
	case STAGE_HOLDING:
		return "any key: go on   the next round has begun";
	case STAGE_OVER:
		return "Enter: play again   q: menu";
	}
	return "q: menu";
}

/* What must be known now goes before what was said last. */
static void show_trouble(struct table *table)
{
	const struct session *session = &table->page->session;
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	if (table->broken)
		text_add(&line, "The connection is lost; trying to come back ...");
	else if (table->stage == STAGE_PLAYING)
		words_of_trouble(&session->view, seconds_since(table->news_since), &line);
	if (line.length > 0)
		page_notice(table->page, STYLE_BAD, text);
}

void table_draw(struct table *table)
{
	const struct view *view = view_of(table);
	bool asks = table->question != ASK_NOTHING || table->stage == STAGE_HOLDING;
	char text[PAGE_TEXT];
	struct area area;

	show_trouble(table);
	terminal_begin();
	area = page_draw_foot(table->page, asks ? STYLE_TITLE : STYLE_DIM, keys(table, text));
	table->has_board = view->has_board || table->stage == STAGE_HOLDING;
	if (table->has_board && table->stage != STAGE_ASKING)
		draw_board(table, area);
	else
		draw_waiting(table, area);
	terminal_end();
}
