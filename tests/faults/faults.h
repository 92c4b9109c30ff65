/*
 * faults.h - the map of holmgang-faults: a program that plays many tables against a server, breaks
 * things meanwhile, and checks every byte that its players are told against its own copy of the
 * rules.
 *
 *      main.c      options, the loop, the report
 *      server.c    the server under test: start, kill, what /proc says of it and its children
 *      breaker.c   what is broken, and when
 *      table.c     the record of one table: its states in order, and what each seat hears of each
 *      position.c  one state: the rules of proto/, fed with what the players are allowed to know
 *      cards.c     the same for memory, whose cards are learned one by one
 *      hear.c      a player's lines, each against the record
 *      back.c      a player who comes back: where in the record he stands
 *      soak.c      what the server takes, minute by minute
 *      rude.c      clients without manners, how long the others wait, what is left of them
 *      rude_client.c   what these clients do
 *      slots.c     which tables are played, one after another in each slot
 *      act.c       what a player says, and when
 *      bot.c       his connection
 *
 * The server is trusted with nothing. What chance decides (ids, tokens, who begins, tiles, cards)
 * is learned when it is shown for the first time, and must fit everything that is shown after.
 */
#ifndef TESTS_FAULTS_FAULTS_H
#define TESTS_FAULTS_FAULTS_H

#include "proto/rules/game.h"
#include "proto/wire/line.h"
#include "proto/table/shape.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	SEATS = GAME_SEATS_MAX,
	SAID_MAX = 16,	/* lines of one player without an answer yet */
	HEARD_KEPT = 8, /* the last lines of a player, for the report */
	CARDS_SIDE_MAX = 10,
};

/* --- chance and time (main.c) ------------------------------------------------------------------ */

uint32_t chance(uint32_t below);
int64_t now_ms(void);

/* --- memory as its players see it (cards.c) ---------------------------------------------------- */

struct cards {
	int size;
	int seats;
	uint16_t present;
	uint16_t unordered; /* seats of whose two cards nobody has seen which was first */
	char shown[CARDS_SIDE_MAX * CARDS_SIDE_MAX][4]; /* as in the model */
	uint8_t up[SEATS];
	uint8_t cell[SEATS][2];
};

/* What has been seen of the cards of a table, whether it is up now or not. */
struct memories {
	char text[CARDS_SIDE_MAX * CARDS_SIDE_MAX][3];
};

void cards_begin(struct cards *cards, int size, int seats);
void cards_print(const struct cards *cards, char text[GAME_MODEL_MAX]);
int cards_score(const struct cards *cards, int seat);
bool cards_over(const struct cards *cards);
bool cards_may_move(const struct cards *cards, int seat);
void cards_outcome(const struct cards *cards, struct outcome *outcome);

/* Make the event happen. False: it cannot. `picked` is the cell that a player turned up, or -1. */
bool cards_happen(struct cards *cards, struct memories *memories, int seat, const char *event,
		  int *picked);

/* Take over a board that was shown after something that nobody heard of. False: it cannot be. */
bool cards_learn(struct cards *cards, struct memories *memories, const char *model);

/* --- a state of a table (position.c) ----------------------------------------------------------- */

struct position {
	union {
		union game_state rules; /* what the public may know */
		struct cards cards;
	};
	int seats;
	int round;
	int won[SEATS];
	bool done;		      /* the table: no round follows */
	uint16_t gone;		      /* a bit for each seat that has left */
	char rack[4][GAME_RACK_TEXT]; /* "??" for tiles that nobody has been shown yet */
	char scores[SEATS * 8];
};

struct table;

void position_begin(const struct table *table, struct position *position, int first);
int position_turn(const struct table *table, const struct position *position);
bool position_may_move(const struct table *table, const struct position *position, int seat);
void position_model(const struct table *table, const struct position *position,
		    char text[GAME_MODEL_MAX]);
void position_note_scores(const struct table *table, struct position *position);
void position_play(const struct table *table, struct position *position, int seat,
		   const struct move *move, struct event *event);
void position_outcome(const struct table *table, const struct position *position,
		      struct outcome *outcome);
int position_moves(const struct table *table, const struct position *position, int seat,
		   struct move *moves);
enum ruling position_judge(const struct table *table, const struct position *position, int seat,
			   const struct move *move);
char *position_legal(const struct table *table, const struct position *position, int seat);

/* Does a RACK fit what is known of it? */
bool position_rack_fits(const struct position *position, int seat, const char *rack);

/* --- the record (table.c) ---------------------------------------------------------------------- */

/*
 * Lines that a seat hears of one entry, with LF between them. Those that begin with "?" stand for
 * what can only be known by who hears it: "?START", "?RACK" (it has to come), "?rack" (it comes if
 * it has changed), "?LEGAL".
 */
struct entry {
	struct position after;
	int by; /* the seat whose line made it, -1: nobody's */
	char *say[SEATS];
};

struct bot;

struct table {
	int slot;	 /* which of the tables at once */
	unsigned serial; /* of all */
	const struct game *game;
	struct shape shape;
	bool public_shape; /* classic players are at it, who cannot say table= */
	int bots;
	struct bot *bot[SEATS];
	struct bot *at[SEATS];		  /* by seat, once known */
	char name[SEATS][NAME_MAX_BYTES]; /* by seat, once known */
	char duel[UUID_TEXT];		  /* once known */
	struct memories memories;
	struct entry *entry;
	int entries, room;
	int64_t began, progress;
	int newcomers; /* still to come */
	bool unseated; /* somebody who waited was forgotten: it never was */
	int kills;
	bool idle;    /* nothing is played in this slot */
	bool stirred; /* its record has grown, or a player's view of it */
};

extern unsigned long count_moves;

void table_begin_record(struct table *table, int first);
void table_end_round(struct table *table, int seat, const char *why, uint16_t winners, bool last);
struct said *table_pending(struct table *table);
bool table_make(struct table *table, struct said *said);
void table_unmake(struct table *table, struct said *said);
bool table_next(struct table *table, const char *line);
void table_join(struct table *table, struct position *position);
void table_jump(struct table *table, const struct position *position);
void table_clear(struct table *table);
struct position *table_now(struct table *table);

/* The lines of START, or of a RESUME behind ID. */
void table_block(const struct table *table, const struct position *position, int seat,
		 struct text *text);

/* --- players ----------------------------------------------------------------------------------- */

enum phase {
	BOT_IDLE,     /* has nothing to do */
	BOT_ENTERING, /* said PLAY, has not heard ID */
	BOT_LOOKING,  /* for opponents */
	BOT_SEATED,
	BOT_CUT,       /* without a connection */
	BOT_RETURNING, /* said RESUME, has not heard ID */
	BOT_PLACING,   /* has heard it; START and BOARD are to come, or to be found in the record */
	BOT_FINISHED,  /* with this table */
};

enum saying { SAID_MOVE, SAID_RESIGN, SAID_LOGOUT, SAID_WRONG, SAID_LIST, SAID_GAMES };

struct said {
	enum saying what;
	struct move move;
	unsigned errors; /* a bit for each enum error that may be the answer */
	int entry;	 /* that it made; -1: none yet */
};

struct bot {
	struct table *table;
	const struct game *game; /* that it plays, or was the last to play: its slot may go on */
	enum phase phase;
	int fd; /* -1: none */
	unsigned number;
	bool full, legal, newcomer;
	bool lost; /* cannot come back: its seat will be left */
	bool seen_start;
	int side; /* wished for, or -1 */
	int wait;
	char name[NAME_MAX_BYTES], id[UUID_TEXT], token[TOKEN_TEXT];
	int seat;     /* -1: not known */
	int next;     /* the entry that it hears of next */
	int here;     /* the entry that its present lines are of */
	char *want;   /* lines that have to come now … */
	char *wanted; /* … as they were allocated */
	struct said said[SAID_MAX];
	int saids;
	bool listing;
	int listed;
	char (*list)[UUID_TEXT];
	int countdown;
	uint16_t away, unsure; /* of the others: heard AWAY; cannot know */
	unsigned cuts;	       /* of its own connection */
	int heard_cuts[SEATS]; /* AWAYs heard of each seat since its last cut */
	/* a return */
	char *start, *board, *rack, *score; /* lines that have been heard */
	int lowest;			    /* he has heard of this entry for certain */
	bool fuzzy;			    /* more than one place of the record looks like that */
	int64_t act_at, since;
	int64_t patience; /* until a lone RESUME of a memory table makes its own record */
	/* input */
	char *data;
	size_t length, size, used;
	bool ended, stuck;
	char heard[HEARD_KEPT][200];
	unsigned hears;
};

/* hear.c: false: it cannot be said yet whether the line is right. */
bool hear_line(struct bot *bot, const char *line);
void hear_want(struct bot *bot, char *lines);
bool hear_start(struct bot *bot, const char *line);
bool hear_wanted(struct bot *bot, const char *line);

/* back.c */
bool back_place(struct bot *bot, const char *line);
bool back_find(struct bot *bot, const char *line);
void back_forget(struct bot *bot);

/* act.c */
void act(struct bot *bot, int64_t now);
void act_play(struct bot *bot);

/* Is this ERROR what he had to expect for what he said? */
bool act_deserves(const struct bot *bot, const struct said *said, const char *line);

/* bot.c */
bool bot_connect(struct bot *bot, bool elsewhere);
void bot_say(struct bot *bot, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bot_hear(struct bot *bot);
void bot_go_on(struct bot *bot);
void bot_cut(struct bot *bot);
void bot_close(struct bot *bot);
void bot_server_died(struct bot *bot);
void bot_finish(struct bot *bot);

/* The first thing that is wrong ends the run. */
void wrong(const struct bot *bot, const char *line, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));
void table_wrong(const struct table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* --- the server (server.c) --------------------------------------------------------------------- */

struct server {
	const char *program;
	char state[256], log[300];
	int port;
	pid_t pid;
	int fds; /* open in it before the first player came */
	int children;
	bool down;
	bool unseen; /* without broadcast ports */
};

extern struct server server;

enum child_kind { CHILD_OTHER, CHILD_DUEL, CHILD_SPAWNER, CHILD_RECORDER, CHILD_ZOMBIE };

struct server_child {
	pid_t pid;
	enum child_kind kind;
	char title[160];
};

void server_start(void);
void server_kill(void);
void server_end(void);
void server_clean_up(void);
int server_children(struct server_child *children, int room);
int server_descriptors(void);
long server_memory(long *resident); /* KiB that are its own; all that it has in memory */
void server_note_first(void);
void server_expect_as_at_first(void);
void server_leave_nothing(void);

/* --- breaking things (breaker.c) --------------------------------------------------------------- */

extern struct broken {
	unsigned long duels, stops, spawners, recorders, cuts, resumes, restarts;
} broken;

void breaker_run(int64_t now);
void breaker_stop(void); /* go on with everything that stands still */
void breaker_kill_server(void);

/* --- which tables there are (slots.c) ---------------------------------------------------------- */

extern struct played {
	unsigned long begun, finished, lost; /* lost: with the server, as classic players' are */
	bool closing;			     /* no new tables */
	bool no_entries;		     /* nobody says PLAY for the moment */
} played;

void slots_open(int count);
void slots_go_on(struct table *table, int64_t now);
bool slots_all_idle(void);
bool slots_somebody_enters(void);

/* --- what the server takes (soak.c) -------------------------------------------------------------- */

void soak_run(int64_t now, int64_t begin); /* prints a line each minute */
void soak_judge(void);			   /* of the first and the last */

/* --- clients without manners (rude.c, rude_client.c) ------------------------------------------- */

enum { RUDE_KINDS = 9 };

/* What their process tells ours. */
struct rude {
	unsigned long said[RUDE_KINDS];
	unsigned long connections;
	char wrong[200]; /* what they heard */
};

void rude_start(uint64_t seed, int64_t from, int64_t until);
void rude_watch(int64_t now);
void rude_end(void);   /* they have ended */
void rude_judge(void); /* of what the idle server has */
void rude_report(void);
void rude_client_run(struct rude *page, uint64_t seed, int64_t from, int64_t until);

/* --- all of them (main.c) ---------------------------------------------------------------------- */

extern struct player_list {
	struct bot *bot;
	int count;
} players;

extern struct table_list {
	struct table *table;
	int count;
} tables;

extern int poller;

#endif
