/*
 * svg.c - a kept game as drawings, a file for each position. See command.h.
 *
 * FILE.svg becomes FILE-000.svg, FILE-001.svg and so on, so that the names are in the order of the
 * moves.
 */
#include "viewer/games/command.h"
#include "viewer/svg/svg.h"

#include <string.h>

enum { NAME_BYTES = 4096 };

/* The last position with another board. NULL: there is none in this round. */
static const struct frame *before(const struct game_play *play, int step)
{
	const struct frame *frame = &play->step[step].frame;

	for (int i = step - 1; i >= 0; i--)
		if (strcmp(play->step[i].frame.model, frame->model) != 0)
			return &play->step[i].frame;
	return NULL;
}

bool games_draw(const struct game_play *play, const char *file, char why[GAMES_WHY_MAX])
{
	const char *dot = strrchr(file, '.');
	size_t length = dot != NULL && strcmp(dot, ".svg") == 0 ? (size_t)(dot - file)
								: strlen(file);
	char name[NAME_BYTES];
	struct scene scene;

	for (int step = 0; step < play->steps; step++) {
		if (snprintf(name, sizeof(name), "%.*s-%03d.svg", (int)length, file, step) >=
		    (int)sizeof(name)) {
			snprintf(why, GAMES_WHY_MAX, "the name of the file is too long");
			return false;
		}
		scene_of_frame(&scene, &play->step[step].frame, before(play, step));
		if (!svg_write_file(&scene, name, why))
			return false;
	}
	return true;
}
