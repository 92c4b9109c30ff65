/*
 * command.h - what the command lines of holmgang-viewer and holmgang-web share: what is heard, for how
 * long, and what ends it.
 */
#ifndef VIEWER_WATCH_COMMAND_H
#define VIEWER_WATCH_COMMAND_H

#include "viewer/watch/watch.h"

#include <getopt.h>

/* What is heard: these ports, or with `from` these ports of a holmgang-web, or with `server` those that it tells of. */
struct watch_command {
	struct ports ports;
	struct watch_sources sources;
	const char *from;   /* HOST:PORT, or NULL */
	const char *server; /* the same, of a holmgang-server whose tables are shown … */
	const char *whom;   /* … or of them that of this player alone; or NULL */
	int ready_fd;	    /* who is told that all is up; -1: nobody */
	struct watch_options options;
};

/* In numbers that no other option has. */
enum {
	WATCH_FROM = 512,
	WATCH_SOURCE,
	WATCH_SECONDS,
	WATCH_READY,
	WATCH_HELP,
	WATCH_VERSION,
};

/* clang-format off */
#define WATCH_OPTIONS \
	{"from", required_argument, NULL, WATCH_FROM}, \
	{"source", required_argument, NULL, WATCH_SOURCE}, \
	{"seconds", required_argument, NULL, WATCH_SECONDS}, \
	{"ready-fd", required_argument, NULL, WATCH_READY}, \
	{"help", no_argument, NULL, WATCH_HELP}, \
	{"version", no_argument, NULL, WATCH_VERSION}, \
	{0}

#define WATCH_USAGE \
    "  --from H:P     hear what a holmgang-web at this host and port hears; without a broadcast\n" \
    "                 port: all that it hears\n" \
    "  --source A     believe only frames that come from this IPv4 address (repeatable)\n" \
    "  --seconds N    stop after N seconds\n" \
    "  --ready-fd N   write \"ready\" to descriptor N when all ports are heard\n"
/* clang-format on */

/* What a program's command line has. */
struct watch_program {
	const char *usage;
	const struct option *options; /* the last of them are WATCH_OPTIONS */
	/* Take one of its own, whose value is in `optarg`. False: it is none. */
	bool (*read)(void *to, int option);
	void *to;
};

/* Read all options; `optind` is then the first word that is none. */
void watch_command_read(struct watch_command *command, int argc, char *argv[],
			const struct watch_program *program);

/* Read the words that are ports or ranges of them. */
void watch_command_ports(struct watch_command *command, char *const *words, int count);

/* Hear it, and catch the signals that end the program (`options` is complete then). NULL: `why` says why
 * it cannot be heard. */
struct watch *watch_command_open(struct watch_command *command, char why[WATCH_WHY_MAX]);

/* The signals that end the program, as a descriptor that can be waited for with the others. One that is
 * ignored (nohup, a background job of a script) stays so. */
int watch_catch_signals(void);

#endif
