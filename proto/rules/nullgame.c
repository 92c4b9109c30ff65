/*
 * nullgame.c - the null game, the template of a rules file. GAMES.md says what else a game needs.
 *
 * The rules: there is one cell. Whoever begins takes it and has won.
 *
 * It is always compiled and played in the tests, so it is always right. It is not in the list:
 * no server offers it. A new game begins as a copy of this file, and every comment below that tells
 * what a function must do is then about that game.
 *
 * A rules file never holds anything between two calls, asks for memory, looks at a clock, reads or
 * writes. It has one name that others see, the struct at its end.
 */
#include "proto/rules/game.h"
#include "proto/wire/text.h"

#include <assert.h>
#include <string.h>

/* All that matters of a position, in a value without pointers. It is copied and compared as bytes:
 * what chance has decided or has yet to decide (a bag, a generator) is in here too. Small is fast,
 * because a search copies one for each move that it looks at. */
struct null_game {
	int8_t turn; /* -1 when the round is over */
	int8_t owner;
};

static_assert(sizeof(struct null_game) <= GAME_STATE_MAX, "a state must fit");

enum { NOBODY = -1 };

/* Make the first position. Assign the whole struct, so that no byte of it is left to accident: two
 * states that are the same must be the same bytes. `first` means something only where the game does
 * not say by itself who begins; the game's generator, if any, is seeded here. */
static void begin(void *state, const struct setup *setup)
{
	struct null_game *game = state;

	*game = (struct null_game){.turn = (int8_t)setup->first, .owner = NOBODY};
}

/* Words into a value, without a look at any position. Only the form counts: two numbers off the
 * board are a move that can be read, and judge() refuses it. What a move does not use is 0, so that
 * the same words are the same bytes; game_read_numbers() sees to that. */
static bool read_move(struct move *move, char *const words[], int count)
{
	return game_read_numbers(move, 2, words, count);
}

/* The same words again. What this prints of a legal move must be read as that move. */
static void print_move(const struct move *move, char text[GAME_MOVE_TEXT])
{
	text_print(text, GAME_MOVE_TEXT, "%d %d", move->arg[0], move->arg[1]);
}

/* Range, then turn, then what is on the board; the first thing that is wrong is the answer. Believe
 * nothing: `move` may hold any bytes, and the seat may be any. Change nothing. */
static enum ruling judge(const void *state, int seat, const struct move *move)
{
	const struct null_game *game = state;

	if (move->arg[0] != 0 || move->arg[1] != 0)
		return RULING_ILLEGAL;
	if (seat < 0 || seat != game->turn || game->owner != NOBODY)
		return RULING_ILLEGAL;
	return RULING_FINE;
}

/* Why judge() has refused it: each cause has its own sentence, which a person understands who does not know
 * how a move is written. They read it behind ERROR, and a duel that is played again says the same bytes again: so
 * it follows from the state and the move alone, and tells nothing that this seat may not know. */
static void why_not(const void *state, int seat, const struct move *move,
		    char why[GAME_REASON_TEXT])
{
	const struct null_game *game = state;
	const char *reason = game_why_not_now(seat, game->turn);

	if (move->arg[0] != 0 || move->arg[1] != 0)
		reason = "there is no such cell: the only one is 0 0";
	else if (reason == NULL)
		reason = "the cell is taken";
	text_print(why, GAME_REASON_TEXT, "%s", reason);
}

/* Make a move that judge() has called fine, so check nothing again. Everything that the rules let
 * follow from it happens here: captures, points, whose turn is next, the end. One event tells what
 * everybody may know of it; game_say_event() does nothing when the caller wants no words. */
static void play(void *state, int seat, const struct move *move, int64_t now, struct event *event)
{
	struct null_game *game = state;

	game->owner = (int8_t)seat;
	game->turn = -1;
	(void)now;
	game_say_event(event, seat, "%d %d", move->arg[0], move->arg[1]);
}

/* All moves that judge() calls fine, each once, in an order that depends on nothing but the state.
 * Generate them: asking judge() about every move there could be is too slow for a search. */
static int list_moves(const void *state, int seat, struct move *moves)
{
	if (judge(state, seat, &(struct move){0}) != RULING_FINE)
		return 0;
	moves[0] = (struct move){0};
	return 1;
}

/* Whose clock runs; -1 at the end of a round, or always in a game without turns. */
static int turn(const void *state)
{
	const struct null_game *game = state;

	return game->turn;
}

/* Is the round over, who has won, and why: a word of a-z, 0-9 and '-' that is then said in WIN. The
 * end must show in the state; when it is over nobody may move. */
static void outcome(const void *state, struct outcome *outcome)
{
	const struct null_game *game = state;

	*outcome = (struct outcome){.over = game->turn < 0};
	if (!outcome->over || game->owner == NOBODY)
		return;
	outcome->winners = (uint16_t)(1u << game->owner);
	strcpy(outcome->why, "taken");
}

/* Where was it won? Not every end is on the board: `why` may be any word. */
static int list_won(const void *state, const char *why, struct game_cell cells[GAME_WON_MAX])
{
	(void)state;
	if (strcmp(why, "taken") != 0)
		return 0;
	cells[0] = (struct game_cell){0, 0};
	return 1;
}

/* What everybody may see, whole, in one word of printable ASCII. Viewers draw nothing else. */
static size_t print_model(const void *state, char text[GAME_MODEL_MAX])
{
	const struct null_game *game = state;

	text[0] = game->owner == NOBODY ? '.' : (char)('0' + game->owner);
	text[1] = '\0';
	return 1;
}

/* The model comes from the network: refuse what can be no position, and whatever is accepted must
 * be safe in all functions above. A turn of -1 is fine with any model: so it stands in a frame when
 * a round has ended by the clock. What the model does not tell (who has moved how often, what is
 * hidden) gets its most harmless value. */
static bool read_model(void *state, const char *model, int turn)
{
	struct null_game *game = state;

	*game = (struct null_game){.turn = (int8_t)turn, .owner = NOBODY};
	if (strlen(model) != 1 || turn > 1)
		return false;
	if (model[0] == '.')
		return true;
	game->owner = (int8_t)(model[0] - '0');
	return (game->owner == 0 || game->owner == 1) && turn < 0;
}

const struct game null_game = {
    .name = "null",
    .title = "Null game",
    .seats_min = 2,
    .seats_max = 2,

    /* Keys of PLAY. With sides: their names here, and the word of START before the 1 or 0. */
    .has = GAME_HAS_SIDES | GAME_HAS_CLOCK,
    .side_word = "FIRST",
    .side_name = {"first", "second"},
    .side_paint = {SIDE_BLUE, SIDE_ORANGE},
    .first = FIRST_DRAWN,
    .rounds = 1,
    .clock = 120,
    .strict = false,
    .move_help = "x y, both 0",
    .rules = "Goal: to take the only cell. Who begins takes it, and has won.",

    .state_size = sizeof(struct null_game),
    .begin = begin,
    .read_move = read_move,
    .print_move = print_move,
    .judge = judge,
    .why_not = why_not,
    .play = play,
    .list_moves = list_moves,
    .turn = turn,
    .outcome = outcome,
    .list_won = list_won,
    .print_model = print_model,
    .read_model = read_model,

    /*
     * What this game can do without, and when another cannot:
     *
     * picks, pick_move
     *                 more or less is picked to make a move than the cell that its words name: it has other
     *                 numbers, any cell of a column will do, a piece beside the board comes first
     * list_won        a round is won on certain cells
     * refuse          a refused move has a consequence all the same
     * put             the referee can be switched off (--no-valid); games for two only
     * may_move        not just who has the turn may move
     * score           there are points
     * print_rack, read_rack, blind
     *                 somebody must not see everything. What blind() has taken out must be gone
     *                 from the bytes of the state, the generator too; the model stays the same
     * join, leave     seats come and go in mid-round, or there are more than two
     * due, tick       something happens by itself when time has passed
     */
};
