/*
 * page.h - a process's records that have not been written yet: between trace.c, which has the
 * memory and the file, record.c, which makes records, and text.c, which makes them text.
 * For nobody else.
 */
#ifndef SERVER_TRACE_PAGE_H
#define SERVER_TRACE_PAGE_H

#include "server/trace/trace.h"

enum {
	TRACE_WORD = 12,      /* bytes of a message's first word */
	TRACE_NAME_MAX = 256, /* of a process */
};

/* All that is known, in as few steps as can be: a duel makes some forty of these, and should not be seen
 * to be slower for it. */
struct trace_record {
	int64_t at; /* nanoseconds */
	union {
		int64_t
		    length; /* of a slice, nanoseconds; of a name, bytes: it lies in the next records */
		uint64_t id; /* of an arrow */
		int64_t
		    pid; /* of a track: on it are the next records, as many as its first number */
	};
	union {
		int32_t number[2];
		char word[TRACE_WORD];
	};
	uint32_t mark;
};

/* The records, where the server may have to take them from. */
struct trace_page {
	pid_t pid;	/* of the duel that has it; 0: none */
	uint32_t count; /* of the whole records */
	struct trace_record record[];
};

/* What the process knows of its page stands outside: another duel, if it has been broken into, can write
 * to this one's page, and must not lead it out of there. */
struct trace_pen {
	struct trace_page *page;
	uint32_t count, room;
	uint32_t waited; /* so many there were when it last waited */
	pid_t pid;
	int64_t oldest; /* of the records that wait: when it came */
	char *text;	/* where they become text */
	size_t text_size;
};

extern struct trace_pen *trace_pen;

/* So many are whole now. */
static inline void trace_set_count(uint32_t count)
{
	trace_pen->count = count;
	__atomic_store_n(&trace_pen->page->count, count, __ATOMIC_RELEASE);
}

/* Have records waited so long that they should be written? */
bool trace_is_old(int64_t now);

/* Where `count` records more go, which count from trace_set_count() on. */
struct trace_record *trace_room(int64_t now, uint32_t count);

/* Records on their way to be text. */
struct trace_reading {
	const struct trace_record *next, *end;
	pid_t pid;			  /* whose they are */
	const struct trace_record *until; /* but up to here, if it is not NULL, they are … */
	pid_t other;			  /* … of this one */
};

/* As many as fit into `text`, each with a comma behind it; gives the length. What makes no sense is left
 * out. */
size_t trace_print(struct trace_reading *reading, char *text, size_t size);

/* A duel's own. Most never need it. */
enum { TRACE_DUEL_TEXT = 4096 };
extern char trace_duel_text[TRACE_DUEL_TEXT];

#endif
