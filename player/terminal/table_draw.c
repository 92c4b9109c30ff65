/*
 * table_draw.c - a table on the screen: the board, who is to move, what can be picked.
 *
 * Reads the table and what the session knows; changes nothing but where things were drawn, which
 * the mouse needs. The scene comes from viewer/scene/scene.h; what is said here is about us: the words
 * of a viewer ("ben to move") become those of a player ("your move").
 */
#include "player/terminal/table.h"

#include "player/terminal/words.h"

#include <stdio.h>
#include <string.h>

enum { CLOCK_SHORT = 10, WORD_GAP = 2, BOARD_ROWS_MIN = 3 };

static int seconds_since(int64_t then)
{
	return (int)((client_clock() - then) / 1000);
}

static const struct view *view_of(const struct table *table)
{
	return &table->session->view;
}

/* ---- what can be picked ---- */

static struct cell *cell_of(struct scene *scene, struct pick pick)
{
	if (!pick.beside)
		return scene_cell(scene, pick.x, pick.y);
	for (int i = 0; i < scene->pieces; i++)
		if (scene->beside[i].piece == pick.x)
			return &scene->beside[i].cell;
	return NULL;
}

static void mark_cell(struct scene *scene, struct pick pick, enum mark mark)
{
	struct cell *cell = cell_of(scene, pick);

	if (cell != NULL)
		cell->marks |= (uint8_t)mark;
}

/* Of a column all cells that are empty. */
static void mark_pick(struct scene *scene, struct pick pick, enum mark mark)
{
	int last = scene->first_y + scene->rows - 1;

	if (!pick.column)
		mark_cell(scene, pick, mark);
	for (int y = scene->first_y; pick.column && y <= last; y++) {
		const struct cell *cell = scene_cell(scene, pick.x, y);

		if (cell != NULL && cell->letter == ' ')
			mark_cell(scene, (struct pick){.x = pick.x, .y = y}, mark);
	}
}

static void mark_picks(struct table *table)
{
	struct pick targets[PICKER_TARGETS_MAX];
	struct choice choice = table_choice(table);
	struct scene *scene = &table->scene;
	int count;

	if (!table_may_pick(table))
		return;
	count = picker_targets(&table->picker, &choice, targets);
	for (int i = 0; i < count; i++)
		mark_pick(scene, targets[i], MARK_TARGET);
	for (int i = 0; i < table->picker.count; i++)
		mark_pick(scene, table->picker.pick[i], MARK_PICKED);
	for (int i = 0; i < scene->pieces; i++)
		if (table_marked(table, scene->beside[i].piece) > 0)
			scene->beside[i].cell.marks |= MARK_PICKED;
}

/* In the middle of the board at first, and always on it, though it may grow; then where something
 * can be picked. */
static void place_cursor(struct table *table)
{
	struct scene *scene = &table->scene;
	struct pick *cursor = &table->cursor;

	if (!table->has_cursor || cell_of(scene, *cursor) == NULL)
		*cursor = (struct pick){.x = scene->first_x + scene->columns / 2,
					.y = scene->first_y + scene->rows / 2};
	table->has_cursor = true;
	table_follow_targets(table);
	mark_cell(scene, *cursor, MARK_CURSOR);
}

/* The key of a word: its first letter, unless that does something else. */
static int key_for(const struct table *table, const char *text)
{
	int key = (unsigned char)*text;

	if (key < 'a' || key > 'z' || strchr("hjklqrx", key) != NULL)
		return '.';
	for (int i = 0; i < table->words; i++)
		if (table->word[i].key == key)
			return '.';
	return key;
}

static void find_words(struct table *table)
{
	struct choice choice = table_choice(table);
	int wholes[TABLE_WORDS_MAX];
	int count = table_may_pick(table)
			? picker_wholes(&table->picker, &choice, wholes, TABLE_WORDS_MAX)
			: 0;

	table->words = 0;
	for (int i = 0; i < count; i++) {
		struct table_word *word = &table->word[table->words];
		char text[GAME_MOVE_TEXT];

		view_of(table)->game->print_move(&choice.move[wholes[i]], text);
		word->move = wholes[i];
		word->key = key_for(table, text);
		word->place = (struct area){0};
		snprintf(word->text, sizeof(word->text), "[%c: %s]", word->key, text);
		table->words++;
	}
}

/* In the middle of the lowest row of the area, which is taken from it. */
static void draw_words(struct table *table, struct area *area)
{
	int width = 0, left;

	if (table->words == 0 || area->height <= BOARD_ROWS_MIN)
		return;
	for (int i = 0; i < table->words; i++)
		width += (i > 0 ? WORD_GAP : 0) + (int)strlen(table->word[i].text);
	left = area->width > width ? (area->width - width) / 2 : 0;
	area->height--;
	for (int i = 0; i < table->words; i++) {
		struct table_word *word = &table->word[i];
		int length = (int)strlen(word->text), room = area->width - left;

		if (room <= 0)
			break;
		word->place = (struct area){area->top + area->height, area->left + left, 1,
					    length < room ? length : room};
		terminal_draw_text(word->place, 0, STYLE_PLAIN, word->text);
		left += length + WORD_GAP;
	}
}

/* The rows below the board that the pieces are drawn in; they are taken from the area. */
static void draw_beside(struct table *table, struct area *area)
{
	int rows = terminal_beside_height(&table->scene, area->width);

	table->beside = (struct area){0};
	if (rows == 0 || area->height < rows + BOARD_ROWS_MIN)
		return;
	area->height -= rows;
	table->beside = (struct area){area->top + area->height, area->left, rows, area->width};
	terminal_draw_beside(&table->scene, table->beside);
}

/* ---- the board ---- */

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

/* Whose move it is, where there are turns. */
static void caption_who(const struct table *table, struct text *caption)
{
	const struct view *view = view_of(table);

	if (view->turn_is_ours && table_is_shared(table))
		text_add(caption, "%s, your move", table->session->options->name);
	else if (view->turn_is_ours)
		text_add(caption, "Your move");
	else if (view->now.turn >= 0)
		text_add(caption, "%s%s to move", view->is_out ? "You are out; " : "",
			 table->scene.player[view->now.turn].name);
	else
		text_add(caption, "%s", view->is_out ? "You are out" : "Others to move");
}

/* What is left of a turn. */
static void caption_clock(const struct table *table, struct text *caption)
{
	int clock = table->session->clock;
	int left = clock - seconds_since(table->turn_since);

	if (clock == 0)
		return;
	text_add(caption, "   %d:%02d%s", left > 0 ? left / 60 : 0, left > 0 ? left % 60 : 0,
		 view_of(table)->turn_is_ours && left < CLOCK_SHORT ? " !" : "");
}

static void caption_turn(const struct table *table, struct text *caption)
{
	const struct view *view = view_of(table);

	if (!view_has_turns(view->game)) {
		text_add(caption, "%s",
			 view->frozen	      ? "Waiting for players"
			 : view->turn_is_ours ? "All play at once: pick"
					      : "Wait a moment");
		return;
	}
	if (view->has_moved) {
		text_add(caption, "...");
		return;
	}
	caption_who(table, caption);
	caption_clock(table, caption);
}

/* The end as it was for us; for several at one terminal, as it was for each. */
static void caption_end(const struct table *table, struct text *caption)
{
	const struct ending *ending = &table->ending;
	const struct view *view = view_of(table);

	if (!table_is_shared(table)) {
		text_add(caption, "%s", ending->text);
		return;
	}
	if (party_print_winners(&table->page->party, ending->now.round, caption))
		text_add(caption, ": %s", scene_explain(view->game, ending->now.verdict));
	else
		text_add(caption, "A draw: %s",
			 scene_explain_draw(view->game, ending->now.verdict));
}

static void make_ended_scene(struct table *table)
{
	const struct ending *ending = &table->ending;
	struct scene *scene = &table->scene;
	struct text caption = TEXT_IN(scene->caption);

	scene_of_frame(scene, &ending->now, ending->has_before ? &ending->before : NULL);
	mark_winner(scene, ending->result, ending->seat);
	if (!table_is_shared(table))
		name_ourselves(scene, ending->seat);
	scene->caption[0] = '\0';
	caption_end(table, &caption);
}

static void make_scene(struct table *table)
{
	const struct view *view = view_of(table);
	struct scene *scene = &table->scene;
	struct text caption = TEXT_IN(scene->caption);

	table->words = 0;
	if (table->has_ending && table->stage != STAGE_ASKING) {
		make_ended_scene(table);
		return;
	}
	scene_of_frame(scene, &view->now, view->has_before ? &view->before : NULL);
	if (!table_is_shared(table))
		name_ourselves(scene, view->seat);
	if (table->stage != STAGE_PLAYING)
		return;
	scene->caption[0] = '\0';
	if (table_is_hidden(table)) {
		text_add(&caption, "%s, press space when the others look away",
			 table->session->options->name);
		caption_clock(table, &caption);
		return;
	}
	caption_turn(table, &caption);
	scene_add_beside(scene, &view->now, view->seat, view->rack);
	mark_picks(table);
	place_cursor(table);
	find_words(table);
}

static void draw_board(struct table *table, struct area area)
{
	make_scene(table);
	draw_words(table, &area);
	draw_beside(table, &area);
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

	snprintf(text, sizeof(text), "%s", options->game->title);
	page_draw_middle(area, row, STYLE_TITLE, text);
	if (table->stage == STAGE_OVER)
		return;
	if (table->stage == STAGE_ASKING)
		snprintf(text, sizeof(text), "asking %s port %u", options->host, options->port);
	else
		snprintf(text, sizeof(text), "%s looks for an opponent",
			 table->session->options->name);
	page_draw_middle(area, row + 1, STYLE_PLAIN, text);
	if (table->stage != STAGE_WAITING || view->countdown < 0)
		return;
	snprintf(text, sizeof(text), "%d", view->countdown);
	page_draw_middle(area, row + 3, STYLE_TITLE, text);
}

/* ---- words at the foot ---- */

static const char *playing_keys(const struct table *table)
{
	if (table_is_hidden(table))
		return "Space: ready   q: leave";
	if (table->typing)
		return "Enter: make this move   Esc: never mind";
	if (!table_may_pick(table) && table_may_type(table))
		return ":: type a move   q: leave   r: resign   no move is legal";
	if (!table_may_pick(table))
		return "q: leave   r: resign";
	if (table->picker.count > 0)
		return "arrows, Enter: pick   q: leave   Backspace: take back   or the mouse";
	if (table->scene.pieces > 0)
		return "arrows, Enter: pick   q: leave   r: resign   Tab: next   x: mark   :: type";
	return "arrows, Enter: move   q: leave   r: resign   Tab: next   or the mouse";
}

static const char *keys(const struct table *table)
{
	if (table->question == ASK_LEAVE && table_is_shared(table))
		return "End it for all? y/n   (y: all leave the duel, n: play on)";
	if (table->question == ASK_LEAVE)
		return "Leave and lose? y/n   (y: leave the duel, n: play on)";
	if (table->question == ASK_RESIGN)
		return "Resign? y/n   (y: give this round up, n: play on)";
	switch (table->stage) {
	case STAGE_ASKING:
	case STAGE_WAITING:
		break;
	case STAGE_PLAYING:
		return table->broken ? "q: give it up" : playing_keys(table);
	case STAGE_HOLDING:
		return "any key: go on   the next round has begun";
	case STAGE_OVER:
		return "Enter: play again   q: menu";
	}
	return "q: menu";
}

/* The pieces that have been marked, each as often as it is. */
static void words_of_marks(const struct table *table, struct text *text)
{
	if (table->marks > 0)
		text_add(text, "Marked:");
	for (int i = 0; i < table->scene.pieces; i++) {
		const struct scene_piece *piece = &table->scene.beside[i];

		for (int n = table_marked(table, piece->piece); n > 0; n--)
			text_add(text, " %s", piece->cell.note);
	}
}

/* What must be known now goes before what was said last. */
static void show_trouble(struct table *table)
{
	const struct view *view = view_of(table);
	int elapsed[GAME_SEATS_MAX];
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	for (int seat = 0; seat < GAME_SEATS_MAX; seat++)
		elapsed[seat] = seconds_since(table->away_since[seat]);
	if (table->broken) {
		table_notice(table, STYLE_BAD, "The connection is lost; trying to come back ...");
		return;
	}
	if (table->stage != STAGE_PLAYING)
		return;
	if (table->typing)
		text_add(&line, "MOVE %s_", table->typed);
	else
		words_of_marks(table, &line);
	if (line.length > 0) {
		table_notice(table, STYLE_PLAIN, text);
		return;
	}
	words_of_trouble(view, elapsed, &line);
	if (line.length > 0)
		table_notice(table, STYLE_BAD, text);
}

void table_draw(struct table *table)
{
	bool asks = table->question != ASK_NOTHING || table->stage == STAGE_HOLDING;
	enum terminal_style style = asks ? STYLE_TITLE : STYLE_DIM;
	struct area area;

	show_trouble(table);
	terminal_begin();
	area = page_draw_foot(table->page, style, keys(table));
	table->has_board = view_of(table)->has_board || table->stage == STAGE_HOLDING;
	if (table->has_board && table->stage != STAGE_ASKING)
		draw_board(table, area);
	else
		draw_waiting(table, area);
	terminal_end();
}
