/*
 * table.h - those who sit at a table: what table.c keeps, table_keys.c changes and table_draw.c
 * shows.
 */
#ifndef PLAYER_TERMINAL_TABLE_H
#define PLAYER_TERMINAL_TABLE_H

#include "viewer/scene/picker.h"
#include "player/terminal/page.h"

enum {
	TABLE_WORDS_MAX = 4,
	TABLE_TYPED_MAX = 64,
};

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
	int64_t since; /* ms */
	char text[SCENE_CAPTION];
};

/* A move that needs no further pick, shown as a word to press or to click on. */
struct table_word {
	int move; /* its place among the legal ones */
	int key;
	char text[GAME_MOVE_TEXT + 8]; /* "[p: pass]" */
	struct area place;	       /* where it was drawn last */
};

/* Pieces beside the board that have been marked, to be given instead of all of them. */
struct table_mark {
	int piece, count;
};

struct table {
	struct page *page;
	struct session *session; /* of whom is shown; one of the party's */
	int shown;		 /* which one */
	int ready;		 /* the person whose pieces may be seen; -1: nobody has said so */
	enum table_stage stage;
	enum table_question question;
	unsigned broken; /* a bit for each person whose connection is being made again */
	bool leave;	 /* back to the menu */

	struct ending ending;
	bool has_ending;
	int64_t hold_until;
	int64_t turn_since; /* ms */
	int turn_of;	    /* the seat whose turn it has been since then */
	int64_t away_since[GAME_SEATS_MAX];

	struct picker picker;
	struct pick cursor;
	bool has_cursor;
	int marks;
	struct table_mark mark[SCENE_BESIDE_MAX];
	bool typing;
	char typed[TABLE_TYPED_MAX];

	/* as it was drawn last, for the mouse */
	struct scene scene;
	struct area board, beside;
	bool has_board;
	int words;
	struct table_word word[TABLE_WORDS_MAX];
};

/* The legal moves, to be picked from. */
struct choice table_choice(const struct table *table);

/* May the person pick now? */
bool table_may_pick(const struct table *table);

/* Do several people sit at this terminal? And must it hide what the next of them holds, until he
 * says that he is ready? */
bool table_is_shared(const struct table *table);
bool table_is_hidden(const struct table *table);

void table_notice(struct table *table, enum terminal_style style, const char *text);
void table_leave(struct table *table);
void table_play(struct table *table);
void table_stop_holding(struct table *table);

/* table_keys.c: what the person does. */
void table_input(struct table *table, const struct terminal_input *input);

/* table_type.c: a move as the game says it. At a server that judges nothing there may be nothing to
 * pick, and yet a move to type. */
bool table_may_type(const struct table *table);
void table_type(struct table *table);
void table_type_key(struct table *table, int key);
void table_not_now(struct table *table);

/* The cursor goes where something can be picked. */
void table_follow_targets(struct table *table);

/* What has been picked or marked counts for nothing any more. */
void table_drop_picks(struct table *table);

/* How much of this piece is marked? */
int table_marked(const struct table *table, int piece);

/* table_draw.c: draw it all. */
void table_draw(struct table *table);

#endif
