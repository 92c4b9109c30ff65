/*
 * picker.c - from legal moves and picks to the next targets, or to a move. See picker.h.
 *
 * It asks the game's drawing which picks make a move, and its rules how the move is said. It draws
 * nothing and sends nothing.
 */
#include "picker.h"

#include "../proto/line.h"

#include <string.h>

bool pick_equal(struct pick one, struct pick other)
{
	return one.beside == other.beside && one.x == other.x && one.y == other.y;
}

/* Does the move begin with what has been picked? Gives its picks. */
static bool fits(const struct picker *picker, const struct choice *choice, int m,
		 struct pick picks[SCENE_PICKS_MAX], int *count)
{
	*count = choice->drawing->picks(&choice->move[m], picks);
	if (*count < picker->count)
		return false;
	for (int i = 0; i < picker->count; i++)
		if (!pick_equal(picks[i], picker->pick[i]))
			return false;
	return true;
}

static bool is_among(const struct pick *list, int count, struct pick pick)
{
	for (int i = 0; i < count; i++)
		if (pick_equal(list[i], pick))
			return true;
	return false;
}

int picker_targets(const struct picker *picker, const struct choice *choice,
		   struct pick targets[PICKER_TARGETS_MAX])
{
	struct pick picks[SCENE_PICKS_MAX];
	int found = 0, count;

	for (int m = 0; m < choice->moves; m++)
		if (fits(picker, choice, m, picks, &count) && count > picker->count &&
		    found < PICKER_TARGETS_MAX && !is_among(targets, found, picks[picker->count]))
			targets[found++] = picks[picker->count];
	return found;
}

bool picker_whole(const struct picker *picker, const struct choice *choice, struct move *move)
{
	struct pick picks[SCENE_PICKS_MAX];
	int count;

	for (int m = 0; m < choice->moves; m++)
		if (fits(picker, choice, m, picks, &count) && count == picker->count) {
			*move = choice->move[m];
			return true;
		}
	return false;
}

enum picked picker_pick(struct picker *picker, const struct choice *choice, struct pick pick,
			struct move *move)
{
	struct pick targets[PICKER_TARGETS_MAX];
	int count = picker_targets(picker, choice, targets);

	if (!is_among(targets, count, pick))
		return PICKED_NOTHING;
	picker->pick[picker->count++] = pick;
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

/* Does the word, in this place, stand in each move of at least so many picks that fits `picker`? */
static bool is_common(const struct picker *picker, const struct choice *choice, int least,
		      int place, const char *word)
{
	struct pick picks[SCENE_PICKS_MAX];
	char text[GAME_MOVE_TEXT];
	struct words words;
	int count;

	for (int m = 0; m < choice->moves; m++) {
		if (!fits(picker, choice, m, picks, &count) || count < least)
			continue;
		choice->drawing->game->print_move(&choice->move[m], text);
		if (!line_split(text, &words) || place >= words.count ||
		    strcmp(words.word[place], word) != 0)
			return false;
	}
	return true;
}

void picker_label(const struct picker *picker, const struct choice *choice, struct pick pick,
		  char label[GAME_MOVE_TEXT])
{
	struct text text = {.data = label, .size = GAME_MOVE_TEXT};
	struct picker with = *picker;
	struct pick picks[SCENE_PICKS_MAX];
	char first[GAME_MOVE_TEXT];
	struct words words;
	int m = 0, count;

	label[0] = '\0';
	if (with.count == SCENE_PICKS_MAX)
		return;
	with.pick[with.count++] = pick;
	while (m < choice->moves && !fits(&with, choice, m, picks, &count))
		m++;
	if (m == choice->moves)
		return;
	choice->drawing->game->print_move(&choice->move[m], first);
	if (!line_split(first, &words))
		return;
	for (int i = 0; i < words.count; i++)
		if (is_common(&with, choice, with.count, i, words.word[i]) &&
		    !is_common(picker, choice, with.count, i, words.word[i]))
			text_add(&text, "%s%s", text.length > 0 ? " " : "", words.word[i]);
}
