/*
 * table_keys.c - what a person does at a table: keys and clicks into picks, moves and farewells.
 *
 * It knows no game: what can be picked comes from the picker, and the words that moves are made of
 * from the game. Moves that are typed are in table_type.c.
 */
#include "player/terminal/table.h"

#include <ctype.h>
#include <curses.h>
#include <string.h>

/* ---- making moves ---- */

void table_drop_picks(struct table *table)
{
	table->picker.count = 0;
	table->marks = 0;
}

int table_marked(const struct table *table, int piece)
{
	for (int i = 0; i < table->marks; i++)
		if (table->mark[i].piece == piece)
			return table->mark[i].count;
	return 0;
}

/* The piece beside the board that this word of a move means; NULL: none. */
static const struct scene_piece *piece_of(const struct table *table, const char *word)
{
	for (int i = 0; i < table->scene.pieces; i++)
		if (strcmp(table->scene.beside[i].cell.note, word) == 0)
			return &table->scene.beside[i];
	return NULL;
}

/* A move of several pieces, of which some have been marked, becomes one of those alone. */
static void keep_marked(const struct table *table, struct move *move)
{
	const struct game *game = table->session->view.game;
	int used[SCENE_BESIDE_MAX] = {0}, pieces = 0, kept = 0;
	char text[GAME_MOVE_TEXT];
	struct words words;
	struct move less;

	game->print_move(move, text);
	if (table->marks == 0 || !line_split(text, &words))
		return;
	for (int i = 0; i < words.count; i++) {
		const struct scene_piece *piece = piece_of(table, words.word[i]);
		ptrdiff_t place = piece == NULL ? 0 : piece - table->scene.beside;

		pieces += piece != NULL;
		if (piece == NULL || used[place]++ < table_marked(table, piece->piece))
			words.word[kept++] = words.word[i];
	}
	if (pieces > 1 && game->read_move(&less, words.word, kept))
		*move = less;
}

static void send_move(struct table *table, struct move *move)
{
	keep_marked(table, move);
	session_move(table->session, move);
	table_drop_picks(table);
	table_notice(table, STYLE_PLAIN, "");
}

/* What cannot follow the last pick is taken instead of it, where that is possible. */
static enum picked pick_next(struct table *table, struct pick picked, struct move *move)
{
	struct choice choice = table_choice(table);
	struct picker before = table->picker;
	enum picked result = picker_pick(&table->picker, &choice, picked, move);

	if (result == PICKED_NOTHING && picker_undo(&table->picker))
		result = picker_pick(&table->picker, &choice, picked, move);
	if (result == PICKED_NOTHING)
		table->picker = before;
	return result;
}

static void try_pick(struct table *table, struct pick picked)
{
	struct move move;

	table->cursor = picked;
	if (!table_may_pick(table)) {
		table_not_now(table);
		return;
	}
	switch (pick_next(table, picked, &move)) {
	case PICKED_NOTHING:
		table_notice(table, STYLE_DIM, "That is not possible.");
		break;
	case PICKED_MORE:
		table_notice(table, STYLE_PLAIN, "");
		break;
	case PICKED_MOVE:
		send_move(table, &move);
		break;
	}
}

/* The moves that are whole as picked so far are shown as words, each with its key. */
static void say_word(struct table *table, const struct table_word *word)
{
	struct choice choice = table_choice(table);
	struct move move = choice.move[word->move];

	if (table_may_pick(table))
		send_move(table, &move);
}

static bool press_word(struct table *table, int key)
{
	for (int i = 0; i < table->words; i++)
		if (table->word[i].key == key || (key == '.' && i == 0)) {
			say_word(table, &table->word[i]);
			return true;
		}
	return false;
}

static void pick_piece(struct table *table, int place)
{
	if (place < table->scene.pieces)
		try_pick(table,
			 (struct pick){.beside = true, .x = table->scene.beside[place].piece});
}

/* One more of the piece under the cursor, and none after all of them. */
static void mark_piece(struct table *table)
{
	struct table_mark *mark = table->mark, *end = mark + table->marks;
	int all = 0;

	for (int i = 0; i < table->scene.pieces; i++)
		if (table->cursor.beside && table->scene.beside[i].piece == table->cursor.x)
			all = table->scene.beside[i].count;
	if (all == 0 || !table_may_pick(table))
		return;
	while (mark < end && mark->piece != table->cursor.x)
		mark++;
	if (mark == end) {
		*mark = (struct table_mark){.piece = table->cursor.x};
		table->marks++;
	}
	mark->count = (mark->count + 1) % (all + 1);
}

/* ---- the cursor ---- */

static bool is_shown(const struct table *table, struct pick pick)
{
	if (pick.column)
		pick.y = table->scene.first_y;
	if (!pick.beside)
		return scene_cell((struct scene *)&table->scene, pick.x, pick.y) != NULL;
	for (int i = 0; i < table->scene.pieces; i++)
		if (table->scene.beside[i].piece == pick.x)
			return true;
	return false;
}

/* What can be picked now and is in view; how many. */
static int find_targets(const struct table *table, bool only_beside,
			struct pick targets[PICKER_TARGETS_MAX])
{
	struct choice choice = table_choice(table);
	int count = table_may_pick(table) ? picker_targets(&table->picker, &choice, targets) : 0;
	int found = 0;

	for (int i = 0; i < count; i++)
		if ((targets[i].beside || !only_beside) && is_shown(table, targets[i]))
			targets[found++] = targets[i];
	return found;
}

/* On a column in the row that it was in. */
static void place_cursor(struct table *table, struct pick target)
{
	int y = table->cursor.beside ? table->scene.first_y : table->cursor.y;

	table->cursor = target.column ? (struct pick){.x = target.x, .y = y} : target;
}

static void step_targets(struct table *table, int step)
{
	struct pick targets[PICKER_TARGETS_MAX];
	int count = find_targets(table, false, targets), at = -1;

	for (int i = 0; i < count; i++)
		if (pick_meets(targets[i], table->cursor))
			at = i;
	if (count > 0)
		place_cursor(table, targets[at < 0 ? 0 : (at + step + count) % count]);
}

/* Along the row of pieces, whether they can be picked or only be marked. */
static void step_pieces(struct table *table, int step)
{
	int count = table->scene.pieces, at = 0;

	if (count == 0)
		return;
	while (at < count - 1 && table->scene.beside[at].piece != table->cursor.x)
		at++;
	if (table->cursor.beside)
		at = (at + step + count) % count;
	else
		at = count / 2;
	table->cursor = (struct pick){.beside = true, .x = table->scene.beside[at].piece};
}

static void move_cursor(struct table *table, int dx, int dy)
{
	struct pick to = table->cursor;

	if (to.beside && dy == 0) {
		step_pieces(table, dx);
		return;
	}
	if (to.beside && dy > 0)
		return;
	if (to.beside)
		to = (struct pick){.x = table->scene.first_x + table->scene.columns / 2,
				   .y = table->scene.first_y + table->scene.rows - 1};
	else
		to = (struct pick){.x = to.x + dx, .y = to.y + dy};
	if (scene_cell(&table->scene, to.x, to.y) != NULL)
		table->cursor = to;
	else if (dy > 0)
		step_pieces(table, 0);
}

void table_follow_targets(struct table *table)
{
	struct pick targets[PICKER_TARGETS_MAX];
	int count;

	if (!table->has_board || !table->has_cursor)
		return;
	count = find_targets(table, false, targets);
	for (int i = 0; i < count; i++)
		if (targets[i].beside == table->cursor.beside)
			return;
	if (count > 0)
		place_cursor(table, targets[0]);
}

/* ---- keys and clicks ---- */

static bool is_in(struct area area, int row, int column)
{
	return row >= area.top && row < area.top + area.height && column >= area.left &&
	       column < area.left + area.width;
}

static void click(struct table *table, int row, int column)
{
	struct pick picked = {0};
	int place;

	for (int i = 0; i < table->words; i++)
		if (is_in(table->word[i].place, row, column)) {
			say_word(table, &table->word[i]);
			return;
		}
	place = terminal_beside_at(&table->scene, table->beside, row, column);
	if (place >= 0)
		pick_piece(table, place);
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
		table_leave(table);
		table_notice(table, STYLE_PLAIN, "You have left the duel.");
	} else if (key == 'y' && question == ASK_RESIGN) {
		session_resign(table->session);
	}
}

/* The first Esc lets go of what has been picked. */
static void escape(struct table *table)
{
	if (table->picker.count == 0 && table->marks == 0) {
		ask(table, ASK_LEAVE);
		return;
	}
	table_drop_picks(table);
	table_notice(table, STYLE_PLAIN, "");
}

static bool cursor_key(struct table *table, int key)
{
	switch (key) {
	case KEY_LEFT:
	case 'h':
		move_cursor(table, -1, 0);
		return true;
	case KEY_DOWN:
	case 'j':
		move_cursor(table, 0, 1);
		return true;
	case KEY_UP:
	case 'k':
		move_cursor(table, 0, -1);
		return true;
	case KEY_RIGHT:
	case 'l':
		move_cursor(table, 1, 0);
		return true;
	case '\t':
		step_targets(table, 1);
		return true;
	case KEY_BTAB:
		step_targets(table, -1);
		return true;
	default:
		return false;
	}
}

static void play_key(struct table *table, int key)
{
	if (cursor_key(table, key)) {
		/* what was not possible was so elsewhere */
		if (table->page->notice_style == STYLE_DIM)
			table_notice(table, STYLE_PLAIN, "");
		return;
	}
	switch (key) {
	case KEY_BACKSPACE:
	case '\b':
	case PAGE_DELETE:
		picker_undo(&table->picker);
		break;
	case 'r':
		/* where there are no turns giving up is leaving, and the server takes it so */
		ask(table, view_has_turns(table->session->view.game) ? ASK_RESIGN : ASK_LEAVE);
		break;
	case 'q':
		ask(table, ASK_LEAVE);
		break;
	case PAGE_ESCAPE:
		escape(table);
		break;
	case 'x':
		mark_piece(table);
		break;
	case ':':
		table_type(table);
		break;
	default:
		if (page_is_enter(key) || key == ' ')
			try_pick(table, table->cursor);
		else if (key >= '1' && key <= '9')
			pick_piece(table, key - '1');
		else
			press_word(table, key);
		break;
	}
}

/* While one person's pieces are covered, the next says that he sits down. */
static void hidden_key(struct table *table, int key)
{
	if (key == ' ' && table->session->view.turn_is_ours) {
		table->ready = table->shown;
		table_notice(table, STYLE_PLAIN, "");
	} else if (key == 'q' || key == PAGE_ESCAPE) {
		ask(table, ASK_LEAVE);
	}
}

static bool is_farewell(int key)
{
	return key == 'q' || key == 'm' || key == PAGE_ESCAPE;
}

static void playing_key(struct table *table, int key)
{
	if (table->broken && is_farewell(key))
		table_leave(table);
	else if (table->broken)
		return;
	else if (table_is_hidden(table))
		hidden_key(table, key);
	else
		play_key(table, key);
}

static void handle_key(struct table *table, int key)
{
	if (table->question != ASK_NOTHING) {
		answer(table, key);
		return;
	}
	if (table->typing) {
		table_type_key(table, key);
		return;
	}
	switch (table->stage) {
	case STAGE_PLAYING:
		playing_key(table, key);
		break;
	case STAGE_HOLDING:
		table_stop_holding(table);
		break;
	case STAGE_OVER:
		if (page_is_enter(key) || key == 'p' || key == ' ')
			table_play(table);
		else if (is_farewell(key))
			table_leave(table);
		break;
	case STAGE_ASKING:
	case STAGE_WAITING:
		if (is_farewell(key))
			table_leave(table);
		break;
	}
}

void table_input(struct table *table, const struct terminal_input *input)
{
	if (input->key != 0)
		handle_key(table, input->key);
	else if (input->click && table->stage == STAGE_HOLDING)
		table_stop_holding(table);
	else if (input->click && table->stage == STAGE_PLAYING && !table_is_hidden(table))
		click(table, input->row, input->column);
}
