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

struct trace_page {
	pid_t pid;	/* of the duel that has it; 0: none */
	int64_t oldest; /* of the records that wait: when it came */
	size_t length, size;
	/* What all records of a process begin with in this second of the clock. */
	char head[64];
	size_t head_length, pid_length;
	int64_t second;
	char data[];
};

extern struct trace_page *trace_page;

/* Have records waited so long that they should be written? */
bool trace_is_old(int64_t now);

/* Whose records come next. */
void trace_set_head(pid_t pid);

#endif
