/*
 * commands.h - every command of the control socket, in one table. What the server does with it is tell_… in
 * control.c, what the asking program does ask_… in ask.c: a command without either does not compile. The help text
 * and the answer to what is no command are made of it too, and the manual has the same words (control.bats).
 */
#ifndef SERVER_CONTROL_COMMANDS_H
#define SERVER_CONTROL_COMMANDS_H

/* clang-format off */
#define COMMANDS(C) \
	/* word   help */ \
	C(ps,      "the tree of its processes as it is now\n" \
		   "    --watch    again each second, until q or Ctrl-C\n" \
		   "    --dot      as a graph, for dot(1) of Graphviz\n" \
		   "    --json     as JSON") \
	C(stop,    "end the server and all its tables; returns when it has ended") \
	C(drain,   "make no new tables, end with the last one; returns when it has ended") \
	C(metrics, "its counters, in Prometheus' text format")
/* clang-format on */

#define COMMAND_COUNTS(word, help) +1
enum { COMMANDS_COUNT = 0 COMMANDS(COMMAND_COUNTS) };
#undef COMMAND_COUNTS

#endif
