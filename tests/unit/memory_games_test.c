/*
 * memory_games_test [GAMES] - random games of memory to their end, with seats that come and go and
 * a clock that is only a number.
 *
 * Beside each game a book is kept by somebody who has looked under all cards at the start and since
 * then only hears the events. What the rules say must agree with it after each step.
 */
#include "proto/rules/game.h"
#include "tests/unit/check.h"

enum { CARDS_MAX = 100, SEATS = GAME_SEATS_MAX, STEPS_MAX = 20000 };

#define NEVER INT64_MAX

struct book {
	union game_state state;
	int64_t now;
	int size, seats;
	char text[CARDS_MAX][3];
	char model[GAME_MODEL_MAX];
	bool present[SEATS];
	int up[SEATS], first[SEATS], points[SEATS];
	int64_t deadline[SEATS];
};

static const struct game *game;
static uint64_t chance;

static int draw(int below)
{
	return (int)game_draw(&chance, (uint32_t)below);
}

static struct move move_to(int x, int y)
{
	return (struct move){.arg = {(int8_t)x, (int8_t)y}};
}

static void show(struct book *book, int cell, char who)
{
	memcpy(book->model + (size_t)cell * 3, who == '.' ? ".." : book->text[cell], 2);
	book->model[cell * 3 + 2] = who;
}

/* Look under every card, in copies; each text must be there twice. */
static void look(struct book *book)
{
	for (int cell = 0; cell < book->size * book->size; cell++) {
		union game_state copy = book->state;
		struct move move = move_to(cell % book->size, cell / book->size);
		char model[GAME_MODEL_MAX];

		game->play(&copy, 0, &move, 0, NULL);
		game->print_model(&copy, model);
		memcpy(book->text[cell], model + (size_t)cell * 3, 2);
		show(book, cell, '.');
	}
	for (int cell = 0; cell < book->size * book->size; cell++) {
		int alike = 0;

		for (int other = 0; other < book->size * book->size; other++)
			alike += strcmp(book->text[cell], book->text[other]) == 0;
		CHECK(alike == 2);
	}
}

static void start(struct book *book, int size, int seats)
{
	memset(book, 0, sizeof(*book));
	book->size = size;
	book->seats = seats;
	book->now = 1000000;
	game->begin(&book->state, &(struct setup){.seed = (uint64_t)draw(INT32_MAX) << 31 |
							  (uint64_t)draw(INT32_MAX),
						  .seats = seats,
						  .size = size});
	for (int seat = 0; seat < SEATS; seat++) {
		book->present[seat] = seat < seats;
		book->deadline[seat] = NEVER;
	}
	look(book);
}

/* How many are there. */
static int count_present(const struct book *book)
{
	int count = 0;

	for (int seat = 0; seat < SEATS; seat++)
		count += book->present[seat];
	return count;
}

static void hear_first(struct book *book, int seat, int cell, const struct event *said)
{
	char expected[GAME_EVENT_TEXT];

	snprintf(expected, sizeof(expected), "first %d %d %s", cell % book->size, cell / book->size,
		 book->text[cell]);
	check_text(said->text, expected);
	book->up[seat] = 1;
	book->first[seat] = cell;
	book->deadline[seat] = book->now + 5000;
	show(book, cell, (char)('A' + seat));
}

static void hear_second(struct book *book, int seat, int cell, const struct event *said)
{
	char expected[GAME_EVENT_TEXT];
	int first = book->first[seat], x1 = first % book->size, y1 = first / book->size;
	int x2 = cell % book->size, y2 = cell / book->size;

	if (strcmp(book->text[first], book->text[cell]) == 0) {
		snprintf(expected, sizeof(expected), "right %d %d %d %d %s", x1, y1, x2, y2,
			 book->text[cell]);
		book->points[seat] += 2;
		book->up[seat] = 0;
		book->deadline[seat] = NEVER;
		show(book, first, (char)('0' + seat));
		show(book, cell, (char)('0' + seat));
	} else {
		snprintf(expected, sizeof(expected), "wrong %d %d %s %d %d %s", x1, y1,
			 book->text[first], x2, y2, book->text[cell]);
		book->up[seat] = 2;
		book->deadline[seat] = book->now + 2000;
		show(book, cell, (char)('A' + seat));
	}
	check_text(said->text, expected);
}

static void hear_hide(struct book *book, const struct event *said)
{
	int x1, y1, x2, y2, count, seat = said->seat;
	char mark = (char)('A' + seat);

	count = sscanf(said->text, "hide %d %d %d %d", &x1, &y1, &x2, &y2);
	CHECK(count == 2 * book->up[seat]);
	if (count != 2 && count != 4)
		return;
	CHECK(y1 * book->size + x1 == book->first[seat]);
	show(book, book->first[seat], '.');
	if (count == 4) {
		CHECK(book->model[3 * (y2 * book->size + x2) + 2] == mark);
		show(book, y2 * book->size + x2, '.');
	}
	book->up[seat] = 0;
	book->deadline[seat] = NEVER;
}

/* What a pick should be answered, as far as the book knows. */
static enum ruling expect_ruling(const struct book *book, int seat, int x, int y)
{
	if (count_present(book) < 2)
		return RULING_FROZEN;
	if (!book->present[seat])
		return RULING_ILLEGAL;
	if (book->up[seat] == 2)
		return RULING_WAIT;
	if (x < 0 || x >= book->size || y < 0 || y >= book->size)
		return RULING_ILLEGAL;
	return book->model[3 * (y * book->size + x)] == '.' ? RULING_FINE : RULING_FILLED;
}

static void pick(struct book *book, int seat, int x, int y)
{
	struct move move = move_to(x, y);
	enum ruling ruling = game->judge(&book->state, seat, &move);
	union game_state before = book->state;
	struct event said = {.seat = -1};
	bool hides = ruling == RULING_FILLED && book->up[seat] == 1;

	CHECK(ruling == expect_ruling(book, seat, x, y));
	if (ruling != RULING_FINE) {
		CHECK(game->refuse(&book->state, seat, ruling, &said) == hides);
		CHECK(hides || memcmp(&before, &book->state, game->state_size) == 0);
		if (hides)
			hear_hide(book, &said);
		return;
	}
	game->play(&book->state, seat, &move, book->now, &said);
	CHECK(said.seat == seat);
	if (book->up[seat] == 0)
		hear_first(book, seat, y * book->size + x, &said);
	else
		hear_second(book, seat, y * book->size + x, &said);
}

static void pick_any(struct book *book)
{
	int seat = draw(SEATS), x = draw(book->size + 2) - 1, y = draw(book->size + 2) - 1;

	/* somebody who remembers, or the large boards would never end */
	if (book->up[seat] == 1 && draw(2) == 0)
		for (int cell = 0; cell < book->size * book->size; cell++)
			if (cell != book->first[seat] &&
			    strcmp(book->text[cell], book->text[book->first[seat]]) == 0) {
				x = cell % book->size;
				y = cell / book->size;
			}
	pick(book, seat, x, y);
}

static void join(struct book *book)
{
	struct event said;

	game->join(&book->state, &said);
	check_text(said.text, "join");
	CHECK(said.seat == book->seats);
	book->present[book->seats++] = true;
}

static void leave(struct book *book, int seat)
{
	struct event said = {.seat = -1};

	if (book->up[seat] > 0) {
		CHECK(game->leave(&book->state, seat, &said) && said.seat == seat);
		hear_hide(book, &said);
	}
	if (book->present[seat]) {
		CHECK(game->leave(&book->state, seat, &said) && said.seat == seat);
		check_text(said.text, "leave");
		book->present[seat] = false;
	}
	CHECK(!game->leave(&book->state, seat, &said));
}

/* Time goes on by a little, and everything that is due is done, the earliest first. */
static void pass_time(struct book *book)
{
	struct event said = {.seat = -1};
	int64_t due = game->due(&book->state), last = 0;

	/* sometimes to the very moment, or to the last before it */
	if (due != NEVER && draw(4) == 0)
		book->now = due - (due > book->now + 1 && draw(2) == 0);
	else
		book->now += draw(1500);
	while ((due = game->due(&book->state)) <= book->now) {
		CHECK(due >= last);
		last = due;
		CHECK(game->tick(&book->state, book->now, &said));
		CHECK(book->deadline[said.seat] == due);
		hear_hide(book, &said);
	}
	CHECK(!game->tick(&book->state, book->now, &said));
}

static void check_moves(const struct book *book, const union game_state *read)
{
	struct move moves[CARDS_MAX], others[CARDS_MAX];

	for (int seat = 0; seat < SEATS; seat++) {
		int count = game->list_moves(&book->state, seat, moves), down = 0;

		for (int cell = 0; cell < book->size * book->size; cell++)
			down += book->model[3 * cell] == '.';
		for (int i = 0; i < count; i++)
			CHECK(game->judge(&book->state, seat, &moves[i]) == RULING_FINE);
		if (!game->may_move(&book->state, seat)) {
			CHECK(count == 0);
			continue;
		}
		CHECK(count == down && book->present[seat] && book->up[seat] < 2);
		CHECK(game->list_moves(read, seat, others) == count);
		CHECK(memcmp(moves, others, (size_t)count * sizeof(moves[0])) == 0);
	}
}

static void check_all(const struct book *book)
{
	union game_state read, blinded = book->state;
	char model[GAME_MODEL_MAX];
	int64_t due = NEVER;

	game->print_model(&book->state, model);
	check_text(model, book->model);
	CHECK(game->read_model(&read, model, -1));
	game->print_model(&read, model);
	check_text(model, book->model);
	game->blind(&blinded, -1);
	game->print_model(&blinded, model);
	check_text(model, book->model);
	for (int seat = 0; seat < SEATS; seat++) {
		CHECK(game->score(&book->state, seat) == book->points[seat]);
		CHECK(game->score(&read, seat) == book->points[seat]);
		if (book->deadline[seat] < due)
			due = book->deadline[seat];
	}
	CHECK(game->due(&book->state) == due && due > book->now);
	check_moves(book, &read);
}

static bool check_outcome(const struct book *book)
{
	struct outcome outcome;
	int all = 0, most = 0;
	unsigned winners = 0;

	for (int seat = 0; seat < SEATS; seat++) {
		all += book->points[seat];
		if (book->present[seat] && book->points[seat] > most)
			most = book->points[seat];
	}
	game->outcome(&book->state, &outcome);
	CHECK(outcome.over == (all == book->size * book->size));
	for (int seat = 0; seat < SEATS && outcome.over; seat++)
		if (book->present[seat] && book->points[seat] == most)
			winners |= 1u << seat;
	CHECK(outcome.winners == winners);
	check_text(outcome.why, outcome.over ? "points" : "");
	return outcome.over;
}

static void play_game(int size, int seats)
{
	struct book book;
	int steps = 0;

	start(&book, size, seats);
	while (!check_outcome(&book) && steps++ < STEPS_MAX) {
		int what = draw(100);

		if (what < 20)
			pass_time(&book);
		else if (what < 22 && book.seats < SEATS)
			join(&book);
		/* the last two stay when nobody could come any more */
		else if (what == 22 && (count_present(&book) > 2 || book.seats < SEATS))
			leave(&book, draw(SEATS));
		else
			pick_any(&book);
		check_all(&book);
	}
	CHECK(steps < STEPS_MAX);
}

/* A model with some bytes changed is refused, or is that of a position that can be played. */
static void play_wild(void)
{
	static const char bytes[] = "aabbc.....AABBCDJKL00112399:z";
	struct book book;
	union game_state state;
	struct move moves[CARDS_MAX];
	char again[GAME_MODEL_MAX];

	start(&book, 2 + 2 * draw(2), 2);
	for (int i = 0; i < 4 * draw(4); i++)
		pick_any(&book);
	for (int i = draw(6); i >= 0; i--)
		book.model[draw((int)strlen(book.model))] = bytes[draw(sizeof(bytes) - 1)];
	if (!game->read_model(&state, book.model, -1))
		return;
	game->print_model(&state, again);
	check_text(again, book.model);
	for (int i = 0; i < 40; i++) {
		int seat = draw(SEATS), count = game->list_moves(&state, seat, moves);
		struct move move = move_to(draw(256) - 128, draw(256) - 128);

		CHECK(game->judge(&state, seat, &move) != RULING_UNREADABLE);
		if (count > 0)
			game->play(&state, seat, &moves[draw(count)], 100 * i, NULL);
		game->tick(&state, 100 * i, NULL);
	}
}

int main(int argc, char *argv[])
{
	long games = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;

	game = game_find("memory");
	game_seed(&chance, 20);
	for (long i = 0; i < games; i++) {
		/* most of the games are small, the large ones take long */
		play_game(i % 20 == 0 ? 10 : 2 + 2 * draw(i % 5 == 0 ? 4 : 2), 2 + draw(SEATS - 1));
		for (int wild = 0; wild < 10; wild++)
			play_wild();
	}
	return check_end();
}
