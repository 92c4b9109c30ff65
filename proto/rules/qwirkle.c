/*
 * qwirkle.c - the rules of Qwirkle: bag, racks, turns and the end. The board is
 * qwirkle_board.c, moves in words are qwirkle_moves.c.
 *
 * 108 tiles, six shapes in six colours, three of each; everyone holds six. The seat with the
 * largest set of one kind begins. A turn lays tiles in one line, one `play` each, and `pass` ends
 * it; or it swaps tiles with the bag; or it passes at once. A turn scores the lines that it made.
 * The round ends when a seat has laid its last tile and the bag is empty, when all have passed,
 * after 400 turns, or with all tiles on the board. With cheat=on one may play what one does not
 * hold.
 *
 * What a seat does not know can be taken out of a state: a hidden tile is known to be there, but
 * not what it is, so nobody can play it. A state that was read from a model knows no rack but those
 * that are read into it, nor what has been laid in a turn that goes on.
 *
 * It is pure: it keeps nothing between two calls, and knows no player, no clock and no socket.
 */
#include "proto/rules/qwirkle_hand.h"

#include "proto/wire/line.h"

#include <assert.h>
#include <string.h>

enum { SEATS_MAX = 4, TURNS_MAX = 400, LAST_TILE_BONUS = 6 };

struct qwirkle {
	uint64_t generator;
	int16_t points[SEATS_MAX];
	uint16_t turns; /* that have ended */
	uint8_t seats;	/* 0 where a model did not tell */
	uint8_t out;	/* a bit for each seat that plays no more */
	uint8_t passed; /* a bit for each seat that has passed since the last play or swap */
	int8_t turn;	/* -1 when the round is over */
	bool cheat;
	uint8_t laid; /* tiles in this turn */
	struct qwirkle_place lay[QWIRKLE_KINDS];
	struct qwirkle_hand bag, rack[SEATS_MAX];
	struct qwirkle_board board;
};

static_assert(sizeof(struct qwirkle) <= GAME_STATE_MAX, "a state must fit");

/* ---- turns ---- */

static void fill_rack(struct qwirkle *q, int seat)
{
	struct qwirkle_hand *rack = &q->rack[seat];

	hand_draw(&q->bag, rack, QWIRKLE_RACK - hand_size(rack), &q->generator);
}

/* The seat that begins: a seat that is out holds nothing, so its set is as small as can be. */
static int first_seat(struct qwirkle *q)
{
	int best[SEATS_MAX], count = 0, largest = 1;

	for (int seat = 0; seat < q->seats; seat++) {
		int set = hand_largest_set(&q->rack[seat]);

		if (set > largest)
			count = 0;
		if (set >= largest) {
			largest = set;
			best[count++] = seat;
		}
	}
	return count == 0 ? -1 : best[game_draw(&q->generator, (uint32_t)count)];
}

static bool is_out(const struct qwirkle *q, int seat)
{
	return q->out >> seat & 1;
}

/* -1 when all are out. */
static int next_seat(const struct qwirkle *q)
{
	for (int step = 1; step <= q->seats; step++)
		if (!is_out(q, (q->turn + step) % q->seats))
			return (q->turn + step) % q->seats;
	return -1;
}

static int count_playing(const struct qwirkle *q)
{
	return q->seats - __builtin_popcount(q->out);
}

static void pass_turn_on(struct qwirkle *q)
{
	memset(q->lay, 0, sizeof(q->lay));
	q->laid = 0;
	q->turn = (int8_t)next_seat(q);
}

static bool all_have_passed(const struct qwirkle *q)
{
	return (q->passed | q->out) == (1u << q->seats) - 1;
}

/* Score a turn, and go on to the next unless that was the last. */
static void end_turn(struct qwirkle *q, bool is_last)
{
	if (q->laid > 0) {
		q->points[q->turn] += (int16_t)qwirkle_points(&q->board, q->lay, q->laid);
		fill_rack(q, q->turn);
	}
	q->turns++;
	pass_turn_on(q);
	if (is_last || q->turns == TURNS_MAX)
		q->turn = -1;
}

static void begin(void *state, const struct setup *setup)
{
	struct qwirkle *q = state;

	memset(q, 0, sizeof(*q));
	game_seed(&q->generator, setup->seed);
	q->seats = (uint8_t)setup->seats;
	q->cheat = setup->cheat;
	q->out = (uint8_t)(setup->left & ((1u << setup->seats) - 1));
	memset(q->bag.count, QWIRKLE_OF_EACH, sizeof(q->bag.count));
	for (int seat = 0; seat < q->seats; seat++)
		if (!is_out(q, seat))
			fill_rack(q, seat);
	q->turn = (int8_t)first_seat(q);
}

static int turn(const void *state)
{
	const struct qwirkle *q = state;

	return q->turn;
}

/* ---- moves ---- */

/* The tiles that a seat may lay, wherever that is. */
static uint64_t playable(const struct qwirkle *q, int seat)
{
	uint64_t left = qwirkle_left_to_lay(&q->board);

	return q->cheat ? left : left & hand_tiles(&q->rack[seat]);
}

static bool may_play(const struct qwirkle *q, int seat, const struct move *move)
{
	const int8_t tile = move->arg[0], x = move->arg[1], y = move->arg[2];

	return tile >= 0 && tile < QWIRKLE_TILES && qwirkle_tile_at(&q->board, x, y) < 0 &&
	       qwirkle_in_line(&q->board, q->lay, q->laid, x, y) &&
	       (playable(q, seat) & qwirkle_fitting(&q->board, x, y)) >> tile & 1;
}

static bool may_swap(const struct qwirkle *q, int seat, const struct move *move)
{
	struct qwirkle_hand given;

	if (q->laid > 0 || !hand_of_swap(&given, move) || hand_size(&given) > hand_size(&q->bag))
		return false;
	for (int tile = 0; tile < QWIRKLE_TILES; tile++)
		if (given.count[tile] > q->rack[seat].count[tile])
			return false;
	return true;
}

static enum ruling judge(const void *state, int seat, const struct move *move)
{
	const struct qwirkle *q = state;
	bool fine;

	if (seat < 0 || seat != q->turn)
		return RULING_ILLEGAL;
	if (move->kind == QWIRKLE_PLAY)
		fine = may_play(q, seat, move);
	else if (move->kind == QWIRKLE_SWAP)
		fine = may_swap(q, seat, move);
	else
		fine = move->kind == QWIRKLE_PASS;
	return fine ? RULING_FINE : RULING_ILLEGAL;
}

/* Nobody may know from this what others hold: it tells of the board, of this seat's own tiles and of how many
 * there are in the bag. */
static void why_not_play(const struct qwirkle *q, const struct move *move,
			 char why[GAME_REASON_TEXT])
{
	const int8_t tile = move->arg[0], x = move->arg[1], y = move->arg[2];
	char word[3];

	qwirkle_print_tile(tile, word);
	if (tile < 0 || tile >= QWIRKLE_TILES)
		text_print(why, GAME_REASON_TEXT, "there is no such tile: they are a1 to f6");
	else if (qwirkle_why_not_there(&q->board, tile, x, y, why))
		return;
	else if (!qwirkle_in_line(&q->board, q->lay, q->laid, x, y))
		text_print(why, GAME_REASON_TEXT,
			   "the tiles of a turn lie in one line, without a gap");
	else if (!(qwirkle_left_to_lay(&q->board) >> tile & 1))
		text_print(why, GAME_REASON_TEXT, "all three %s lie on the board", word);
	else
		text_print(why, GAME_REASON_TEXT, "you hold no %s", word);
}

static void why_not_swap(const struct qwirkle *q, int seat, const struct move *move,
			 char why[GAME_REASON_TEXT])
{
	struct qwirkle_hand given;
	const int8_t count = move->arg[QWIRKLE_SWAP_COUNT];
	char word[3];

	if (q->laid > 0)
		text_print(why, GAME_REASON_TEXT, "you have played in this turn: end it with pass");
	else if (count < 1 || count > QWIRKLE_RACK)
		text_print(why, GAME_REASON_TEXT, "a swap is of one to six tiles");
	else if (!hand_of_swap(&given, move))
		text_print(why, GAME_REASON_TEXT, "there is no such tile: they are a1 to f6");
	else if (hand_size(&given) > hand_size(&q->bag))
		text_print(why, GAME_REASON_TEXT, "the bag does not have as many tiles: it has %d",
			   hand_size(&q->bag));
	else
		for (int tile = 0; tile < QWIRKLE_TILES; tile++)
			if (given.count[tile] > q->rack[seat].count[tile]) {
				qwirkle_print_tile(tile, word);
				text_print(why, GAME_REASON_TEXT, "you hold %s %s",
					   q->rack[seat].count[tile] == 0 ? "no" : "fewer", word);
			}
}

static void why_not(const void *state, int seat, const struct move *move,
		    char why[GAME_REASON_TEXT])
{
	const struct qwirkle *q = state;
	const char *reason = game_why_not_now(seat, q->turn);

	if (reason == NULL && move->kind > QWIRKLE_PASS)
		reason = "there is no such move";
	if (reason != NULL)
		text_print(why, GAME_REASON_TEXT, "%s", reason);
	else if (move->kind == QWIRKLE_PLAY)
		why_not_play(q, move, why);
	else
		why_not_swap(q, seat, move, why);
}

static void play_tile(struct qwirkle *q, int seat, const struct move *move)
{
	struct qwirkle_place place = {move->arg[1], move->arg[2], (uint8_t)move->arg[0]};
	struct qwirkle_hand *rack = &q->rack[seat];
	bool was_last;

	if (rack->count[place.tile] > 0)
		rack->count[place.tile]--;
	qwirkle_add(&q->board, place);
	q->lay[q->laid++] = place;
	q->passed = 0;
	was_last = hand_size(rack) == 0 && hand_size(&q->bag) == 0;
	if (was_last)
		q->points[seat] += LAST_TILE_BONUS;
	if (was_last || q->board.count == QWIRKLE_ALL)
		end_turn(q, true);
}

/* The new tiles are drawn before the old ones go back, so that nobody draws their own. */
static void swap_tiles(struct qwirkle *q, int seat, const struct move *move)
{
	struct qwirkle_hand *rack = &q->rack[seat];
	struct qwirkle_hand given;

	hand_of_swap(&given, move);
	for (int tile = 0; tile < QWIRKLE_TILES; tile++)
		rack->count[tile] -= given.count[tile];
	hand_draw(&q->bag, rack, hand_size(&given), &q->generator);
	hand_move_all(&given, &q->bag);
	q->passed = 0;
	end_turn(q, false);
}

static void pass(struct qwirkle *q, int seat)
{
	if (q->laid == 0)
		q->passed |= (uint8_t)(1u << seat);
	end_turn(q, all_have_passed(q));
}

static void play(void *state, int seat, const struct move *move, int64_t now, struct event *event)
{
	struct qwirkle *q = state;
	char words[GAME_MOVE_TEXT];

	(void)now;
	if (move->kind == QWIRKLE_SWAP) {
		swap_tiles(q, seat, move);
		game_say_event(event, seat, "swap %d", move->arg[QWIRKLE_SWAP_COUNT]);
		return;
	}
	if (move->kind == QWIRKLE_PLAY)
		play_tile(q, seat, move);
	else
		pass(q, seat);
	qwirkle_print_move(move, words);
	game_say_event(event, seat, "%s", words);
}

static int list_plays(const struct qwirkle *q, int seat, struct move *moves)
{
	struct qwirkle_place cells[QWIRKLE_CELLS_MAX];
	uint64_t tiles = playable(q, seat);
	int count = 0, open = qwirkle_open_cells(&q->board, cells);

	for (int i = 0; i < open; i++) {
		uint64_t fitting;

		if (!qwirkle_in_line(&q->board, q->lay, q->laid, cells[i].x, cells[i].y))
			continue;
		fitting = tiles & qwirkle_fitting(&q->board, cells[i].x, cells[i].y);
		for (int tile = 0; tile < QWIRKLE_TILES; tile++)
			if (fitting >> tile & 1)
				moves[count++] = (struct move){
				    .kind = QWIRKLE_PLAY,
				    .arg = {(int8_t)tile, cells[i].x, cells[i].y}};
	}
	return count;
}

/* Beside an empty cell lies a tile, and with it fit ten others; there are at most 218 such cells
 * (two for each tile and two more). So there is room for all moves, with cheat=on too. */
static int list_moves(const void *state, int seat, struct move *moves)
{
	const struct qwirkle *q = state;
	struct move swap;
	int count;

	if (seat < 0 || seat != q->turn)
		return 0;
	count = list_plays(q, seat, moves);
	moves[count++] = (struct move){.kind = QWIRKLE_PASS};
	hand_to_swap(&q->rack[seat], &swap);
	if (q->rack[seat].hidden == 0 && may_swap(q, seat, &swap))
		moves[count++] = swap;
	return count;
}

/* ---- the end ---- */

/* Nobody has won with nothing on the board. */
static void outcome(const void *state, struct outcome *outcome)
{
	const struct qwirkle *q = state;
	int most = 0;

	*outcome = (struct outcome){.over = q->turn < 0};
	if (!outcome->over)
		return;
	strcpy(outcome->why, "points");
	for (int seat = 0; seat < q->seats && q->board.count > 0; seat++) {
		if (is_out(q, seat))
			continue;
		if (q->points[seat] > most) {
			most = q->points[seat];
			outcome->winners = 0;
		}
		if (q->points[seat] == most)
			outcome->winners |= (uint16_t)(1u << seat);
	}
}

static int score(const void *state, int seat)
{
	const struct qwirkle *q = state;

	return seat >= 0 && seat < SEATS_MAX ? q->points[seat] : 0;
}

/* Out in the middle of one's turn: what was laid stays, and scores for nobody. With one seat left
 * nobody moves any more: it has won, and the table has the word for why. */
static bool leave(void *state, int seat, struct event *event)
{
	struct qwirkle *q = state;

	if (seat < 0 || seat >= q->seats || is_out(q, seat))
		return false;
	if (q->turn < 0 && count_playing(q) > 1)
		return false; /* it is over otherwise */
	q->out |= (uint8_t)(1u << seat);
	hand_move_all(&q->rack[seat], &q->bag);
	if (seat == q->turn || count_playing(q) < 2)
		pass_turn_on(q);
	if (count_playing(q) < 2)
		q->turn = -1;
	game_say_event(event, seat, "out");
	return true;
}

/* ---- text, and what is hidden ---- */

static size_t print_model(const void *state, char text[GAME_MODEL_MAX])
{
	const struct qwirkle *q = state;

	return qwirkle_print_board(&q->board, hand_size(&q->bag), text);
}

static bool read_model(void *state, const char *model, int turn)
{
	struct qwirkle *q = state;
	int bag;

	memset(q, 0, sizeof(*q));
	if (turn >= SEATS_MAX || !qwirkle_read_board(&q->board, &bag, model))
		return false;
	q->bag.hidden = (uint8_t)bag;
	q->turn = (int8_t)(turn < 0 ? -1 : turn);
	if (turn >= 0)
		q->seats = (uint8_t)(turn > 1 ? turn + 1 : 2);
	return true;
}

static void print_rack(const void *state, int seat, char text[GAME_RACK_TEXT])
{
	const struct qwirkle *q = state;

	text[0] = '\0';
	if (seat >= 0 && seat < SEATS_MAX)
		hand_print(&q->rack[seat], text);
}

static bool read_rack(void *state, int seat, char *const words[], int count)
{
	struct qwirkle *q = state;

	return seat >= 0 && seat < SEATS_MAX && hand_read(&q->rack[seat], words, count);
}

static void blind(void *state, int seat)
{
	struct qwirkle *q = state;

	for (int other = 0; other < SEATS_MAX; other++)
		if (other != seat)
			hand_hide(&q->rack[other]);
	hand_hide(&q->bag);
	q->generator = 0;
}

const struct game qwirkle_game = {
    .name = "qwirkle",
    .title = "Qwirkle",
    .seats_min = 2,
    .seats_max = SEATS_MAX,
    .has = GAME_HAS_CLOCK | GAME_HAS_SEATS | GAME_HAS_CHEAT,
    .side_word = "SEAT",
    .first = FIRST_BY_RULES,
    .rounds = 1,
    .clock = 120,
    .strict = false,
    .move_help = "play b4 x y, swap b4 ..., or pass; tiles are a1 to f6",
    .rules = "Goal: the most points. There are 108 tiles, three of each. Shapes: a diamond, b "
	     "square, c circle, d star, e cross, f asterisk. Colours: 1 blue, 2 white, 3 orange, 4 "
	     "purple, 5 red, 6 green. So b4 is a purple square.\n"
	     "Turn: play one tile or more, and pass; or swap some of yours with the bag; or just "
	     "pass. At its end you have six tiles again, while there are some.\n"
	     "Lines: a row or a column has tiles of one shape in different colours, or of one "
	     "colour in different shapes: six at most. A tile touches another one. The tiles of "
	     "one turn lie in one line without a gap.\n"
	     "Points: at the end of a turn, one for each tile of each line that it has made or "
	     "made longer; six more for a line of six.\n"
	     "End: who plays their last tile when the bag is empty gets 6 points, and it is over. "
	     "So it is when all have passed, and after 400 turns. Several who have the most points "
	     "share the win.",
    .state_size = sizeof(struct qwirkle),
    .begin = begin,
    .read_move = qwirkle_read_move,
    .print_move = qwirkle_print_move,
    .judge = judge,
    .why_not = why_not,
    .play = play,
    .list_moves = list_moves,
    .turn = turn,
    .outcome = outcome,
    .picks = qwirkle_picks,
    .pick_move = qwirkle_pick_move,
    .print_model = print_model,
    .read_model = read_model,
    .score = score,
    .print_rack = print_rack,
    .read_rack = read_rack,
    .blind = blind,
    .leave = leave,
};
