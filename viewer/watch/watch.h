/*
 * watch.h - watching duels: hear their ports, keep what each shows, draw it until told to stop.
 *
 * holmgang-viewer is little more than this; the player's watch screen is this as well:
 *
 *      struct watch *watch = watch_open(&ports, why);
 *      if (watch == NULL)
 *              ... show `why` ...
 *      else
 *              watch_on_terminal(watch, &options);
 *      watch_close(watch);
 */
#ifndef VIEWER_WATCH_WATCH_H
#define VIEWER_WATCH_WATCH_H

#include "proto/wire/args.h"

#include <netinet/in.h>
#include <stdio.h>

enum { WATCH_WHY_MAX = 160, WATCH_SOURCES_MAX = 16 };

/* The senders whose frames are believed; none: all are. */
struct watch_sources {
	int count;
	struct in_addr address[WATCH_SOURCES_MAX];
};

struct watch_options {
	const char *leave; /* what q does, as the screen says it; NULL: "q quits" */
	int seconds;	   /* return after so many; 0: there is no such limit */
	int stop_fd; /* return as soon as this descriptor can be read or is at its end; it is not
		      * read here. -1: there is none */
};

/* Why watching ended. */
enum watch_end {
	WATCH_QUIT,    /* q, Q, Esc or Ctrl-C as a key */
	WATCH_STOPPED, /* stop_fd */
	WATCH_TIMED,   /* the seconds are over */
	WATCH_FAILED,  /* the terminal or the output has gone */
};

struct watch;

/* Bind all ports. NULL: one cannot be had, and `why` says which and what to do, in one line without
 * a LF. */
struct watch *watch_open(const struct ports *ports, char why[WATCH_WHY_MAX]);

/* Hear what a holmgang-web at HOST:PORT hears instead: these of its ports, or all when there are none. Not being reached is no error: it is tried again until it is. */
struct watch *watch_open_from(const char *where, const struct ports *ports,
			      char why[WATCH_WHY_MAX]);

/* Show what a holmgang-server at this host and port plays, on whatever ports it broadcasts it: tables come and go as
 * it tells of them (TABLES). `whom` is NULL: all of them; a player's name: their table alone, from duel to duel and
 * port to port; the id of a duel: that one. Not being reached is no error, as above; nor is it that nothing is played
 * yet. */
struct watch *watch_open_server(const char *host, uint16_t port, const char *whom,
				char why[WATCH_WHY_MAX]);

/* Believe no other sender from now on. */
void watch_only(struct watch *watch, const struct watch_sources *sources);

/* NULL is allowed. */
void watch_close(struct watch *watch);

/* Draw on the whole screen. The terminal must be open (terminal_open) and is still open afterwards,
 * with the last picture on it. */
enum watch_end watch_on_terminal(struct watch *watch, const struct watch_options *options);

/* Print each new state to `out`, in UTF-8 or ASCII, and flush it at once. */
enum watch_end watch_as_text(struct watch *watch, const struct watch_options *options, FILE *out,
			     bool utf8);

/* Wait for the first frame, write its board to a file as SVG, and return. WATCH_FAILED: `why` says
 * why it could not be written. */
enum watch_end watch_as_svg(struct watch *watch, const struct watch_options *options,
			    const char *file, char why[WATCH_WHY_MAX]);

/* Datagrams that were no frames, so far. */
unsigned long watch_dropped(const struct watch *watch);

#endif
