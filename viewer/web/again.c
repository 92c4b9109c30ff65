/*
 * again.c - one kept game again, for the page. See again.h.
 *
 * What it adds is JSON, but for the files. A step is always one that the game has.
 */
#include "viewer/web/again.h"
#include "viewer/games/text.h"
#include "viewer/svg/svg.h"
#include "viewer/web/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The position before, as the wall has it: the last one with another board and turn. */
static struct wall_place place_of(const struct game_play *play, int step)
{
	struct wall_place place = {.used = true, .frame = play->step[step].frame};

	for (int i = step - 1; i >= 0 && !place.has_before; i--)
		if (strcmp(play->step[i].frame.model, place.frame.model) != 0) {
			place.before = play->step[i].frame;
			place.has_before = true;
		}
	return place;
}

static void make_scene(struct scene *scene, const struct wall_place *place)
{
	scene_of_frame(scene, &place->frame, place->has_before ? &place->before : NULL);
}

void again_step(const struct game_play *play, int step, struct text *text)
{
	struct wall_place place = place_of(play, step);
	struct scene scene;

	make_scene(&scene, &place);
	text_add(text, "{\"step\":%d,\"steps\":%d,\"time\":%" PRId64, step, play->steps,
		 play->step[step].at);
	json_add_member(text, "event", play->step[step].event);
	text_add(text, ",\"board\":");
	json_add_board(&place, &scene, 0, play->record.started + play->step[step].at, text);
	text_add(text, "}");
}

/* --- the list of moves ------------------------------------------------------------------------- */

static void add_head(const struct record *record, struct text *text)
{
	char data[16 * GAME_SEATS_MAX + 64];
	struct text result = TEXT_IN(data);

	text_add(text, "\"started\":%" PRId64 ",\"names\":[", record->started);
	for (int i = 0; i < record->players; i++) {
		text_add(text, "%s", i == 0 ? "" : ",");
		json_add_string(text, record->player[i].name);
	}
	text_add(text, "]");
	record_print_result(record, &result);
	json_add_member(text, "game", record->rules.shape.game->name);
	json_add_member(text, "title", record->rules.shape.game->title);
	json_add_member(text, "result", result.data);
	json_add_member(text, "termination", record->termination);
}

/* What it ended with is told with the step that ended the round. */
static void add_end(const struct game_play *play, int step, struct text *text)
{
	struct wall_place place;
	struct scene scene;

	if (!frame_is_over(&play->step[step].frame) ||
	    (step > 0 && frame_is_over(&play->step[step - 1].frame)))
		return;
	place = place_of(play, step);
	make_scene(&scene, &place);
	json_add_member(text, "ends", scene.caption);
}

static void add_move(const struct game_play *play, int step, int number, struct text *text)
{
	const struct game_step *move = &play->step[step];

	text_add(text, "{\"step\":%d,\"round\":%d", step, move->frame.round);
	if (move->seat >= 0) {
		text_add(text, ",\"number\":%d", number);
		json_add_member(text, "name", move->frame.name[move->seat]);
		json_add_member(text, "words", move->event);
	}
	add_end(play, step, text);
	text_add(text, "}");
}

void again_moves(const struct game_play *play, int step, struct text *text)
{
	int from = step - step % AGAIN_PART, number = 0;

	text_add(text, "{");
	add_head(&play->record, text);
	text_add(text, ",\"from\":%d,\"part\":%d,\"steps\":%d,\"moves\":[", from, AGAIN_PART,
		 play->steps);
	for (int i = 0; i < play->steps && i < from + AGAIN_PART; i++) {
		if (i > 0 && play->step[i].frame.round != play->step[i - 1].frame.round)
			number = 0;
		number += play->step[i].seat >= 0;
		if (i < from)
			continue;
		text_add(text, "%s", i == from ? "" : ",");
		add_move(play, i, number, text);
	}
	text_add(text, "]}");
}

/* --- files to take away ------------------------------------------------------------------------- */

char *again_text(const struct game_play *play, size_t *length)
{
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, length);
	bool good;

	if (out == NULL)
		return NULL;
	games_text_print(&play->record, out);
	good = !ferror(out);
	if (fclose(out) == 0 && good)
		return bytes;
	free(bytes);
	return NULL;
}

void again_drawing(const struct game_play *play, int step, struct text *text)
{
	struct wall_place place = place_of(play, step);
	struct scene scene;

	make_scene(&scene, &place);
	svg_print_file(&scene, text);
}
