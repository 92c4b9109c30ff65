/*
 * ask.h - the other face of this program: it asks a server that runs, over its control socket.
 *
 *      ask.c        finds the server, asks, says what went wrong
 *      ps_proc.c   reads in /proc what the kernel knows of each process
 *      ps_print.c   prints the processes: a tree, JSON, a graph
 *      ps_watch.c  the tree again and again, in a terminal
 */
#ifndef SERVER_CONTROL_ASK_H
#define SERVER_CONTROL_ASK_H

#include "proto/wire/line.h"

#include <stdbool.h>
#include <stdio.h>

/* Is this the name of a command, and not the first word of a server's command line? */
bool ask_is_command(const char *word);

/* `argv` begins with the name. What the program exits with. */
int ask_run(int argc, char *argv[]);

/* A process, as the server and the kernel tell of it. */
struct process {
	struct words words; /* key=value each, of the server */
	long age;	    /* in seconds; -1 is unknown, here and below */
	long rss, pss;	    /* KiB; the second counts a page that n processes share as 1/n */
	long cpu;	    /* milliseconds of the processor */
	long descriptors;
	long moves; /* of a table, in all its rounds */
};

struct processes {
	char *text; /* the whole answer; the words point into it */
	size_t length, count;
	struct process *process;
};

/* The value of a key, or "-". */
const char *ask_value(const struct process *process, const char *key);

/* Ask the server. False: it has none to tell (any more); `text` is NULL then. */
bool ask_processes(const char *folder, struct processes *processes);
void ask_free_processes(struct processes *processes);

/* All that /proc shows of a process to us. */
void ps_proc_look(struct process *process);

/* `rows`: no more lines than that; `columns`: none longer than that. 0: any number. */
void ps_print_tree(const struct processes *processes, FILE *out, int rows, int columns);
void ps_print_json(const struct processes *processes, FILE *out);
void ps_print_dot(const struct processes *processes, FILE *out);

/* Until the server has ended, or somebody presses q or Ctrl-C. */
int ps_watch(const char *folder);

#endif
