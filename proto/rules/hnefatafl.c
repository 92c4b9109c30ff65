/*
 * hnefatafl.c - the rules of Hnefatafl on nine by nine cells.
 *
 * Seat 0 has the attackers, seat 1 the defenders and their king. How it is played is told at this file's end.
 *
 * The captured king stays where it stands, so that the board tells how the round ended.
 *
 * It is pure: it keeps nothing between two calls, and knows no player, no clock and no socket.
 */
#include "proto/rules/hnefatafl.h"
#include "proto/wire/text.h"

#include <assert.h>
#include <string.h>

enum { CELLS = SIDE * SIDE, ATTACKERS = 16, DEFENDERS = 8 };

static const char letters[] = ".ADK";

/* A model has room for "why" only as far as a board tells; see find_end(). */
enum end { END_NONE, KING_CAPTURED, KING_ESCAPED, NO_MOVES, REPETITION, TOO_MANY_MOVES };

static const char *const why[] = {
    [END_NONE] = "",	     [KING_CAPTURED] = "king-captured", [KING_ESCAPED] = "king-escaped",
    [NO_MOVES] = "no-moves", [REPETITION] = "repetition",	[TOO_MANY_MOVES] = "move-limit",
};

static_assert(sizeof(struct hnefatafl) <= GAME_STATE_MAX, "a state must fit");
static_assert(offsetof(struct hnefatafl, past) == WALLED + 3 + sizeof(int32_t), "no padding");

static const int steps[4] = {-WIDTH, -1, 1, WIDTH};

static int cell_at(int x, int y)
{
	return (y + 1) * WIDTH + x + 1;
}

static int8_t x_of(int cell)
{
	return (int8_t)(cell % WIDTH - 1);
}

static int8_t y_of(int cell)
{
	return (int8_t)(cell / WIDTH - 1);
}

static bool is_corner(int cell)
{
	return cell == FIRST || cell == FIRST + SIDE - 1 || cell == LAST - SIDE + 1 || cell == LAST;
}

/* Only the king may end a move there. */
static bool is_special(int cell)
{
	return cell == THRONE || is_corner(cell);
}

/* Whose piece is it? -1: nobody's. */
static int seat_of(int piece)
{
	return piece == ATTACKER ? 0 : piece == DEFENDER || piece == KING ? 1 : -1;
}

/* ---- moving ---- */

/* The next cell in a line on which the piece may end its move; 0 when there is none. The throne,
 * while it is empty, is passed over. */
static int next_end(const struct hnefatafl *h, int piece, int from, int step)
{
	do
		from += step;
	while (h->cell[from] == EMPTY && piece != KING && is_special(from));
	return h->cell[from] == EMPTY ? from : 0;
}

static bool can_move_from(const struct hnefatafl *h, int from)
{
	for (int s = 0; s < 4; s++)
		if (next_end(h, h->cell[from], from, steps[s]) != 0)
			return true;
	return false;
}

static bool can_move(const struct hnefatafl *h, int seat)
{
	for (int from = FIRST; from <= LAST; from++)
		if (seat_of(h->cell[from]) == seat && can_move_from(h, from))
			return true;
	return false;
}

static int list_moves(const void *state, int seat, struct move *moves)
{
	const struct hnefatafl *h = state;
	int count = 0;

	if (seat < 0 || seat != h->turn)
		return 0;
	for (int from = FIRST; from <= LAST; from++) {
		int piece = h->cell[from];

		if (seat_of(piece) != seat)
			continue;
		for (int s = 0; s < 4; s++)
			for (int to = next_end(h, piece, from, steps[s]); to != 0;
			     to = next_end(h, piece, to, steps[s]))
				moves[count++] = (struct move){
				    .arg = {x_of(from), y_of(from), x_of(to), y_of(to)}};
	}
	return count;
}

static bool on_board(const struct move *move)
{
	for (int i = 0; i < 4; i++)
		if (move->arg[i] < 0 || move->arg[i] >= SIDE)
			return false;
	return true;
}

/* Why the way from cell to cell, which is not a legal one, cannot be gone. */
static const char *fault_of_way(const struct hnefatafl *h, int from, int to, int step)
{
	if (h->cell[to] != EMPTY)
		return "something stands there";
	while ((from += step) != to)
		if (h->cell[from] != EMPTY)
			return "something stands in the way";
	return to == THRONE ? "only the king may rest on the throne"
			    : "only the king may rest on a corner";
}

/* The first thing that is wrong with a move; NULL: nothing. */
static const char *fault_of(const struct hnefatafl *h, int seat, const struct move *move)
{
	int from, to, dx, dy, step, at;

	if (seat < 0 || seat != h->turn)
		return game_why_not_now(seat, h->turn);
	if (!on_board(move))
		return "there is no such cell: x and y go from 0 to 8";
	from = cell_at(move->arg[0], move->arg[1]);
	to = cell_at(move->arg[2], move->arg[3]);
	dx = move->arg[2] - move->arg[0];
	dy = move->arg[3] - move->arg[1];
	if (seat_of(h->cell[from]) != seat)
		return h->cell[from] == EMPTY ? "no piece stands there" : "that is not your piece";
	if (from == to)
		return can_move_from(h, from) ? "a piece must move" : "that piece cannot move";
	if (dx != 0 && dy != 0)
		return "a piece moves in a straight line";
	step = dx != 0 ? (dx > 0 ? 1 : -1) : (dy > 0 ? WIDTH : -WIDTH);
	at = next_end(h, h->cell[from], from, step);
	while (at != 0 && at != to)
		at = next_end(h, h->cell[from], at, step);
	return at == to ? NULL : fault_of_way(h, from, to, step);
}

static enum ruling judge(const void *state, int seat, const struct move *move)
{
	return fault_of(state, seat, move) == NULL ? RULING_FINE : RULING_ILLEGAL;
}

static void why_not(const void *state, int seat, const struct move *move,
		    char reason[GAME_REASON_TEXT])
{
	text_print(reason, GAME_REASON_TEXT, "%s", fault_of(state, seat, move));
}

/* ---- capturing ---- */

/* Is a piece held from this cell, as the one opposite to the enemy that moved? */
static bool is_held_from(const struct hnefatafl *h, int cell, int by)
{
	if (is_corner(cell) || (cell == THRONE && h->cell[cell] == EMPTY))
		return true;
	return seat_of(h->cell[cell]) == by;
}

static void capture(struct hnefatafl *h, int to, int seat)
{
	enum piece enemy = seat == 0 ? DEFENDER : ATTACKER;

	for (int s = 0; s < 4; s++)
		if (h->cell[to + steps[s]] == enemy && is_held_from(h, to + 2 * steps[s], seat))
			h->cell[to + steps[s]] = EMPTY;
}

static bool is_beside_throne(int cell)
{
	return cell == THRONE - WIDTH || cell == THRONE - 1 || cell == THRONE + 1 ||
	       cell == THRONE + WIDTH;
}

/* Is the king captured by an attacker next to it, a step before? */
static bool is_king_held(const struct hnefatafl *h, int king, int step)
{
	if (king != THRONE && !is_beside_throne(king))
		return is_held_from(h, king + step, 0);
	for (int s = 0; s < 4; s++)
		if (!is_held_from(h, king + steps[s], 0))
			return false;
	return true;
}

static bool captures_king(const struct hnefatafl *h, int attacker)
{
	for (int s = 0; s < 4; s++)
		if (h->cell[attacker + steps[s]] == KING &&
		    is_king_held(h, attacker + steps[s], steps[s]))
			return true;
	return false;
}

/* ---- ending ---- */

static void finish(struct hnefatafl *h, enum end end, int winner)
{
	h->end = (uint8_t)end;
	h->winner = (int8_t)winner;
	h->turn = -1;
}

/* Of board and side to move. */
static uint64_t hash_position(const struct hnefatafl *h)
{
	uint64_t words[(WALLED + 8) / 8] = {0};
	uint64_t hash = (uint64_t)h->turn;

	static_assert(sizeof(words) >= WALLED, "the board must fit");
	memcpy(words, h->cell, WALLED);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	return hash;
}

/* Remember the present position. Does it stand for the third time? */
static bool is_third_time(struct hnefatafl *h)
{
	uint64_t hash = hash_position(h);
	int times = 1;

	/* with the same side to move */
	for (int i = h->moves - 2; i >= 0; i -= 2)
		times += h->past[i] == hash;
	h->past[h->moves] = hash;
	return times >= 3;
}

/* What the move just made has ended; the turn is the opponent's already. */
static void look_for_end(struct hnefatafl *h, int seat, int to)
{
	if (seat == 0 && captures_king(h, to))
		finish(h, KING_CAPTURED, 0);
	else if (h->cell[to] == KING && is_corner(to))
		finish(h, KING_ESCAPED, 1);
	else if (!can_move(h, !seat))
		finish(h, NO_MOVES, seat);
	else if (is_third_time(h))
		finish(h, REPETITION, -1);
	else if (h->moves >= MOVE_LIMIT)
		finish(h, TOO_MANY_MOVES, -1);
}

static void move_piece(struct hnefatafl *h, int from, int to)
{
	uint8_t piece = h->cell[from];

	h->cell[from] = EMPTY;
	h->cell[to] = piece;
}

static void print_move(const struct move *move, char text[GAME_MOVE_TEXT])
{
	text_print(text, GAME_MOVE_TEXT, "%d %d %d %d", move->arg[0], move->arg[1], move->arg[2],
		   move->arg[3]);
}

static void say_move(struct event *event, int seat, const struct move *move)
{
	game_say_event(event, seat, "%d %d %d %d", move->arg[0], move->arg[1], move->arg[2],
		       move->arg[3]);
}

static void play(void *state, int seat, const struct move *move, int64_t now, struct event *event)
{
	struct hnefatafl *h = state;
	int to = cell_at(move->arg[2], move->arg[3]);

	move_piece(h, cell_at(move->arg[0], move->arg[1]), to);
	capture(h, to, seat);
	h->turn = (int8_t)!seat;
	h->moves++;
	look_for_end(h, seat, to);
	(void)now;
	say_move(event, seat, move);
}

/* Moving nothing changes nothing on the board. */
static bool put(void *state, int seat, const struct move *move, struct event *event)
{
	struct hnefatafl *h = state;
	int from;

	if (!on_board(move))
		return false;
	from = cell_at(move->arg[0], move->arg[1]);
	if (h->cell[from] != EMPTY)
		move_piece(h, from, cell_at(move->arg[2], move->arg[3]));
	h->turn = (int8_t)!seat;
	say_move(event, seat, move);
	return true;
}

static bool read_move(struct move *move, char *const words[], int count)
{
	return game_read_numbers(move, 4, words, count);
}

static int turn(const void *state)
{
	const struct hnefatafl *h = state;

	return h->turn;
}

static void outcome(const void *state, struct outcome *outcome)
{
	const struct hnefatafl *h = state;

	*outcome = (struct outcome){.over = h->turn < 0};
	if (!outcome->over)
		return;
	if (h->winner >= 0)
		outcome->winners = (uint16_t)(1u << h->winner);
	text_print(outcome->why, sizeof(outcome->why), "%s", why[h->end]);
}

/* ---- the model ---- */

static size_t print_model(const void *state, char text[GAME_MODEL_MAX])
{
	const struct hnefatafl *h = state;

	for (int y = 0; y < SIDE; y++) {
		const uint8_t *row = h->cell + cell_at(0, y);

		for (int x = 0; x < SIDE; x++)
			*text++ = letters[row[x]];
	}
	*text = '\0';
	return CELLS;
}

/* Set the board; false when there are more pieces than a round begins with. There may be fewer, and
 * no king: without a judge a piece can be put on another. */
static bool set_board(struct hnefatafl *h, const char *model)
{
	int count[WALL] = {0};

	memset(h->cell, WALL, WALLED);
	for (int i = 0; i < CELLS; i++) {
		uint8_t piece = (uint8_t)(strchr(letters, model[i]) - letters);

		h->cell[cell_at(i % SIDE, i / SIDE)] = piece;
		count[piece]++;
	}
	return count[ATTACKER] <= ATTACKERS && count[DEFENDER] <= DEFENDERS && count[KING] <= 1;
}

/* How has a round ended with this board? Of those without a winner the board does not tell which it
 * was: it passes for a repetition. */
static void find_end(struct hnefatafl *h)
{
	bool moves[2] = {can_move(h, 0), can_move(h, 1)};

	finish(h, REPETITION, -1);
	if (moves[0] != moves[1])
		finish(h, NO_MOVES, moves[1]);
	for (int cell = FIRST; cell <= LAST; cell++) {
		if (h->cell[cell] == ATTACKER && captures_king(h, cell))
			finish(h, KING_CAPTURED, 0);
		if (h->cell[cell] == KING && is_corner(cell)) {
			finish(h, KING_ESCAPED, 1);
			return;
		}
	}
}

static bool read_model(void *state, const char *model, int turn)
{
	struct hnefatafl *h = state;

	memset(h, 0, sizeof(*h));
	h->turn = (int8_t)turn;
	h->winner = -1;
	if (strlen(model) != CELLS || strspn(model, letters) != CELLS || turn < -1 || turn > 1 ||
	    !set_board(h, model))
		return false;
	if (turn < 0)
		find_end(h);
	h->past[0] = hash_position(h);
	return true;
}

static void begin(void *state, const struct setup *setup)
{
	(void)setup;
	read_model(state,
		   "...AAA..."
		   "....A...."
		   "....D...."
		   "A...D...A"
		   "AADDKDDAA"
		   "A...D...A"
		   "....D...."
		   "....A...."
		   "...AAA...",
		   0);
}

static int picks(const struct move *move, struct pick picks[GAME_PICKS_MAX])
{
	picks[0] = (struct pick){.x = move->arg[0], .y = move->arg[1]};
	picks[1] = (struct pick){.x = move->arg[2], .y = move->arg[3]};
	return 2;
}

/* A piece alone is one that stays where it is. */
static bool pick_move(struct move *move, const struct pick picks[], int count)
{
	const struct pick *to = &picks[count - 1];
	int8_t x = (int8_t)picks[0].x, y = (int8_t)picks[0].y;

	*move = (struct move){.arg = {x, y, (int8_t)to->x, (int8_t)to->y}};
	return count <= 2;
}

/* What ends with the king ends where it stands. */
static int list_won(const void *state, const char *why_ended, struct game_cell cells[GAME_WON_MAX])
{
	const struct hnefatafl *h = state;

	if (strcmp(why_ended, why[KING_CAPTURED]) != 0 && strcmp(why_ended, why[KING_ESCAPED]) != 0)
		return 0;
	for (int cell = FIRST; cell <= LAST; cell++)
		if (h->cell[cell] == KING) {
			cells[0] = (struct game_cell){x_of(cell), y_of(cell)};
			return 1;
		}
	return 0;
}

const struct game hnefatafl_game = {
    .name = "hnefatafl",
    .title = "Hnefatafl 9x9",
    .seats_min = 2,
    .seats_max = 2,
    .has = GAME_HAS_SIDES | GAME_HAS_CLOCK,
    .side_word = "ATTACKER",
    .side_name = {"attacker", "defender"},
    .side_paint = {SIDE_BLUE, SIDE_ORANGE},
    .first = FIRST_SEAT_0,
    .rounds = 1,
    .clock = 120,
    .strict = false,
    .move_help = "x1 y1 x2 y2, from cell to cell, all from 0 to 8",
    .rules =
	"Goal: the king (K) wants to get to a corner; 8 defenders (D) help him. The 16 attackers "
	"(A) want to capture him, and begin in every round.\n"
	"Move: a piece moves like a rook, over any number of empty cells in a straight line, and "
	"jumps over nobody. Only the king may rest on the throne in the middle or on a corner; the "
	"others may pass over the empty throne.\n"
	"Capture: a piece is captured by an enemy that moves next to it, when on its other side "
	"stands another enemy, or is a corner or the empty throne. So one move may capture up to "
	"three. Who moves in between two enemies is safe. The king captures as well.\n"
	"The king is captured on the throne by four attackers, beside it by three, and anywhere "
	"else like any other piece.\n"
	"End: with the king on a corner, or captured. Who cannot move has lost. The same position "
	"for the third time, and the 400th move, are a draw.",
    .state_size = sizeof(struct hnefatafl),
    .begin = begin,
    .read_move = read_move,
    .print_move = print_move,
    .judge = judge,
    .why_not = why_not,
    .play = play,
    .put = put,
    .list_moves = list_moves,
    .turn = turn,
    .outcome = outcome,
    .list_won = list_won,
    .picks = picks,
    .pick_move = pick_move,
    .print_model = print_model,
    .read_model = read_model,
};
