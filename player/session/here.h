/*
 * here.h - who is here: what TABLES answers, read into a list. Pure.
 *
 * A line is believed when every word of it can be; what cannot be read, or is of a game that is not known
 * here, is passed over. So what stands in a list may be shown on any terminal.
 */
#ifndef PLAYER_SESSION_HERE_H
#define PLAYER_SESSION_HERE_H

#include "proto/table/shape.h"

#include <stdint.h>

enum {
	HERE_MAX = 200,				      /* entries; the rest is counted */
	HERE_NAMES = GAME_SEATS_MAX * NAME_MAX_BYTES, /* bytes of all names, with the NUL */
	HERE_KEYS = 192,			      /* bytes of the keys, with the NUL */
};

/* One who waits, or one table that is played. */
struct here_entry {
	bool waits;
	const struct game *game;
	char id[UUID_TEXT];	/* of who waits, or of the duel */
	char names[HERE_NAMES]; /* "anna"; of a table by seat: "anna,ben" */

	/* of who waits */
	int seconds;	      /* left for the looking, when it was told */
	char keys[HERE_KEYS]; /* as said: what is not the game's default, and vs= */

	/* of a table */
	int round, rounds; /* rounds 0: endless */
	uint16_t port;	   /* where it is broadcast; 0: nowhere */
};

struct here_list {
	int count;
	int more; /* that had no room */
	struct here_entry entry[HERE_MAX];
};

/* The last whole list, and the one that is being told. */
struct here {
	bool is_known; /* there has been a whole one */
	int64_t told;  /* ms; when it was */
	struct here_list now, coming;
};

enum here_line { HERE_OTHER, HERE_TOLD, HERE_END };

/* A line of the server's, which is cut up when it belongs to a list. */
enum here_line here_hear(struct here *here, char *line, int64_t now);

/* What was told so far of a list whose end will not come is forgotten. */
void here_begin(struct here *here);

/* What this one who waits asks for, where `wish` holds the defaults of the game at that server. */
void here_wish(const struct here_entry *entry, struct wish *wish);

#endif
