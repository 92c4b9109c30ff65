/*
 * party.h - the people at this terminal: one, or several who take turns at one table (--hotseat).
 * Each of them has a session.
 *
 * They meet at a private table whose word is drawn anew for each duel. They ask for their seats one
 * after another, so that they sit in the order in which they were named.
 */
#ifndef PLAYER_TERMINAL_PARTY_H
#define PLAYER_TERMINAL_PARTY_H

#include "player/session/session.h"

struct party {
	const struct options *base; /* what was asked for; the lobby changes it */
	int count;
	int asked; /* how many have said PLAY */
	struct session session[GAME_SEATS_MAX];
	struct options options[GAME_SEATS_MAX]; /* of each session */
	char table[TABLE_WORD_MAX_BYTES + 8], seats[16];

	/* how the last round ended for each, and which one that was */
	enum view_result result[GAME_SEATS_MAX];
	int round[GAME_SEATS_MAX];
};

/* `base` stays the caller's and must live as long. */
void party_init(struct party *party, const struct options *base);

void party_play(struct party *party);

/* A person's session has an event. It asks for the next seat, and notes how rounds end. */
void party_follow(struct party *party, int person);

/* Everybody who is registered, seated or looking for the server leaves. */
void party_leave(struct party *party);

/* The program ends. */
void party_quit(struct party *party);

/* What to wait for: an entry each; how long at most, in ms, or -1. Then what came of it. */
int party_poll(const struct party *party, struct pollfd entry[GAME_SEATS_MAX]);
void party_step(struct party *party, const struct pollfd entry[GAME_SEATS_MAX]);

/* Whose turn it is, as far as it is one of theirs; -1: nobody's. */
int party_turn(const struct party *party);

/* Who has won this round: "ANNA wins"; false: none of them has. */
bool party_print_winners(const struct party *party, int round, struct text *text);

#endif
