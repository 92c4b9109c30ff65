/*
 * admission.h - who may come in, and who may have a table: the limits as the server applies them.
 */
#ifndef SERVER_LOBBY_ADMISSION_H
#define SERVER_LOBBY_ADMISSION_H

#include "server/lobby/limits.h"
#include "server/shared/seldom.h"
#include "proto/time/timers.h"

#include "proto/wire/error.h"

struct child;
struct lobby;
struct visitor;
struct waiting;
struct wish;

enum { ADMISSION_LINGERING = 16 };

/* A connection that was refused: open a little longer, so that its client can read why. */
struct lingering {
	int fd; /* -1: none */
	int64_t since;
};

/* What is logged now and then, however often it happens. */
enum admission_event {
	ADMISSION_FULL,	 /* as many connections as there may be */
	ADMISSION_CROWD, /* as many from this address */
	ADMISSION_NO_MEMORY,
	ADMISSION_SILENT,   /* not registered for too long */
	ADMISSION_NO_TABLE, /* as many tables as there may be */
	ADMISSION_TOO_MANY, /* as many tables in this second from this address */
	ADMISSION_HOLDS,    /* as many tables at which this address has seats */
	ADMISSION_NO_BOT,   /* asks for computers, and there are none, or none comes */
	ADMISSION_SHUT,	    /* nobody can be accepted for a while: listen.c says why */
	ADMISSION_EVENTS,
};

struct admission {
	struct limits limits;
	bool refusing; /* full, and those who have knocked so far have waited long enough */
	unsigned tables_max;
	struct lingering lingering[ADMISSION_LINGERING];
	int next_lingering;
	struct timer timer; /* until an address may start tables again */
	struct seldom seldom[ADMISSION_EVENTS];
};

void admission_open(struct lobby *lobby);

/* A line in the log, seldom. `who` is an address, or "-". */
void admission_log(struct lobby *lobby, enum admission_event event, const char *who);

/* Where a connection that was accepted comes from. NULL: it must not come in; it has been told why
 * and the descriptor is not the caller's any more. */
struct origin *admission_enter(struct lobby *lobby, int fd, const union address *from);

/* It must not come in after all. */
void admission_refuse(struct lobby *lobby, int fd, const union address *from,
		      enum admission_event why);

/* A connection has gone. */
void admission_leave(struct lobby *lobby, struct origin *origin);

/* Now and then: what is not needed any more is let go. */
void admission_sweep(struct lobby *lobby);

/* All tables that there may be are being played. */
bool admission_has_no_table(const struct lobby *lobby);

/* A table that all its players are away from could give way. */
bool admission_may_have_room(const struct lobby *lobby);

/* The one that they have been away from for longest is ended, as if their grace had run out. */
void admission_make_room(struct lobby *lobby);

/* A duel has said farewell. */
void admission_note_over(struct lobby *lobby, const struct child *child);

/* Their address has seats at as many tables as it may. */
bool admission_holds_enough(const struct lobby *lobby, const struct visitor *visitor);
extern const char admission_holds_text[]; /* what they are told */

/* Who has a seat counts for the address of their last connection: from when they sit down, or has come back
 * to their seat from there, until the seat is free. */
void admission_sit(struct lobby *lobby, struct visitor *visitor);
void admission_stand_up(struct lobby *lobby, struct visitor *visitor);

/* A table has been made for these. */
void admission_count_table(struct lobby *lobby, struct waiting *const chosen[], int count);

#endif
