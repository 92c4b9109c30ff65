/*
 * players.c - the players as their duel has them: hears their lines, lets them go.
 *
 * Owns: their connections, from the socket's coming to its end, and what is still to be sent there.
 * Talks to: the players. What they say goes to events.c; who has come or gone the server hears.
 * Never: obeys a line, waits for a player.
 *
 * A line is written to the journal and answered before it is taken from the socket. A LIST only the server can
 * tell, and does so itself: it has the socket too. Until that is done we say nothing there.
 */
#include "server/duel/duel.h"

#include "proto/time/timers.h"

#include <string.h>

enum { SLOW_MS = 250 /* between two lines of one player, where the journal is long */ };

bool players_may_hear(const struct duel *duel, int place)
{
	const struct player *player = &duel->player[place];

	return player->peer.fd >= 0 && player->stay == AT_TABLE && !player->listing &&
	       player->hear_at <= duel->now && peer_unsent(&player->peer) < PEER_UNSENT_PAUSE;
}

void players_hear(struct duel *duel, int place, bool hung_up)
{
	struct player *player = &duel->player[place];
	char *line;

	for (int i = 0; i < PEER_LINES_A_TURN && players_may_hear(duel, place); i++) {
		switch (peer_hear(&player->peer, hung_up, &line)) {
		case HEARD_NOTHING:
			return;
		case HEARD_LINE:
			if (!events_said(duel, place, player->taken + player->peer.line, line))
				return;
			peer_take(&player->peer);
			if (duel->journal.length > CHAPTER_SLOW)
				player->hear_at = duel->now + SLOW_MS;
			break;
		case HEARD_TOO_LONG:
			events_long(duel, place);
			return;
		case HEARD_ENDED:
			events_lost(duel, place);
			return;
		}
	}
}

/* --- LIST ------------------------------------------------------------------------------------- */

/* A process before this one may have asked for the same LIST. Then `listed` comes twice, and the second one may
 * come when the player already waits for the next LIST. */
void players_hear_listed(struct duel *duel, int place, unsigned connection, unsigned number,
			 uint64_t bytes)
{
	const struct player *player = &duel->player[place];

	if (player->listing && player->list_asked && player->connection == connection &&
	    player->lists == number)
		events_listed(duel, place, bytes);
}

/* Only when all that was said before it is on its way. */
void players_ask_for_lists(struct duel *duel)
{
	for (int place = 0; place < duel->places; place++) {
		struct player *player = &duel->player[place];

		if (!player->listing || player->list_asked || peer_unsent_now(&player->peer) > 0)
			continue;
		player->list_asked = true;
		parent_link_tell(duel, DUEL_LIST, " %d %u", place, player->lists);
	}
}

void players_flush(struct duel *duel)
{
	for (int place = 0; place < duel->places; place++) {
		struct player *player = &duel->player[place];

		if (player->peer.fd >= 0 && !peer_flush(&player->peer, duel->now))
			events_lost(duel, place);
	}
}

/* The connection is gone, or is given back. What the player has been told goes out if it can. */
void players_drop_socket(struct duel *duel, int place)
{
	struct player *player = &duel->player[place];

	peer_flush(&player->peer, duel->now);
	peer_close(&player->peer);
	player->listing = false;
}

/* What the player has been told and has not taken goes to the server too. A LIST that they wait for the server
 * tells them in any case; what was held back until then comes behind it. */
static void hand_back(struct duel *duel, int place)
{
	struct player *player = &duel->player[place];
	const struct bytes *out = &player->peer.out, *held = &player->peer.held;

	parent_link_tell_unsent(duel, place, out->data + out->start, out->end - out->start);
	if (player->listing && !player->list_asked)
		parent_link_tell(duel, DUEL_LIST, " %d %u", place, player->lists);
	parent_link_tell_unsent(duel, place, held->data + held->start, held->end - held->start);
}

/* Give back the sockets of those who have left: nobody waits until somebody has read everything. */
void players_let_go(struct duel *duel)
{
	static const char *const words[] = {
	    [PARTING_DONE] = "done", [PARTING_LOGOUT] = "logout", [PARTING_LOST] = "lost"};
	bool all_left = true;

	for (int place = 0; place < duel->places; place++) {
		struct player *player = &duel->player[place];

		if (player->stay == LEAVING) {
			if (player->parting != PARTING_LOST &&
			    (player->listing || peer_unsent(&player->peer) > 0))
				hand_back(duel, place);
			parent_link_tell(duel, DUEL_LEFT, " %d %s", place, words[player->parting]);
			peer_close(&player->peer);
			player->listing = false;
			player->stay = VACANT;
		}
		all_left = all_left && player->stay == VACANT;
	}
	if (all_left && !duel->said_farewell) {
		duel->said_farewell = true;
		events_over(duel); /* before the server hears it: then nobody plays it on */
		parent_link_tell_farewell(duel);
	}
}

/* The socket of this connection, which the server has handed over; -1: it has none of this number
 * (any more). */
int players_handed(struct duel *duel, unsigned connection)
{
	for (int i = 0; i < duel->handed_count; i++) {
		struct handed handed = duel->handed[i];

		if (handed.connection == connection) {
			duel->handed[i] = duel->handed[--duel->handed_count];
			return handed.fd;
		}
	}
	return -1;
}

/* It came over the datagram socket; whatever it was told before came from others. */
static void hand_over(struct duel *duel, unsigned connection, int fd, struct tcp_counts *since)
{
	if (!tcp_counts_look(fd, since))
		memset(since, 0, sizeof(*since));
	duel->handed[duel->handed_count++] = (struct handed){.connection = connection, .fd = fd};
}

void players_take_back(struct duel *duel, int place, unsigned connection, int fd)
{
	struct tcp_counts since;

	hand_over(duel, connection, fd, &since);
	events_back(duel, place, connection, &since);
	parent_link_tell(duel, DUEL_BACK, " %d", place);
}

/* Somebody comes to a table that is open to newcomers. False: there is no room for them. The server
 * hears of it before the newcomer does: should we crash, it knows whether they have been at the
 * table. */
bool players_join(struct duel *duel, int place, unsigned connection, char *const word[], int fd)
{
	struct tcp_counts since;

	hand_over(duel, connection, fd, &since);
	if (!events_join(duel, place, connection, &since, word)) {
		players_handed(duel, connection);
		return false;
	}
	parent_link_tell(duel, DUEL_JOINED, " %d", place);
	players_tell_room(duel);
	parent_link_flush(duel);
	return true;
}

/* The server lets people in as long as it believes that there is room; and tells others who has which seat. */
void players_tell_room(struct duel *duel)
{
	const struct table *table = &duel->table;
	char data[sizeof(duel->room_told)];
	struct text room = TEXT_IN(data);

	if (table->game->join == NULL)
		return;
	text_add(&room, "%d", table_room(table));
	for (int seat = 0; seat < table->seats; seat++)
		if (table->seat[seat].presence == SEAT_GONE)
			TEXT_ADD(&room, " -");
		else
			text_add(&room, " %d", table->seat[seat].place);
	if (strcmp(data, duel->room_told) == 0)
		return;
	strcpy(duel->room_told, data);
	parent_link_tell(duel, DUEL_ROOM, " %s", data);
}

int64_t players_due(const struct duel *duel)
{
	int64_t due = TIMER_NEVER;

	for (int place = 0; place < duel->places; place++) {
		const struct player *player = &duel->player[place];

		if (peer_due(&player->peer) < due)
			due = peer_due(&player->peer);
		if (player->hear_at > duel->now && player->hear_at < due)
			due = player->hear_at;
	}
	return due;
}
