/*
 * table.h - a person at a table: what table.c keeps and table_draw.c shows.
 */
#ifndef PLAYER_TABLE_H
#define PLAYER_TABLE_H

#include "picker.h"
#include "page.h"

enum table_stage {
	STAGE_ASKING,  /* nothing has been heard yet */
	STAGE_WAITING, /* for an opponent */
	STAGE_PLAYING,
	STAGE_HOLDING, /* the end of a round is looked at, though the next one has begun */
	STAGE_OVER,    /* the table has ended, or there never was one */
};

/* What the person is asked to confirm. */
enum table_question { ASK_NOTHING, ASK_LEAVE, ASK_RESIGN };

/* The end of a round, kept while the next one has begun. */
struct ending {
	struct frame now, before;
	bool has_before;
	enum view_result result;
	int seat;
	char text[SCENE_CAPTION];
};

struct table {
	struct page *page;
	enum table_stage stage;
	enum table_question question;
	bool broken; /* the connection is lost and being made again */
	bool leave;  /* back to the menu */

	struct ending ending;
	bool has_ending;
	int64_t hold_until;
	int64_t turn_since, news_since; /* ms */

	struct picker picker;
	struct pick cursor;
	bool has_cursor;

	/* as it was drawn last, for the mouse */
	struct scene scene;
	struct area board, beside;
	bool has_board;
};

/* The legal moves, to be picked from. */
struct choice table_choice(const struct table *table);

/* May the person pick now? */
bool table_may_pick(const struct table *table);

/* table_draw.c: draw it all. Which piece beside the board is at this place of the screen? -1: none
 */
void table_draw(struct table *table);
int table_beside_at(const struct table *table, int row, int column);

#endif
