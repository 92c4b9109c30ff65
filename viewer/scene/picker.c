/*
 * picker.c - from legal moves and picks to the next targets, or to a move. See picker.h.
 *
 * It asks the game's rules which picks make a move. It draws nothing and sends nothing.
 */
#include "viewer/scene/picker.h"

bool pick_equal(struct pick one, struct pick other)
{
	return one.beside == other.beside && one.column == other.column && one.x == other.x &&
	       one.y == other.y;
}

bool pick_meets(struct pick target, struct pick picked)
{
	if (target.column)
		return !picked.beside && picked.x == target.x;
	return pick_equal(target, picked);
}

/* Does the move begin with what has been picked? Gives its picks. */
static bool fits(const struct picker *picker, const struct choice *choice, int m,
		 struct pick picks[GAME_PICKS_MAX], int *count)
{
	*count = game_picks(choice->game, &choice->move[m], picks);
	if (*count < picker->count)
		return false;
	for (int i = 0; i < picker->count; i++)
		if (!pick_equal(picks[i], picker->pick[i]))
			return false;
	return true;
}

/* The first of them that this picks; -1: none. */
static int find_met(const struct pick *list, int count, struct pick picked)
{
	for (int i = 0; i < count; i++)
		if (pick_meets(list[i], picked))
			return i;
	return -1;
}

/* As they are seen: pieces beside the board first, then cells row by row. */
static bool comes_before(struct pick one, struct pick other)
{
	if (one.beside != other.beside)
		return one.beside;
	return one.y != other.y ? one.y < other.y : one.x < other.x;
}

static void add_sorted(struct pick *list, int count, struct pick pick)
{
	for (; count > 0 && comes_before(pick, list[count - 1]); count--)
		list[count] = list[count - 1];
	list[count] = pick;
}

int picker_targets(const struct picker *picker, const struct choice *choice,
		   struct pick targets[PICKER_TARGETS_MAX])
{
	struct pick picks[GAME_PICKS_MAX];
	int found = 0, count;

	for (int m = 0; m < choice->moves; m++)
		if (fits(picker, choice, m, picks, &count) && count > picker->count &&
		    found < PICKER_TARGETS_MAX &&
		    find_met(targets, found, picks[picker->count]) < 0)
			add_sorted(targets, found++, picks[picker->count]);
	return found;
}

int picker_wholes(const struct picker *picker, const struct choice *choice, int *wholes, int most)
{
	struct pick picks[GAME_PICKS_MAX];
	int found = 0, count;

	for (int m = 0; m < choice->moves && found < most; m++)
		if (fits(picker, choice, m, picks, &count) && count == picker->count)
			wholes[found++] = m;
	return found;
}

bool picker_whole(const struct picker *picker, const struct choice *choice, struct move *move)
{
	int whole;

	if (picker_wholes(picker, choice, &whole, 1) == 0)
		return false;
	*move = choice->move[whole];
	return true;
}

enum picked picker_pick(struct picker *picker, const struct choice *choice, struct pick pick,
			struct move *move)
{
	struct pick targets[PICKER_TARGETS_MAX];
	int met = find_met(targets, picker_targets(picker, choice, targets), pick);

	if (met < 0)
		return PICKED_NOTHING;
	picker->pick[picker->count++] = targets[met];
	if (picker_targets(picker, choice, targets) > 0)
		return PICKED_MORE;
	if (!picker_whole(picker, choice, move))
		return PICKED_NOTHING;
	picker->count = 0;
	return PICKED_MOVE;
}

bool picker_undo(struct picker *picker)
{
	if (picker->count == 0)
		return false;
	picker->count--;
	return true;
}
