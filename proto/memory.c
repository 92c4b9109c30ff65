/*
 * memory.c - the rules of memory, for two to ten seats that all play at once.
 *
 * size × size cards lie face down, each text twice. Whoever turns up a card has five seconds for a
 * second one. Two of the same text are his for good, two points; two that differ stay up for two
 * seconds, in which he must wait. Seats come and go in the middle of a round; with fewer than two
 * of them nobody may turn up a card, but the time of those that are up runs on. When all pairs are
 * found, those present with the most points have won.
 *
 * It never asks what time it is: play() and tick() are told. It keeps no generator: once the cards
 * lie there, chance decides nothing more. A cell's index is y * size + x.
 */
#include "game.h"

#include <assert.h>
#include <stdio.h>
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

#define NEVER INT64_MAX

enum side { DOWN, UP, LOCKED };

struct card {
	char text[2]; /* zeros when it is not known */
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

struct memory {
	struct hand hand[SEATS];
	struct card card[CARDS_MAX];
	uint16_t present; /* a bit for each seat */
	uint8_t seats;	  /* how many have been given out in this round */
	uint8_t size;
	uint8_t unused[4];
};

static_assert(sizeof(struct memory) <= GAME_STATE_MAX, "a state must fit");
static_assert(sizeof(struct memory) == SEATS * 16 + CARDS_MAX * 4 + 8,
	      "states are compared byte by byte, so none may be without a name");
static_assert(CARDS_MAX * CELL_TEXT < GAME_MODEL_MAX, "a model must fit");

static bool size_is_known(int size)
{
	return size >= 2 && size <= SIDE_MAX && size % 2 == 0;
}

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

/* An unknown text is like no other, and not like another unknown one. */
static bool is_pair(const struct card *one, const struct card *other)
{
	return one->text[0] != '\0' && memcmp(one->text, other->text, sizeof(one->text)) == 0;
}

/* As a string. Who plays on in a state of which he does not know all sees "??". */
static const char *text_of(const struct card *card, char text[3])
{
	bool known = card->text[0] != '\0';

	text[0] = known ? card->text[0] : '?';
	text[1] = known ? card->text[1] : '?';
	text[2] = '\0';
	return text;
}

static int column(const struct memory *m, int cell)
{
	return cell % m->size;
}

static int row(const struct memory *m, int cell)
{
	return cell / m->size;
}

static void empty_hand(struct hand *hand)
{
	memset(hand, 0, sizeof(*hand));
	hand->due = NEVER;
}

/* The same for a round that begins and for a position that is read. */
static void lay_out(struct memory *m, int size)
{
	memset(m, 0, sizeof(*m));
	m->size = (uint8_t)size;
	for (int seat = 0; seat < SEATS; seat++)
		empty_hand(&m->hand[seat]);
}

/* Which texts, and where they lie. */
static void deal(struct memory *m, uint64_t seed)
{
	bool used[TEXTS] = {false};
	int cards = count_cards(m);
	uint64_t generator;

	game_seed(&generator, seed);
	for (int cell = 0; cell < cards; cell += 2) {
		uint32_t text;

		do
			text = game_draw(&generator, TEXTS);
		while (used[text]);
		used[text] = true;
		m->card[cell].text[0] = (char)('a' + text / LETTERS);
		m->card[cell].text[1] = (char)('a' + text % LETTERS);
		m->card[cell + 1] = m->card[cell];
	}
	for (int left = cards; left > 1; left--) {
		int drawn = (int)game_draw(&generator, (uint32_t)left);
		struct card card = m->card[drawn];

		m->card[drawn] = m->card[left - 1];
		m->card[left - 1] = card;
	}
}

static void begin(void *state, const struct setup *setup)
{
	struct memory *m = state;
	int seats = setup->seats < SEATS ? setup->seats : SEATS;

	/* a table that knows nothing of size= plays the default */
	lay_out(m, size_is_known(setup->size) ? setup->size : SIZE_DEFAULT);
	m->seats = (uint8_t)seats;
	m->present = (uint16_t)(((1u << seats) - 1) & ~(unsigned)setup->left);
	deal(m, setup->seed);
}

static bool read_move(struct move *move, char *const words[], int count)
{
	*move = (struct move){0};
	return count == 2 && game_read_number(words[0], &move->arg[0]) &&
	       game_read_number(words[1], &move->arg[1]);
}

static void print_move(const struct move *move, char text[GAME_MOVE_TEXT])
{
	snprintf(text, GAME_MOVE_TEXT, "%d %d", move->arg[0], move->arg[1]);
}

static bool on_board(const struct memory *m, const struct move *move)
{
	return move->arg[0] >= 0 && move->arg[0] < m->size && move->arg[1] >= 0 &&
	       move->arg[1] < m->size;
}

static int cell_of(const struct memory *m, const struct move *move)
{
	return move->arg[1] * m->size + move->arg[0];
}

static enum ruling judge(const void *state, int seat, const struct move *move)
{
	const struct memory *m = state;

	if (is_frozen(m))
		return RULING_FROZEN;
	if (!is_present(m, seat))
		return RULING_ILLEGAL;
	if (m->hand[seat].up == 2)
		return RULING_WAIT;
	if (!on_board(m, move))
		return RULING_ILLEGAL;
	return m->card[cell_of(m, move)].side == DOWN ? RULING_FINE : RULING_FILLED;
}

/* Turn down what a seat has up. */
static void hide(struct memory *m, int seat, struct event *event)
{
	struct hand *hand = &m->hand[seat];
	int one = hand->cell[0], other = hand->cell[1];

	for (int i = 0; i < hand->up; i++) {
		m->card[hand->cell[i]].side = DOWN;
		m->card[hand->cell[i]].seat = 0;
	}
	if (hand->up == 1)
		game_say_event(event, seat, "hide %d %d", column(m, one), row(m, one));
	else
		game_say_event(event, seat, "hide %d %d %d %d", column(m, one), row(m, one),
			       column(m, other), row(m, other));
	empty_hand(hand);
}

/* What a second card does; both are up now. */
static void settle(struct memory *m, int seat, int64_t now, struct event *event)
{
	struct hand *hand = &m->hand[seat];
	int one = hand->cell[0], other = hand->cell[1];
	char text[3], text_other[3];

	text_of(&m->card[one], text);
	text_of(&m->card[other], text_other);
	if (is_pair(&m->card[one], &m->card[other])) {
		m->card[one].side = m->card[other].side = LOCKED;
		empty_hand(hand);
		game_say_event(event, seat, "right %d %d %d %d %s", column(m, one), row(m, one),
			       column(m, other), row(m, other), text);
	} else {
		hand->due = now + WRONG_MS;
		game_say_event(event, seat, "wrong %d %d %s %d %d %s", column(m, one), row(m, one),
			       text, column(m, other), row(m, other), text_other);
	}
}

static void play(void *state, int seat, const struct move *move, int64_t now, struct event *event)
{
	struct memory *m = state;
	struct hand *hand = &m->hand[seat];
	int cell = cell_of(m, move);
	char text[3];

	m->card[cell].side = UP;
	m->card[cell].seat = (uint8_t)seat;
	hand->cell[hand->up++] = (uint8_t)cell;
	if (hand->up == 2) {
		settle(m, seat, now, event);
		return;
	}
	hand->due = now + FIRST_MS;
	game_say_event(event, seat, "first %d %d %s", column(m, cell), row(m, cell),
		       text_of(&m->card[cell], text));
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
			moves[count++] = (struct move){
			    .arg = {(int8_t)column(m, cell), (int8_t)row(m, cell)}};
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
	snprintf(outcome->why, sizeof(outcome->why), "points");
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
	static const char mark[] = {[UP] = 'A', [LOCKED] = '0'};
	const struct memory *m = state;
	char *at = text;

	for (int cell = 0; cell < count_cards(m); cell++, at += CELL_TEXT) {
		const struct card *card = &m->card[cell];

		if (card->side == DOWN) {
			memset(at, '.', CELL_TEXT);
			continue;
		}
		text_of(card, at);
		at[2] = (char)(mark[card->side] + card->seat);
	}
	*at = '\0';
	return (size_t)(at - text);
}

static bool is_letter(char byte)
{
	return byte >= 'a' && byte <= 'z';
}

static bool read_card(struct card *card, const char *text)
{
	if (strncmp(text, "...", CELL_TEXT) == 0)
		return true;
	if (!is_letter(text[0]) || !is_letter(text[1]))
		return false;
	memcpy(card->text, text, sizeof(card->text));
	if (text[2] >= '0' && text[2] < '0' + SEATS) {
		card->side = LOCKED;
		card->seat = (uint8_t)(text[2] - '0');
	} else if (text[2] >= 'A' && text[2] < 'A' + SEATS) {
		card->side = UP;
		card->seat = (uint8_t)(text[2] - 'A');
	} else {
		return false;
	}
	return true;
}

/* The other card of this text that can be seen, or -1; how many there are in all. */
static int find_partner(const struct memory *m, int cell, int *seen)
{
	int partner = -1;

	*seen = 0;
	for (int other = 0; other < count_cards(m); other++) {
		if (m->card[other].side == DOWN || !is_pair(&m->card[cell], &m->card[other]))
			continue;
		(*seen)++;
		if (other != cell)
			partner = other;
	}
	return partner;
}

/* Won cards are pairs of one seat. Cards of one text can be up twice, but not of one seat, which
 * would have won them. */
static bool cell_can_be(const struct memory *m, int cell)
{
	int seen, partner = find_partner(m, cell, &seen);
	const struct card *card = &m->card[cell];

	if (seen > 2)
		return false;
	if (partner < 0)
		return card->side == UP;
	return card->side == m->card[partner].side &&
	       (card->side == LOCKED) == (card->seat == m->card[partner].seat);
}

/* Every card that is up alone has its partner among those that are down. */
static bool position_can_be(const struct memory *m)
{
	int down = 0, alone = 0, seen;

	for (int cell = 0; cell < count_cards(m); cell++) {
		if (m->card[cell].side == DOWN)
			down++;
		else if (!cell_can_be(m, cell))
			return false;
		else if (find_partner(m, cell, &seen) < 0)
			alone++;
	}
	return down >= alone;
}

/* False: three cards up of one seat. Which of two came first, and until when they stay up, no model
 * tells. */
static bool take_up(struct memory *m, int cell)
{
	struct hand *hand = &m->hand[m->card[cell].seat];

	if (m->card[cell].side != UP)
		return true;
	if (hand->up == 2)
		return false;
	hand->cell[hand->up++] = (uint8_t)cell;
	return true;
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
		if (!read_card(&m->card[cell], model + (size_t)cell * CELL_TEXT) ||
		    !take_up(m, cell))
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
			memset(m->card[cell].text, 0, sizeof(m->card[cell].text));
}

/* An eleventh seat there is not; whoever asks for one gets no event of a seat. */
static void join(void *state, struct event *event)
{
	struct memory *m = state;

	if (m->seats == SEATS) {
		game_say_event(event, -1, "join");
		return;
	}
	m->present |= (uint16_t)(1u << m->seats);
	game_say_event(event, m->seats, "join");
	m->seats++;
}

static bool leave(void *state, int seat, struct event *event)
{
	struct memory *m = state;

	if (!is_present(m, seat))
		return false;
	if (m->hand[seat].up > 0) {
		hide(m, seat, event);
		return true;
	}
	m->present &= (uint16_t) ~(1u << seat);
	game_say_event(event, seat, "leave");
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
    .seats_min = 2,
    .seats_max = SEATS,
    .has = GAME_HAS_SIZE,
    .side_word = "SEAT",
    .first = FIRST_BY_RULES,
    .rounds = 0,
    .clock = 0,
    .strict = false,
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
