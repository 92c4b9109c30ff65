/*
 * duel.c - the child's loop: one table, its players' sockets, its pipes, its broadcast port.
 *
 * Owns: the position (through table.c), its copies of the players' sockets, one end of two pipes.
 * Talks to: its players, and the server. It asks the server for what only the server knows: a
 * broadcast port, the lines of a LIST.
 * Never: opens, connects or starts anything; blocks on a player; touches another table.
 *
 * A turn of the loop: wait; hear the server, then the players, line by line; let time pass; then
 * send what has come together: to the players, to the viewers, to the server.
 *
 * Read referee.h first: it is the map of this process.
 */
#include "referee.h"

#include "timers.h"

#include <poll.h>
#include <string.h>

#include <bsd/unistd.h>

enum { COMPANION_MS = 20 };

/* --- what the table says ---------------------------------------------------------------------- */

static void on_say(void *owner, int seat, const char *line)
{
	struct duel *duel = owner;

	peer_say_line(&duel->player[seat].peer, line);
}

static void on_show(void *owner)
{
	struct duel *duel = owner;
	struct frame frame;

	if (!show_is_on(&duel->show))
		return;
	table_fill_frame(&duel->table, &frame);
	show_frame(&duel->show, &frame, duel->now);
}

static void on_away(void *owner, int seat)
{
	struct duel *duel = owner;
	struct player *player = &duel->player[seat];

	seats_drop_socket(player);
	orders_tell(duel, DUEL_AWAY, " %d", seat);
}

static void on_part(void *owner, int seat, enum parting parting)
{
	struct duel *duel = owner;
	struct player *player = &duel->player[seat];

	player->stay = LEAVING;
	player->parting = parting;
	player->leave_by = duel->now + PEER_UNSENT_MS;
}

static void on_result(void *owner, const char *why, uint16_t winners)
{
	struct duel *duel = owner;

	orders_tell(duel, DUEL_RESULT, " %d %s %u", duel->table.round, why, winners);
}

static const struct table_sink sink = {
    .say = on_say,
    .show = on_show,
    .away = on_away,
    .part = on_part,
    .result = on_result,
};

/* --- the loop --------------------------------------------------------------------------------- */

static bool is_finished(const struct duel *duel)
{
	return duel->orphaned || (duel->said_farewell && duel->show.state == PORT_NONE);
}

static int64_t next_due(const struct duel *duel)
{
	int64_t table = table_due(&duel->table);
	int64_t seats = seats_due(duel);
	int64_t show = show_due(&duel->show);
	int64_t due = table < seats ? table : seats;

	return due < show ? due : show;
}

enum { SLOT_DOWN, SLOT_PASSING, SLOT_COMPANION, SLOT_PLAYER };

/* Wait for whatever comes first: the server, a player, an instant. */
static void wait_for_something(struct duel *duel, struct pollfd slot[],
			       const struct duel_companion *companion)
{
	int wait = timers_wait(next_due(duel), clock_ms());

	slot[SLOT_DOWN] = (struct pollfd){.fd = duel->ends.down, .events = POLLIN};
	slot[SLOT_PASSING] = (struct pollfd){.fd = duel->ends.passing, .events = POLLIN};
	slot[SLOT_COMPANION] = (struct pollfd){.fd = -1};
	if (companion != NULL) {
		slot[SLOT_COMPANION] = (struct pollfd){.fd = companion->fd, .events = POLLIN};
		wait = wait < 0 || wait > COMPANION_MS ? COMPANION_MS : wait;
	}
	for (int seat = 0; seat < duel->places; seat++) {
		const struct player *player = &duel->player[seat];
		short events = seats_may_hear(duel, seat) ? POLLIN | POLLRDHUP : 0;

		if (player->peer.out.end > player->peer.out.start)
			events |= POLLOUT;
		slot[SLOT_PLAYER + seat] = (struct pollfd){.fd = events ? player->peer.fd : -1,
							   .events = events};
	}
	poll(slot, (nfds_t)(SLOT_PLAYER + duel->places), wait);
	duel->now = clock_ms();
}

static void hear_all(struct duel *duel, const struct pollfd slot[])
{
	if (slot[SLOT_DOWN].revents)
		orders_hear(duel);
	if (slot[SLOT_PASSING].revents)
		orders_hear_passing(duel);
	for (int seat = 0; seat < duel->places; seat++) {
		short came = slot[SLOT_PLAYER + seat].revents;

		/* a player may have come back on another socket just now */
		if (slot[SLOT_PLAYER + seat].fd != duel->player[seat].peer.fd)
			continue;
		if (came & ~POLLOUT)
			seats_hear(duel, seat, came & (POLLRDHUP | POLLHUP | POLLERR));
	}
}

static void duel_open(struct duel *duel, const struct birth *birth,
		      const struct broadcast *broadcast)
{
	struct table *table = &duel->table;

	duel->up = TEXT_IN(duel->up_data);
	table->game = birth->shape.game;
	table->rules = (struct table_rules){
	    .shape = birth->shape,
	    .seed = birth->seed,
	    .first = birth->first,
	    .idle = duel->config->idle,
	    .grace = duel->config->grace,
	    .no_valid = duel->config->no_valid,
	};
	strcpy(table->rules.duel, birth->duel);
	table->seats = birth->seats;
	table->sink = &sink;
	table->owner = duel;
	for (int seat = 0; seat < birth->seats; seat++) {
		table->seat[seat] = birth->seat[seat];
		table->seat[seat].place = seat;
		seats_open(duel, seat, duel->ends.player[seat], birth->seat[seat].full,
			   birth->allowance[seat]);
	}
	if (show_open(&duel->show, broadcast, duel->config->show_board))
		orders_tell(duel, DUEL_PORT, "%s", "");
}

/* What `ps` shows of this process. */
static void set_title(const struct duel *duel)
{
	const struct table *table = &duel->table;
	char names[128];
	struct text list = TEXT_IN(names);

	for (int seat = 0; seat < table->seats; seat++)
		text_add(&list, "%s%s", seat == 0 ? "" : " ", table->seat[seat].name);
	setproctitle("duel %.8s %s: %s, round %d/%d", table->rules.duel, table->game->name, names,
		     table->round, table->rules.shape.rounds);
}

void duel_run(const struct birth *birth, const struct duel_ends *ends, const struct config *config,
	      const struct broadcast *broadcast, const struct duel_companion *companion)
{
	static struct duel duel; /* as large as its frames, and one a process */
	struct pollfd slot[SLOT_PLAYER + GAME_SEATS_MAX];
	int titled = 0;

	duel.config = config;
	duel.ends = *ends;
	duel.now = clock_ms();
	duel_open(&duel, birth, broadcast);
	table_open(&duel.table, duel.now);
	for (;;) {
		seats_flush(&duel);
		seats_let_go(&duel);
		seats_ask_for_lists(&duel);
		seats_tell_room(&duel);
		if (show_tick(&duel.show, duel.table.done, duel.now))
			orders_tell(&duel, DUEL_PORT_FREE, "%s", "");
		orders_flush(&duel);
		if (is_finished(&duel))
			break;
		if (titled != duel.table.round && companion == NULL) {
			titled = duel.table.round;
			set_title(&duel);
		}
		wait_for_something(&duel, slot, companion);
		hear_all(&duel, slot);
		table_tick(&duel.table, duel.now);
		if (companion != NULL)
			companion->run(companion->owner);
	}
	for (int seat = 0; seat < duel.places; seat++)
		peer_close(&duel.player[seat].peer);
}
