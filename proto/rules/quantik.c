/*
 * quantik.c - the rules of Quantik.
 *
 * Four by four cells. Each side has two each of four shapes: cylinder C, box P, sphere S and
 * tetrahedron T. A turn puts one of one's own on an empty cell, where the opponent has none of that
 * shape in the same row, column or square of two by two. Who completes a row, a column or a square
 * with the four shapes, of whatever colour, wins. Who cannot move loses, on a full board too. Seat
 * 0 is white, seat 1 is black; who begins is the table's to say. A cell's index is y * 4 + x.
 *
 * It is pure: it keeps nothing between two calls, and knows no player, no clock and no socket.
 */
#include "proto/rules/quantik.h"
#include "proto/wire/text.h"

#include <assert.h>
#include <string.h>

enum { ALL = 0xffff, LINES = 12, OF_EACH = 2 };

/* A shape that there is not, as a move may name. */
enum { NO_SHAPE = -1 };

static const char letters[] = "CPSTcpst";
static const char *const shapes[SHAPES] = {"cylinder", "box", "sphere", "tetrahedron"};
static const char *const kinds[] = {"row", "column", "square"};

/* How a round has ended: a line's index, or one of these. END_NONE is also said when a board does
 * not tell who has won. */
enum { NO_MOVES = LINES, END_NONE };

static_assert(sizeof(struct quantik) <= GAME_STATE_MAX, "a state must fit");
static_assert(sizeof(struct quantik) == 2 * 2 * SHAPES + 4, "no padding");

/* Rows, columns, squares: in the order in which a win is named. */
static const uint16_t lines[LINES] = {
    0x000f, 0x00f0, 0x0f00, 0xf000, /* rows */
    0x1111, 0x2222, 0x4444, 0x8888, /* columns */
    0x0033, 0x00cc, 0x3300, 0xcc00, /* squares */
};

static int square_of(int cell)
{
	return cell / 8 * 2 + cell % SIDE / 2;
}

/* The three lines through each cell, as one set of cells. */
static const uint16_t reach[CELLS] = {
    0x113f, 0x223f, 0x44cf, 0x88cf, 0x11f3, 0x22f3, 0x44fc, 0x88fc,
    0x3f11, 0x3f22, 0xcf44, 0xcf88, 0xf311, 0xf322, 0xfc44, 0xfc88,
};

static uint16_t empty_cells(const struct quantik *q)
{
	uint16_t taken = 0;

	for (int shape = 0; shape < SHAPES; shape++)
		taken |= q->has[0][shape] | q->has[1][shape];
	return (uint16_t)~taken;
}

/* Where may a seat put this shape, of these empty cells? */
static uint16_t open_cells(const struct quantik *q, int seat, int shape, uint16_t empty)
{
	unsigned ours = q->has[seat][shape], theirs = q->has[!seat][shape];

	if (ours & (ours - 1))
		return 0; /* both have been put */
	for (; theirs != 0; theirs &= theirs - 1)
		empty &= (uint16_t)~reach[__builtin_ctz(theirs)];
	return empty;
}

static bool can_move(const struct quantik *q, int seat)
{
	uint16_t empty = empty_cells(q);

	for (int shape = 0; shape < SHAPES; shape++)
		if (open_cells(q, seat, shape, empty) != 0)
			return true;
	return false;
}

/* Are all four shapes on a line? No loop, because a bot asks this more often than anything else. */
static bool is_complete(const struct quantik *q, int line)
{
	const uint16_t *one = q->has[0], *other = q->has[1], cells = lines[line];

	return ((one[0] | other[0]) & cells) && ((one[1] | other[1]) & cells) &&
	       ((one[2] | other[2]) & cells) && ((one[3] | other[3]) & cells);
}

/* The first complete line, or END_NONE. */
static int find_line(const struct quantik *q)
{
	for (int line = 0; line < LINES; line++)
		if (is_complete(q, line))
			return line;
	return END_NONE;
}

/* The same, of those through a cell. */
static int find_line_through(const struct quantik *q, int cell)
{
	const int through[] = {cell / SIDE, SIDE + cell % SIDE, 2 * SIDE + square_of(cell)};

	for (int i = 0; i < 3; i++)
		if (is_complete(q, through[i]))
			return through[i];
	return END_NONE;
}

static bool on_board(const struct move *move)
{
	return move->arg[0] >= 0 && move->arg[0] < SIDE && move->arg[1] >= 0 &&
	       move->arg[1] < SIDE && move->arg[2] >= 0 && move->arg[2] < SHAPES;
}

static uint16_t cell_of(const struct move *move)
{
	return (uint16_t)(1u << (move->arg[1] * SIDE + move->arg[0]));
}

static void begin(void *state, const struct setup *setup)
{
	struct quantik *q = state;

	memset(q, 0, sizeof(*q));
	q->turn = (int8_t)setup->first;
	q->winner = -1;
	q->end = END_NONE;
}

static bool read_move(struct move *move, char *const words[], int count)
{
	const char *shape;

	*move = (struct move){.arg = {[2] = NO_SHAPE}};
	if (count != 3 || !game_read_number(words[0], &move->arg[0]) ||
	    !game_read_number(words[1], &move->arg[1]) || words[2][0] == '\0')
		return false;
	shape = memchr(letters, words[2][0], SHAPES);
	if (shape != NULL && words[2][1] == '\0')
		move->arg[2] = (int8_t)(shape - letters);
	return true;
}

static char letter_of(const struct move *move)
{
	return move->arg[2] >= 0 && move->arg[2] < SHAPES ? letters[move->arg[2]] : '?';
}

static void print_move(const struct move *move, char text[GAME_MOVE_TEXT])
{
	text_print(text, GAME_MOVE_TEXT, "%d %d %c", move->arg[0], move->arg[1], letter_of(move));
}

static void say_move(struct event *event, int seat, const struct move *move)
{
	game_say_event(event, seat, "%d %d %c", move->arg[0], move->arg[1], letter_of(move));
}

static enum ruling judge(const void *state, int seat, const struct move *move)
{
	const struct quantik *q = state;

	if (seat < 0 || seat != q->turn || !on_board(move) ||
	    !(open_cells(q, seat, move->arg[2], empty_cells(q)) & cell_of(move)))
		return RULING_ILLEGAL;
	return RULING_FINE;
}

/* A shape that the other side has in a line through the cell. */
static void blame_line(const struct quantik *q, int seat, int cell, int shape,
		       char why[GAME_REASON_TEXT])
{
	const int through[] = {cell / SIDE, SIDE + cell % SIDE, 2 * SIDE + square_of(cell)};
	int kind = 0;

	while (kind < 2 && !(q->has[!seat][shape] & lines[through[kind]]))
		kind++;
	text_print(why, GAME_REASON_TEXT, "%s has a %s in this %s", seat == 0 ? "black" : "white",
		   shapes[shape], kinds[kind]);
}

static void why_not(const void *state, int seat, const struct move *move,
		    char why[GAME_REASON_TEXT])
{
	const struct quantik *q = state;
	const int8_t shape = move->arg[2];
	const char *reason = game_why_not_now(seat, q->turn);

	if (reason == NULL && (shape < 0 || shape >= SHAPES))
		reason = "there is no such shape: they are C, P, S and T";
	else if (reason == NULL && !on_board(move))
		reason = "there is no such cell: x and y go from 0 to 3";
	else if (reason == NULL && !(empty_cells(q) & cell_of(move)))
		reason = "that cell is taken";
	if (reason != NULL)
		text_print(why, GAME_REASON_TEXT, "%s", reason);
	else if (__builtin_popcount(q->has[seat][shape]) >= OF_EACH)
		text_print(why, GAME_REASON_TEXT, "you have no %s left", shapes[shape]);
	else
		blame_line(q, seat, move->arg[1] * SIDE + move->arg[0], shape, why);
}

static void finish(struct quantik *q, int end, int winner)
{
	q->end = (int8_t)end;
	q->winner = (int8_t)winner;
	q->turn = -1;
}

static void play(void *state, int seat, const struct move *move, int64_t now, struct event *event)
{
	struct quantik *q = state;
	int line;

	q->has[seat][move->arg[2]] |= cell_of(move);
	q->turn = (int8_t)!seat;
	line = find_line_through(q, move->arg[1] * SIDE + move->arg[0]);
	if (line != END_NONE)
		finish(q, line, seat);
	else if (!can_move(q, !seat))
		finish(q, NO_MOVES, seat);
	(void)now;
	say_move(event, seat, move);
}

static bool put(void *state, int seat, const struct move *move, struct event *event)
{
	struct quantik *q = state;

	if (!on_board(move))
		return false;
	for (int shape = 0; shape < SHAPES; shape++) {
		q->has[0][shape] &= (uint16_t)~cell_of(move);
		q->has[1][shape] &= (uint16_t)~cell_of(move);
	}
	q->has[seat][move->arg[2]] |= cell_of(move);
	q->turn = (int8_t)!seat;
	say_move(event, seat, move);
	return true;
}

static int list_moves(const void *state, int seat, struct move *moves)
{
	const struct quantik *q = state;
	uint16_t empty = empty_cells(q);
	int count = 0;

	if (seat < 0 || seat != q->turn)
		return 0;
	for (int shape = 0; shape < SHAPES; shape++)
		for (unsigned cells = open_cells(q, seat, shape, empty); cells != 0;
		     cells &= cells - 1) {
			int cell = __builtin_ctz(cells);

			moves[count++] = (struct move){
			    .arg = {(int8_t)(cell % SIDE), (int8_t)(cell / SIDE), (int8_t)shape}};
		}
	return count;
}

static int turn(const void *state)
{
	const struct quantik *q = state;

	return q->turn;
}

static void print_line(int line, char word[GAME_WHY_MAX])
{
	text_print(word, GAME_WHY_MAX, "%s-%d", kinds[line / SIDE], line % SIDE);
}

static void outcome(const void *state, struct outcome *outcome)
{
	const struct quantik *q = state;

	*outcome = (struct outcome){.over = q->turn < 0};
	if (!outcome->over || q->winner < 0)
		return;
	outcome->winners = (uint16_t)(1u << q->winner);
	if (q->end == NO_MOVES)
		text_print(outcome->why, sizeof(outcome->why), "no-moves");
	else
		print_line(q->end, outcome->why);
}

/* Those of the line that the word names. */
static int list_won(const void *state, const char *why, struct game_cell cells[GAME_WON_MAX])
{
	char word[GAME_WHY_MAX];
	int count = 0;

	(void)state;
	for (int line = 0; line < LINES; line++) {
		print_line(line, word);
		for (int cell = 0; cell < CELLS && strcmp(why, word) == 0; cell++)
			if (lines[line] >> cell & 1)
				cells[count++] = (struct game_cell){(int8_t)(cell % SIDE),
								    (int8_t)(cell / SIDE)};
	}
	return count;
}

/* A piece, then where it goes. */
static int picks(const struct move *move, struct pick picks[GAME_PICKS_MAX])
{
	picks[0] = (struct pick){.beside = true, .x = move->arg[2]};
	picks[1] = (struct pick){.x = move->arg[0], .y = move->arg[1]};
	return 2;
}

static bool pick_move(struct move *move, const struct pick picks[], int count)
{
	if (count != 2 || !picks[0].beside || picks[1].beside)
		return false;
	*move = (struct move){.arg = {(int8_t)picks[1].x, (int8_t)picks[1].y, (int8_t)picks[0].x}};
	return true;
}

static size_t print_model(const void *state, char text[GAME_MODEL_MAX])
{
	const struct quantik *q = state;

	memset(text, '.', CELLS);
	text[CELLS] = '\0';
	for (int piece = 0; piece < 2 * SHAPES; piece++)
		for (unsigned cells = q->has[piece / SHAPES][piece % SHAPES]; cells != 0;
		     cells &= cells - 1)
			text[__builtin_ctz(cells)] = letters[piece];
	return CELLS;
}

/* The cells that a seat has. */
static uint16_t cells_of(const struct quantik *q, int seat)
{
	return q->has[seat][0] | q->has[seat][1] | q->has[seat][2] | q->has[seat][3];
}

/* Who made the last move? Who has more pieces on the board; when both have as many, the one to whom
 * all the cells belong that may have completed every line. -1: the board does not tell. */
static int last_mover(const struct quantik *q)
{
	int more = __builtin_popcount(cells_of(q, 0)) - __builtin_popcount(cells_of(q, 1));
	uint16_t last = ALL;

	if (more != 0)
		return more < 0;
	for (int line = 0; line < LINES; line++)
		if (is_complete(q, line))
			last &= lines[line];
	if ((last & cells_of(q, 0)) == 0)
		return 1;
	return (last & cells_of(q, 1)) == 0 ? 0 : -1;
}

/* How has a round ended with this board, as far as it tells? */
static void find_end(struct quantik *q)
{
	bool moves[2] = {can_move(q, 0), can_move(q, 1)};
	int line = find_line(q), last = last_mover(q);

	finish(q, END_NONE, -1);
	if (line != END_NONE && last >= 0)
		finish(q, line, last);
	else if (line == END_NONE && moves[0] != moves[1])
		finish(q, NO_MOVES, moves[1]);
	else if (line == END_NONE && !moves[0] && last >= 0)
		finish(q, NO_MOVES, last);
}

/* Any board may be read: without a judge anything can be put anywhere. */
static bool read_model(void *state, const char *model, int turn)
{
	struct quantik *q = state;

	begin(q, &(struct setup){.first = turn});
	if (strlen(model) != CELLS || strspn(model, "CPSTcpst.") != CELLS || turn < -1 || turn > 1)
		return false;
	for (int cell = 0; cell < CELLS; cell++) {
		const char *letter = strchr(letters, model[cell]);

		if (letter != NULL)
			q->has[(letter - letters) / SHAPES][(letter - letters) % SHAPES] |=
			    (uint16_t)(1u << cell);
	}
	if (turn < 0)
		find_end(q);
	return true;
}

const struct game quantik_game = {
    .name = "quantik",
    .title = "Quantik",
    .seats_min = 2,
    .seats_max = 2,
    .has = GAME_HAS_SIDES | GAME_HAS_CLOCK,
    .side_word = "WHITE",
    .side_name = {"white", "black"},
    .side_paint = {SIDE_BLUE, SIDE_ORANGE},
    .first = FIRST_ALTERNATES,
    .rounds = 2,
    .clock = 5,
    .strict = true,
    .move_help = "x y s: C cylinder, P box, S sphere, T tetrahedron",
    .rules = "Goal: to complete a row, a column or a square of two by two with four different "
	     "shapes, of whatever colour.\n"
	     "Pieces: each side has two each of cylinder (C), box (P), sphere (S) and tetrahedron "
	     "(T). In letters white's are C P S T, black's are c p s t.\n"
	     "Move: put one of your pieces on an empty cell; but not where your opponent has the "
	     "same shape in the same row, column or square. Your own do not matter.\n"
	     "End: who completes such a line wins, whoever has put the other three. Who cannot "
	     "move has lost, on a full board too.\n"
	     "White begins in the first round, black in the second. If nothing else was agreed, a "
	     "move has 5 seconds, and an illegal one loses the round.",
    .state_size = sizeof(struct quantik),
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
