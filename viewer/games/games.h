/*
 * games.h - the games that have been kept, for the programs that show them: the list, one game step by step,
 * and how strong the players are.
 *
 * They are in the database that the server's recorder writes, STATE/games.db; server/RECORDS.md
 * says what is in it. Here it is only read. A game that is loaded is played again by the rules, so
 * each step has the frame that its viewers saw.
 *
 * Whatever fails puts one line into `why` and changes nothing.
 */
#ifndef VIEWER_GAMES_GAMES_H
#define VIEWER_GAMES_GAMES_H

#include "proto/table/frame.h"
#include "proto/kept/record.h"

enum { GAMES_WHY_MAX = 256 };

/* The server's state folder where nobody says one. */
const char *games_state_folder(void);

struct games;

/* NULL: there is none in this state folder, it is damaged, or it is not ours. */
struct games *games_open(const char *state, char why[GAMES_WHY_MAX]);
void games_close(struct games *games);

/* Which games; NULL or 0: any. The newest come first. */
struct games_filter {
	const char *game;     /* its name */
	const char *player;   /* a name that sat at the table */
	const char *result;   /* an outcome or a termination, as in struct game_line */
	const char *before;   /* an id: only those that come behind it in the list */
	int64_t since, until; /* it began at or after, before: milliseconds since 1970 */
	int limit;	      /* so many at most */
	bool public_only;     /* no private tables */
};

/* One line of the list. The texts are valid until the next one. */
struct game_line {
	const char *id, *game;
	int64_t started, ended;	 /* milliseconds since 1970 */
	const char *names;	 /* of the players in the order in which they came: "anna,ben" */
	const char *won;	 /* how many rounds each has won: "1,0" */
	const char *result;	 /* the same as people write it: "1-0", "1/2-1/2", "*" */
	const char *outcome;	 /* won, drawn, unfinished */
	const char *termination; /* how it ended: normal, "time forfeit", "aborted crashed" … */
	int rounds, moves;	 /* that were played */
	bool is_private;
};

/* `each` may say false: that was enough. */
bool games_list(struct games *games, const struct games_filter *filter,
		bool (*each)(void *owner, const struct game_line *line), void *owner,
		char why[GAMES_WHY_MAX]);

/* A game and all its positions. Step 0 is the first position of round 1. */
struct game_play {
	struct record record;
	int steps;
	struct game_step {
		int64_t at; /* milliseconds since the beginning */
		int seat;   /* who did it; -1: nobody */
		/* in the words of STATE; "" when a round begins, or ends otherwise */
		char event[GAME_EVENT_TEXT];
		struct frame frame;
	} * step;
};

/* `id` may be cut short as long as one game only begins with it. NULL: there is none such. */
struct game_play *game_load(struct games *games, const char *id, char why[GAMES_WHY_MAX]);
void game_free(struct game_play *play);

/* How strong a name is, by Glicko-2; see server/RECORDS.md for which games count. */
struct rating {
	char name[NAME_MAX_BYTES];
	int number; /* in the course */
	int games;  /* rounds against somebody */
	double rating, deviation, volatility;
};

/* How all came to where they are: what each was after each day on which it played, the oldest first. */
struct rating_course {
	int days;
	struct rating_day {
		int number;
		int64_t at; /* when the day began: milliseconds since 1970 */
		double rating, deviation;
	} * day;
};

/* Those of all who have played this game, the strongest first; to be freed. `count` 0 with NULL:
 * nobody has. -1: `why`. `course` may be NULL; its days are to be freed too. */
struct rating *games_ratings(struct games *games, const char *game, int *count,
			     struct rating_course *course, char why[GAMES_WHY_MAX]);

#endif
