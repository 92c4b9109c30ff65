/*
 * memory.c - memory as a bot plays it: it remembers what anybody has turned up.
 *
 * Owns what it has seen of the cards; it looks at the view, and keeps no time: it is asked again soon.
 *
 * Every change of the board comes as a BOARD, and what lies face up there is all that a seat is ever
 * told of a card. The bot knows a card that it has seen until the round ends. At the level `easy` it
 * knows only the last few that have been turned up, and does not look at what others have up.
 *
 * Everybody plays at once. A card that another player has up cannot be picked, and while we have its
 * partner up, it is of no use to that player. So two players can wait for each other. Then the one who
 * came later gets both cards, because the card of the other is turned down first. That is why we hold such
 * a card, and wait.
 */
#include "player/bots/bots.h"

#include <string.h>

enum {
	CELL_TEXT = 3, /* of a cell in the model: two letters, and whose it is */
	CELLS_MAX = GAME_MODEL_MAX / CELL_TEXT,
	EASY_CARDS = 8, /* turned up since a card that `easy` still knows */
	NOBODY = -1,
};

struct cards {
	char duel[UUID_TEXT];
	int round;
	int count;
	char last[GAME_MODEL_MAX]; /* the board as it was */
	struct {
		char text[2]; /* "" when it has not been seen */
		int seen_at;  /* as a number of cards that had been turned up until then */
	} card[CELLS_MAX];
	int turned_up; /* cards in this round, by anybody */
};

/* The board as it is chosen from. */
struct sight {
	const struct cards *cards;
	const char *model;
	int side, players;
	bool is_easy;
	int ours;		/* the card that we have up, or NOBODY */
	int up[GAME_SEATS_MAX]; /* cards that each seat has up */
};

static int square_root(int count)
{
	int side = 0;

	while (side * side < count)
		side++;
	return side;
}

static const char *cell_of(const char *model, int cell)
{
	return model + (size_t)cell * CELL_TEXT;
}

static bool is_down(const char *model, int cell)
{
	return cell_of(model, cell)[0] == '.';
}

/* Whose card lies there face up and can be turned down again; NOBODY: none. */
static int holder(const char *model, int cell)
{
	char mark = cell_of(model, cell)[2];

	return mark >= 'A' && mark < 'A' + GAME_SEATS_MAX ? mark - 'A' : NOBODY;
}

/* ---- what is remembered ---- */

static void forget(struct cards *cards, const struct view *view)
{
	memset(cards, 0, sizeof(*cards));
	strcpy(cards->duel, view->now.duel);
	cards->round = view->now.round;
}

static void look_at(struct cards *cards, const char *model)
{
	int count = (int)strlen(model) / CELL_TEXT;

	for (int cell = 0; cell < count; cell++) {
		bool was_down = cards->count != count || is_down(cards->last, cell);

		if (is_down(model, cell) || !was_down)
			continue;
		memcpy(cards->card[cell].text, cell_of(model, cell), 2);
		cards->card[cell].seen_at = cards->turned_up++;
	}
	cards->count = count;
	strcpy(cards->last, model);
}

/* A START can be that of the same round again, after a lost connection. */
static void see(struct bot *bot, const struct view *view, enum heard heard)
{
	struct cards *cards = bot->memory;

	if (heard == HEARD_START &&
	    (strcmp(cards->duel, view->now.duel) != 0 || cards->round != view->now.round))
		forget(cards, view);
	if (heard == HEARD_BOARD)
		look_at(cards, view->now.model);
}

static bool is_known(const struct sight *sight, int cell)
{
	const struct cards *cards = sight->cards;

	return !is_down(sight->model, cell) ||
	       (cards->card[cell].text[0] != '\0' &&
		(!sight->is_easy || cards->turned_up - cards->card[cell].seen_at <= EASY_CARDS));
}

/* The other card of the same text, where both are known; NOBODY: it is not. */
static int partner(const struct sight *sight, int cell)
{
	const struct cards *cards = sight->cards;

	if (!is_known(sight, cell))
		return NOBODY;
	for (int other = 0; other < cards->count; other++)
		if (other != cell && is_known(sight, other) &&
		    memcmp(cards->card[other].text, cards->card[cell].text, 2) == 0)
			return other;
	return NOBODY;
}

/* ---- what is picked ---- */

/* One of the moves by chance, of those that are of this kind; NOBODY: there is none. */
static int pick(struct bot *bot, const struct view *view, const struct sight *sight,
		bool (*is_it)(const struct sight *sight, int cell))
{
	int chosen = NOBODY;
	uint32_t found = 0;

	for (int m = 0; m < view->moves; m++) {
		int cell = view->move[m].arg[1] * sight->side + view->move[m].arg[0];

		if (is_down(sight->model, cell) && is_it(sight, cell) &&
		    game_draw(&bot->chance, ++found) == 0)
			chosen = m;
	}
	return chosen;
}

static bool is_unknown(const struct sight *sight, int cell)
{
	return !is_known(sight, cell);
}

static bool fits_ours(const struct sight *sight, int cell)
{
	return partner(sight, cell) == sight->ours;
}

static bool is_half_of_pair(const struct sight *sight, int cell)
{
	int other = partner(sight, cell);

	return other != NOBODY && is_down(sight->model, other);
}

/* Its partner is up: we shall have both if we hold this one. A player whose second card does not fit must
 * turn both down, and nobody can hinder that. A player with only one card up may wait; if we waited too,
 * among more than two players the others would get all the rest. */
static bool is_worth_holding(const struct sight *sight, int cell)
{
	int other = partner(sight, cell);

	return other != NOBODY &&
	       (sight->players == 2 || sight->up[holder(sight->model, other)] == 2);
}

static bool is_any(const struct sight *sight, int cell)
{
	(void)sight;
	(void)cell;
	return true;
}

static int pick_first(struct bot *bot, const struct view *view, const struct sight *sight)
{
	int chosen = pick(bot, view, sight, is_half_of_pair);

	if (chosen == NOBODY && !sight->is_easy)
		chosen = pick(bot, view, sight, is_worth_holding);
	if (chosen == NOBODY)
		chosen = pick(bot, view, sight, is_unknown);
	if (chosen == NOBODY)
		chosen = pick(bot, view, sight, is_any);
	return chosen == NOBODY ? BOT_WAIT : chosen;
}

static int pick_second(struct bot *bot, const struct view *view, const struct sight *sight)
{
	int chosen = pick(bot, view, sight, fits_ours);

	if (chosen != NOBODY)
		return chosen;
	if (partner(sight, sight->ours) != NOBODY && !sight->is_easy)
		return BOT_WAIT;
	chosen = pick(bot, view, sight, is_unknown);
	if (chosen == NOBODY)
		chosen = pick(bot, view, sight, is_any);
	return chosen == NOBODY ? BOT_WAIT : chosen;
}

static void look_around(struct sight *sight, const struct view *view)
{
	for (int cell = 0; cell < sight->cards->count; cell++) {
		int seat = holder(sight->model, cell);

		if (seat == view->seat)
			sight->ours = cell;
		if (seat != NOBODY)
			sight->up[seat]++;
	}
	for (int seat = 0; seat < view->now.seats; seat++)
		sight->players += strcmp(view->now.name[seat], "-") != 0;
}

static int choose(struct bot *bot, const struct view *view, int64_t until)
{
	const struct cards *cards = bot->memory;
	struct sight sight = {.cards = cards,
			      .model = view->now.model,
			      .side = square_root(cards->count),
			      .is_easy = bot->level == BOT_EASY,
			      .ours = NOBODY};

	(void)until;
	look_around(&sight, view);
	return sight.ours == NOBODY ? pick_first(bot, view, &sight)
				    : pick_second(bot, view, &sight);
}

const struct bot_kind memory_kind = {
    .game = &memory_game,
    .memory_size = sizeof(struct cards),
    .see = see,
    .choose = choose,
};
