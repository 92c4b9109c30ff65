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
#include "proto/rules/memory_cards.h"
#include "proto/wire/text.h"

#include <assert.h>
#include <string.h>

enum {
	SIZE_DEFAULT = 4,
	FIRST_MS = 5000,
	WRONG_MS = 2000,
};

static_assert(sizeof(struct memory) <= GAME_STATE_MAX, "a state must fit");
static_assert(sizeof(struct memory) == SEATS * 16 + CARDS_MAX * 4 + 8, "no byte without a name");

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
	memory_lay_out(m, sized ? setup->size : SIZE_DEFAULT);
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

static void why_not(const void *state, int seat, const struct move *move,
		    char why[GAME_REASON_TEXT])
{
	const struct memory *m = state;
	int cell = cell_of(m, move);

	if (is_frozen(m))
		text_print(why, GAME_REASON_TEXT, "the game waits for players");
	else if (!is_present(m, seat))
		text_print(why, GAME_REASON_TEXT, "you are not in this round");
	else if (m->hand[seat].up == 2)
		text_print(why, GAME_REASON_TEXT, "wait until your two cards are turned down");
	else if (cell < 0)
		text_print(why, GAME_REASON_TEXT, "there is no such card: x and y go from 0 to %d",
			   m->size - 1);
	else if (m->card[cell].side == LOCKED)
		text_print(why, GAME_REASON_TEXT, "that card is taken already");
	else
		text_print(why, GAME_REASON_TEXT, "that card is turned up already, by %s",
			   m->card[cell].seat == seat ? "you" : "somebody else");
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
    .move_help = "x y, the place of a card that is face down, from 0",
    .rules =
	"Goal: the most pairs. There are no turns: everybody plays at once, and newcomers may join "
	"at any time, with no points yet.\n"
	"Move: turn up a card, and a second one within 5 seconds. Two alike are yours, for 2 "
	"points. Two that differ stay up for 2 seconds, for all to see, and you have to wait.\n"
	"Who picks a card that is up or taken has their first card turned down.\n"
	"End: when all pairs are taken. Who has the most points wins, and several may share the "
	"win. The next round begins ten seconds later.\n"
	"With fewer than two players the game stands still until somebody joins.",
    .state_size = sizeof(struct memory),
    .begin = begin,
    .read_move = read_move,
    .print_move = print_move,
    .judge = judge,
    .why_not = why_not,
    .play = play,
    .refuse = refuse,
    .list_moves = list_moves,
    .turn = turn,
    .may_move = may_move,
    .outcome = outcome,
    .print_model = memory_print_model,
    .read_model = memory_read_model,
    .score = score,
    .blind = blind,
    .join = join,
    .leave = leave,
    .due = due,
    .tick = tick,
};
