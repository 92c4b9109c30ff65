/*
 * draw.c - the registry of drawings.
 *
 * A new game is one file draw_GAME.c and one line in the table below. Where the line is missing, all
 * that show games say so in the title, above a board of one cell that nobody can pick.
 */
#include "viewer/scene/scene.h"

extern const struct drawing qwirkle_drawing;
extern const struct drawing memory_drawing;
extern const struct drawing tictactoe_drawing;
extern const struct drawing hnefatafl_drawing;
extern const struct drawing quantik_drawing;

static const struct drawing *const drawings[] = {
    &tictactoe_drawing, &hnefatafl_drawing, &quantik_drawing, &qwirkle_drawing, &memory_drawing,
};

/* --- a game without a drawing ----------------------------------------------------------------- */

static void draw_none(struct scene *scene, const struct frame *frame)
{
	struct text title = TEXT_IN(scene->title);

	scene_set_size(scene, 1, 1);
	scene->cell[0][0].letter = '?';
	scene->cell[0][0].symbol[0] = '?';
	text_add(&title,
		 "%s cannot be shown: this program has no drawing of it (viewer/draw/draw.c)",
		 frame->game->name);
}

/* Who does not see the board must not make a move by chance. */
static int pick_none(const struct move *move, struct pick picks[SCENE_PICKS_MAX])
{
	(void)move;
	(void)picks;
	return -1;
}

static const char *explain_none(const char *why)
{
	(void)why;
	return NULL;
}

static const struct drawing none = {
    .draw = draw_none,
    .picks = pick_none,
    .explain = explain_none,
};

const struct drawing *drawing_of(const struct game *game)
{
	for (size_t i = 0; i < sizeof(drawings) / sizeof(drawings[0]); i++)
		if (drawings[i]->game == game)
			return drawings[i];
	return &none;
}
