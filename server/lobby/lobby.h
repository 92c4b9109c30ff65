/*
 * lobby.h - the map of the server process: what it knows, and which file does what with it.
 *
 *                        listen.c         takes connections in
 *                        admission.c      says who may come in, and who may have a table
 *      lobby.c ──────▶   turns.c          says whose turn it is to be heard
 *      the loop          visitor.c        the life of a visitor, as child.c of a duel
 *                        hear_visitor.c   hears those who are not at a table
 *                        waiting.c        looks after those who wait for opponents
 *                        match.c          says who meets whom (pure)
 *                        child.c          registers and reaps the duels
 *                        launch.c         gets them born, by the spawner
 *                        rebirth.c        gets one born again that has died in mid-game
 *                        recover.c        finds the games of a server that has died
 *                        helper_line.c    starts, tells and ends a helper that answers nothing:
 *                        recorder_link.c      the recorder: which games have ended
 *                        house_link.c         the house: which computers are asked for, and which are not any more
 *                        handoff.c        sends sockets to duels
 *                        hear_duel.c      hears what the duels say
 *                        echo.c           prints what they have to say to whoever runs the server
 *                        who.c            tells who is here, and what is played
 *                        roll.c           keeps people and tables in the order in which they came (pure)
 *                        unsent.c         keeps what players have not taken at a table that has ended
 *                        stop.c           lets the tables end, and makes no more; ends them, and the server
 *                        timeline.c       what --trace tells of the lobby
 *
 * The server never waits for a client or a duel, never reads a move, never knows a rule. It knows connections,
 * waiting players, tables and children. What it may wait for, lobby.c says.
 */
#ifndef SERVER_LOBBY_LOBBY_H
#define SERVER_LOBBY_LOBBY_H

#include "proto/wire/message.h"

#include "server/lobby/activation.h"
#include "server/shared/birth.h"
#include "server/lobby/broadcast.h"
#include "server/shared/config.h"
#include "server/shared/helper.h"
#include "server/lobby/admission.h"
#include "server/lobby/match.h"
#include "server/lobby/metrics.h"
#include "server/shared/peer.h"
#include "server/lobby/ports.h"
#include "server/lobby/roll.h"
#include "server/journal/folder.h"
#include "server/shared/spawn.h"
#include "proto/time/timers.h"
#include "server/trace/trace.h"

#include <netdb.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>

#include <bsd/sys/queue.h>

struct lobby;

/* Something that the loop waits for; embedded first in what it is. */
struct source {
	void (*ready)(struct lobby *lobby, struct source *source, uint32_t events);
	int fd;
	uint32_t watched;     /* 0: not at all */
	uint64_t added;	      /* the turn of the loop in which it began to be watched */
	enum trace_mark what; /* is done when it is ready, for the timeline */
};

/* What a duel has told a player who has not taken it. */
struct unsent {
	char *data; /* to be freed */
	size_t length;
	size_t list_at;	 /* so much of it comes before the LIST … */
	bool list_first; /* … that they have asked for there */
};

/* What somebody is being told, and how far: see who.c. */
struct tale {
	enum telling {
		TELL_PEOPLE, /* a LIST; the cursor is a slot */
		TELL_OPEN,   /* TABLES: who waits, by their arrival … */
		TELL_LIVE,   /* … and then what is played, by its serial */
	} what;
	uint64_t cursor;
	uint64_t arrivals, tables; /* TABLES: who comes later is not told of */
};

enum visitor_state {
	VISITOR_NEW,	 /* connected, not registered */
	VISITOR_WAITING, /* registered, in a queue */
	VISITOR_JOINING, /* has a place; its duel has not answered yet whether it takes this newcomer */
	VISITOR_SEATED, /* has a place; its duel has the socket */
	VISITOR_LEFT, /* the table is done with them; they come back when its process has ended … */
	VISITOR_LOST,	   /* … without their connection, which is closed */
	VISITOR_RETURNING, /* said RESUME for a seat; its duel has not taken the socket yet */
	VISITOR_LEAVING,   /* will be closed when it has read what it was told */
	VISITOR_GONE,	   /* freed at the end of this turn of the loop */
};

/* Where the socket is of who is joining or returning. */
enum handoff {
	HANDOFF_WAITS,	    /* for its duel to be born */
	HANDOFF_SENT,	    /* on its way to the duel */
	HANDOFF_WITH_BIRTH, /* the same, with the birth of a duel, which may know them already */
};

/* A connection, and what is known of the player behind it. Lives until both have gone: a seated
 * player who has lost their connection is a visitor without a descriptor. */
struct visitor {
	struct source source;
	struct peer peer;
	struct timer timer; /* new: no PLAY; waiting: the next second; leaving: the last one */
	enum visitor_state state;
	size_t slot; /* in lobby.visitor */
	char address[ADDRESS_TEXT];
	struct origin *origin;	  /* of its socket, as long as it has one */
	struct origin *sits_from; /* seated: of their last one */
	int64_t play_by;	  /* new: when it is closed */
	bool full;		  /* answered in the full dialect */

	/* while registered */
	char id[UUID_TEXT], token[TOKEN_TEXT];
	struct waiting waiting;
	int countdown;	 /* seconds of looking left */
	bool held;	 /* has opponents, but no table can be made or may be started just now */
	unsigned bot;	 /* of the house's which; 0: a person */
	int64_t bots_by; /* has asked for bots: until then they have to come */

	/* while seated, or returning to a seat */
	struct child *child;
	int place;
	unsigned connection; /* its number at that table */
	int64_t away_at;     /* without a connection since then */
	int64_t returns;     /* RESUMEs, in thousandths: a bucket that leaks … */
	int64_t returned_at; /* … and the last one */
	enum handoff handoff;
	struct unsent unsent; /* left: what they had not taken there, and hear first */
	struct visitor
	    *returning; /* seated: who is on the way back to this place, with a new socket */
	struct visitor *returns_to; /* returning: whose place it is */

	/* while they stand in line, in turns.c */
	bool in_line;
	uint32_t came; /* why they are to be heard */
	TAILQ_ENTRY(visitor) behind;

	/* while being told a LIST, or TABLES */
	bool listing;
	struct tale tale;
	unsigned lists;	     /* that their duel has asked for, on this connection */
	uint64_t list_bytes; /* of the last one */
	SLIST_ENTRY(visitor) next_gone;
};

/* In this order; when its process has died a duel may be UNASKED again (rebirth.c). */
enum child_state {
	CHILD_UNASKED,	/* the spawner has not been told yet */
	CHILD_LAUNCHED, /* the spawner knows, the duel has not said that it is born */
	CHILD_ALIVE,	/* it has said so */
	CHILD_DONE,	/* it has said farewell */
	CHILD_GONE,	/* freed at the end of this turn of the loop */
};

/* A duel, from before its fork until its pipe is at its end and its process has been reaped: a table, and the process
 * that plays it just now. */
struct child {
	struct source source; /* the pipe from the duel */
	struct timer
	    timer; /* launched: its birth is overdue; done: its end is; unasked: it rests */
	STAILQ_ENTRY(child) next; /* in one of the lists below */

	/* the process; with rebirth.c another one */
	enum child_state state;
	pid_t pid;
	int down;	      /* the pipe to the duel */
	int ends[2];	      /* its ends, until the spawner has them */
	bool closed, reaped;  /* its pipe is at its end, it has been waited for: in either order */
	bool gives_way;	      /* it has been told to end, since others want to play */
	int status;	      /* reaped: as wait4() has it */
	char handoff_name[8]; /* of its datagram socket */
	int64_t asked_at;     /* its birth, on the clock of metrics_ns() */
	int64_t born_at;
	struct trace_link link;
	char *rest; /* of a line that its pipe has given only a part of */
	size_t rest_length;
	int echoed; /* lines of it in the log */

	/* the table, whatever becomes of its process */
	unsigned slot; /* in lobby.child; the table's number */
	bool ending;   /* it is done: its players are registered no more, and come back soon */
	bool killed;   /* its duel, by us, because it misbehaved or hung: it is not born again */
	bool unsafe;   /* its journal does not have all that has happened */
	int port;      /* index of its broadcast port, or -1 */
	int room;      /* newcomers that it could take … */
	int joining;   /* … of whom so many are on their way */
	unsigned connections; /* that it has had: the number of the next one */
	int results;	      /* that it has told; -1: all that are in its journal */
	int64_t made_at;
	int births;	       /* of its processes; all but the first are of crashes */
	int crashes;	       /* of itself, since a player last said something … */
	off_t crashed_at;      /* … and how long its journal was at the last one */
	int64_t rest_ms;       /* before it is born again, if it is killed again soon */
	int64_t said, said_at; /* messages, a bucket that leaks */
	struct opening opening;
	struct birth birth;
	struct visitor *member[GAME_SEATS_MAX]; /* by place */
	int seats, seat_place[GAME_SEATS_MAX];	/* as it has told last; -1: vacant */
};

/* What one such helper has that another has not. */
struct helper_line_kind {
	enum helper helper;
	const char *name;		      /* in the log … */
	const char *if_died, *if_not_started; /* … where its readers are told what that means */
	enum trace_way way;
	enum trace_mark tells;
	void (*give)(struct lobby *lobby, int gift[HELPER_GIFTS]); /* more than all get; or NULL */
	void (*begin)(struct lobby *lobby); /* one has been started: its first message */
	void (*died)(struct lobby *lobby);  /* or NULL */
};

/* A helper that is told things over a pipe, and answers nothing. */
struct helper_line {
	const struct helper_line_kind *kind;
	struct source pipe; /* to it; -1: there is none */
	struct timer timer; /* another one is started */
	pid_t pid;
	struct trace_link trace; /* with `life` counting them */
	char data[65536];	 /* that has not been said yet */
	struct text text;
	int said; /* why none could be started */
};

/* The recorder, as the server sees it; see recorder.h. */
struct recorder_link {
	struct helper_line line;
	int memory_fd;
	struct recorder_memory *memory; /* what the recorders leave each other, and tell us */
	bool left_out;			/* more than fitted */
};

struct invitation;

/* The house, as the server sees it; see house.h. */
struct house_link {
	struct helper_line line;
	bool is_open;		   /* there is a house, though it may have died just now */
	bool has_begun;		   /* its first process has been started */
	unsigned numbers, parties; /* so many there have been */
	unsigned seated;	   /* bots that are registered, or will be back at a seat */
	TAILQ_HEAD(, invitation) invitations;
};

STAILQ_HEAD(child_list, child);

/* When duels of this spawner have died of faults; the last few. */
enum { FAULTS_MAX = 5 };
struct faults {
	int64_t at[FAULTS_MAX];
	unsigned count;
};

/* In this order; stop.c has all moves. */
enum lobby_state {
	LOBBY_RUNNING,
	LOBBY_DRAINING, /* no new tables; the server stops with the last one */
	LOBBY_STOPPING, /* all have been told to end */
	LOBBY_KILLING,	/* they have had their time: what lives is killed */
	LOBBY_FORCED,	/* nobody is waited for any more */
};

struct lobby {
	const struct config *config;
	struct spawn_told told; /* to the spawner */
	struct broadcast broadcast;
	int epoll;
	uint64_t turn; /* of the loop */
	struct timers timers;
	int64_t now;
	struct source signals;
	int pid_file;

	struct source listener[3 * CONFIG_NAMES_MAX]; /* two a name, and those passed to us */
	int listeners;
	bool door_closed; /* out of descriptors: nobody is accepted for a while */
	struct timer door_timer;
	struct admission admission;
	SLIST_HEAD(crowd, origin) crowded;   /* who has visitors in line */
	size_t people;			     /* visitors, also those without a connection */
	size_t connections, connections_max; /* sockets */

	struct visitor **visitor;      /* by slot; NULL: free */
	size_t visitors, visitor_hint; /* slots; no lower one than this is free */
	uint64_t arrivals, tables_made;
	struct queues queues;
	struct roll waiting; /* who waits, by arrival; as in the queues */
	struct roll tables;  /* all children, by the serial of their openings */

	struct child **child; /* by slot; NULL: free */
	unsigned children, child_hint, children_live;
	struct child_list unasked; /* the spawner's socket was full */
	struct child_list closing; /* pipe at its end, not reaped yet */
	struct child_list buried;  /* freed when all events at hand have been dealt with */
	struct port *port;	   /* by index */
	int ports_repeating;
	struct folder folder;
	struct source spawner;
	pid_t spawner_pid;
	int handoff; /* the datagram socket, by which duels are handed the sockets of players */
	struct recorder_link recorder;
	struct house_link house;
	bool no_launches;		     /* no table is made until launch_timer … */
	int launch_trouble, spawner_trouble; /* … because of these, which have been said */
	struct faults faults;
	struct timer launch_timer, sweep_timer;
	struct visitor
	    *unsettled; /* who has just said PLAY; hear_visitor_settle() is still to come */

	struct metrics metrics;
	struct activation activation;

	enum lobby_state state;
	struct timer stop_timer;
	int64_t stop_by;	    /* stopping: no child is waited for any longer */
	SLIST_HEAD(, visitor) gone; /* as buried children */
};

/* lobby.c */
void lobby_open(struct lobby *lobby); /* its sockets: before it gives root up */
void lobby_run(struct lobby *lobby);
void lobby_watch(struct lobby *lobby, struct source *source, uint32_t events);
bool lobby_has_room(struct lobby *lobby); /* for the timer of one more visitor or table */

/* listen.c */
void listen_open(struct lobby *lobby);
void listen_close(struct lobby *lobby);
void listen_name_nearest(const struct lobby *lobby, char host[NI_MAXHOST], char port[NI_MAXSERV]);

/* visitor.c */
void visitor_become(struct visitor *visitor, enum visitor_state state);
bool visitor_has_place(const struct visitor *visitor);
struct visitor *visitor_make(struct lobby *lobby, int fd, struct origin *origin);
struct visitor *visitor_expect(struct lobby *lobby); /* they have no connection yet */
void visitor_expect_play(struct lobby *lobby, struct visitor *visitor, bool anew);
void visitor_let_out(struct lobby *lobby,
		     struct visitor *visitor); /* after it has read everything */
void visitor_forget(struct lobby *lobby, struct visitor *visitor);	   /* at once */
void visitor_let_socket_out(struct lobby *lobby, struct visitor *visitor); /* the player stays */
void visitor_take_socket(struct lobby *lobby, struct visitor *visitor, struct visitor *from);
void visitor_free_dead(struct lobby *lobby);
bool visitor_is_registered(const struct visitor *visitor);
bool visitor_may_be_heard(const struct visitor *visitor);
void visitor_go_on(struct lobby *lobby, struct visitor *visitor); /* flush, LIST, watch, match */
void visitor_say_aborted(struct visitor *visitor, const char *reason);
void visitor_be_bot(struct lobby *lobby, struct visitor *visitor, unsigned number);
void visitor_unregister(struct lobby *lobby, struct visitor *visitor);
void visitor_leave(struct lobby *lobby, struct visitor *visitor);
void visitor_come_back(struct lobby *lobby, struct visitor *visitor); /* from a table */
void visitor_deny_return(struct lobby *lobby, struct visitor *visitor, enum error error);

/* hear_visitor.c */
void hear_visitor(struct lobby *lobby, struct source *source, uint32_t events);
void hear_visitor_at_once(struct lobby *lobby, struct visitor *visitor);
void hear_visitor_now(struct lobby *lobby, struct visitor *visitor, uint32_t events);
void hear_visitor_late(struct lobby *lobby, struct visitor *visitor, uint32_t events);
void hear_visitor_settle(struct lobby *lobby);

/* waiting.c */
size_t waiting_count(const struct lobby *lobby);
bool waiting_has_place(const struct lobby *lobby, const struct wish *wish);
bool waiting_register(struct lobby *lobby, struct visitor *visitor, const struct wish *wish,
		      bool full); /* false: there is no memory */
void waiting_leave(struct lobby *lobby, struct visitor *visitor);
void waiting_note_ready(struct lobby *lobby, struct visitor *visitor, bool ready);
void waiting_put_back(struct lobby *lobby, struct visitor *visitor);  /* its table was not made */
void waiting_take_back(struct lobby *lobby, struct visitor *visitor); /* they did not get in */
void waiting_hold_launches(struct lobby *lobby);
void waiting_try_held(struct lobby *lobby);
void waiting_no_table(struct lobby *lobby, struct waiting *const chosen[], int count);
void waiting_note_room(struct lobby *lobby, struct child *child, int room); /* for newcomers */
void waiting_fill(struct lobby *lobby, struct child *child);
void waiting_resume(struct lobby *lobby, struct visitor *visitor, struct visitor *newcomer);
void waiting_give_up_bots(struct lobby *lobby); /* the house has died */

/* child.c */
void child_register(struct lobby *lobby, struct waiting *const chosen[], int count);
void child_close_ends(struct child *child);
void child_close_pipes(struct child *child);
struct child *child_make(struct lobby *lobby, unsigned slot);
bool child_open_pipes(struct lobby *lobby, struct child *child);
void child_give_place(struct lobby *lobby, struct child *child, int place, struct visitor *visitor,
		      enum visitor_state state);
void child_take_member(struct lobby *lobby, struct child *child, int place, struct visitor *visitor,
		       enum visitor_state state);
void child_fill_seat(struct seat *seat, const struct visitor *visitor);
void child_tell(struct lobby *lobby, struct child *child, const char *lines, size_t length);
void child_kill(struct child *child, const char *why);
void child_expect_end(struct lobby *lobby, struct child *child);
void child_close(struct lobby *lobby, struct child *child);
void child_reap(struct lobby *lobby);
void child_note_stop(struct lobby *lobby, pid_t pid, bool stopped);
void child_sweep(struct lobby *lobby);
void child_release(struct lobby *lobby, struct child *child, struct visitor *visitor);
void child_release_members(struct lobby *lobby, struct child *child);
void child_forget(struct lobby *lobby, struct child *child);
void child_stop(struct lobby *lobby, struct child *child, const char *reason);
void child_stop_all(struct lobby *lobby, const char *reason);
void child_kill_all(struct lobby *lobby);
void child_free_dead(struct lobby *lobby);
struct child *child_list_take(struct child_list *list);

/* rebirth.c */
bool rebirth_try(struct lobby *lobby, struct child *child);
void rebirth_ask_again(struct lobby *lobby, struct child *child);
void rebirth_hasten(struct lobby *lobby, struct child *child);
void rebirth_failed(struct lobby *lobby, struct child *child, int reason);
bool rebirth_passes(int reason);

/* recover.c */
void recover_tables(struct lobby *lobby);

/* launch.c */
void launch_unasked(struct lobby *lobby);
void launch_start_spawner(struct lobby *lobby);
void launch_table(struct lobby *lobby, struct child *child);
int launch_give_port(struct lobby *lobby, struct child *child, int fd[BROADCAST_INTERFACES_MAX]);
void launch_undo(struct lobby *lobby, struct child *child, int reason);
void launch_undo_all(struct lobby *lobby);
pid_t launch_start_duels(struct lobby *lobby, int line, int answers);
bool launch_hear_births(struct lobby *lobby);
void launch_note_death(struct lobby *lobby, int status);

/* helper_line.c */
void helper_line_open(struct helper_line *line, const struct helper_line_kind *kind);
void helper_line_start(struct lobby *lobby, struct helper_line *line);
bool helper_line_is_there(const struct helper_line *line);
bool helper_line_say(struct helper_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool helper_line_flush(struct helper_line *line);
void helper_line_finish_all(struct lobby *lobby, struct helper_line *const lines[], int count);

/* recorder_link.c */
void recorder_link_open(struct lobby *lobby); /* before the first spawner */
void recorder_link_tell(struct lobby *lobby, unsigned table);
void recorder_link_set_aside(struct lobby *lobby, unsigned table, const char *duel,
			     const char *why);
void recorder_link_flush(struct lobby *lobby);

/* house_link.c */
void house_link_open(struct lobby *lobby); /* before a table of another server is taken up */
void house_link_start(struct lobby *lobby);
unsigned house_link_bots(const struct lobby *lobby);	    /* that play or are expected */
const char *house_link_lack(struct lobby *lobby, int bots); /* why there are not so many; or NULL */
unsigned house_link_invite(struct lobby *lobby,
			   const struct wish *asked); /* the party; 0: no memory */
void house_link_end_party(struct lobby *lobby, unsigned party);
struct invitation *house_link_find(const struct lobby *lobby, const char *token); /* or NULL */
bool house_link_accept(struct lobby *lobby, struct invitation *invitation,
		       struct visitor *visitor); /* false: there is no memory */
void house_link_note_left(struct lobby *lobby, struct visitor *visitor, bool waited);
void house_link_expect_back(struct lobby *lobby, struct visitor *visitor); /* a bot to its seat */

/* handoff.c */
void handoff_return(struct lobby *lobby, struct child *child, int place);
bool handoff_newcomer(struct lobby *lobby, struct child *child, struct visitor *visitor);
bool handoff_again(struct lobby *lobby, struct child *child, struct visitor *visitor);
void handoff_all(struct lobby *lobby, struct child *child);

/* hear_duel.c */
void hear_duel(struct lobby *lobby, struct source *source, uint32_t events);

/* unsent.c */
bool unsent_add(struct visitor *visitor, const char *word);
void unsent_note_list(struct visitor *visitor);
void unsent_take(struct lobby *lobby, struct visitor *visitor);
void unsent_drop(struct visitor *visitor);

/* turns.c */
void turns_hear(struct lobby *lobby, struct visitor *visitor, uint32_t events);
void turns_hear_lines(struct lobby *lobby); /* when all others have been heard in this turn */
void turns_leave_line(struct visitor *visitor);

/* who.c */
void who_begin(struct lobby *lobby, struct visitor *asker, enum telling what);
void who_go_on(struct lobby *lobby, struct visitor *asker);
bool who_answer_seated(struct lobby *lobby, struct visitor *asker, unsigned number);
void who_go_on_seated(struct lobby *lobby, struct visitor *asker);
void who_drop(struct lobby *lobby, struct visitor *asker);

/* stop.c */
void stop_drain(struct lobby *lobby);
void stop_turn_away(struct lobby *lobby, struct visitor *visitor); /* who would wait */
void stop_look(struct lobby *lobby);
void stop_begin(struct lobby *lobby);
bool stop_has_begun(const struct lobby *lobby);
bool stop_is_done(const struct lobby *lobby);

/* timeline.c */
void timeline_count(const struct lobby *lobby);
void timeline_signal(const struct signalfd_siginfo *info);
void timeline_reaped(pid_t pid, int status, const struct child *child); /* NULL: unknown */
void timeline_close(struct lobby *lobby);

#endif
