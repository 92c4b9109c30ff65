/*
 * tictactoe.c - the rules of tic-tac-toe.
 *
 * Three by three cells, three in a row wins, a full board without a row is unresolved. Seat 0 is X
 * (cross), seat 1 is O (nought); who begins is drawn by the table. A cell's index is y * 3 + x.
 *
 * It is pure: it keeps nothing between two calls, and knows no player, no clock and no socket.
 */
#include "proto/rules/game.h"
#include "proto/wire/text.h"

#include <assert.h>
#include <string.h>

enum { SIDE = 3, CELLS = 9, ALL = 0x1ff };

/* A bit for each cell and side. */
struct tictactoe {
	uint16_t has[2];
	int8_t turn; /* -1 when the round is over */
	int8_t winner;
};

static_assert(sizeof(struct tictactoe) <= GAME_STATE_MAX, "a state must fit");

/* The eight rows, in the order of their words: "012" is smaller than "036". */
static const uint16_t rows[8] = {
    0x007, /* 012 */
    0x049, /* 036 */
    0x111, /* 048 */
    0x092, /* 147 */
    0x054, /* 246 */
    0x124, /* 258 */
    0x038, /* 345 */
    0x1c0, /* 678 */
};

/* The first of the rows that is complete, or 0. */
static uint16_t complete_row(uint16_t cells)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if ((cells & rows[i]) == rows[i])
			return rows[i];
	return 0;
}

/* Is any row complete? All eight at once: the rows side by side, the columns, the diagonals. */
static bool has_row(unsigned cells)
{
	return (cells & cells >> 1 & cells >> 2 & 0x49) | (cells & cells >> 3 & cells >> 6 & 7) |
	       (cells & cells >> 4 & cells >> 8 & 1) | (cells >> 2 & cells >> 4 & cells >> 6 & 1);
}

static bool on_board(const struct move *move)
{
	return move->arg[0] >= 0 && move->arg[0] < SIDE && move->arg[1] >= 0 && move->arg[1] < SIDE;
}

static uint16_t cell_of(const struct move *move)
{
	return (uint16_t)(1u << (move->arg[1] * SIDE + move->arg[0]));
}

static void begin(void *state, const struct setup *setup)
{
	struct tictactoe *t = state;

	*t = (struct tictactoe){.turn = (int8_t)setup->first, .winner = -1};
}

static bool read_move(struct move *move, char *const words[], int count)
{
	return game_read_numbers(move, 2, words, count);
}

static void print_move(const struct move *move, char text[GAME_MOVE_TEXT])
{
	text_print(text, GAME_MOVE_TEXT, "%d %d", move->arg[0], move->arg[1]);
}

static enum ruling judge(const void *state, int seat, const struct move *move)
{
	const struct tictactoe *t = state;

	if (seat != t->turn || !on_board(move) || ((t->has[0] | t->has[1]) & cell_of(move)))
		return RULING_ILLEGAL;
	return RULING_FINE;
}

static void why_not(const void *state, int seat, const struct move *move,
		    char why[GAME_REASON_TEXT])
{
	const struct tictactoe *t = state;
	const char *reason = game_why_not_now(seat, t->turn);

	if (reason == NULL)
		reason = on_board(move) ? "that cell is taken"
					: "there is no such cell: x and y go from 0 to 2";
	text_print(why, GAME_REASON_TEXT, "%s", reason);
}

static void play(void *state, int seat, const struct move *move, int64_t now, struct event *event)
{
	struct tictactoe *t = state;

	t->has[seat] |= cell_of(move);
	if (has_row(t->has[seat])) {
		t->winner = (int8_t)seat;
		t->turn = -1;
	} else if ((t->has[0] | t->has[1]) == ALL) {
		t->turn = -1;
	} else {
		t->turn = (int8_t)!seat;
	}
	(void)now;
	game_say_event(event, seat, "%d %d", move->arg[0], move->arg[1]);
}

static bool put(void *state, int seat, const struct move *move, struct event *event)
{
	struct tictactoe *t = state;

	if (!on_board(move))
		return false;
	t->has[seat] |= cell_of(move);
	t->has[!seat] &= (uint16_t)~cell_of(move);
	t->turn = (int8_t)!seat;
	game_say_event(event, seat, "%d %d", move->arg[0], move->arg[1]);
	return true;
}

static int list_moves(const void *state, int seat, struct move *moves)
{
	static const struct move of_cell[CELLS] = {
	    {.arg = {0, 0}}, {.arg = {1, 0}}, {.arg = {2, 0}}, {.arg = {0, 1}}, {.arg = {1, 1}},
	    {.arg = {2, 1}}, {.arg = {0, 2}}, {.arg = {1, 2}}, {.arg = {2, 2}},
	};
	const struct tictactoe *t = state;
	unsigned empty = ~((unsigned)t->has[0] | t->has[1]) & ALL;
	int count = 0;

	if (seat < 0 || seat != t->turn)
		return 0;
	for (; empty != 0; empty &= empty - 1)
		moves[count++] = of_cell[__builtin_ctz(empty)];
	return count;
}

static int turn(const void *state)
{
	const struct tictactoe *t = state;

	return t->turn;
}

/* The word of a row is its cells' indices, ascending: "048". */
static void outcome(const void *state, struct outcome *outcome)
{
	const struct tictactoe *t = state;
	char *word = outcome->why;

	*outcome = (struct outcome){.over = t->turn < 0};
	if (!outcome->over)
		return;
	if (t->winner < 0) {
		text_print(outcome->why, sizeof(outcome->why), "full");
		return;
	}
	outcome->winners = (uint16_t)(1u << t->winner);
	for (int cell = 0; cell < CELLS; cell++)
		if (complete_row(t->has[t->winner]) >> cell & 1)
			*word++ = (char)('0' + cell);
}

/* The word names them. */
static int list_won(const void *state, const char *why, struct game_cell cells[GAME_WON_MAX])
{
	(void)state;
	if (strlen(why) != SIDE || strspn(why, "012345678") != SIDE)
		return 0;
	for (int i = 0; i < SIDE; i++)
		cells[i] = (struct game_cell){(int8_t)((why[i] - '0') % SIDE),
					      (int8_t)((why[i] - '0') / SIDE)};
	return SIDE;
}

static size_t print_model(const void *state, char text[GAME_MODEL_MAX])
{
	const struct tictactoe *t = state;

	for (int cell = 0; cell < CELLS; cell++)
		text[cell] = t->has[0] >> cell & 1 ? 'X' : t->has[1] >> cell & 1 ? 'O' : '.';
	text[CELLS] = '\0';
	return CELLS;
}

static bool read_model(void *state, const char *model, int turn)
{
	struct tictactoe *t = state;
	bool row[2];

	*t = (struct tictactoe){.turn = (int8_t)turn, .winner = -1};
	if (strlen(model) != CELLS || strspn(model, "XO.") != CELLS || turn > 1)
		return false;
	for (int cell = 0; cell < CELLS; cell++)
		if (model[cell] != '.')
			t->has[model[cell] == 'O'] |= (uint16_t)(1u << cell);
	for (int seat = 0; seat < 2; seat++)
		row[seat] = has_row(t->has[seat]);
	if (turn < 0 && row[0] != row[1])
		t->winner = (int8_t)row[1];
	return true;
}

const struct game tictactoe_game = {
    .name = "tictactoe",
    .title = "Tic-tac-toe",
    .seats_min = 2,
    .seats_max = 2,
    .has = GAME_HAS_SIDES | GAME_HAS_CLOCK,
    .side_word = "CROSS",
    .side_name = {"cross", "nought"},
    .side_paint = {SIDE_BLUE, SIDE_ORANGE},
    .first = FIRST_DRAWN,
    .rounds = 1,
    .clock = 120,
    .strict = false,
    .move_help = "x y, both from 0 to 2",
    .rules =
	"Goal: three of your own in a line: across, down or diagonal.\n"
	"Move: X and O in turn put theirs on an empty cell. Who begins is drawn; in the next round "
	"it is the other one.\n"
	"End: who has three in a line wins at once. A full board without such a line is a draw.",
    .drawn_verdict = "unresolved",
    .state_size = sizeof(struct tictactoe),
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
    .print_model = print_model,
    .read_model = read_model,
};
