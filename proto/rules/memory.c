/*
 * memory.c - the rules of memory, for two to ten seats that all play at once.
 *
 * size × size cards lie face down, each text twice. Whoever turns up a card has five seconds for a
 * second one. Two of the same text are that seat's for good, two points; two that differ stay up for two
 * seconds, in which it must wait. Seats come and go in the middle of a round; with fewer than two
 * of them nobody may turn up a card, but the time of those that are up runs on. When all pairs are
 * found, those present with the most points have won.
 *
 * It never asks what time it is: play() and tick() are told. It keeps no generator: once the cards
 * lie there, chance decides nothing more. A cell's index is y * size + x.
 *
 * It is pure: it keeps nothing between two calls, and knows no player, no clock and no socket.
 */
#include "proto/rules/game.h"
#include "proto/wire/text.h"

#include <assert.h>
#include <string.h>

enum {
	SIDE_MAX = 10,
	SIZE_DEFAULT = 4,
	CARDS_MAX = SIDE_MAX * SIDE_MAX,
	SEATS = GAME_SEATS_MAX,
	LETTERS = 26,
	TEXTS = LETTERS * LETTERS,
	CELL_TEXT = 3, /* bytes of a cell in the model */
	FIRST_MS = 5000,
	WRONG_MS = 2000,
};

#define NEVER	INT64_MAX
#define UNKNOWN '?'

enum side { DOWN, UP, LOCKED };

struct card {
	char text[2]; /* "??" when it is not known */
	uint8_t side; /* enum side */
	uint8_t seat; /* who turned it up or won it; 0 while it is down */
};

/* What one seat has turned up. */
struct hand {
	int64_t due; /* when it is turned down; NEVER while nothing is up */
	uint8_t up;  /* how many cards */
	uint8_t cell[2];
	uint8_t unused[5];
};

static const struct hand empty_hand = {.due = NEVER};

struct memory {
	struct hand hand[SEATS];
	struct card card[CARDS_MAX];
	uint16_t present; /* a bit for each seat */
	uint8_t seats;	  /* how many have been given out in this round */
	uint8_t size;
	uint8_t unused[4];
};

static_assert(sizeof(struct memory) <= GAME_STATE_MAX, "a state must fit");
static_assert(sizeof(struct memory) == SEATS * 16 + CARDS_MAX * 4 + 8, "no byte without a name");

static int count_cards(const struct memory *m)
{
	return m->size * m->size;
}

static bool is_present(const struct memory *m, int seat)
{
	return seat >= 0 && seat < SEATS && (m->present >> seat & 1);
}

static bool is_frozen(const struct memory *m)
{
	return (m->present & (m->present - 1)) == 0;
}

static bool is_over(const struct memory *m)
{
	for (int cell = 0; cell < count_cards(m); cell++)
		if (m->card[cell].side != LOCKED)
			return false;
	return true;
}

static struct move place_of(const struct memory *m, int cell)
{
	return (struct move){.arg = {(int8_t)(cell % m->size), (int8_t)(cell / m->size)}};
}

/* The same for a round that begins and for a position that is read. */
static void lay_out(struct memory *m, int size)
{
	memset(m, 0, sizeof(*m));
	m->size = (uint8_t)size;
	for (int seat = 0; seat < SEATS; seat++)
		m->hand[seat] = empty_hand;
}

/* Which texts, and where they lie. */
static void deal(struct memory *m, uint64_t seed)
{
	bool used[TEXTS] = {false};
	uint64_t generator;

	game_seed(&generator, seed);
	for (int cell = 0; cell < count_cards(m); cell += 2) {
		uint32_t text;

		do
			text = game_draw(&generator, TEXTS);
		while (used[text]);
		used[text] = true;
		m->card[cell].text[0] = (char)('a' + text / LETTERS);
		m->card[cell].text[1] = (char)('a' + text % LETTERS);
		m->card[cell + 1] = m->card[cell];
	}
	for (int left = count_cards(m); left > 1; left--) {
		int drawn = (int)game_draw(&generator, (uint32_t)left);
		struct card card = m->card[drawn];

		m->card[drawn] = m->card[left - 1];
		m->card[left - 1] = card;
	}
}

static void begin(void *state, const struct setup *setup)
{
	struct memory *m = state;
	bool sized = setup->size >= 2 && setup->size <= SIDE_MAX && setup->size % 2 == 0;

	/* a table that knows nothing of size= plays the default */
	lay_out(m, sized ? setup->size : SIZE_DEFAULT);
	m->seats = (uint8_t)setup->seats;
	m->present = (uint16_t)(((1u << setup->seats) - 1) & ~(unsigned)setup->left);
	deal(m, setup->seed);
}

static bool read_move(struct move *move, char *const words[], int count)
{
	return game_read_numbers(move, 2, words, count);
}

static void print_move(const struct move *move, char text[GAME_MOVE_TEXT])
{
	text_print(text, GAME_MOVE_TEXT, "%d %d", move->arg[0], move->arg[1]);
}

/* -1: off the board. */
static int cell_of(const struct memory *m, const struct move *move)
{
	if (move->arg[0] < 0 || move->arg[0] >= m->size || move->arg[1] < 0 ||
	    move->arg[1] >= m->size)
		return -1;
	return move->arg[1] * m->size + move->arg[0];
}

static enum ruling judge(const void *state, int seat, const struct move *move)
{
	const struct memory *m = state;
	int cell = cell_of(m, move);

	if (is_frozen(m))
		return RULING_FROZEN;
	if (!is_present(m, seat))
		return RULING_ILLEGAL;
	if (m->hand[seat].up == 2)
		return RULING_WAIT;
	if (cell < 0)
		return RULING_ILLEGAL;
	return m->card[cell].side == DOWN ? RULING_FINE : RULING_FILLED;
}

/* Turn down what a seat has up. */
static void hide(struct memory *m, int seat, struct event *event)
{
	struct hand *hand = &m->hand[seat];
	struct move one = place_of(m, hand->cell[0]), other = place_of(m, hand->cell[1]);

	if (hand->up == 1)
		game_say_event(event, seat, "hide %d %d", one.arg[0], one.arg[1]);
	else
		game_say_event(event, seat, "hide %d %d %d %d", one.arg[0], one.arg[1],
			       other.arg[0], other.arg[1]);
	for (int i = 0; i < hand->up; i++) {
		m->card[hand->cell[i]].side = DOWN;
		m->card[hand->cell[i]].seat = 0;
	}
	*hand = empty_hand;
}

/* What a second card does; both are up now. Unknown texts are never the same. */
static void settle(struct memory *m, int seat, int64_t now, struct event *event)
{
	struct hand *hand = &m->hand[seat];
	struct card *one = &m->card[hand->cell[0]], *other = &m->card[hand->cell[1]];
	struct move first = place_of(m, hand->cell[0]), second = place_of(m, hand->cell[1]);

	if (one->text[0] != UNKNOWN && memcmp(one->text, other->text, sizeof(one->text)) == 0) {
		one->side = other->side = LOCKED;
		*hand = empty_hand;
		game_say_event(event, seat, "right %d %d %d %d %.2s", first.arg[0], first.arg[1],
			       second.arg[0], second.arg[1], one->text);
	} else {
		hand->due = now + WRONG_MS;
		game_say_event(event, seat, "wrong %d %d %.2s %d %d %.2s", first.arg[0],
			       first.arg[1], one->text, second.arg[0], second.arg[1], other->text);
	}
}

static void play(void *state, int seat, const struct move *move, int64_t now, struct event *event)
{
	struct memory *m = state;
	struct hand *hand = &m->hand[seat];
	int cell = cell_of(m, move);
	struct card *card = &m->card[cell];

	card->side = UP;
	card->seat = (uint8_t)seat;
	hand->cell[hand->up++] = (uint8_t)cell;
	if (hand->up == 2) {
		settle(m, seat, now, event);
		return;
	}
	hand->due = now + FIRST_MS;
	game_say_event(event, seat, "first %d %d %.2s", move->arg[0], move->arg[1], card->text);
}

static bool refuse(void *state, int seat, enum ruling ruling, struct event *event)
{
	struct memory *m = state;

	if (ruling != RULING_FILLED || !is_present(m, seat) || m->hand[seat].up != 1)
		return false;
	hide(m, seat, event);
	return true;
}

static bool may_move(const void *state, int seat)
{
	const struct memory *m = state;

	return is_present(m, seat) && !is_frozen(m) && m->hand[seat].up < 2 && !is_over(m);
}

static int list_moves(const void *state, int seat, struct move *moves)
{
	const struct memory *m = state;
	int count = 0;

	if (!may_move(state, seat))
		return 0;
	for (int cell = 0; cell < count_cards(m); cell++)
		if (m->card[cell].side == DOWN)
			moves[count++] = place_of(m, cell);
	return count;
}

static int turn(const void *state)
{
	(void)state;
	return -1;
}

/* Two for a pair is one for each of its cards. */
static int score(const void *state, int seat)
{
	const struct memory *m = state;
	int points = 0;

	for (int cell = 0; cell < count_cards(m); cell++)
		if (m->card[cell].side == LOCKED && m->card[cell].seat == seat)
			points++;
	return points;
}

static void outcome(const void *state, struct outcome *outcome)
{
	const struct memory *m = state;
	int most = 0;

	*outcome = (struct outcome){.over = is_over(m)};
	if (!outcome->over)
		return;
	text_print(outcome->why, sizeof(outcome->why), "points");
	for (int seat = 0; seat < SEATS; seat++) {
		int points = score(m, seat);

		if (!is_present(m, seat) || points < most)
			continue;
		if (points > most)
			outcome->winners = 0;
		most = points;
		outcome->winners |= (uint16_t)(1u << seat);
	}
}

static size_t print_model(const void *state, char text[GAME_MODEL_MAX])
{
	static const char mark[] = {[DOWN] = '.', [UP] = 'A', [LOCKED] = '0'};
	const struct memory *m = state;
	char *at = text;

	for (int cell = 0; cell < count_cards(m); cell++, at += CELL_TEXT) {
		const struct card *card = &m->card[cell];

		memcpy(at, card->side == DOWN ? ".." : card->text, sizeof(card->text));
		at[2] = (char)(mark[card->side] + card->seat);
	}
	*at = '\0';
	return (size_t)(at - text);
}

/* What is up is taken into its seat's hand, at most two. Which of them came first, and until when
 * they stay up, no model tells. */
static bool read_card(struct memory *m, int cell, const char *text)
{
	struct card *card = &m->card[cell];
	struct hand *hand;

	memset(card->text, UNKNOWN, sizeof(card->text));
	if (strncmp(text, "...", CELL_TEXT) == 0)
		return true;
	if (strspn(text, "abcdefghijklmnopqrstuvwxyz") < sizeof(card->text))
		return false;
	memcpy(card->text, text, sizeof(card->text));
	if (text[2] >= '0' && text[2] < '0' + SEATS) {
		card->side = LOCKED;
		card->seat = (uint8_t)(text[2] - '0');
		return true;
	}
	if (text[2] < 'A' || text[2] >= 'A' + SEATS)
		return false;
	card->side = UP;
	card->seat = (uint8_t)(text[2] - 'A');
	hand = &m->hand[card->seat];
	if (hand->up == 2)
		return false;
	hand->cell[hand->up++] = (uint8_t)cell;
	return true;
}

/* Can both be seen at once? Won cards are pairs of one seat. Both cards of a text can be up, but
 * not of one seat, which would have won them. */
static bool can_be_seen(const struct card *one, const struct card *other)
{
	return one->side == other->side && (one->side == LOCKED) == (one->seat == other->seat);
}

/* No text is there thrice, and none that is won is there once. Every card that is up alone has its
 * partner among those that are down. */
static bool position_can_be(const struct memory *m)
{
	enum { BOTH = UINT8_MAX };
	uint8_t seen[TEXTS] = {0}; /* of each text: 0, the first cell + 1, or BOTH */
	int down = 0, up_alone = 0, won_alone = 0;

	for (int cell = 0; cell < count_cards(m); cell++) {
		const struct card *card = &m->card[cell];
		int *alone = card->side == UP ? &up_alone : &won_alone;
		uint8_t *place;

		if (card->side == DOWN) {
			down++;
			continue;
		}
		place = &seen[(card->text[0] - 'a') * LETTERS + card->text[1] - 'a'];
		if (*place == 0) {
			*place = (uint8_t)(cell + 1);
			(*alone)++;
		} else if (*place != BOTH && can_be_seen(card, &m->card[*place - 1])) {
			*place = BOTH;
			(*alone)--;
		} else {
			return false;
		}
	}
	return won_alone == 0 && up_alone <= down;
}

/* No model tells who is there, so all seats are: each of them may want to know its moves. */
static bool read_model(void *state, const char *model, int turn)
{
	struct memory *m = state;
	size_t length = strlen(model);
	int size = 2;

	(void)turn;
	while (size < SIDE_MAX && (size_t)(size * size * CELL_TEXT) < length)
		size += 2;
	lay_out(m, size);
	if ((size_t)(size * size * CELL_TEXT) != length)
		return false;
	m->seats = SEATS;
	m->present = (1u << SEATS) - 1;
	for (int cell = 0; cell < count_cards(m); cell++)
		if (!read_card(m, cell, model + (size_t)cell * CELL_TEXT))
			return false;
	return position_can_be(m);
}

/* What is face down is hidden from everybody alike, who has seen it before too. */
static void blind(void *state, int seat)
{
	struct memory *m = state;

	(void)seat;
	for (int cell = 0; cell < count_cards(m); cell++)
		if (m->card[cell].side == DOWN)
			memset(m->card[cell].text, UNKNOWN, sizeof(m->card[cell].text));
}

/* An eleventh seat there is not; whoever asks for one gets no event of a seat. */
static void join(void *state, struct event *event)
{
	struct memory *m = state;
	int seat = m->seats < SEATS ? m->seats++ : -1;

	if (seat >= 0)
		m->present |= (uint16_t)(1u << seat);
	game_say_event(event, seat, "join");
}

static bool leave(void *state, int seat, struct event *event)
{
	struct memory *m = state;

	if (!is_present(m, seat))
		return false;
	if (m->hand[seat].up > 0) {
		hide(m, seat, event);
	} else {
		m->present &= (uint16_t) ~(1u << seat);
		game_say_event(event, seat, "leave");
	}
	return true;
}

/* The seat whose cards are turned down first; of those at the same time the lowest. */
static int earliest(const struct memory *m)
{
	int seat = 0;

	for (int other = 1; other < SEATS; other++)
		if (m->hand[other].due < m->hand[seat].due)
			seat = other;
	return seat;
}

static int64_t due(const void *state)
{
	const struct memory *m = state;

	return m->hand[earliest(m)].due;
}

static bool tick(void *state, int64_t now, struct event *event)
{
	struct memory *m = state;
	int seat = earliest(m);

	if (m->hand[seat].due == NEVER || m->hand[seat].due > now)
		return false;
	hide(m, seat, event);
	return true;
}

const struct game memory_game = {
    .name = "memory",
    .title = "Memory",
    .seats_min = 2,
    .seats_max = SEATS,
    .has = GAME_HAS_SIZE,
    .side_word = "SEAT",
    .first = FIRST_BY_RULES,
    .rounds = 0,
    .move_help = "MOVE wants x y, the place of a card that is face down, from 0",
    .state_size = sizeof(struct memory),
    .begin = begin,
    .read_move = read_move,
    .print_move = print_move,
    .judge = judge,
    .play = play,
    .refuse = refuse,
    .list_moves = list_moves,
    .turn = turn,
    .may_move = may_move,
    .outcome = outcome,
    .print_model = print_model,
    .read_model = read_model,
    .score = score,
    .blind = blind,
    .join = join,
    .leave = leave,
    .due = due,
    .tick = tick,
};
