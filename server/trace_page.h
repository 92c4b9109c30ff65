/*
 * trace_page.h - a process's records that have not been written yet: between trace.c, which has the
 * memory and the file, and trace_record.c, which makes the text. For nobody else.
 */
#ifndef SERVER_TRACE_PAGE_H
#define SERVER_TRACE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The records, where the server may have to take them from. */
struct trace_page {
	pid_t pid;     /* of the duel that has it; 0: none */
	size_t length; /* of the whole records */
	char data[];
};

/* What the process knows of its page stands outside: another duel, if it has been broken into, can write
 * to this one's page, and must not lead it out of there. */
struct trace_pen {
	struct trace_page *page;
	size_t length, size;
	int64_t oldest; /* of the records that wait: when it came */
	/* What all records of a process begin with in this second of the clock. */
	char head[64];
	size_t head_length, pid_length;
	int64_t second;
};

extern struct trace_pen trace_pen;

/* So much of the page is whole records now. */
static inline void trace_set_length(size_t length)
{
	trace_pen.length = length;
	__atomic_store_n(&trace_pen.page->length, length, __ATOMIC_RELEASE);
}

/* Have records waited so long that they should be written? */
bool trace_is_old(int64_t now);

/* Whose records come next. */
void trace_set_head(pid_t pid);

#endif
