/*
 * birth.h - all that a new duel is told: its table, as lines of text. The server writes them, the
 * spawner hands them on without reading more than the first words, the duel reads them.
 *
 *      table 3 5d0e…-uuid 0123456789abcdef 1 tictactoe table= rounds=1 clock=120 strict=off
 *      seat 91c2…-uuid 32-hex-digits anna full on 200 10
 *      seat 77aa…-uuid - anon classic off 187 10
 *
 * The words of `table` are its number with the server, its UUID, the seed of its chance, who begins
 * round 1 where that is drawn, and its shape. Those of a `seat`: id, token, name, dialect, whether
 * it wants LEGAL, how many lines may still be only answered, and how long it looks for
 * opponents; seats are in their order.
 */
#ifndef SERVER_BIRTH_H
#define SERVER_BIRTH_H

#include "table.h"

enum { BIRTH_MAX = 4096, BIRTH_SEAT_WORDS = 7 };

struct birth {
	unsigned table; /* the number under which the server knows it */
	char duel[UUID_TEXT];
	uint64_t seed;
	int first;
	struct shape shape;
	int seats;
	struct seat seat[GAME_SEATS_MAX];
	int allowance[GAME_SEATS_MAX]; /* lines that are only answered, see peer.h */
};

size_t birth_print(const struct birth *birth, char text[BIRTH_MAX]);

/* False: the text is not what birth_print() makes. */
bool birth_read(struct birth *birth, const char *text, size_t length);

/* The words of one seat: also those of somebody who joins later. */
void birth_print_seat(const struct seat *seat, int allowance, struct text *text);
bool birth_read_seat(struct seat *seat, int *allowance, char *const words[]);

/* The number of the table alone. */
bool birth_read_table(const char *text, unsigned *table);

#endif
