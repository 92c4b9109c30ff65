/*
 * match.c - the duel of the floors. See match.h.
 *
 * Owns: the two sockets of one match.
 * Does, for each move: one read, one append to the record, one send to each who must hear of it
 * (the other; in the full dialect both), one datagram. And one poll, since a server that does not
 * listen to both does not notice who leaves.
 */
#include "tests/bench/match.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLASSIC_MOVES = 7 };

static const char ID[] = "ID 0c549916-1385-43fb-85eb-dc3f9af24b32";
static const char BOARD[] =
    "...AAA.......A........D....A...D...AAADDKDDAAA...D...A....D........A.......AAA...";

void match_begin(struct match *match, const struct outlets *outlets, int one, int other)
{
	memset(match, 0, sizeof(*match));
	match->outlets = outlets;
	match->side[0] = (struct side){.match = match, .fd = one};
	match->side[1] = (struct side){.match = match, .fd = other};
	match->first = -1;
}

static void tell(const struct match *match, int side, const char *text, int length)
{
	(void)!send(match->side[side].fd, text, (size_t)length, MSG_NOSIGNAL);
}

static void hear_play(struct match *match, int side, const char *line)
{
	const char *token = "";
	char text[512];
	int length;

	match->full = line[4] != '\0';
	if (match->full)
		token = " 0123456789abcdef0123456789abcdef";
	length = snprintf(text, sizeof(text), "%s%s\n", ID, token);
	for (int to = 0; match->first >= 0 && to < 2; to++) {
		bool begins = to == match->first;

		if (to != side)
			length = 0;
		length += snprintf(text + length, sizeof(text) - (size_t)length, "START %d %s %d",
				   begins, match->full ? "ATTACKER" : "CROSS", begins);
		if (match->full)
			length += snprintf(text + length, sizeof(text) - (size_t)length,
					   " duel=%s seat=%d seats=2 round=1/1 names=a,b\nBOARD %s",
					   ID + 3, to != match->first, BOARD);
		length += snprintf(text + length, sizeof(text) - (size_t)length, "\n");
		tell(match, to, text, length);
		/* what is written next is only for the one who asks */
		length = snprintf(text, sizeof(text), "%s%s\n", ID, token);
	}
	if (match->first < 0) {
		match->first = side;
		tell(match, side, text, length);
	}
}

static void append_and_show(const struct match *match, int side, const char *line)
{
	char text[400];
	int length = snprintf(text, sizeof(text), "%d said %d %s\n", match->moves, side, line);

	(void)!write(match->outlets->record, text, (size_t)length);
	length = snprintf(text, sizeof(text),
			  "%s %s %s false game=%s duel=%s n=%d turn=%d names=a,b\n", ID + 3, ID + 3,
			  match->full ? BOARD : "XO.......",
			  match->full ? "hnefatafl" : "tictactoe", ID + 3, match->moves, !side);
	(void)!send(match->outlets->frames, text, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void hear_move(struct match *match, int side, const char *line)
{
	const char *move = line + 5;
	char text[256];
	int length;

	match->moves++;
	append_and_show(match, side, line);
	if (match->full) {
		for (int to = 0; to < 2; to++) {
			length = snprintf(text, sizeof(text), "STATE %d %s %d\nBOARD %s\n",
					  side != match->first, move, to != side, BOARD);
			tell(match, to, text, length);
		}
		return;
	}
	if (match->moves < CLASSIC_MOVES) {
		length = snprintf(text, sizeof(text), "STATE %s 1\n", move);
		tell(match, !side, text, length);
		return;
	}
	length = snprintf(text, sizeof(text), "LOSE 036 %s\n", move);
	tell(match, !side, text, length);
	tell(match, side, "WIN 036\n", 8);
	match->over = true;
}

static void hear_resign(struct match *match, int side)
{
	static const char won[] = "WIN resigned\nROUND 1 1 1 0\n";
	static const char lost[] = "LOSE resigned\nROUND 1 1 1 0\n";

	append_and_show(match, side, "RESIGN");
	tell(match, !side, won, sizeof(won) - 1);
	tell(match, side, lost, sizeof(lost) - 1);
	match->over = true;
}

static void hear_line(struct match *match, int side, const char *line)
{
	if (strncmp(line, "PLAY", 4) == 0)
		hear_play(match, side, line);
	else if (strncmp(line, "MOVE ", 5) == 0)
		hear_move(match, side, line);
	else if (strcmp(line, "RESIGN") == 0)
		hear_resign(match, side);
}

void match_hear(struct match *match, int side)
{
	struct side *from = &match->side[side];
	ssize_t got = recv(from->fd, from->in + from->length, sizeof(from->in) - from->length,
			   MSG_DONTWAIT);
	char *line = from->in, *end;

	if (got <= 0) {
		match->over = true;
		tell(match, !side, "ABORTED\n", 8);
		return;
	}
	from->length += (size_t)got;
	while (!match->over && (end = memchr(line, '\n', from->length)) != NULL) {
		*end = '\0';
		hear_line(match, side, line);
		from->length -= (size_t)(end + 1 - line);
		line = end + 1;
	}
	memmove(from->in, line, from->length);
}

void match_play(struct match *match)
{
	struct pollfd slot[2] = {{.fd = match->side[0].fd, .events = POLLIN},
				 {.fd = match->side[1].fd, .events = POLLIN}};

	while (!match->over) {
		poll(slot, 2, -1);
		for (int side = 0; side < 2 && !match->over; side++)
			if (slot[side].revents)
				match_hear(match, side);
	}
}

void match_close(struct match *match)
{
	close(match->side[0].fd);
	close(match->side[1].fd);
}
