/*
 * json.h - the messages of the page, in JSON and as server-sent events.
 */
#ifndef VIEWER_WEB_JSON_H
#define VIEWER_WEB_JSON_H

#include "viewer/scene/scene.h"
#include "viewer/watch/wall.h"

/* Bytes that are enough for any message: a drawing, and what is said besides. */
enum { JSON_MAX = 384 * 1024 };

/* Who has won a round, and who played it, for the list of those. */
struct json_result {
	int64_t clock_ms;
	uint16_t port;
	const struct game *game;
	char duel[UUID_TEXT], text[SCENE_CAPTION];
	int players; /* whose names are known */
	char name[GAME_SEATS_MAX][NAME_MAX_BYTES];
};

/* Text as a string with its quotes. */
void json_add_string(struct text *text, const char *words);

/* The same as a member of an object that is not its first. */
void json_add_member(struct text *text, const char *name, const char *words);

/* All there is to a board; `silent_s` is for how long it has not been heard. */
void json_add_board(const struct wall_place *place, const struct scene *scene, int silent_s,
		    int64_t clock_ms, struct text *text);

/* "board": the same as an event. */
void json_print_board(const struct wall_place *place, const struct scene *scene, int silent_s,
		      int64_t clock_ms, struct text *text);

/* "gone": the port shows nothing any more. */
void json_print_gone(uint16_t port, struct text *text);

/* "results": the newest first. */
void json_print_results(const struct json_result *results, int count, struct text *text);

#endif
