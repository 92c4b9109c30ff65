/*
 * journal.h - what has happened to a table: a chapter of a journal, a line for each event, written
 * before anybody hears of it. Whoever plays the same lines again has the same table, byte for byte.
 *
 *      (an empty line)
 *      holmgang 1 2026-11-18T15:04:05Z
 *      table 3 5d0e…-uuid open 0123456789abcdef 1 tictactoe rounds=1 …      as in birth.h
 *      seat 91c2…-uuid 32-hex-digits anna full on 200 10
 *      seat 77aa…-uuid - anon classic off 187 10
 *      warrant 40c1…-32-hex-digits    the server has started this duel (warrant.h)
 *      rules 600 30 off 200 50        --idle, --grace, --no-valid, --answers
 *      at 0 0 56 102            place 0 has connection 0, from these bytes in and out on
 *      at 1 1 5 44
 *      open
 *      1530 said 0 65 MOVE 1 1  1.53 s after the opening; 65: bytes in, when it has been taken
 *      …
 *      9120 over                nobody is at the table any more
 *
 * message.h has the table of the lines behind `open`. The head is written in one piece.
 *
 * The tables that are played one after another under the same number write their chapters into the
 * same file, the journal of that number: to make a new file for each and remove it costs more than all
 * that is written. So only the last chapter of a journal can be one that is not over; one that is not
 * over in the middle could not be played on.
 *
 * A disk may be full, or have errors. Then what could not be written is kept and written as soon as
 * there is room, and the server is told. With `--sync move` the duel waits meanwhile, since nobody
 * may hear of what is not on the disk; otherwise it plays on, and a crash would end the table.
 */
#ifndef SERVER_JOURNAL_JOURNAL_H
#define SERVER_JOURNAL_JOURNAL_H

#include "proto/wire/line.h"
#include "server/shared/config.h"

#include "proto/table/shape.h"

#include <stdint.h>
#include <sys/types.h>

enum {
	JOURNAL_LINE_MAX = 8192,     /* longer than any line */
	JOURNAL_ARREARS_MAX = 65536, /* bytes that are kept for a disk that is full */

	/* Bytes of one chapter. No duel can write more: the kernel stops it there. So nobody looks further
	 * for where a chapter begins, whatever else has happened to a journal. */
	CHAPTER_LARGEST = 20 << 20,

	/* … but a table whose chapter is so long hears its players as slowly as people type, and ends */
	CHAPTER_SLOW = 4 << 20,
	CHAPTER_END = 16 << 20
};

enum { JOURNAL_EMPTY = -1, JOURNAL_DAMAGED = -2 };

#define JOURNAL_FIRST_WORDS "holmgang 1 "

enum journal_state {
	JOURNAL_NONE,	  /* there is none, or not any more */
	JOURNAL_WHOLE,	  /* all that has happened is in it */
	JOURNAL_BEHIND,	  /* some of it could not be written yet */
	JOURNAL_UNSYNCED, /* all is written, but could not be forced to the disk as --sync wants it */
};

struct journal {
	enum journal_state state, told; /* what the server has been told of it */
	int fd;
	size_t length; /* of this chapter */
	enum sync sync;
	char *arrears;
	size_t arrears_length;
	int64_t again_at; /* behind, unsynced: when it is tried again */
	bool ended;	  /* the game is over: journal_end() */
};

void journal_open(struct journal *journal, int fd, enum sync sync);

/* Write whole lines; with --sync move, force them to the disk. What becomes of them `state` says. */
void journal_write(struct journal *journal, const char *lines, size_t length, int64_t now);

/* A process before this one has written it: with --sync move, force that to the disk. */
void journal_take_over(struct journal *journal, int64_t now);

/* The game is over: with --sync end, force it to the disk. */
void journal_end(struct journal *journal, int64_t now);

/* Has the duel to wait, before anybody hears of what it has written? */
bool journal_must_wait(const struct journal *journal);

/* Each line has to be on the disk, and no more can be. */
bool journal_has_failed(const struct journal *journal);

/* Try again what could not be written or forced. When that wants to be called. */
void journal_tick(struct journal *journal, int64_t now);
int64_t journal_due(const struct journal *journal);

/* The last chapter of a journal of this length: where it begins, with its empty line. JOURNAL_EMPTY: the
 * journal is empty; JOURNAL_DAMAGED: it has none, or one that is longer than can be. `duel` is whose it is, or
 * "" when not even that was written. */
off_t journal_last(int fd, off_t length, char duel[UUID_TEXT]);

/* Whose chapter begins there; "": nobody's. The same of a text, of which its first two lines are enough. */
void journal_read_duel(int fd, off_t at, char duel[UUID_TEXT]);
void journal_find_duel(const char *text, char duel[UUID_TEXT]);

/* Give each whole line that a file has from `at` to `end` to `take`; `at` moves on. False: `take` has said so,
 * or the file cannot be read. */
typedef bool journal_take(void *owner, char *line);
bool journal_read_lines(int fd, off_t *at, off_t end, journal_take *take, void *owner);

/* A client's line, so that it is printable and one line; and back. */
void journal_print_text(struct text *text, const char *line);
bool journal_read_text(char *line, size_t size, const char *text);

#endif
