/*
 * kept.h - what the page tells of kept games: the list, one of them step by step, ratings.
 *
 * It answers in JSON. Private tables are not told of: a reader of the page need not have sat at them.
 */
#ifndef VIEWER_WEB_KEPT_H
#define VIEWER_WEB_KEPT_H

#include "proto/wire/line.h"

#include <stdint.h>

enum { KEPT_NAME = 64 }; /* bytes of a file's name */

struct kept;

/* The games in this state folder; that there are none yet is no error. NULL: no memory is left. */
struct kept *kept_new(const char *state);
void kept_free(struct kept *kept); /* NULL is allowed */

/* What is asked for; NULL where nothing was said. */
struct kept_question {
	const char *game, *player;   /* of the list, of the ratings */
	const char *result, *before; /* of the list: see struct games_filter */
	const char *id, *step;	     /* of a game */
	int64_t now_ms;		     /* of the day, for the ratings */
};

/* Each adds one object of JSON, {"why": "..."} where it cannot be had. */
struct kept_page {
	const char *path;
	void (*tell)(struct kept *kept, const struct kept_question *question, struct text *text);
};

/* A file to take away; the bytes are the caller's to free. */
struct kept_file {
	const char *type;
	char name[KEPT_NAME];
	char *bytes;
	size_t length;
};

/* "/kept/text" and "/kept/drawing": a game that is asked for, and a step of it. False: there is none at this path, or
 * no such game. */
bool kept_file(struct kept *kept, const char *path, const struct kept_question *question,
	       struct kept_file *file);

/* NULL: there is none at this path. */
const struct kept_page *kept_page_find(const char *path);

#endif
