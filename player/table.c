/*
 * table.c - a person at a table: from PLAY to the end of the duel, and again.
 *
 * Turns what the server says into stages, and keys and clicks into picks, moves and farewells. It
 * knows no game: what can be picked comes from the picker. table_draw.c shows it.
 */
#include "table.h"

#include "words.h"

#include <curses.h>
#include <string.h>

enum {
	HOLD_MS = 4000,	 /* how long the end of a round stays in view when the next has begun */
	REDRAW_MS = 250, /* seconds are shown that pass */
};

struct choice table_choice(const struct table *table)
{
	const struct view *view = &table->page->session.view;

	return (struct choice){drawing_of(view->game), view->move, view->moves};
}

bool table_may_pick(const struct table *table)
{
	return table->stage == STAGE_PLAYING && !table->broken && table->question == ASK_NOTHING &&
	       view_may_move(&table->page->session.view);
}

/* ---- what the server says ---- */

static void notice(struct table *table, enum terminal_style style, const char *text)
{
	page_notice(table->page, style, text);
}

static void notice_rounds(struct table *table)
{
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	words_of_rounds(&table->page->session.view, &line);
	notice(table, STYLE_PLAIN, text);
}

static void keep_ending(struct table *table)
{
	const struct view *view = &table->page->session.view;
	struct ending *ending = &table->ending;
	struct text text = TEXT_IN(ending->text);

	ending->now = view->now;
	ending->before = view->before;
	ending->has_before = view->has_before;
	ending->result = view->result;
	ending->seat = view->seat;
	ending->text[0] = '\0';
	words_of_end(view, &text);
	table->has_ending = view->has_board;
	table->question = ASK_NOTHING;
	table->picker.count = 0;
}

static void start_round(struct table *table)
{
	int64_t now = client_clock();

	table->picker.count = 0;
	table->has_cursor = false;
	table->question = ASK_NOTHING;
	table->turn_since = now;
	if (table->has_ending) {
		table->stage = STAGE_HOLDING;
		table->hold_until = now + HOLD_MS;
	} else {
		table->stage = STAGE_PLAYING;
	}
}

static void stop_holding(struct table *table)
{
	table->has_ending = false;
	if (table->stage == STAGE_HOLDING) {
		table->stage = STAGE_PLAYING;
		notice(table, STYLE_PLAIN, "");
	}
}

static void end_table(struct table *table)
{
	table->stage = STAGE_OVER;
	table->question = ASK_NOTHING;
	table->broken = false;
}

static void end_with(struct table *table, void (*words)(const struct view *, struct text *))
{
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	words(&table->page->session.view, &line);
	notice(table, STYLE_BAD, text);
	end_table(table);
}

static void handle_error(struct table *table)
{
	const struct view *view = &table->page->session.view;
	char text[PAGE_TEXT] = "";
	struct text line = TEXT_IN(text);

	if (view->phase == VIEW_IDLE) {
		end_with(table, words_of_error);
		return;
	}
	words_of_error(view, &line);
	notice(table, STYLE_BAD, text);
	table->picker.count = 0;
}

static void handle_heard(struct table *table)
{
	struct page *page = table->page;
	int64_t now = client_clock();

	switch (page->session.heard) {
	case HEARD_ID:
		table->stage = STAGE_WAITING;
		notice(table, STYLE_GOOD, table->broken ? "The connection is back." : "");
		table->broken = false;
		break;
	case HEARD_NOBODY:
		notice(table, STYLE_PLAIN, "Nobody has come to play.");
		end_table(table);
		break;
	case HEARD_START:
		start_round(table);
		break;
	case HEARD_STATE:
		table->turn_since = now;
		table->picker.count = 0;
		if (table->stage == STAGE_PLAYING)
			notice(table, STYLE_PLAIN, "");
		break;
	case HEARD_NEWS:
		table->news_since = now;
		if (table->stage == STAGE_PLAYING)
			notice(table, STYLE_PLAIN, "");
		break;
	case HEARD_END:
		keep_ending(table);
		break;
	case HEARD_ROUND:
		notice_rounds(table);
		if (page->session.view.is_done)
			end_table(table);
		break;
	case HEARD_ABORTED:
		end_with(table, words_of_abort);
		break;
	case HEARD_ERROR:
		handle_error(table);
		break;
	case HEARD_NONSENSE:
		notice(table, STYLE_BAD, "The server said something that makes no sense.");
		break;
	default:
		break;
	}
}

static void handle_events(struct table *table)
{
	struct session *session = &table->page->session;

	for (;;) {
		switch (session_next(session)) {
		case SESSION_QUIET:
			return;
		case SESSION_HEARD:
			handle_heard(table);
			break;
		case SESSION_LOST:
			if (table->stage != STAGE_OVER) {
				table->broken = true;
				table->question = ASK_NOTHING;
				table->picker.count = 0;
			}
			break;
		case SESSION_REFUSED:
			notice(table, STYLE_BAD,
			       "The server is back, but knows nothing of our seat.");
			end_table(table);
			break;
		case SESSION_GONE:
			/* what ended before the connection did has been told already */
			if (table->stage != STAGE_OVER)
				notice(table, STYLE_BAD, session->trouble);
			end_table(table);
			break;
		}
	}
}

/* ---- what the person does ---- */

static void play(struct table *table)
{
	table->stage = STAGE_ASKING;
	table->has_ending = table->broken = false;
	notice(table, STYLE_PLAIN, "");
	session_play(&table->page->session);
}

static void leave(struct table *table)
{
	struct session *session = &table->page->session;

	if (session->view.phase != VIEW_IDLE || session->searching)
		session_leave(session);
	notice(table, STYLE_PLAIN, "");
	table->leave = true;
}

static void pick(struct table *table, struct pick picked)
{
	struct choice choice = table_choice(table);
	struct move move;

	switch (picker_pick(&table->picker, &choice, picked, &move)) {
	case PICKED_NOTHING:
		notice(table, STYLE_DIM, "That is not possible.");
		break;
	case PICKED_MORE:
		notice(table, STYLE_PLAIN, "");
		break;
	case PICKED_MOVE:
		notice(table, STYLE_PLAIN, "");
		session_move(&table->page->session, &move);
		break;
	}
}

static void try_pick(struct table *table, struct pick picked)
{
	table->cursor = picked;
	if (table_may_pick(table))
		pick(table, picked);
	else
		notice(table, STYLE_DIM, "It is not your turn.");
}

/* The move as picked so far, where that is one: to pass, for example. */
static void finish_move(struct table *table)
{
	struct choice choice = table_choice(table);
	struct move move;

	if (table_may_pick(table) && picker_whole(&table->picker, &choice, &move)) {
		table->picker.count = 0;
		session_move(&table->page->session, &move);
	}
}

/* Where the cursor goes by `step` among the targets; only those beside the board, if so wished. */
static void step_targets(struct table *table, int step, bool only_beside)
{
	struct pick targets[PICKER_TARGETS_MAX], kept[PICKER_TARGETS_MAX];
	struct choice choice = table_choice(table);
	int count = table_may_pick(table) ? picker_targets(&table->picker, &choice, targets) : 0;
	int found = 0, at = -1;

	for (int i = 0; i < count; i++) {
		if (only_beside && !targets[i].beside)
			continue;
		if (pick_equal(targets[i], table->cursor))
			at = found;
		kept[found++] = targets[i];
	}
	if (found > 0)
		table->cursor = kept[at < 0 ? 0 : (at + step + found) % found];
}

static void move_cursor(struct table *table, int dx, int dy)
{
	struct pick to = table->cursor;

	if (to.beside && dy == 0) {
		step_targets(table, dx, true);
		return;
	}
	if (to.beside)
		to = (struct pick){.x = table->scene.first_x + table->scene.columns / 2,
				   .y = table->scene.first_y + table->scene.rows - 1};
	else
		to = (struct pick){.x = to.x + dx, .y = to.y + dy};
	if (scene_cell(&table->scene, to.x, to.y) != NULL)
		table->cursor = to;
	else if (dy > 0)
		step_targets(table, 0, true);
}

/* When all that can be picked is beside the board, or all on it, the cursor goes there. */
static void follow_targets(struct table *table)
{
	struct pick targets[PICKER_TARGETS_MAX];
	struct choice choice = table_choice(table);
	int count = table_may_pick(table) ? picker_targets(&table->picker, &choice, targets) : 0;

	for (int i = 0; i < count; i++)
		if (targets[i].beside == table->cursor.beside)
			return;
	if (count > 0 && table->has_cursor)
		table->cursor = targets[0];
}

static void click(struct table *table, int row, int column)
{
	struct pick picked = {0};
	int place = table_beside_at(table, row, column);

	if (place >= 0)
		try_pick(table, (struct pick){.beside = true, .x = place});
	else if (table->has_board &&
		 terminal_cell_at(&table->scene, table->board, row, column, &picked.x, &picked.y))
		try_pick(table, picked);
}

static void ask(struct table *table, enum table_question question)
{
	table->question = question;
	table->picker.count = 0;
}

static void answer(struct table *table, int key)
{
	enum table_question question = table->question;

	table->question = ASK_NOTHING;
	if (key == 'y' && question == ASK_LEAVE) {
		leave(table);
		notice(table, STYLE_PLAIN, "You have left the duel.");
	} else if (key == 'y' && question == ASK_RESIGN) {
		session_resign(&table->page->session);
	}
}

static void play_key(struct table *table, int key)
{
	switch (key) {
	case KEY_LEFT:
	case 'h':
		move_cursor(table, -1, 0);
		break;
	case KEY_DOWN:
	case 'j':
		move_cursor(table, 0, 1);
		break;
	case KEY_UP:
	case 'k':
		move_cursor(table, 0, -1);
		break;
	case KEY_RIGHT:
	case 'l':
		move_cursor(table, 1, 0);
		break;
	case '\t':
		step_targets(table, 1, false);
		break;
	case KEY_BACKSPACE:
	case '\b':
	case 127:
		picker_undo(&table->picker);
		break;
	case '.':
		finish_move(table);
		break;
	case 'r':
		ask(table, ASK_RESIGN);
		break;
	case PAGE_ESCAPE:
		/* the first Esc lets go of what has been picked */
		if (picker_undo(&table->picker))
			table->picker.count = 0;
		else
			ask(table, ASK_LEAVE);
		break;
	case 'q':
		ask(table, ASK_LEAVE);
		break;
	default:
		if (page_is_enter(key) || key == ' ')
			try_pick(table, table->cursor);
		break;
	}
}

static bool is_farewell(int key)
{
	return key == 'q' || key == 'm' || key == PAGE_ESCAPE;
}

static void handle_key(struct table *table, int key)
{
	if (table->question != ASK_NOTHING) {
		answer(table, key);
		return;
	}
	switch (table->stage) {
	case STAGE_PLAYING:
		if (!table->broken)
			play_key(table, key);
		else if (is_farewell(key))
			leave(table);
		break;
	case STAGE_HOLDING:
		stop_holding(table);
		break;
	case STAGE_OVER:
		if (page_is_enter(key) || key == 'p' || key == ' ')
			play(table);
		else if (is_farewell(key))
			leave(table);
		break;
	case STAGE_ASKING:
	case STAGE_WAITING:
		if (is_farewell(key))
			leave(table);
		break;
	}
}

static void handle_input(struct table *table, const struct terminal_input *input)
{
	if (input->key != 0)
		handle_key(table, input->key);
	else if (input->click && table->stage == STAGE_HOLDING)
		stop_holding(table);
	else if (input->click && table->stage == STAGE_PLAYING)
		click(table, input->row, input->column);
}

void table_run(struct page *page)
{
	static struct table table;
	struct terminal_input input;

	memset(&table, 0, sizeof(table));
	table.page = page;
	play(&table);
	while (!table.leave && !page->quit) {
		handle_events(&table);
		if (table.stage == STAGE_HOLDING && client_clock() >= table.hold_until)
			stop_holding(&table);
		follow_targets(&table);
		table_draw(&table);
		page_wait(page, REDRAW_MS);
		while (!table.leave && terminal_read(&input))
			handle_input(&table, &input);
	}
}
