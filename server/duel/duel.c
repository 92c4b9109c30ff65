/*
 * duel.c - a duel's loop: one table, its players' sockets, its pipes, its broadcast port.
 *
 * Owns: the position (through table.c), its copies of the players' sockets, one end of two pipes.
 * Talks to: its players, and the server. It asks the server for what only the server knows: the
 * lines of a LIST.
 * Never: opens, connects or starts anything; blocks on a player; touches another table.
 *
 * A turn of the loop: wait; hear the server, then the players, line by line; let time pass; then
 * send what has come together: to the players, then to the server. A frame goes to the viewers at once,
 * when the board has changed.
 *
 * Read duel.h first: it is the map of this process.
 */
#include "server/duel/duel.h"

#include "proto/wire/log.h"
#include "proto/time/timers.h"
#include "server/shared/spawn.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bsd/unistd.h>

/* --- what the table says ---------------------------------------------------------------------- */

static void on_say(void *owner, int place, const char *line)
{
	struct duel *duel = owner;

	peer_say_line(&duel->player[place].peer, line);
}

static void on_show(void *owner)
{
	struct duel *duel = owner;
	struct frame frame;
	int64_t begun;

	/* a frame that nobody will see need not be made */
	if (duel->replaying || (duel->feed.count == 0 && !duel->config->show_board))
		return;
	begun = trace_begin();
	table_fill_frame(&duel->table, &frame);
	feed_frame(&duel->feed, &frame, duel->now);
	if (duel->config->show_board)
		parent_link_tell(duel, DUEL_BOARD, " %.*s", (int)duel->feed.length - 1,
				 duel->feed.frame);
	trace_end(begun, SLICE_BROADCAST);
}

static void on_away(void *owner, int place)
{
	struct duel *duel = owner;
	players_drop_socket(duel, place);
	if (!duel->replaying)
		parent_link_tell(duel, DUEL_AWAY, " %d", place);
}

static void on_part(void *owner, int place, enum parting parting)
{
	struct duel *duel = owner;
	struct player *player = &duel->player[place];

	player->stay = LEAVING;
	player->parting = parting;
}

static void on_result(void *owner, const char *why, uint16_t winners)
{
	struct duel *duel = owner;

	/* the server may have heard it from a process before this one */
	duel->results++;
	if (duel->birth->results >= 0 && duel->results > duel->birth->results)
		parent_link_tell(duel, DUEL_RESULT, " %d %d %s %u", duel->results,
				 duel->table.round, why, winners);
}

/* As large as its frames, and one a process. */
static struct duel *own_duel(void)
{
	static struct duel duel;

	return &duel;
}

/* A duel has no log of its own. The spawner has. */
static bool on_log(void *owner, enum log_level level, const char *said)
{
	struct duel *duel = owner;

	if (duel->config == NULL)
		return false;
	parent_link_tell(duel, DUEL_LOG, " %s %s", log_level_word(level), said);
	parent_link_flush(duel); /* it may be its last word */
	return true;
}

void duel_divert_log(void)
{
	log_divert(on_log, own_duel());
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
	return duel->orphaned || duel->said_farewell;
}

static bool is_too_long(const struct duel *duel)
{
	return duel->journal.length > CHAPTER_END && !duel->table.done;
}

static int64_t next_due(const struct duel *duel)
{
	int64_t table = table_due(&duel->table);
	int64_t players = players_due(duel);
	int64_t feed = feed_due(&duel->feed);
	int64_t journal = journal_due(&duel->journal);
	int64_t due = table < players ? table : players;

	if (is_too_long(duel))
		return duel->now;
	due = due < feed ? due : feed;
	return due < journal ? due : journal;
}

enum { SLOT_DOWN, SLOT_HANDOFF, SLOT_PLAYER };

/* The duel has a time of its own, which goes on in a journal and its replay where it was. */
int64_t duel_clock(const struct duel *duel)
{
	return clock_ms() - duel->opened_at;
}

/* Wait for whatever comes first: the server, a player, an instant. */
static void wait_for_something(struct duel *duel, struct pollfd slot[])
{
	int wait = timers_wait(next_due(duel), duel_clock(duel));

	slot[SLOT_DOWN] = (struct pollfd){.fd = duel->ends->down, .events = POLLIN};
	slot[SLOT_HANDOFF] = (struct pollfd){.fd = duel->ends->handoff, .events = POLLIN};
	for (int place = 0; place < duel->places; place++) {
		const struct player *player = &duel->player[place];
		short events = players_may_hear(duel, place) ? POLLIN | POLLRDHUP : 0;

		if (player->peer.out.end > player->peer.out.start)
			events |= POLLOUT;
		/* also who is told a LIST: their connection may break */
		slot[SLOT_PLAYER + place] = (struct pollfd){
		    .fd = events || player->listing ? player->peer.fd : -1, .events = events};
	}
	poll(slot, (nfds_t)(SLOT_PLAYER + duel->places), trace_wait(wait));
	duel->now = duel_clock(duel);
}

static void hear_all(struct duel *duel, const struct pollfd slot[])
{
	/* a newcomer gets a place behind these, for which there was no slot */
	const int asked = duel->places;

	if (slot[SLOT_DOWN].revents) {
		int64_t begun = trace_begin();

		parent_link_hear(duel);
		trace_end(begun, SLICE_HEAR_SERVER);
	}
	if (slot[SLOT_HANDOFF].revents) {
		int64_t begun = trace_begin();

		parent_link_hear_handoff(duel);
		trace_end(begun, SLICE_TAKE);
	}
	for (int place = 0; place < asked; place++) {
		short came = slot[SLOT_PLAYER + place].revents;

		/* a player may have come back on another socket just now */
		if (slot[SLOT_PLAYER + place].fd != duel->player[place].peer.fd)
			continue;
		if (duel->player[place].listing && (came & (POLLHUP | POLLERR)))
			events_lost(duel, place);
		else if (came & ~POLLOUT)
			players_hear(duel, place, came & (POLLRDHUP | POLLHUP | POLLERR));
	}
}

static void open_fresh(struct duel *duel)
{
	struct tcp_counts since[GAME_SEATS_MAX] = {0};

	for (int i = 0; i < duel->handed_count; i++)
		if (duel->birth->socket[i].kind == SOCKET_HERE)
			tcp_counts_look(duel->handed[i].fd, &since[duel->birth->socket[i].place]);
	duel->table.rules.idle = duel->config->idle;
	duel->table.rules.grace = duel->config->grace;
	duel->table.rules.no_valid = duel->config->no_valid;
	duel->opened_at = clock_ms();
	events_open(duel, since);
}

/* The journal has been played: now the rest of the world. */
static enum replayed go_on(struct duel *duel)
{
	if (replay_settle(duel) == REPLAY_REFUSED)
		return REPLAY_REFUSED;
	on_show(duel);
	return REPLAY_DONE;
}

static void duel_open(struct duel *duel)
{
	enum replayed replayed = REPLAY_EMPTY;

	feed_open(&duel->feed, duel->ends->feed, duel->birth->feeds);
	duel->table.sink = &sink;
	duel->table.owner = duel;
	if (duel->birth->again) {
		int64_t begun = trace_begin();

		journal_take_over(&duel->journal, duel_clock(duel));
		events_wait_for_disk(duel);
		replayed = replay_journal(duel);
		trace_end(begun, SLICE_REPLAY);
	}
	if (replayed == REPLAY_EMPTY)
		open_fresh(duel);
	if (duel->birth->again && replayed != REPLAY_REFUSED)
		replayed = go_on(duel);
	if (replayed == REPLAY_REFUSED)
		_exit(DUEL_CANNOT_GO_ON);
}

/* What `ps` shows of this process; control/ps_proc.c reads the number of moves here. */
static void set_title(const struct duel *duel)
{
	const struct table *table = &duel->table;
	char line[160];
	struct text title = {.data = line,
			     .size = sizeof(line) - 40}; /* names that are too many are left out */

	text_add(&title, "duel %.8s %s:", table->rules.duel, table->game->name);
	for (int seat = 0; seat < table->seats; seat++)
		text_add(&title, " %s", table->seat[seat].name);
	title.size = sizeof(line);
	text_add(&title, ", round %d/%d, %d moves", table->round, table->rules.shape.rounds,
		 duel->moves);
	setproctitle("%s", title.data);
}

/* Let time pass, where something is due. */
static void pass_time(struct duel *duel)
{
	if (table_due(&duel->table) <= duel->now)
		events_tick(duel);
	/* beyond that nothing could be written any more */
	if (is_too_long(duel))
		events_stop(duel, "overlong");
	journal_tick(&duel->journal, duel->now);
}

/* Send what has come together: to the players, to the viewers, to the server. That the table is done the
 * server hears before the players do: whoever has heard the end and asks LIST is not told of them. Its
 * farewell is the last thing that a duel says. */
static void send_all(struct duel *duel)
{
	if (duel->table.done) {
		journal_end(&duel->journal, duel->now);
		parent_link_tell_ending(duel);
	}
	players_flush(duel);
	players_ask_for_lists(duel);
	players_tell_room(duel);
	feed_tick(&duel->feed, duel->now);
	if (duel->table.done && feed_end(&duel->feed))
		parent_link_tell(duel, DUEL_LAST_FRAME, " %u %.*s", duel->feed.sent,
				 (int)duel->feed.length - 1, duel->feed.frame);
	parent_link_tell_of_journal(duel);
	players_let_go(duel);
	parent_link_flush(duel);
}

void duel_run(struct birth *birth, const struct ends *ends, const struct config *config)
{
	struct duel *duel = own_duel();
	struct pollfd slot[SLOT_PLAYER + GAME_SEATS_MAX];
	int titled = 0, moves = 0;

	duel->config = config;
	duel->ends = ends;
	duel->link = ends->link;
	duel->birth = birth;
	duel->up = TEXT_IN(duel->up_data);
	for (int i = 0; i < birth->sockets; i++)
		duel->handed[duel->handed_count++] = (struct handed){
		    .connection = birth->socket[i].connection, .fd = ends->socket[i]};
	journal_open(&duel->journal, ends->journal.append, config->sync);
	duel_open(duel);
	for (;;) {
		send_all(duel);
		if (is_finished(duel))
			break;
		if (titled != duel->table.round || moves != duel->moves) {
			titled = duel->table.round;
			moves = duel->moves;
			set_title(duel);
		}
		wait_for_something(duel, slot);
		hear_all(duel, slot);
		pass_time(duel);
	}
	for (int place = 0; place < duel->places; place++)
		peer_close(&duel->player[place].peer);
	PROBE2(end, duel->link.table, duel->results);
}
