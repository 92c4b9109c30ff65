/*
 * position.c - what holds for any position of any game. See position.h.
 *
 * It knows no rules: it compares what a game says of a position with what else it says of it.
 */
#include "tests/unit/position.h"

#include "proto/wire/line.h"
#include "tests/unit/check.h"

#include <stdlib.h>

enum {
	SCORE_MAX = 99999,  /* what a frame can carry */
	STRANGE_MOVES = 24, /* tried on a position */
};

struct play play;
struct move listed[GAME_SEATS_MAX][GAME_MOVES_MAX + CANARY_MOVES];
int listed_count[GAME_SEATS_MAX];

/* What fails is said with all that is needed to see it again. */
void must(bool holds, const char *what)
{
	char text[2 * GAME_MODEL_MAX], model[GAME_MODEL_MAX];

	if (holds)
		return;
	play.game->print_model(&play.state, model);
	snprintf(text, sizeof(text), "%s %ld, step %d, %s: %s", play.game->name, play.number,
		 play.steps, model, what);
	check_fail(text);
}

int draw(int below)
{
	return (int)game_draw(&play.chance, (uint32_t)below);
}

bool is_same(const union game_state *one, const union game_state *other)
{
	return memcmp(one, other, play.game->state_size) == 0;
}

bool is_present(int seat)
{
	return play.present >> seat & 1;
}

void check_event(const struct event *event)
{
	size_t length = strnlen(event->text, sizeof(event->text));

	MUST(event->seat >= 0 && event->seat < play.game->seats_max);
	MUST(length > 0 && length < sizeof(event->text));
	for (size_t i = 0; i < length && i < sizeof(event->text); i++)
		MUST(event->text[i] >= ' ' && event->text[i] <= '~');
}

/* --- what holds for any position ------------------------------------------------------------- */

static int compare_moves(const void *one, const void *other)
{
	return memcmp(one, other, sizeof(struct move));
}

static bool is_listed(int seat, const struct move *move)
{
	return bsearch(move, listed[seat], (size_t)listed_count[seat], sizeof(*move),
		       compare_moves) != NULL;
}

/* A list is sorted when it has been checked, so that it can be searched. */
void check_list(int seat)
{
	struct move *moves = listed[seat];
	int count;

	memset(moves + GAME_MOVES_MAX, 0x77, CANARY_MOVES * sizeof(*moves));
	count = play.game->list_moves(&play.state, seat, moves);
	MUST(count >= 0 && count <= GAME_MOVES_MAX);
	for (int i = 0; i < CANARY_MOVES; i++)
		MUST(moves[GAME_MOVES_MAX + i].kind == 0x77);
	MUST(count == 0 || game_may_move(play.game, &play.state, seat));
	MUST(count > 0 || play.game->turn(&play.state) != seat);
	listed_count[seat] = count;
	for (int i = 0; i < count; i++)
		MUST(play.game->judge(&play.state, seat, &moves[i]) == RULING_FINE);
	qsort(moves, (size_t)count, sizeof(*moves), compare_moves);
	for (int i = 1; i < count; i++)
		MUST(compare_moves(&moves[i - 1], &moves[i]) != 0);
}

/* A move in words and back. False: its words cannot be read. */
static bool reread(const struct move *move, struct move *again)
{
	char text[GAME_MOVE_TEXT];
	struct words words;

	memset(text, 'x', sizeof(text));
	play.game->print_move(move, text);
	MUST(memchr(text, '\0', sizeof(text)) != NULL);
	memset(again, 0x5a, sizeof(*again));
	return line_split(text, &words) && words.count <= GAME_WORDS_MAX &&
	       play.game->read_move(again, words.word, words.count);
}

/* What is picked to make a move makes that move, where it is one of so many pieces and cells. */
static void check_picks(const struct move *move)
{
	struct pick picks[GAME_PICKS_MAX];
	int count = game_picks(play.game, move, picks);
	struct move made;

	if (count > 0 && game_pick_move(play.game, &made, picks, count))
		MUST(memcmp(&made, move, sizeof(made)) == 0);
}

static void check_words(int seat)
{
	struct move again;

	for (int i = 0; i < listed_count[seat]; i++) {
		MUST(reread(&listed[seat][i], &again));
		MUST(memcmp(&again, &listed[seat][i], sizeof(again)) == 0);
		check_picks(&again);
	}
}

/* Any bytes; or small numbers; or a legal move with one byte that is another. */
struct move strange_move(int seat)
{
	struct move move = {0};
	int how = draw(3), range = how == 0 ? 256 : 11;

	if (how == 2 && listed_count[seat] > 0) {
		move = listed[seat][draw(listed_count[seat])];
		move.arg[draw(7)] = (int8_t)(draw(21) - 10);
		return move;
	}
	move.kind = (uint8_t)draw(how == 0 ? 256 : 4);
	for (int i = 0; i < 7; i++)
		move.arg[i] = (int8_t)(how > 0 && i > draw(7) ? 0 : draw(range) - range / 8);
	return move;
}

/* There is a reason, for people to read, and the same of the same. */
static void check_reason(int seat, const struct move *move)
{
	char why[GAME_REASON_TEXT], again[GAME_REASON_TEXT];
	union game_state copy = play.state;

	memset(why, 'x', sizeof(why));
	memset(again, '\0', sizeof(again));
	play.game->why_not(&play.state, seat, move, why);
	play.game->why_not(&copy, seat, move, again);
	MUST(is_same(&copy, &play.state));
	MUST(memchr(why, '\0', sizeof(why)) != NULL && strcmp(why, again) == 0);
	MUST(strlen(why) > 10 && strlen(why) < sizeof(why) - 1);
	for (const char *c = why; *c != '\0'; c++)
		MUST(*c >= ' ' && *c <= '~' && *c != '?');
}

/* A game with racks may list one move of many that are alike: one swap for all. In the others what
 * is fine is listed, in the form in which it is read. */
static void check_strange_move(int seat)
{
	struct move move = strange_move(seat), again;
	union game_state copy = play.state;
	struct event event;
	enum ruling ruling = play.game->judge(&play.state, seat, &move);

	MUST(is_same(&copy, &play.state));
	if (ruling == RULING_FINE) {
		MUST(game_may_move(play.game, &play.state, seat));
		MUST(reread(&move, &again));
		MUST(play.game->judge(&play.state, seat, &again) == RULING_FINE);
		MUST(is_listed(seat, &again) || play.game->print_rack != NULL);
		play.game->play(&copy, seat, &move, play.now, &event);
		check_event(&event);
	} else {
		MUST(ruling != RULING_UNREADABLE);
		MUST(!is_listed(seat, &move));
		check_reason(seat, &move);
		if (play.game->refuse != NULL && !play.game->refuse(&copy, seat, ruling, &event))
			MUST(is_same(&copy, &play.state));
	}
}

static void check_model_of(const union game_state *state, int turn)
{
	char model[GAME_MODEL_MAX], again[GAME_MODEL_MAX];
	union game_state read, other;
	size_t length;

	memset(model, 'x', sizeof(model));
	length = play.game->print_model(state, model);
	MUST(length > 0 && length < sizeof(model) && strnlen(model, sizeof(model)) == length);
	for (size_t i = 0; i < length; i++)
		MUST(model[i] > ' ' && model[i] <= '~');
	memset(&read, 0x5a, sizeof(read));
	memset(&other, 0xa5, sizeof(other));
	MUST(play.game->read_model(&read, model, turn));
	MUST(play.game->read_model(&other, model, turn));
	MUST(is_same(&read, &other));
	play.game->print_model(&read, again);
	must(strcmp(model, again) == 0, "a model that is read is printed as it was");
	/* so it stands in the frame of a round that ended by the clock */
	must(play.game->read_model(&read, model, -1), "a model can be read with nobody's turn");
}

/* Where nothing is hidden the model is enough to play on from: bots do. */
static void check_moves_of_model(int seat)
{
	static struct move moves[GAME_MOVES_MAX];
	char model[GAME_MODEL_MAX];
	union game_state read;
	int count;

	play.game->print_model(&play.state, model);
	MUST(play.game->read_model(&read, model, play.game->turn(&play.state)));
	MUST(play.game->turn(&read) == play.game->turn(&play.state));
	count = play.game->list_moves(&read, seat, moves);
	qsort(moves, (size_t)count, sizeof(*moves), compare_moves);
	MUST(count == listed_count[seat]);
	MUST(memcmp(moves, listed[seat], (size_t)count * sizeof(*moves)) == 0);
}

static void check_put(int seat)
{
	struct move move = strange_move(seat);
	union game_state copy = play.state;
	struct event event;

	if (!play.game->put(&copy, seat, &move, &event)) {
		MUST(is_same(&copy, &play.state));
		return;
	}
	check_event(&event);
	check_model_of(&copy, play.game->turn(&copy));
}

static void check_rack(int seat)
{
	char model[GAME_MODEL_MAX], rack[GAME_RACK_TEXT], again[GAME_RACK_TEXT];
	char copy[GAME_RACK_TEXT];
	struct words words = {0};
	union game_state read;

	play.game->print_rack(&play.state, seat, rack);
	play.game->print_model(&play.state, model);
	MUST(play.game->read_model(&read, model, play.game->turn(&play.state)));
	strcpy(copy, rack);
	MUST(rack[0] == '\0' || line_split(copy, &words));
	MUST(play.game->read_rack(&read, seat, words.word, words.count));
	play.game->print_rack(&read, seat, again);
	must(strcmp(rack, again) == 0, "a rack that is read is printed as it was");
}

static bool is_same_outcome(const union game_state *one, const union game_state *other)
{
	struct outcome first, second;

	play.game->outcome(one, &first);
	play.game->outcome(other, &second);
	return first.over == second.over && first.winners == second.winners &&
	       strcmp(first.why, second.why) == 0;
}

/* What `seat` (-1: the public) may know is still there when the rest has been taken out. */
static void check_blind(int seat)
{
	static struct move moves[GAME_MOVES_MAX];
	const struct game *game = play.game;
	union game_state blinded = play.state, twice;
	char before[GAME_MODEL_MAX], after[GAME_MODEL_MAX];
	int count;

	game->blind(&blinded, seat);
	twice = blinded;
	game->blind(&twice, seat);
	MUST(is_same(&blinded, &twice));
	game->print_model(&play.state, before);
	game->print_model(&blinded, after);
	must(strcmp(before, after) == 0, "blind() leaves the model as it was");
	MUST(game->turn(&blinded) == game->turn(&play.state));
	MUST(is_same_outcome(&blinded, &play.state));
	for (int other = 0; game->score != NULL && other < play.seats; other++)
		MUST(game->score(&blinded, other) == game->score(&play.state, other));
	if (seat < 0)
		return;
	count = game->list_moves(&blinded, seat, moves);
	qsort(moves, (size_t)count, sizeof(*moves), compare_moves);
	MUST(count == listed_count[seat]);
	MUST(memcmp(moves, listed[seat], (size_t)count * sizeof(*moves)) == 0);
	if (game->print_rack == NULL)
		return;
	game->print_rack(&play.state, seat, before);
	game->print_rack(&blinded, seat, after);
	must(strcmp(before, after) == 0, "blind() leaves a seat its rack");
}

/* The end is where nobody may move any more. Before it somebody may, or will when time has passed,
 * or when somebody joins. */
bool check_end_of_round(void)
{
	const struct game *game = play.game;
	struct outcome outcome;
	bool some = false;

	memset(&outcome, 0x5a, sizeof(outcome));
	game->outcome(&play.state, &outcome);
	for (int seat = 0; seat < play.seats; seat++)
		some |= game_may_move(game, &play.state, seat);
	if (!outcome.over) {
		MUST(some || game->join != NULL ||
		     (game->due != NULL && game->due(&play.state) != INT64_MAX));
		return false;
	}
	MUST(!some && game->turn(&play.state) == -1);
	MUST(outcome.winners >> play.seats == 0);
	MUST(memchr(outcome.why, '\0', sizeof(outcome.why)) != NULL && outcome.why[0] != '\0');
	MUST(strspn(outcome.why, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(outcome.why));
	return true;
}

void check_position(void)
{
	const struct game *game = play.game;

	check_model_of(&play.state, game->turn(&play.state));
	for (int seat = 0; seat < play.seats; seat++) {
		check_list(seat);
		check_words(seat);
		for (int i = 0; i < STRANGE_MOVES; i++)
			check_strange_move(seat);
		MUST(is_present(seat) || listed_count[seat] == 0);
		if (game->score != NULL)
			MUST(game->score(&play.state, seat) >= 0 &&
			     game->score(&play.state, seat) <= SCORE_MAX);
		if (game->print_rack != NULL)
			check_rack(seat);
		if (game->blind != NULL)
			check_blind(seat);
		else
			check_moves_of_model(seat);
		if (game->put != NULL && game->turn(&play.state) == seat)
			check_put(seat);
	}
	if (game->blind != NULL)
		check_blind(-1);
}

/* What must not be known must make no difference to what is left of a state without it. */
void check_secrets(void)
{
	const struct game *game = play.game;
	union game_state one = play.state, other;
	struct setup other_setup = play.setup;
	char model[GAME_MODEL_MAX], other_model[GAME_MODEL_MAX];

	other_setup.seed++;
	memset(&other, 0xa5, sizeof(other));
	game->begin(&other, &other_setup);
	game->print_model(&one, model);
	game->print_model(&other, other_model);
	if (strcmp(model, other_model) != 0 || game->turn(&one) != game->turn(&other))
		return;
	if (game->blind != NULL) {
		game->blind(&one, -1);
		game->blind(&other, -1);
	}
	MUST(is_same(&one, &other));
}
