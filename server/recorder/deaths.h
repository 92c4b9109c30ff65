/*
 * deaths.h - about recorders, not duels: where they have died. A chapter that kills whoever reads it must not keep
 * the others from being read, and neither must several of them. Pure: it knows no file and no process.
 *
 * It lies in memory that one recorder leaves to the next. Each says where it is before it begins there. Whoever
 * comes after one that died there counts that; after DEATHS_MAX of them nobody goes there again, as long as
 * the server lives.
 */
#ifndef SERVER_RECORDER_DEATHS_H
#define SERVER_RECORDER_DEATHS_H

#include "proto/table/shape.h"

#include <sys/types.h>

enum {
	DEATHS_MAX = 3,
	DEATHS_SPOTS = 256,	  /* that are remembered … */
	DEATHS_SPOTS_JOURNAL = 8, /* … of one journal: with more of them nobody opens it again */
	DEATHS_NAME_MAX = 64,	  /* bytes of a journal's name that count, with the NUL */
};

/* A chapter, by where it stands and whose it says it is: the id alone may be that of somebody else. */
struct deaths_spot {
	char journal[DEATHS_NAME_MAX]; /* "": nowhere */
	off_t begin;		       /* -1: the journal itself, none of its chapters … */
	char duel[UUID_TEXT];	       /* … and nobody's */
};

/* All zero: nobody has died. */
struct deaths {
	struct deaths_spot at; /* where the recorder is now */
	struct {
		struct deaths_spot spot;
		int count; /* in a row; 0: this entry is free */
	} died[DEATHS_SPOTS];
	int spots; /* that are not free */
};

struct deaths_spot deaths_journal(const char *journal);
struct deaths_spot deaths_chapter(const char *journal, off_t begin, const char *duel);

/* A new recorder: if the one before it was anywhere, it died there. */
void deaths_count(struct deaths *deaths);

/* False: too many have died here. Otherwise the recorder is here now, until it says that it is elsewhere. */
bool deaths_enter(struct deaths *deaths, const struct deaths_spot *spot);

/* It has got away from where it is alive. */
void deaths_leave(struct deaths *deaths);

#endif
