/*
 * duel.c - the child's loop: one table, its players' sockets, its pipes, its broadcast port.
 *
 * Owns: the position (through table.c), its copies of the players' sockets, one end of two pipes.
 * Talks to: its players, and the server (message.h: BY_DUEL and BY_SERVER). It asks the server for
 * what only the server knows: a broadcast port, the lines of a LIST.
 * Never: opens, connects or starts anything; blocks on a player; touches another table.
 *
 * A turn of the loop: wait; hear the server, then the players, line by line; let time pass; then
 * send what has come together: to the players, to the viewers, to the server.
 */
#include "duel.h"

#include "../proto/log.h"
#include "../proto/message.h"
#include "../viewer/scene.h"
#include "descriptors.h"
#include "peer.h"
#include "timers.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bsd/unistd.h>

enum {
	LINES_A_TURN = 16, /* of one player, before the others are heard */
	LIST_PAUSE = 8192, /* unsent bytes at which a LIST waits for its reader */
	FRAMES_KEPT = 8,   /* until the server has said which port is ours */
	COMPANION_MS = 20,
};

enum stay {
	AT_TABLE,
	LEAVING, /* the table is done with him, but he has not read everything */
	LEFT,	 /* his socket is the server's again */
};

/* A player as the duel holds him: what the table does not need to know. */
struct player {
	struct peer peer;
	bool listing; /* is being told a LIST … */
	char cursor[24];
	bool asked; /* … whose next lines have been asked for */
	enum stay stay;
	enum parting parting;
	int64_t leave_by; /* even if he has not read everything */
};

enum port_state { PORT_NONE, PORT_ASKED, PORT_OURS };

struct show {
	enum port_state state;
	int port;
	int kept;
	size_t length[FRAMES_KEPT];
	char frame[FRAMES_KEPT][FRAME_MAX + 1];
	int64_t again_at;
	int repeats_left; /* of the last frame */
};

struct duel {
	struct table table;
	const struct config *config;
	const struct broadcast *broadcast;
	struct duel_ends ends;
	struct player player[GAME_SEATS_MAX];
	struct line_reader reader; /* of the pipe from the server */
	char up_data[LINE_MAX_PIPE];
	struct text up; /* lines for the server that have not been written yet */
	struct show show;
	bool said_farewell, orphaned;
	int64_t now;
};

/* --- to the server ---------------------------------------------------------------------------- */

/* The pipe blocks when the server lags: a duel has nothing better to do than to wait for it. */
static void flush_up(struct duel *duel)
{
	size_t done = 0;

	while (done < duel->up.length && !duel->orphaned) {
		ssize_t written = write(duel->ends.up, duel->up.data + done,
					duel->up.length - done);

		if (written >= 0)
			done += (size_t)written;
		else if (errno == EAGAIN)
			poll(&(struct pollfd){.fd = duel->ends.up, .events = POLLOUT}, 1, -1);
		else if (errno != EINTR)
			duel->orphaned = true;
	}
	duel->up.length = 0;
}

static void tell_server(struct duel *duel, enum message message, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void tell_server(struct duel *duel, enum message message, const char *format, ...)
{
	va_list args;

	if (duel->up.size - duel->up.length < 256)
		flush_up(duel);
	text_add(&duel->up, "%s", message_word(message));
	va_start(args, format);
	text_add_list(&duel->up, format, args);
	va_end(args);
	text_add(&duel->up, "\n");
}

/* --- to the viewers --------------------------------------------------------------------------- */

static void send_kept(struct duel *duel, int from)
{
	struct show *show = &duel->show;

	for (int i = from; i < show->kept; i++)
		broadcast_send(duel->broadcast, show->port, show->frame[i], show->length[i]);
	show->again_at = duel->now + FRAME_EVERY_MS;
}

/* Once the port is ours only the present frame is kept, to be sent again. */
static void keep_frame(struct show *show, const struct frame *frame)
{
	if (show->state == PORT_OURS) {
		show->kept = 0;
	} else if (show->kept == FRAMES_KEPT) {
		memmove(show->frame[0], show->frame[1],
			sizeof(show->frame) - sizeof(show->frame[0]));
		memmove(show->length, show->length + 1, sizeof(show->length) - sizeof(size_t));
		show->kept--;
	}
	show->length[show->kept] = frame_print(frame, show->frame[show->kept]);
	show->kept++;
}

static void print_board(const struct frame *frame)
{
	static struct scene scene;
	char picture[LINE_MAX_PIPE];
	struct text text = TEXT_IN(picture);

	scene_of_frame(&scene, frame, NULL);
	text_add(&text, "duel %s n=%u\n", frame->duel, frame->n);
	scene_print(&scene, false, &text);
	/* in one write, so that the boards of several duels do not mix */
	(void)!write(STDOUT_FILENO, picture, text.length);
}

static void on_show(void *owner)
{
	struct duel *duel = owner;
	struct frame frame;

	if (duel->show.state == PORT_NONE && !duel->config->show_board)
		return;
	table_fill_frame(&duel->table, &frame);
	if (duel->config->show_board)
		print_board(&frame);
	if (duel->show.state != PORT_NONE)
		keep_frame(&duel->show, &frame);
	if (duel->show.state == PORT_OURS)
		send_kept(duel, 0);
}

static void hear_port(struct duel *duel, const char *word)
{
	struct show *show = &duel->show;
	long port;

	if (!args_read_number(word, 0, duel->broadcast->ports - 1, &port)) {
		show->state = PORT_NONE;
		return;
	}
	show->state = PORT_OURS;
	show->port = (int)port;
	send_kept(duel, 0);
	if (show->kept > 1) {
		memcpy(show->frame[0], show->frame[show->kept - 1], sizeof(show->frame[0]));
		show->length[0] = show->length[show->kept - 1];
		show->kept = 1;
	}
}

/* The present frame again every second; the last one until it has been sent three times. */
static void repeat_frame(struct duel *duel)
{
	struct show *show = &duel->show;

	if (show->state != PORT_OURS)
		return;
	if (duel->table.done && show->repeats_left < 0) {
		show->repeats_left = FRAME_REPEATS - 1;
		show->again_at = duel->now + FRAME_LAST_MS;
	}
	if (show->again_at > duel->now)
		return;
	send_kept(duel, 0);
	if (!duel->table.done)
		return;
	show->again_at = duel->now + FRAME_LAST_MS;
	if (--show->repeats_left == 0) {
		show->state = PORT_NONE;
		tell_server(duel, DUEL_PORT_FREE, "%s", "");
	}
}

/* --- what the table says ---------------------------------------------------------------------- */

static void on_say(void *owner, int seat, const char *line)
{
	struct duel *duel = owner;

	peer_say_line(&duel->player[seat].peer, line);
}

static void on_away(void *owner, int seat)
{
	struct duel *duel = owner;
	struct player *player = &duel->player[seat];

	peer_close(&player->peer);
	player->listing = player->asked = false;
	tell_server(duel, DUEL_AWAY, " %d", seat);
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

	tell_server(duel, DUEL_RESULT, " %d %s %u", duel->table.round, why, winners);
}

static const struct table_sink sink = {
    .say = on_say,
    .show = on_show,
    .away = on_away,
    .part = on_part,
    .result = on_result,
};

/* --- from the players ------------------------------------------------------------------------- */

static void lose(struct duel *duel, int seat)
{
	if (duel->player[seat].stay != AT_TABLE)
		duel->player[seat].parting = PARTING_LOST;
	else
		table_lose(&duel->table, seat, duel->now);
}

static void start_list(struct player *player)
{
	peer_hold(&player->peer);
	player->listing = true;
	strcpy(player->cursor, "0");
}

static void say_games(struct duel *duel, struct peer *peer)
{
	const struct game *game;
	char line[256];

	for (int i = 0; (game = game_at(i)) != NULL; i++) {
		struct text text = TEXT_IN(line);

		wish_print_defaults(game, &duel->config->defaults, &text);
		peer_say_line(peer, line);
	}
	peer_say_line(peer, "END");
}

/* What a player at the table says. ERROR_NONE: dealt with. */
static enum error obey(struct duel *duel, int seat, enum message message, struct words *words,
		       const char **text)
{
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
		start_list(&duel->player[seat]);
		return ERROR_NONE;
	case CLIENT_GAMES:
		say_games(duel, &duel->player[seat].peer);
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

	/* before the answer: LIST and GAMES write theirs at once */
	if ((message == CLIENT_LIST || message == CLIENT_GAMES) && !peer_may_ask(peer, duel->now)) {
		peer_say_error(peer, ERROR_TOO_FAST, NULL);
		return false;
	}
	error = obey(duel, seat, message, &words, &text);
	if (error == ERROR_NONE)
		return true;
	if (!peer_may_ask(peer, duel->now)) {
		peer_say_error(peer, ERROR_TOO_FAST, NULL);
		return false;
	}
	peer_say_error(peer, error, text);
	return true;
}

static bool may_hear(const struct duel *duel, int seat)
{
	const struct player *player = &duel->player[seat];

	return duel->table.seat[seat].presence == SEAT_HERE && player->stay == AT_TABLE &&
	       !player->listing && peer_unsent(&player->peer) < LIST_PAUSE;
}

static void hear_player(struct duel *duel, int seat, bool hung_up)
{
	struct peer *peer = &duel->player[seat].peer;
	char line[LINE_MAX_CLIENT + 1];

	for (int i = 0; i < LINES_A_TURN && may_hear(duel, seat); i++) {
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

/* --- from the server -------------------------------------------------------------------------- */

static void hear_entry(struct duel *duel, int seat, char *word[])
{
	struct peer *peer = &duel->player[seat].peer;

	if (!duel->player[seat].listing)
		return;
	if (duel->table.seat[seat].full)
		peer_say_in_list(peer, "%s %s %s %s %s", word[0], word[1], word[2], word[3],
				 word[4]);
	else
		peer_say_in_list(peer, "%s %s", word[0], word[1]);
}

static void hear_end(struct duel *duel, int seat, const char *cursor)
{
	struct player *player = &duel->player[seat];

	player->asked = false;
	if (!player->listing)
		return;
	if (strcmp(cursor, "-") != 0) {
		snprintf(player->cursor, sizeof(player->cursor), "%s", cursor);
		return;
	}
	peer_say_in_list(&player->peer, "END");
	peer_release(&player->peer);
	player->listing = false;
}

static bool read_seat(const struct duel *duel, const char *word, int *seat)
{
	long number;

	if (!args_read_number(word, 0, duel->table.seats - 1, &number))
		return false;
	*seat = (int)number;
	return true;
}

/* False: the server does not talk like that. */
static bool hear_server_line(struct duel *duel, char *line)
{
	struct words words;
	int seat;

	switch (message_read(BY_SERVER, line, &words)) {
	case SERVER_PORT:
		hear_port(duel, words.word[1]);
		return true;
	case SERVER_ENTRY:
		if (!read_seat(duel, words.word[1], &seat))
			return false;
		hear_entry(duel, seat, words.word + 2);
		return true;
	case SERVER_END:
		if (!read_seat(duel, words.word[1], &seat))
			return false;
		hear_end(duel, seat, words.word[2]);
		return true;
	case SERVER_STOP:
		if (!duel->table.done)
			table_abort(&duel->table, words.word[1]);
		return true;
	default:
		return false;
	}
}

static void hear_server(struct duel *duel)
{
	size_t room;
	char *place = line_room(&duel->reader, &room);
	ssize_t length = read(duel->ends.down, place, room);
	char *line;

	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (length <= 0) {
		duel->orphaned = true;
		return;
	}
	line_fed(&duel->reader, (size_t)length);
	while ((line = line_next(&duel->reader)) != NULL) {
		if (!hear_server_line(duel, line)) {
			log_error("bad-message from=server");
			abort();
		}
	}
}

/* A player has come back, with a new connection. */
static void hear_passing(struct duel *duel)
{
	char line[256];
	struct parcel parcel;
	struct words words;
	ssize_t length = descriptors_receive(duel->ends.passing, line, sizeof(line) - 1, &parcel,
					     MSG_DONTWAIT);
	bool was_here;
	int seat;

	if (length < 0)
		return;
	line[length] = '\0';
	if (parcel.count != 1 || message_read(BY_SERVER_PASS, line, &words) != PASS_RESUME ||
	    !read_seat(duel, words.word[1], &seat) || duel->player[seat].stay != AT_TABLE) {
		descriptors_close(&parcel);
		return;
	}
	was_here = duel->table.seat[seat].presence == SEAT_HERE;
	peer_close(&duel->player[seat].peer);
	duel->player[seat].listing = duel->player[seat].asked = false;
	peer_open(&duel->player[seat].peer, parcel.fd[0]);
	tell_server(duel, DUEL_BACK, " %d", seat);
	table_return(&duel->table, seat, was_here, duel->now);
}

/* --- the loop --------------------------------------------------------------------------------- */

/* One LIST at a time is fetched, so that the pipe never has to hold more than one answer. */
static void ask_for_lists(struct duel *duel)
{
	for (int seat = 0; seat < duel->table.seats; seat++)
		if (duel->player[seat].asked)
			return;
	for (int seat = 0; seat < duel->table.seats; seat++) {
		struct player *player = &duel->player[seat];

		if (!player->listing || peer_unsent(&player->peer) >= LIST_PAUSE)
			continue;
		player->asked = true;
		tell_server(duel, DUEL_LIST, " %d %s", seat, player->cursor);
		return;
	}
}

static void flush_players(struct duel *duel)
{
	for (int seat = 0; seat < duel->table.seats; seat++) {
		struct player *player = &duel->player[seat];

		if (player->peer.fd >= 0 && !peer_flush(&player->peer, duel->now))
			lose(duel, seat);
	}
}

/* Give back the sockets of those who have left and have read everything. */
static void let_go(struct duel *duel)
{
	static const char *const words[] = {
	    [PARTING_DONE] = "done", [PARTING_LOGOUT] = "logout", [PARTING_LOST] = "lost"};
	bool all_left = true;

	for (int seat = 0; seat < duel->table.seats; seat++) {
		struct player *player = &duel->player[seat];
		bool busy = player->listing || peer_unsent(&player->peer) > 0;

		if (player->stay == LEAVING && busy && duel->now >= player->leave_by)
			player->parting = PARTING_LOST;
		if (player->stay == LEAVING && (!busy || player->parting == PARTING_LOST)) {
			tell_server(duel, DUEL_LEFT, " %d %s", seat, words[player->parting]);
			peer_close(&player->peer);
			player->stay = LEFT;
		}
		all_left = all_left && player->stay == LEFT;
	}
	if (all_left && !duel->said_farewell) {
		duel->said_farewell = true;
		tell_server(duel, DUEL_FAREWELL, "%s", "");
	}
}

static bool is_finished(const struct duel *duel)
{
	return duel->orphaned || (duel->said_farewell && duel->show.state == PORT_NONE);
}

static int64_t next_due(const struct duel *duel)
{
	int64_t due = table_due(&duel->table);

	if (duel->show.state == PORT_OURS && duel->show.again_at < due)
		due = duel->show.again_at;
	for (int seat = 0; seat < duel->table.seats; seat++) {
		const struct player *player = &duel->player[seat];

		if (player->stay == LEAVING && player->leave_by < due)
			due = player->leave_by;
		if (peer_due(&player->peer) < due)
			due = peer_due(&player->peer);
	}
	return due;
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
	for (int seat = 0; seat < duel->table.seats; seat++) {
		const struct player *player = &duel->player[seat];
		short events = may_hear(duel, seat) ? POLLIN | POLLRDHUP : 0;

		if (player->peer.out.end > player->peer.out.start)
			events |= POLLOUT;
		slot[SLOT_PLAYER + seat] = (struct pollfd){.fd = events ? player->peer.fd : -1,
							   .events = events};
	}
	poll(slot, (nfds_t)(SLOT_PLAYER + duel->table.seats), wait);
	duel->now = clock_ms();
}

static void hear_all(struct duel *duel, const struct pollfd slot[])
{
	if (slot[SLOT_DOWN].revents)
		hear_server(duel);
	if (slot[SLOT_PASSING].revents)
		hear_passing(duel);
	for (int seat = 0; seat < duel->table.seats; seat++) {
		short came = slot[SLOT_PLAYER + seat].revents;

		/* a player may have come back on another socket just now */
		if (slot[SLOT_PLAYER + seat].fd != duel->player[seat].peer.fd)
			continue;
		if (came & ~POLLOUT)
			hear_player(duel, seat, came & (POLLRDHUP | POLLHUP | POLLERR));
	}
}

static void duel_open(struct duel *duel, const struct birth *birth)
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
	if (duel->config->defaults.no_clock)
		table->rules.shape.clock = 0;
	strcpy(table->rules.duel, birth->duel);
	table->seats = birth->seats;
	table->sink = &sink;
	table->owner = duel;
	for (int seat = 0; seat < birth->seats; seat++) {
		table->seat[seat] = birth->seat[seat];
		peer_open(&duel->player[seat].peer, duel->ends.player[seat]);
	}
	duel->show.repeats_left = -1;
	if (duel->broadcast->ports > 0) {
		duel->show.state = PORT_ASKED;
		tell_server(duel, DUEL_PORT, "%s", "");
	}
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
	duel.broadcast = broadcast;
	duel.ends = *ends;
	duel.now = clock_ms();
	duel_open(&duel, birth);
	table_open(&duel.table, duel.now);
	for (;;) {
		flush_players(&duel);
		let_go(&duel);
		ask_for_lists(&duel);
		repeat_frame(&duel);
		flush_up(&duel);
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
	for (int seat = 0; seat < duel.table.seats; seat++)
		peer_close(&duel.player[seat].peer);
}
