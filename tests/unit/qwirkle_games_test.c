/*
 * qwirkle_games_test - random rounds of Qwirkle to their end, with 2, 3 and 4 seats.
 *
 * After each move all is checked that must always hold. Legality, scores, turns and the end are
 * found out here once more, in the plainest way, from nothing but models, racks and events.
 * The number of rounds is the first argument.
 */
#include "tests/unit/qwirkle.h"

enum { FAR = 100, GRID = 2 * FAR, REACH = 95 };

/* What a spectator who sees all racks knows of a round. */
struct book {
	char letter[GRID][GRID], digit[GRID][GRID]; /* [y + FAR][x + FAR], '\0' is empty */
	int on_board, from_nowhere;
	int count[6][6]; /* of each tile on the board */
	int seats, turn, turns, points[4];
	unsigned out, passed;
	bool cheat, over;
	int laid, x[6], y[6];
};

/* How often a round ended so, over all rounds: each way must come. */
static long ended_by_last_tile, ended_by_passing, ended_by_limit, ended_by_full_board, went_out;

static uint64_t chance;

static int draw(int below)
{
	return (int)game_draw(&chance, (uint32_t)below);
}

static bool taken(const struct book *book, int x, int y)
{
	return book->letter[y + FAR][x + FAR] != '\0';
}

/* Where the line through a cell begins, and how many tiles it has. */
static int line_at(const struct book *book, int *x, int *y, int dx, int dy)
{
	int length = 0;

	while (taken(book, *x - dx, *y - dy)) {
		*x -= dx;
		*y -= dy;
	}
	while (taken(book, *x + length * dx, *y + length * dy))
		length++;
	return length;
}

static bool line_is_valid(const struct book *book, int x, int y, int dx, int dy)
{
	int length = line_at(book, &x, &y, dx, dy);
	bool one_letter = true, one_digit = true;

	for (int i = 0; i < length; i++)
		for (int j = i + 1; j < length; j++) {
			int x1 = x + i * dx + FAR, y1 = y + i * dy + FAR;
			int x2 = x + j * dx + FAR, y2 = y + j * dy + FAR;
			bool same_letter = book->letter[y1][x1] == book->letter[y2][x2];
			bool same_digit = book->digit[y1][x1] == book->digit[y2][x2];

			if (same_letter && same_digit)
				return false;
			one_letter &= same_letter;
			one_digit &= same_digit;
		}
	return length <= 6 && (one_letter || one_digit);
}

/* The lines through the tiles of this turn, each once. */
static int points_of_turn(const struct book *book)
{
	int start_x[12], start_y[12], direction[12], lines = 0, points = 0;

	for (int i = 0; i < 2 * book->laid; i++) {
		int x = book->x[i / 2], y = book->y[i / 2];
		int length = line_at(book, &x, &y, i % 2, !(i % 2));
		bool counted = length < 2;

		for (int j = 0; j < lines; j++)
			counted |= start_x[j] == x && start_y[j] == y && direction[j] == i % 2;
		if (counted)
			continue;
		start_x[lines] = x;
		start_y[lines] = y;
		direction[lines++] = i % 2;
		points += length == 6 ? 12 : length;
	}
	return points > 0 ? points : 1;
}

/* Are these all in one row, or one column, with tiles on all cells between them? */
static bool is_one_line(const struct book *book, const int *along, const int *across, int count,
			bool is_row)
{
	int least = along[0], most = along[0];

	for (int i = 1; i < count; i++) {
		if (across[i] != across[0])
			return false;
		least = along[i] < least ? along[i] : least;
		most = along[i] > most ? along[i] : most;
	}
	for (int at = least; at <= most; at++)
		if (!taken(book, is_row ? at : across[0], is_row ? across[0] : at))
			return false;
	return true;
}

static int *count_of(struct book *book, const char *tile)
{
	return &book->count[tile[0] - 'a'][tile[1] - '1'];
}

static bool fits(struct book *book, const char *tile, int x, int y)
{
	int xs[7], ys[7];
	bool good;

	if (x < -REACH || x > REACH || y < -REACH || y > REACH || taken(book, x, y) ||
	    book->laid == 6)
		return false;
	if (book->on_board == 0 ? x != 0 || y != 0
				: !taken(book, x - 1, y) && !taken(book, x + 1, y) &&
				      !taken(book, x, y - 1) && !taken(book, x, y + 1))
		return false;
	book->letter[y + FAR][x + FAR] = tile[0];
	book->digit[y + FAR][x + FAR] = tile[1];
	memcpy(xs, book->x, sizeof(book->x));
	memcpy(ys, book->y, sizeof(book->y));
	xs[book->laid] = x;
	ys[book->laid] = y;
	good = line_is_valid(book, x, y, 1, 0) && line_is_valid(book, x, y, 0, 1) &&
	       (is_one_line(book, xs, ys, book->laid + 1, true) ||
		is_one_line(book, ys, xs, book->laid + 1, false));
	book->letter[y + FAR][x + FAR] = book->digit[y + FAR][x + FAR] = '\0';
	return good;
}

static bool is_legal(struct book *book, const char *rack, const char *tile, int x, int y)
{
	return (book->cheat || strstr(rack, tile) != NULL) && fits(book, tile, x, y) &&
	       *count_of(book, tile) < 3;
}

static bool judged_fine(const union game_state *state, int seat, const char *tile, int x, int y)
{
	char text[GAME_MOVE_TEXT];
	struct move move;

	snprintf(text, sizeof(text), "play %s %d %d", tile, x, y);
	CHECK(read_words(&move, text));
	return game->judge(state, seat, &move) == RULING_FINE;
}

static void next_turn(struct book *book)
{
	book->laid = 0;
	do
		book->turn = (book->turn + 1) % book->seats;
	while (book->out >> book->turn & 1);
}

static void end_turn(struct book *book, long *why)
{
	if (book->laid > 0)
		book->points[book->turn] += points_of_turn(book);
	if (why == NULL && ++book->turns == 400)
		why = &ended_by_limit;
	if (why != NULL) {
		++*why;
		book->over = true;
	}
	next_turn(book);
}

/* Enter a move, of which the state has been told too. */
static void enter_move(struct book *book, const char *text, const char *rack, int bag)
{
	char tile[3];
	int x, y;

	if (strncmp(text, "swap", 4) == 0) {
		book->passed = 0;
		end_turn(book, NULL);
	} else if (strcmp(text, "pass") == 0) {
		if (book->laid == 0)
			book->passed |= 1u << book->turn;
		end_turn(book, (book->passed | book->out) == (1u << book->seats) - 1
				   ? &ended_by_passing
				   : NULL);
	} else if (sscanf(text, "play %2s %d %d", tile, &x, &y) == 3) {
		bool held = strstr(rack, tile) != NULL;

		book->letter[y + FAR][x + FAR] = tile[0];
		book->digit[y + FAR][x + FAR] = tile[1];
		book->x[book->laid] = x;
		book->y[book->laid++] = y;
		book->on_board++;
		++*count_of(book, tile);
		book->from_nowhere += !held;
		book->passed = 0;
		if ((strlen(rack) <= 2 && (held || rack[0] == '\0')) && bag == 0) {
			book->points[book->turn] += 6;
			end_turn(book, &ended_by_last_tile);
		} else if (book->on_board == 108) {
			end_turn(book, &ended_by_full_board);
		}
	} else {
		check_fail(text);
	}
}

/* The board by its model, tile for tile, against the book. */
static void check_board(const union game_state *state, struct book *book)
{
	char model[GAME_MODEL_MAX], *next = model, *word;
	int tiles = 0, before_x = 0, before_y = -FAR, held = 0;

	game->print_model(state, model);
	strsep(&next, "/");
	while ((word = strsep(&next, "/")) != NULL) {
		char tile[3];
		int x, y;

		CHECK(sscanf(word, "%2s,%d,%d", tile, &x, &y) == 3);
		CHECK(y > before_y || (y == before_y && x > before_x));
		CHECK(book->letter[y + FAR][x + FAR] == tile[0] &&
		      book->digit[y + FAR][x + FAR] == tile[1]);
		CHECK(line_is_valid(book, x, y, 1, 0) && line_is_valid(book, x, y, 0, 1));
		CHECK(*count_of(book, tile) <= 3);
		before_x = x;
		before_y = y;
		tiles++;
	}
	for (int seat = 0; seat < book->seats; seat++)
		held += rack_size(state, seat);
	CHECK(tiles == book->on_board);
	CHECK(tiles + held + bag_size(state) == 108 + book->from_nowhere);
}

/* The model can be read back, and is all that the public knows. */
static void check_model_again(const union game_state *state, const struct book *book)
{
	union game_state read, blind = *state;
	char model[GAME_MODEL_MAX], rack[GAME_RACK_TEXT];
	struct move move;
	int seat = draw(book->seats);

	game->print_model(state, model);
	CHECK(game->read_model(&read, model, game->turn(state)));
	CHECK(game->turn(&read) == game->turn(state));
	check_model(&read, model);
	game->print_rack(state, seat, rack);
	game->blind(&blind, seat);
	check_model(&blind, model);
	check_rack(&blind, seat, rack);
	for (int other = 0; other < book->seats; other++)
		CHECK(rack_size(&blind, other) == rack_size(state, other));
	for (size_t i = 0; i < sizeof(move); i++)
		((unsigned char *)&move)[i] = (unsigned char)draw(256);
	move.kind %= 4;
	(void)game->judge(&read, draw(12) - 1, &move);
	if (game->judge(state, book->turn, &move) == RULING_FINE)
		CHECK(move.kind != 3 && !book->over);
	CHECK(game->judge(state, (book->turn + 1) % book->seats, &move) == RULING_ILLEGAL);
}

static void check_end_of_round(const union game_state *state, const struct book *book)
{
	struct outcome outcome = outcome_of(state);
	int most = -1;
	unsigned winners = 0;

	CHECK(outcome.over == book->over);
	CHECK(game->turn(state) == (book->over ? -1 : book->turn));
	for (int seat = 0; seat < book->seats; seat++) {
		CHECK(game->score(state, seat) == book->points[seat]);
		if (book->out >> seat & 1)
			continue;
		if (book->points[seat] > most)
			winners = 0;
		if (book->points[seat] >= most)
			winners |= 1u << seat;
		most = book->points[seat] > most ? book->points[seat] : most;
	}
	if (outcome.over)
		CHECK(outcome.winners == (book->on_board > 0 ? winners : 0) &&
		      strcmp(outcome.why, "points") == 0);
}

/* A player who knows the board and his own rack finds the plays that the referee lists. */
static void check_own_view(const union game_state *state, const struct book *book,
			   const struct move *moves, int count)
{
	static struct move own[GAME_MOVES_MAX];
	union game_state view;
	char model[GAME_MODEL_MAX], rack[GAME_RACK_TEXT];
	struct words words;

	if (book->laid > 0 || book->cheat)
		return;
	game->print_model(state, model);
	game->print_rack(state, book->turn, rack);
	CHECK(game->read_model(&view, model, book->turn) && line_split(rack, &words) &&
	      game->read_rack(&view, book->turn, words.word, words.count));
	CHECK(game->list_moves(&view, book->turn, own) == count);
	CHECK(memcmp(own, moves, (size_t)count * sizeof(*own)) == 0);
}

/* What is listed is fine, and nothing else is: all tiles in all cells around, or some of them. */
static void check_moves(const union game_state *state, struct book *book, const struct move *moves,
			int count, bool all)
{
	char rack[GAME_RACK_TEXT];
	int plays = 0, found = 0, x, y;

	game->print_rack(state, book->turn, rack);
	for (int i = 0; i < count; i++) {
		struct move read;
		char text[GAME_MOVE_TEXT];

		CHECK(game->judge(state, book->turn, &moves[i]) == RULING_FINE);
		game->print_move(&moves[i], text);
		CHECK(read_words(&read, text) && memcmp(&read, &moves[i], sizeof(read)) == 0);
		if (sscanf(text, "play %*s %d %d", &x, &y) == 2)
			plays += abs(x) <= 12 && abs(y) <= 12;
	}
	for (int i = 0; i < (all ? 25 * 25 * 36 : 20); i++) {
		int pick = all ? i : draw(25 * 25 * 36);
		char tile[3] = {(char)('a' + pick % 6), (char)('1' + pick / 6 % 6), '\0'};
		bool legal;

		x = pick / 36 % 25 - 12;
		y = pick / 36 / 25 - 12;
		legal = is_legal(book, rack, tile, x, y);

		CHECK(judged_fine(state, book->turn, tile, x, y) == legal);
		found += legal;
	}
	CHECK(!all || found == plays);
}

enum temper { PLAYS, IDLES, SWAPS };

/* Which of the listed moves: plays come first in the list, then `pass`, then the swap. */
static int choose(int count, enum temper temper)
{
	if (temper == SWAPS)
		return draw(40) == 0 ? draw(count) : count - 1;
	if (temper == IDLES || count == 1 || draw(12) == 0)
		return draw(count);
	return draw(count - 1);
}

static void seat_goes_out(union game_state *state, struct book *book)
{
	int seat = draw(book->seats), left = book->seats - __builtin_popcount(book->out);
	struct event event;
	bool goes = !(book->out >> seat & 1);

	if (goes && left == 2)
		return;
	CHECK(game->leave(state, seat, &event) == goes);
	if (!goes)
		return;
	CHECK(event.seat == seat && strcmp(event.text, "out") == 0);
	CHECK(rack_size(state, seat) == 0);
	book->out |= 1u << seat;
	if (seat == book->turn)
		next_turn(book);
	went_out++;
}

static void play_move(union game_state *state, struct book *book, const struct move *move)
{
	char text[GAME_MOVE_TEXT], rack[GAME_RACK_TEXT], expected[GAME_EVENT_TEXT];
	struct event event;
	int seat = book->turn, bag = bag_size(state);

	game->print_move(move, text);
	game->print_rack(state, seat, rack);
	snprintf(expected, sizeof(expected), "%s", text);
	if (strncmp(text, "swap", 4) == 0)
		snprintf(expected, sizeof(expected), "swap %d", (int)(strlen(text) - 4) / 3);
	game->play(state, seat, move, 0, &event);
	check_text(event.text, expected);
	CHECK(event.seat == seat);
	enter_move(book, text, rack, bag);
}

static void play_round(long round)
{
	static struct move moves[GAME_MOVES_MAX];
	static struct book book;
	union game_state state;
	enum temper temper = round % 16 == 3 ? IDLES : round % 64 == 5 ? SWAPS : PLAYS;

	memset(&book, 0, sizeof(book));
	book.seats = 2 + (int)(round % 3);
	book.cheat = round / 3 % 4 == 3;
	start(&state, book.seats, (uint64_t)round, book.cheat);
	book.turn = game->turn(&state);
	while (!book.over) {
		int count = game->list_moves(&state, book.turn, moves);

		CHECK(count > 0 && count <= GAME_MOVES_MAX);
		check_moves(&state, &book, moves, count, draw(200) == 0);
		check_own_view(&state, &book, moves, count);
		if (book.seats > 2 && round % 2 && draw(60) == 0)
			seat_goes_out(&state, &book);
		else
			play_move(&state, &book, &moves[choose(count, temper)]);
		check_end_of_round(&state, &book);
		check_board(&state, &book);
		check_model_again(&state, &book);
	}
	for (int seat = -1; seat < 5; seat++)
		CHECK(game->list_moves(&state, seat, moves) == 0);
	CHECK(!game->leave(&state, 0, NULL));
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1000;

	game = game_find("qwirkle");
	if (game == NULL)
		return 1;
	game_seed(&chance, 20);
	for (long round = 0; round < rounds; round++)
		play_round(round);
	CHECK(rounds < 1000 || (ended_by_last_tile > 0 && ended_by_passing > 0 &&
				ended_by_limit > 0 && ended_by_full_board > 0 && went_out > 0));
	return check_end();
}
