/*
 * play_draw.c - a play on the screen: the board, who is to move, what can be picked.
 *
 * Owns where things were drawn, which the mouse needs; it reads all else of the play and the session, and
 * never changes it, but for the cursor and the line of news. The scene comes from viewer/scene/scene.h. What
 * is said here is about us: the words of a viewer ("ben to move") become those of a player ("your move").
 */
#include "player/terminal/play.h"

#include "player/terminal/words.h"

#include "proto/time/timers.h"

#include <stdio.h>
#include <string.h>

enum { CLOCK_SHORT = 10, WORD_GAP = 2, BOARD_ROWS_MIN = 3 };

static int seconds_since(int64_t then)
{
	return (int)((clock_ms() - then) / 1000);
}

static const struct view *view_of(const struct play *play)
{
	return &play->session->view;
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

static void mark_picks(struct play *play)
{
	struct pick targets[PICKER_TARGETS_MAX];
	struct choice choice = play_choice(play);
	struct scene *scene = &play->scene;
	int count;

	if (!play_may_pick(play))
		return;
	count = picker_targets(&play->picker, &choice, targets);
	for (int i = 0; i < count; i++)
		mark_pick(scene, targets[i], MARK_TARGET);
	for (int i = 0; i < play->picker.count; i++)
		mark_pick(scene, play->picker.pick[i], MARK_PICKED);
	for (int i = 0; i < scene->pieces; i++)
		if (play_marked(play, scene->beside[i].piece) > 0)
			scene->beside[i].cell.marks |= MARK_PICKED;
}

/* In the middle of the board at first, and always on it, though it may grow; then where something
 * can be picked. */
static void place_cursor(struct play *play)
{
	struct scene *scene = &play->scene;
	struct pick *cursor = &play->cursor;

	if (!play->has_cursor || cell_of(scene, *cursor) == NULL)
		*cursor = (struct pick){.x = scene->first_x + scene->columns / 2,
					.y = scene->first_y + scene->rows / 2};
	play->has_cursor = true;
	play_follow_targets(play);
	mark_cell(scene, *cursor, MARK_CURSOR);
}

/* The key of a word: its first letter, unless that does something else. */
static int key_for(const struct play *play, const char *text)
{
	int key = (unsigned char)*text;

	if (key < 'a' || key > 'z' || strchr("hjklqrx", key) != NULL)
		return '.';
	for (int i = 0; i < play->words; i++)
		if (play->word[i].key == key)
			return '.';
	return key;
}

static void find_words(struct play *play)
{
	struct choice choice = play_choice(play);
	int wholes[PLAY_WORDS_MAX];
	int count = play_may_pick(play)
			? picker_wholes(&play->picker, &choice, wholes, PLAY_WORDS_MAX)
			: 0;

	play->words = 0;
	for (int i = 0; i < count; i++) {
		struct play_word *word = &play->word[play->words];
		char text[GAME_MOVE_TEXT];

		view_of(play)->game->print_move(&choice.move[wholes[i]], text);
		word->move = wholes[i];
		word->key = key_for(play, text);
		word->place = (struct area){0};
		snprintf(word->text, sizeof(word->text), "[%c: %s]", word->key, text);
		play->words++;
	}
}

/* In the middle of the lowest row of the area, which is taken from it. */
static void draw_words(struct play *play, struct area *area)
{
	int width = 0, left;

	if (play->words == 0 || area->height <= BOARD_ROWS_MIN)
		return;
	for (int i = 0; i < play->words; i++)
		width += (i > 0 ? WORD_GAP : 0) + (int)strlen(play->word[i].text);
	left = area->width > width ? (area->width - width) / 2 : 0;
	area->height--;
	for (int i = 0; i < play->words; i++) {
		struct play_word *word = &play->word[i];
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
static void draw_beside(struct play *play, struct area *area)
{
	int rows = terminal_beside_height(&play->scene, area->width);

	play->beside = (struct area){0};
	if (rows == 0 || area->height < rows + BOARD_ROWS_MIN)
		return;
	area->height -= rows;
	play->beside = (struct area){area->top + area->height, area->left, rows, area->width};
	terminal_draw_beside(&play->scene, play->beside);
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
static void caption_who(const struct play *play, struct text *caption)
{
	const struct view *view = view_of(play);

	if (view->turn_is_ours && play_is_shared(play))
		text_add(caption, "%s, your move", play->session->options->name);
	else if (view->turn_is_ours)
		text_add(caption, "Your move");
	else if (view->now.turn >= 0)
		text_add(caption, "%s%s to move", view->is_out ? "You are out; " : "",
			 play->scene.player[view->now.turn].name);
	else
		text_add(caption, "%s", view->is_out ? "You are out" : "Others to move");
}

/* What is left of a turn. */
static void caption_clock(const struct play *play, struct text *caption)
{
	int clock = play->session->clock;
	int left = clock - seconds_since(play->turn_since);

	if (clock == 0)
		return;
	text_add(caption, "   %d:%02d%s", left > 0 ? left / 60 : 0, left > 0 ? left % 60 : 0,
		 view_of(play)->turn_is_ours && left < CLOCK_SHORT ? " !" : "");
}

static void caption_turn(const struct play *play, struct text *caption)
{
	const struct view *view = view_of(play);

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
	caption_who(play, caption);
	caption_clock(play, caption);
}

/* The end as it was for us; for several at one terminal, as it was for each. */
static void caption_end(const struct play *play, struct text *caption)
{
	const struct ending *ending = &play->ending;
	const struct view *view = view_of(play);

	if (!play_is_shared(play)) {
		text_add(caption, "%s", ending->text);
		return;
	}
	if (party_print_winners(&play->page->party, ending->now.round, caption))
		text_add(caption, ": %s", scene_explain(view->game, ending->now.verdict));
	else
		text_add(caption, "A draw: %s",
			 scene_explain_draw(view->game, ending->now.verdict));
}

static void make_ended_scene(struct play *play)
{
	const struct ending *ending = &play->ending;
	struct scene *scene = &play->scene;
	struct text caption = TEXT_IN(scene->caption);

	scene_of_frame(scene, &ending->now, ending->has_before ? &ending->before : NULL);
	mark_winner(scene, ending->result, ending->seat);
	if (!play_is_shared(play))
		name_ourselves(scene, ending->seat);
	scene->caption[0] = '\0';
	caption_end(play, &caption);
}

static void make_scene(struct play *play)
{
	const struct view *view = view_of(play);
	struct scene *scene = &play->scene;
	struct text caption = TEXT_IN(scene->caption);

	play->words = 0;
	if (play->has_ending && play->stage != STAGE_ASKING) {
		make_ended_scene(play);
		return;
	}
	scene_of_frame(scene, &view->now, view->has_before ? &view->before : NULL);
	if (!play_is_shared(play))
		name_ourselves(scene, view->seat);
	if (play->stage != STAGE_PLAYING)
		return;
	scene->caption[0] = '\0';
	if (play_is_hidden(play)) {
		text_add(&caption, "%s, press space when the others look away",
			 play->session->options->name);
		caption_clock(play, &caption);
		return;
	}
	caption_turn(play, &caption);
	scene_add_beside(scene, &view->now, view->seat, view->rack);
	mark_picks(play);
	place_cursor(play);
	find_words(play);
}

static void draw_board(struct play *play, struct area area)
{
	make_scene(play);
	draw_words(play, &area);
	draw_beside(play, &area);
	play->board = area;
	terminal_draw_scene(&play->scene, area);
}

/* ---- words at the foot ---- */

static void words_of_playing(const struct play *play, struct text *text)
{
	const struct game *game = view_of(play)->game;
	const char *resign = view_has_turns(game) ? "   r: resign" : "";

	if (play_is_hidden(play))
		text_add(text, "Space: ready   q: leave   ?: help");
	else if (!play_may_pick(play) && play_may_type(play))
		text_add(text, "colon: type a move   q: leave   ?: help%s   no move is legal",
			 resign);
	else if (!play_may_pick(play))
		text_add(text, "q: leave   ?: help%s", resign);
	else if (play->picker.count > 0)
		text_add(text, "arrows, Enter: pick   q: leave   ?: help   Backspace: take back   "
			       "or the mouse");
	else
		text_add(text, "arrows, Enter: %s   q: leave   ?: help%s   %s   colon: type",
			 play->scene.pieces > 0 ? "pick" : "move", resign,
			 game->print_rack != NULL ? "x: mark" : "Tab: next");
}

static const char *keys(const struct play *play)
{
	bool asks_to_go = play->question == ASK_LEAVE || play->question == ASK_QUIT;

	if (asks_to_go && play_is_shared(play))
		return "End it for all? y/n   (y: all leave the duel, n: play on)";
	if (play->question == ASK_QUIT)
		return "Leave and lose? y/n   (y or Ctrl-C: leave and quit, n: play on)";
	if (play->question == ASK_LEAVE)
		return "Leave and lose? y/n   (y: leave the duel, n: play on)";
	if (play->question == ASK_RESIGN)
		return "Resign? y/n   (y: give this round up, n: play on)";
	switch (play->stage) {
	case STAGE_ASKING:
	case STAGE_WAITING:
		break;
	case STAGE_PLAYING:
		return "q: give it up   ?: help";
	case STAGE_HOLDING:
		return "any key: go on   the next round has begun";
	case STAGE_OVER:
		return "Enter: play again   q: lobby   ?: help";
	}
	return "q: lobby   ?: help";
}

/* Which keys do what, where that is more than a word. */
static void words_of_keys(const struct play *play, struct text *text)
{
	const struct view *view = view_of(play);
	bool quiet = play->question == ASK_NOTHING;

	if (play->helping && view->turn_is_ours && play->stage == STAGE_PLAYING) {
		caption_turn(play, text);
		text_add(text, "   ");
	}
	if (play->helping)
		text_add(text, "%s", help_keys(&play->help));
	else if (quiet && play->typing && play->doubt[0] != '\0')
		text_add(text, "%s   Enter: send it   Esc: never mind", play->doubt);
	else if (quiet && play->typing)
		text_add(text, "%s   Enter: make this move   Esc: never mind",
			 view->game->move_help);
	else if (quiet && play_is_waiting(play))
		play_wait_words(play, text);
	else if (quiet && play->stage == STAGE_OVER && play->rival[0] != '\0')
		text_add(text, "Enter: play again   a: again with %s   q: lobby   ?: help",
			 play->rival);
	else if (quiet && play->stage == STAGE_PLAYING && !play->broken)
		words_of_playing(play, text);
	else
		text_add(text, "%s", keys(play));
}

/* The pieces that have been marked, each as often as it is. */
static void words_of_marks(const struct play *play, struct text *text)
{
	if (play->marks > 0)
		text_add(text, "Marked:");
	for (int i = 0; i < play->scene.pieces; i++) {
		const struct scene_piece *piece = &play->scene.beside[i];

		for (int n = play_marked(play, piece->piece); n > 0; n--)
			text_add(text, " %s", piece->cell.note);
	}
}

/* What must be known now goes before what was said last. */
static void show_trouble(struct play *play)
{
	const struct view *view = view_of(play);
	int elapsed[GAME_SEATS_MAX];
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	for (int seat = 0; seat < GAME_SEATS_MAX; seat++)
		elapsed[seat] = seconds_since(play->away_since[seat]);
	if (play->broken) {
		play_notice(play, STYLE_BAD, "The connection is lost; trying to come back ...");
		return;
	}
	if (play->stage != STAGE_PLAYING)
		return;
	if (play->typing)
		text_add(&line, "MOVE %s_", play->typed);
	else
		words_of_marks(play, &line);
	if (line.length > 0) {
		play_notice(play, STYLE_PLAIN, text);
		return;
	}
	words_of_trouble(view, elapsed, &line);
	if (line.length > 0)
		play_notice(play, STYLE_BAD, text);
}

void play_draw(struct play *play)
{
	bool asks = play->question != ASK_NOTHING || play->stage == STAGE_HOLDING;
	enum terminal_style style = asks ? STYLE_TITLE : STYLE_DIM;
	char foot[PAGE_TEXT] = "";
	struct text line = TEXT_IN(foot);
	struct area area;

	show_trouble(play);
	words_of_keys(play, &line);
	terminal_begin();
	area = page_draw_foot(play->page, style, foot);
	if (play->helping) {
		help_draw(&play->help, area);
		terminal_end();
		return;
	}
	play->has_board = view_of(play)->has_board || play->stage == STAGE_HOLDING;
	if (play->has_board && play->stage != STAGE_ASKING)
		draw_board(play, area);
	else
		play_wait_draw(play, area);
	terminal_end();
}
