/*
 * terms.h - the terms of a table: rounds, clock, seats, size. What a person has set of them, what others ask
 * for, both as keys of a PLAY and in words. It asks no server and draws nothing.
 */
#ifndef PLAYER_TERMINAL_TERMS_H
#define PLAYER_TERMINAL_TERMS_H

#include "player/session/session.h"

enum {
	TERMS_CLOCK,
	TERMS_ROUNDS,
	TERMS_SEATS,
	TERMS_SIZE,
	TERMS_COUNT,
	TERMS_WORD = 16, /* bytes of "clock=120", with the NUL */
};

/* What the person has set, for each game; "" where nothing. */
struct terms {
	char word[GAME_COUNT][TERMS_COUNT][TERMS_WORD];
};

/* Can this be set for the game? */
bool terms_has(const struct options *options, int term);

/* The next value, or with -1 the one before, of what these options now come to. */
void terms_step(struct terms *terms, const struct session *session, const struct options *options,
		int term, int step);

/* Into the options what has been set for their game. A person needs time: where nothing is said of the
 * clock and it is short, it is a minute. */
void terms_apply(const struct terms *terms, const struct session *session, struct options *options);

/* A key of PLAY into the options, instead of the one that they may have. The word is kept by the caller. */
void terms_say(struct options *options, const char *word);

/* Options of a PLAY against a computer; and of one that meets who waits. `keys` is for its words, and has
 * to live as long as the options. */
void terms_against(struct options *options, const char *level);
void terms_join(struct options *options, const struct here_entry *entry, char keys[HERE_KEYS]);

/* May we join who waits? Not when somebody else is waited for. */
bool terms_is_open(const struct here_entry *entry, const char *name);

/* The first of those who wait for this game, on other terms than these options, which we could join; -1:
 * there is none. We ourselves are `id`. */
int terms_find_other(const struct session *session, const struct options *options, const char *id);

/* In words: "3 rounds, 60 s a turn"; with `other` only what differs from it. */
void terms_print(const struct shape *shape, const struct shape *other, struct text *text);

/* The same of one who waits, with whom they wait for: "only with ben, 3 rounds". */
void terms_print_entry(const struct session *session, const struct here_entry *entry,
		       struct text *text);

/* One of them: "60 s", "off", "3". */
void terms_print_one(const struct shape *shape, int term, struct text *text);

#endif
