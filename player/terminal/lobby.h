/*
 * lobby.h - the first screen: what lobby.c keeps, lobby_do.c and lobby_keys.c change, and lobby_draw.c
 * shows.
 *
 * It is a list of places: first what one can do, then who waits and what is played, as the server told it
 * last. One place is chosen, and stays so when others come and go.
 */
#ifndef PLAYER_TERMINAL_LOBBY_H
#define PLAYER_TERMINAL_LOBBY_H

#include "player/terminal/page.h"
#include "player/terminal/terms.h"

enum {
	LOBBY_DEEDS_MAX = 16,
	LOBBY_PLACES_MAX = LOBBY_DEEDS_MAX + HERE_MAX,
	LOBBY_ROWS_MAX = 256, /* of a screen; those below them cannot be clicked on */
	LOBBY_VALUE = 64,
};

struct lobby;
struct watch;

/* What one can do. `term` is one of terms.h, for those that are about one. */
struct deed {
	int key, term;
	const char *title;
	bool (*applies)(const struct lobby *lobby, int term); /* NULL: always */
	void (*print)(const struct lobby *lobby, int term, struct text *text);
	void (*act)(struct lobby *lobby);		       /* NULL: the next value */
	void (*step)(struct lobby *lobby, int term, int step); /* NULL: there are no values */
};

/* One or the other is NULL. */
struct place {
	const struct deed *deed;
	const struct here_entry *entry;
};

struct lobby {
	struct page page;
	struct terms terms;
	char port[32];				  /* that was typed to be watched; "": none was */
	char table[TABLE_WORD_MAX_BYTES];	  /* of the private table */
	char table_key[TABLE_WORD_MAX_BYTES + 8]; /* table=word */

	/* the connection, which is made again as long as somebody is here */
	bool wants_server;
	bool is_lost;	  /* and that has been said */
	int64_t retry_at; /* ms */
	int pause;	  /* ms, before the next try */

	int places, chosen;
	struct place place[LOBBY_PLACES_MAX];
	char chosen_id[UUID_TEXT]; /* of the entry that is chosen; "": a deed is */
	bool chosen_waits;
	bool is_touched; /* the person has chosen; nothing is chosen for them any more */

	/* as it was drawn last, for the mouse: the place of each row, -1: none */
	int place_of_row[LOBBY_ROWS_MAX];
};

/* lobby.c: a table, and back again. */
void lobby_play(struct lobby *lobby, const struct options *asked);

/* Until the person has seen enough; `opened` is closed. NULL: it could not be had, and `why` says so. */
void lobby_watch(struct lobby *lobby, struct watch *opened, const char *why);

/* What a PLAY would ask for now. */
void lobby_ask(const struct lobby *lobby, struct options *asked);

/* lobby_do.c: the deeds; NULL behind the last. */
const struct deed *lobby_deed_at(int index);
void lobby_play_computer(struct lobby *lobby);
void lobby_enter(struct lobby *lobby, const struct here_entry *entry);

/* lobby_keys.c: the places are found anew, and the chosen one among them; what the person does. */
void lobby_find_places(struct lobby *lobby);
void lobby_input(struct lobby *lobby, const struct terminal_input *input);

/* lobby_draw.c */
void lobby_draw(struct lobby *lobby);

#endif
