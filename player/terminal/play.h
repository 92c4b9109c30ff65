/*
 * play.h - people play at a table: what play.c keeps, the other files of play_ change, and play_draw.c shows.
 */
#ifndef PLAYER_TERMINAL_PLAY_H
#define PLAYER_TERMINAL_PLAY_H

#include "viewer/scene/picker.h"
#include "player/terminal/help.h"
#include "player/terminal/page.h"

enum {
	PLAY_WORDS_MAX = 4,
	PLAY_TYPED_MAX = 64,
};

enum play_stage {
	STAGE_ASKING,  /* nothing has been heard yet */
	STAGE_WAITING, /* for an opponent */
	STAGE_PLAYING,
	STAGE_HOLDING, /* the end of a round is looked at, though the next one has begun */
	STAGE_OVER,    /* the table has ended, or there never was one */
};

/* What the person is asked to confirm. */
enum play_question { ASK_NOTHING, ASK_LEAVE, ASK_QUIT, ASK_RESIGN };

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
struct play_word {
	int move; /* its place among the legal ones */
	int key;
	char text[GAME_MOVE_TEXT + 8]; /* "[p: pass]" */
	struct area place;	       /* where it was drawn last */
};

/* Pieces beside the board that have been marked, to be given instead of all of them. */
struct play_mark {
	int piece, count;
};

struct play {
	struct page *page;
	struct session *session; /* of whom is shown; one of the party's */
	int shown;		 /* which one */
	int ready;		 /* the person whose pieces may be seen; -1: nobody has said so */
	enum play_stage stage;
	enum play_question question;
	unsigned broken;	    /* a bit for each person whose connection is being made again */
	bool leave;		    /* back to the lobby */
	bool nobody;		    /* has come to play */
	bool refused;		    /* the news are that something is not possible */
	char rival[NAME_MAX_BYTES]; /* who may be asked for again; or "" */
	bool helping;		    /* the rules and keys are shown, and all goes on behind them */
	struct help help;

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
	struct play_mark mark[SCENE_BESIDE_MAX];
	bool typing;
	char typed[PLAY_TYPED_MAX];
	char doubt
	    [PAGE_TEXT]; /* why what is typed will be refused, as far as is known here; or "" */

	/* as it was drawn last, for the mouse */
	struct scene scene;
	struct area board, beside;
	bool has_board;
	int words;
	struct play_word word[PLAY_WORDS_MAX];
};

/* The legal moves, to be picked from. */
struct choice play_choice(const struct play *play);

/* May the person pick now? */
bool play_may_pick(const struct play *play);

/* Do several people sit at this terminal? And must it hide what the next of them holds, until
 * they say that they are ready? */
bool play_is_shared(const struct play *play);
bool play_is_hidden(const struct play *play);

void play_notice(struct play *play, enum terminal_style style, const char *text);
void play_begin(struct play *play);
void play_stop_holding(struct play *play);

/* play_leave.c: a question that y answers with yes; leaving; Ctrl-C; the end of it all. */
void play_ask(struct play *play, enum play_question question);
void play_answer(struct play *play, int key);
void play_leave(struct play *play);
void play_follow_interrupts(struct play *play);
void play_end(struct play *play);

/* Who sits there could be asked for again; then the same again, with them or with anybody. */
void play_note_rival(struct play *play);
void play_again(struct play *play, bool with_rival);

/* play_refuse.c: something is not possible, and why. It is forgotten when something else happens. */
void play_refuse(struct play *play, const char *text);
void play_refuse_pick(struct play *play, struct pick picked);
void play_not_now(struct play *play);
void play_forget_refusal(struct play *play);

/* Will this move be refused, as far as is known here? Then `why` is a sentence. */
bool play_doubts(const struct play *play, const struct move *move, struct text *why);

/* play_keys.c: what the person does. */
void play_input(struct play *play, const struct terminal_input *input);

/* play_type.c: a move as the game says it. At a server that judges nothing there may be nothing to
 * pick, and yet a move to type. */
bool play_may_type(const struct play *play);
void play_type(struct play *play);
void play_type_key(struct play *play, int key);

/* The cursor goes where something can be picked. */
void play_follow_targets(struct play *play);

/* What has been picked or marked counts for nothing any more. */
void play_drop_picks(struct play *play);

/* How much of this piece is marked? */
int play_marked(const struct play *play, int piece);

/* play_wait.c: until somebody comes, and when nobody has. */
bool play_is_waiting(const struct play *play);
void play_wait(struct play *play);
void play_wait_draw(const struct play *play, struct area area);
void play_wait_words(const struct play *play, struct text *keys);
bool play_wait_key(struct play *play, int key);
bool play_wait_refused(struct play *play);

/* play_draw.c: draw it all. */
void play_draw(struct play *play);

#endif
