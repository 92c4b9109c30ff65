/*
 * record.h - a game as it is kept: what the table was told at its beginning, who played, and all
 * that happened to it, with its time. Pure: it knows no file and no database.
 *
 * Only what went in is kept. What followed from it (positions, rounds, scores, how it ended) is
 * found by playing it again, by the same rules and the same table that played it the first time;
 * so a record cannot say one thing and its positions another.
 *
 * A record has no tokens, and not the word of a private table.
 */
#ifndef PROTO_KEPT_RECORD_H
#define PROTO_KEPT_RECORD_H

#include "proto/table/table.h"

enum {
	RECORD_WHY_MAX = 160,
	RECORD_TERM_MAX = 32, /* bytes of how it ended, with the NUL */
	/* that happened in a game which is kept; more than days of play, and memory for them can be had */
	RECORD_DEEDS_MAX = 1 << 19,
};

/* Somebody who has sat at the table, by the order in which they came. At tables where people come
 * and go a place may have had several. */
struct record_player {
	int place;
	char id[UUID_TEXT], name[NAME_MAX_BYTES];
	bool full; /* speaks the full dialect */
	int wait;
	int rounds_won; /* found */
};

/* One thing that happened. */
struct record_deed {
	int64_t at;	/* milliseconds since the beginning, as are all times here */
	int player;	/* who; -1: nobody */
	enum deed deed; /* as table.h has them */
	char words[DEED_WORDS];
};

/* How a round ended, for one of those who played in it. */
struct record_standing {
	int round, player;
	int points; /* 0 in games without */
	int rank;   /* 1 is the best; equal ranks are equal */
};

struct record_round {
	int64_t at;
	char why[GAME_WHY_MAX];
	int winners; /* how many; 0: nobody */
};

struct record {
	struct table_rules rules; /* shape.table is empty */
	bool is_private;
	int seats;	 /* with how many it began: the first players */
	int64_t started; /* milliseconds since 1970 */
	bool crashed;	 /* it has no end, for its process or the server had one */

	int players, deeds;
	struct record_player *player;
	struct record_deed *deed;

	/* found by record_play() */
	int64_t ended;
	char outcome[16];		   /* won, drawn, unfinished */
	char termination[RECORD_TERM_MAX]; /* normal, resigned, "aborted crashed", … */
	int rounds, standings, moves;
	struct record_round *round;
	struct record_standing *standing;
};

/* At each step, what the public sees now, and `table->last_seat`, who did `table->last_event`; -1:
 * a round begins, or has ended otherwise. False: there is no memory. */
typedef bool record_step(void *owner, const struct table *table, int64_t at);

/* Play it again and fill in what is found. `step` may be NULL. False: it cannot have been so, or
 * there is no memory; `why` says which, and `wrong` (may be NULL) which deed it was, or -1. */
bool record_play(struct record *record, record_step *step, void *owner, char why[RECORD_WHY_MAX],
		 int *wrong);

/* Add to a record that is empty at first. NULL: there is no memory. */
struct record_player *record_add_player(struct record *record);
struct record_deed *record_add_deed(struct record *record);
void record_free(struct record *record);

/* The keys that shape its table, as in PLAY: "rounds=1 clock=120 strict=off"; and back, with the
 * game's name. False: there is no such game, or one of its keys has no such value. */
void record_print_options(const struct record *record, char text[SHAPE_MAX]);
bool record_read_options(struct record *record, const char *game, const char *options);

/* "1-0", "0-1", "1/2-1/2", "*": what one round came to; of several how many each has won. */
void record_print_result(const struct record *record, struct text *text);

/* All that happened in it as JSON, in memory that the next one's takes over, and whoever has it frees. NULL:
 * there is no memory. */
const char *record_print_events(const struct record *record, struct text *text);

/* The words of a deed, and back; -1: there is none such. */
const char *record_deed_word(enum deed deed);
int record_read_deed(const char *word);

#endif
