/*
 * play_keys.c - what a person does in a play: keys and clicks into picks, moves and farewells.
 *
 * Owns the cursor, the picks and the marks; moves go to the session. It knows no game: what can be picked
 * comes from the picker, and the words of a move from the game. It never draws.
 */
#include "player/terminal/play.h"

#include <ctype.h>
#include <curses.h>
#include <string.h>

/* ---- making moves ---- */

void play_drop_picks(struct play *play)
{
	play->picker.count = 0;
	play->marks = 0;
}

int play_marked(const struct play *play, int piece)
{
	for (int i = 0; i < play->marks; i++)
		if (play->mark[i].piece == piece)
			return play->mark[i].count;
	return 0;
}

/* The piece beside the board that this word of a move means; NULL: none. */
static const struct scene_piece *piece_of(const struct play *play, const char *word)
{
	for (int i = 0; i < play->scene.pieces; i++)
		if (strcmp(play->scene.beside[i].cell.note, word) == 0)
			return &play->scene.beside[i];
	return NULL;
}

/* A move of several pieces, of which some have been marked, becomes one of those alone. */
static void keep_marked(const struct play *play, struct move *move)
{
	const struct game *game = play->session->view.game;
	int used[SCENE_BESIDE_MAX] = {0}, pieces = 0, kept = 0;
	char text[GAME_MOVE_TEXT];
	struct words words;
	struct move less;

	game->print_move(move, text);
	if (play->marks == 0 || !line_split(text, &words))
		return;
	for (int i = 0; i < words.count; i++) {
		const struct scene_piece *piece = piece_of(play, words.word[i]);
		ptrdiff_t place = piece == NULL ? 0 : piece - play->scene.beside;

		pieces += piece != NULL;
		if (piece == NULL || used[place]++ < play_marked(play, piece->piece))
			words.word[kept++] = words.word[i];
	}
	if (pieces > 1 && game->read_move(&less, words.word, kept))
		*move = less;
}

static void send_move(struct play *play, struct move *move)
{
	keep_marked(play, move);
	session_move(play->session, move);
	play_drop_picks(play);
	play_notice(play, STYLE_PLAIN, "");
}

/* What cannot follow the last pick is taken instead of it, where that is possible. */
static enum picked pick_next(struct play *play, struct pick picked, struct move *move)
{
	struct choice choice = play_choice(play);
	struct picker before = play->picker;
	enum picked result = picker_pick(&play->picker, &choice, picked, move);

	if (result == PICKED_NOTHING && picker_undo(&play->picker))
		result = picker_pick(&play->picker, &choice, picked, move);
	if (result == PICKED_NOTHING)
		play->picker = before;
	return result;
}

static void try_pick(struct play *play, struct pick picked)
{
	struct move move;

	play->cursor = picked;
	if (!play_may_pick(play)) {
		play_not_now(play);
		return;
	}
	switch (pick_next(play, picked, &move)) {
	case PICKED_NOTHING:
		play_refuse_pick(play, picked);
		break;
	case PICKED_MORE:
		play_notice(play, STYLE_PLAIN, "");
		break;
	case PICKED_MOVE:
		send_move(play, &move);
		break;
	}
}

/* The moves that are whole as picked so far are shown as words, each with its key. */
static void say_word(struct play *play, const struct play_word *word)
{
	struct choice choice = play_choice(play);
	struct move move = choice.move[word->move];

	if (play_may_pick(play))
		send_move(play, &move);
}

static bool press_word(struct play *play, int key)
{
	for (int i = 0; i < play->words; i++)
		if (play->word[i].key == key || (key == '.' && i == 0)) {
			say_word(play, &play->word[i]);
			return true;
		}
	return false;
}

static void pick_piece(struct play *play, int place)
{
	if (place < play->scene.pieces)
		try_pick(play, (struct pick){.beside = true, .x = play->scene.beside[place].piece});
}

/* One more of the piece under the cursor, and none after all of them. */
static void mark_piece(struct play *play)
{
	struct play_mark *mark = play->mark, *end = mark + play->marks;
	int all = 0;

	for (int i = 0; i < play->scene.pieces; i++)
		if (play->cursor.beside && play->scene.beside[i].piece == play->cursor.x)
			all = play->scene.beside[i].count;
	if (all == 0 || !play_may_pick(play) || play->session->view.game->print_rack == NULL)
		return;
	while (mark < end && mark->piece != play->cursor.x)
		mark++;
	if (mark == end) {
		*mark = (struct play_mark){.piece = play->cursor.x};
		play->marks++;
	}
	mark->count = (mark->count + 1) % (all + 1);
}

/* ---- the cursor ---- */

static bool is_shown(const struct play *play, struct pick pick)
{
	if (pick.column)
		pick.y = play->scene.first_y;
	if (!pick.beside)
		return scene_cell((struct scene *)&play->scene, pick.x, pick.y) != NULL;
	for (int i = 0; i < play->scene.pieces; i++)
		if (play->scene.beside[i].piece == pick.x)
			return true;
	return false;
}

/* What can be picked now and is in view; how many. */
static int find_targets(const struct play *play, bool only_beside,
			struct pick targets[PICKER_TARGETS_MAX])
{
	struct choice choice = play_choice(play);
	int count = play_may_pick(play) ? picker_targets(&play->picker, &choice, targets) : 0;
	int found = 0;

	for (int i = 0; i < count; i++)
		if ((targets[i].beside || !only_beside) && is_shown(play, targets[i]))
			targets[found++] = targets[i];
	return found;
}

/* On a column in the row that it was in. */
static void place_cursor(struct play *play, struct pick target)
{
	int y = play->cursor.beside ? play->scene.first_y : play->cursor.y;

	play->cursor = target.column ? (struct pick){.x = target.x, .y = y} : target;
}

static void step_targets(struct play *play, int step)
{
	struct pick targets[PICKER_TARGETS_MAX];
	int count = find_targets(play, false, targets), at = -1;

	for (int i = 0; i < count; i++)
		if (pick_meets(targets[i], play->cursor))
			at = i;
	if (count > 0)
		place_cursor(play, targets[at < 0 ? 0 : (at + step + count) % count]);
}

/* Along the row of pieces, whether they can be picked or only be marked. */
static void step_pieces(struct play *play, int step)
{
	int count = play->scene.pieces, at = 0;

	if (count == 0)
		return;
	while (at < count - 1 && play->scene.beside[at].piece != play->cursor.x)
		at++;
	if (play->cursor.beside)
		at = (at + step + count) % count;
	else
		at = count / 2;
	play->cursor = (struct pick){.beside = true, .x = play->scene.beside[at].piece};
}

static void move_cursor(struct play *play, int dx, int dy)
{
	struct pick to = play->cursor;

	if (to.beside && dy == 0) {
		step_pieces(play, dx);
		return;
	}
	if (to.beside && dy > 0)
		return;
	if (to.beside)
		to = (struct pick){.x = play->scene.first_x + play->scene.columns / 2,
				   .y = play->scene.first_y + play->scene.rows - 1};
	else
		to = (struct pick){.x = to.x + dx, .y = to.y + dy};
	if (scene_cell(&play->scene, to.x, to.y) != NULL)
		play->cursor = to;
	else if (dy > 0)
		step_pieces(play, 0);
}

void play_follow_targets(struct play *play)
{
	struct pick targets[PICKER_TARGETS_MAX];
	int count;

	if (!play->has_board || !play->has_cursor)
		return;
	count = find_targets(play, false, targets);
	for (int i = 0; i < count; i++)
		if (targets[i].beside == play->cursor.beside)
			return;
	if (count > 0)
		place_cursor(play, targets[0]);
}

/* ---- help ---- */

static void play_open_help(struct play *play)
{
	static const struct help_key keys[] = {
	    {"arrows, hjkl", "move the cursor", 0},
	    {"Enter, click", "pick what is there", 0},
	    {"Tab", "next thing to pick", 0},
	    {"Backspace, Esc", "take a pick back", 0},
	    {"1 to 9", "pick a piece", HELP_BESIDE},
	    {"x", "mark a piece to give", HELP_BESIDE | HELP_RACK},
	    {":", "type a move", 0},
	    {"r", "resign this round", HELP_TURNS},
	    {"q, Ctrl-C", "leave the duel", 0},
	};

	help_open(&play->help, play->page->options->game, keys, sizeof(keys) / sizeof(keys[0]));
	play->helping = true;
}

/* ---- keys and clicks ---- */

static bool is_in(struct area area, int row, int column)
{
	return row >= area.top && row < area.top + area.height && column >= area.left &&
	       column < area.left + area.width;
}

static void click(struct play *play, int row, int column)
{
	struct pick picked = {0};
	int place;

	for (int i = 0; i < play->words; i++)
		if (is_in(play->word[i].place, row, column)) {
			say_word(play, &play->word[i]);
			return;
		}
	place = terminal_beside_at(&play->scene, play->beside, row, column);
	if (place >= 0)
		pick_piece(play, place);
	else if (play->has_board &&
		 terminal_cell_at(&play->scene, play->board, row, column, &picked.x, &picked.y))
		try_pick(play, picked);
}

/* The first Esc lets go of what has been picked. */
static void escape(struct play *play)
{
	if (play->picker.count == 0 && play->marks == 0) {
		play_ask(play, ASK_LEAVE);
		return;
	}
	play_drop_picks(play);
	play_notice(play, STYLE_PLAIN, "");
}

static bool cursor_key(struct play *play, int key)
{
	static const struct {
		int key, letter, dx, dy;
	} ways[] = {{KEY_LEFT, 'h', -1, 0},
		    {KEY_DOWN, 'j', 0, 1},
		    {KEY_UP, 'k', 0, -1},
		    {KEY_RIGHT, 'l', 1, 0}};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (key == ways[i].key || key == ways[i].letter) {
			move_cursor(play, ways[i].dx, ways[i].dy);
			return true;
		}
	if (key == '\t' || key == KEY_BTAB)
		step_targets(play, key == '\t' ? 1 : -1);
	return key == '\t' || key == KEY_BTAB;
}

static void play_key(struct play *play, int key)
{
	if (cursor_key(play, key)) {
		/* what was not possible was so elsewhere */
		play_forget_refusal(play);
		return;
	}
	switch (key) {
	case KEY_BACKSPACE:
	case '\b':
	case PAGE_DELETE:
		picker_undo(&play->picker);
		break;
	case 'r':
		/* where there are no turns giving up is leaving, and the server takes it so */
		play_ask(play, view_has_turns(play->session->view.game) ? ASK_RESIGN : ASK_LEAVE);
		break;
	case 'q':
		play_ask(play, ASK_LEAVE);
		break;
	case PAGE_ESCAPE:
		escape(play);
		break;
	case 'x':
		mark_piece(play);
		break;
	case ':':
		play_type(play);
		break;
	default:
		if (page_is_enter(key) || key == ' ')
			try_pick(play, play->cursor);
		else if (key >= '1' && key <= '9')
			pick_piece(play, key - '1');
		else
			press_word(play, key);
		break;
	}
}

/* While one person's pieces are covered, the next one says so when ready. */
static void hidden_key(struct play *play, int key)
{
	if (key == ' ' && play->session->view.turn_is_ours) {
		play->ready = play->shown;
		play_notice(play, STYLE_PLAIN, "");
	} else if (key == 'q' || key == PAGE_ESCAPE) {
		play_ask(play, ASK_LEAVE);
	}
}

static bool is_farewell(int key)
{
	return key == 'q' || key == 'm' || key == PAGE_ESCAPE;
}

static void playing_key(struct play *play, int key)
{
	if (play->broken && is_farewell(key))
		play_leave(play);
	else if (play->broken)
		return;
	else if (play_is_hidden(play))
		hidden_key(play, key);
	else
		play_key(play, key);
}

static void handle_key(struct play *play, int key)
{
	if (play->question != ASK_NOTHING) {
		play_answer(play, key);
		return;
	}
	if (key == '?') {
		play_open_help(play);
		return;
	}
	if (play->typing) {
		play_type_key(play, key);
		return;
	}
	if (play_wait_key(play, key))
		return;
	switch (play->stage) {
	case STAGE_PLAYING:
		playing_key(play, key);
		break;
	case STAGE_HOLDING:
		play_stop_holding(play);
		break;
	case STAGE_OVER:
		if (page_is_enter(key) || key == 'p' || key == ' ')
			play_again(play, false);
		else if (key == 'a' && play->rival[0] != '\0')
			play_again(play, true);
		else if (is_farewell(key))
			play_leave(play);
		break;
	case STAGE_ASKING:
	case STAGE_WAITING:
		if (is_farewell(key))
			play_leave(play);
		break;
	}
}

void play_input(struct play *play, const struct terminal_input *input)
{
	if (play->helping)
		play->helping = help_takes(&play->help, input);
	else if (input->key != 0)
		handle_key(play, input->key);
	else if (input->click && play->stage == STAGE_HOLDING)
		play_stop_holding(play);
	else if (input->click && play->stage == STAGE_PLAYING && !play_is_hidden(play))
		click(play, input->row, input->column);
}
