/*
 * seats.c - the players as their duel has them: hears their lines, answers them, lets them go.
 *
 * A line is answered before it is taken from the socket. What a LIST says only the server knows: it
 * is fetched in pieces, as fast as its reader takes them.
 */
#include "referee.h"

#include "list.h"
#include "timers.h"

#include <stdio.h>
#include <string.h>

static void lose(struct duel *duel, int seat)
{
	if (duel->player[seat].stay != AT_TABLE)
		duel->player[seat].parting = PARTING_LOST;
	else
		table_lose(&duel->table, table_seat_of(&duel->table, seat), duel->now);
}

static void start_list(struct player *player)
{
	peer_hold(&player->peer);
	player->listing = true;
	strcpy(player->cursor, "0");
}

/* What a player at the table says. ERROR_NONE: dealt with. */
static enum error obey(struct duel *duel, int place, enum message message, struct words *words,
		       const char **text)
{
	int seat = table_seat_of(&duel->table, place);

	switch (message) {
	case CLIENT_MOVE:
		return table_move(&duel->table, seat, words->word + 1, words->count - 1, duel->now,
				  text);
	case CLIENT_RESIGN:
		return table_resign(&duel->table, seat, duel->now);
	case CLIENT_LOGOUT:
		table_logout(&duel->table, seat, duel->now);
		return ERROR_NONE;
	case CLIENT_LIST:
		start_list(&duel->player[place]);
		return ERROR_NONE;
	case CLIENT_GAMES:
		list_say_games(&duel->player[place].peer, &duel->config->defaults);
		return ERROR_NONE;
	case CLIENT_PLAY:
	case CLIENT_RESUME:
		return ERROR_ALREADY_PLAYING;
	case MESSAGE_MISFIT:
		/* a MOVE is first asked whose turn it is, then what it says */
		if (strcmp(words->word[0], message_word(CLIENT_MOVE)) == 0)
			return table_move(&duel->table, seat, words->word + 1, 0, duel->now, text);
		return ERROR_BAD_ARGUMENT;
	default:
		return ERROR_UNKNOWN_COMMAND;
	}
}

/* Answer one line; false: this connection has to be closed. */
static bool answer_line(struct duel *duel, int seat, char *line)
{
	struct peer *peer = &duel->player[seat].peer;
	const char *text = NULL;
	struct words words;
	enum message message = message_read(BY_CLIENT, line, &words);
	enum error error;
	bool good;

	/* before the answer: LIST and GAMES write theirs at once */
	if ((message == CLIENT_LIST || message == CLIENT_GAMES) && !peer_may_ask(peer, duel->now)) {
		peer_say_error(peer, ERROR_TOO_FAST, NULL);
		return false;
	}
	error = obey(duel, seat, message, &words, &text);
	if (error == ERROR_NONE)
		return true;
	good = peer_may_ask(peer, duel->now);
	peer_say_error(peer, good ? error : ERROR_TOO_FAST, good ? text : NULL);
	table_after_error(&duel->table, duel->now);
	return good;
}

bool seats_may_hear(const struct duel *duel, int seat)
{
	const struct player *player = &duel->player[seat];

	return player->peer.fd >= 0 && player->stay == AT_TABLE && !player->listing &&
	       peer_unsent(&player->peer) < PEER_UNSENT_PAUSE;
}

void seats_hear(struct duel *duel, int seat, bool hung_up)
{
	struct peer *peer = &duel->player[seat].peer;
	char line[LINE_MAX_CLIENT + 1];

	for (int i = 0; i < PEER_LINES_A_TURN && seats_may_hear(duel, seat); i++) {
		enum heard heard = peer_hear(peer, hung_up, line);

		if (heard == HEARD_NOTHING)
			return;
		if (heard == HEARD_LINE) {
			bool good = answer_line(duel, seat, line);

			peer_take(peer);
			if (good)
				continue;
		} else if (heard == HEARD_TOO_LONG) {
			peer_say_error(peer, ERROR_TOO_LONG, NULL);
		}
		peer_flush(peer, duel->now);
		lose(duel, seat);
		return;
	}
}

/* --- LIST ------------------------------------------------------------------------------------- */

void seats_say_entry(struct duel *duel, int seat, char *word[])
{
	struct peer *peer = &duel->player[seat].peer;

	if (!duel->player[seat].listing || duel->player[seat].stale)
		return;
	if (duel->player[seat].full)
		peer_say_in_list(peer, "%s %s %s %s %s", word[0], word[1], word[2], word[3],
				 word[4]);
	else
		peer_say_in_list(peer, "%s %s", word[0], word[1]);
}

void seats_end_list(struct duel *duel, int seat, const char *cursor)
{
	struct player *player = &duel->player[seat];
	bool stale = player->stale;

	player->asked = player->stale = false;
	if (!player->listing || stale)
		return;
	if (strcmp(cursor, "-") != 0) {
		snprintf(player->cursor, sizeof(player->cursor), "%s", cursor);
		return;
	}
	peer_say_in_list(&player->peer, "END");
	peer_release(&player->peer);
	player->listing = false;
}

/* One LIST at a time is fetched, so that the pipe never has to hold more than one answer. */
void seats_ask_for_lists(struct duel *duel)
{
	for (int seat = 0; seat < duel->places; seat++)
		if (duel->player[seat].asked)
			return;
	for (int seat = 0; seat < duel->places; seat++) {
		struct player *player = &duel->player[seat];

		if (!player->listing || peer_unsent_now(&player->peer) >= PEER_UNSENT_PAUSE)
			continue;
		player->asked = true;
		orders_tell(duel, DUEL_LIST, " %d %s", seat, player->cursor);
		return;
	}
}

void seats_flush(struct duel *duel)
{
	for (int seat = 0; seat < duel->places; seat++) {
		struct player *player = &duel->player[seat];

		if (player->peer.fd >= 0 && !peer_flush(&player->peer, duel->now))
			lose(duel, seat);
	}
}

/* His connection is gone. What the server still answers to a LIST of his was for that one. */
void seats_drop_socket(struct player *player)
{
	peer_close(&player->peer);
	player->stale = player->asked;
	player->listing = false;
}

/* Give back the sockets of those who have left and have read everything. */
void seats_let_go(struct duel *duel)
{
	static const char *const words[] = {
	    [PARTING_DONE] = "done", [PARTING_LOGOUT] = "logout", [PARTING_LOST] = "lost"};
	bool all_left = true;

	for (int seat = 0; seat < duel->places; seat++) {
		struct player *player = &duel->player[seat];
		bool busy = player->listing || peer_unsent(&player->peer) > 0;

		if (player->stay == LEAVING && busy && duel->now >= player->leave_by)
			player->parting = PARTING_LOST;
		if (player->stay == LEAVING && (!busy || player->parting == PARTING_LOST)) {
			orders_tell(duel, DUEL_LEFT, " %d %s", seat, words[player->parting]);
			seats_drop_socket(player);
			player->stay = VACANT;
		}
		all_left = all_left && player->stay == VACANT;
	}
	if (all_left && !duel->said_farewell) {
		duel->said_farewell = true;
		orders_tell(duel, DUEL_FAREWELL, "%s", "");
	}
}

/* A player is back with another connection; the old one, if it lives, is closed. */
void seats_take_back(struct duel *duel, int place, int fd)
{
	struct player *player = &duel->player[place];
	int seat = table_seat_of(&duel->table, place);
	bool was_here = duel->table.seat[seat].presence == SEAT_HERE;

	seats_drop_socket(player);
	peer_open(&player->peer, fd);
	player->full = true;
	orders_tell(duel, DUEL_BACK, " %d", place);
	table_return(&duel->table, seat, was_here, duel->now);
}

void seats_open(struct duel *duel, int place, int fd, bool full, int allowance)
{
	struct player *player = &duel->player[place];

	*player = (struct player){.stay = AT_TABLE, .full = full};
	peer_open(&player->peer, fd);
	peer_set_allowance(&player->peer, allowance, duel->now);
	if (place >= duel->places)
		duel->places = place + 1;
}

/* Somebody comes to a table that is open to newcomers. False: there is no room for him, and the
 * socket is closed. The server hears that he is here before he does: should we crash, it knows
 * whether he has been at the table. */
bool seats_join(struct duel *duel, const struct seat *newcomer, int allowance, int fd)
{
	struct player *player = &duel->player[newcomer->place];

	seats_open(duel, newcomer->place, fd, true, allowance);
	if (!table_join(&duel->table, newcomer, duel->now)) {
		seats_drop_socket(player);
		player->stay = VACANT;
		return false;
	}
	orders_tell(duel, DUEL_JOINED, " %d", newcomer->place);
	orders_flush(duel);
	return true;
}

/* The server lets people in as long as it believes that there is room. */
void seats_tell_room(struct duel *duel)
{
	int room = table_room(&duel->table);

	if (room == duel->room_told)
		return;
	duel->room_told = room;
	orders_tell(duel, DUEL_ROOM, " %d", room);
}

int64_t seats_due(const struct duel *duel)
{
	int64_t due = TIMER_NEVER;

	for (int seat = 0; seat < duel->places; seat++) {
		const struct player *player = &duel->player[seat];

		if (player->stay == LEAVING && player->leave_by < due)
			due = player->leave_by;
		if (peer_due(&player->peer) < due)
			due = peer_due(&player->peer);
	}
	return due;
}
