/*
 * events.c - all that can happen to a table, one function for each. It is written to the journal
 * first; then the table has it, and the players hear what follows.
 *
 * Owns: what a line of the journal looks like; replay.c reads it.
 * Talks to: the journal, then the table and the players (peer.h). Of a journal that lags, the server.
 * Never: reads a socket. A replay calls the same functions with what the journal says, and nothing is
 * written. So what comes of an event depends on its arguments and on the events before it, and on nothing
 * else: no clock but duel->now, no chance but the table's own.
 */
#include "server/duel/duel.h"

#include "proto/wire/log.h"
#include "proto/wire/text.h"
#include "server/shared/offer.h"
#include "proto/time/timers.h"

#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* --- the journal ------------------------------------------------------------------------------ */

/* Bytes. */
enum {
	EVENT_MAX = 1024, /* one that is no client's line: a newcomer's seat is the longest */
	MOVE_MOST = 256,  /* a client's line that means something: the words behind MOVE … */
	LINE_ROOM = 64,	  /* … and what stands before them */
	HEAD_ROOM = 400,  /* what is said of the table … */
	HEAD_SEAT = 200,  /* … and of each seat */
};

static void begin_event(const struct duel *duel, enum message message, struct text *text)
{
	text_add(text, "%" PRId64 " %s", duel->now, message_word(message));
}

static void tell_of_journal(struct duel *duel)
{
	parent_link_tell_of_journal(duel);
	parent_link_flush(duel);
}

/* Nobody has heard of what is missing, and nobody will: whoever takes our place does not find it either. */
static void end_without_journal(void)
{
	log_error("journal-full so=\"nobody can move here any more, the table ends\"");
	abort();
}

/* With --sync move nobody hears of what is not on the disk, and nobody's time runs meanwhile. All that is
 * still to be told to anybody is of what is there already. */
void events_wait_for_disk(struct duel *duel)
{
	int64_t begun;

	if (journal_has_failed(&duel->journal))
		end_without_journal();
	if (!journal_must_wait(&duel->journal))
		return;
	begun = clock_ms();
	tell_of_journal(duel);
	while (journal_must_wait(&duel->journal)) {
		poll(NULL, 0, timers_wait(journal_due(&duel->journal), duel_clock(duel)));
		journal_tick(&duel->journal, duel_clock(duel));
	}
	duel->opened_at += clock_ms() - begun;
	tell_of_journal(duel);
}

/* What is not in the journal ends the table if we crash: the server knows before a player hears of
 * it. */
static void write_lines(struct duel *duel, const struct text *text)
{
	int64_t begun = trace_begin();

	journal_write(&duel->journal, text->data, text->length, duel->now);
	trace_end(begun, SLICE_JOURNAL);
	events_wait_for_disk(duel);
	if (duel->journal.state != JOURNAL_WHOLE && duel->journal.state != duel->journal.told)
		tell_of_journal(duel);
}

static void write_text(struct duel *duel, struct text *text)
{
	text_add(text, "\n");
	write_lines(duel, text);
}

static void write_event(struct duel *duel, enum message message, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void write_event(struct duel *duel, enum message message, const char *format, ...)
{
	char data[EVENT_MAX];
	struct text text = TEXT_IN(data);
	va_list args;

	if (duel->replaying)
		return;
	begin_event(duel, message, &text);
	va_start(args, format);
	text_add_list(&text, format, args);
	va_end(args);
	write_text(duel, &text);
}

/* A line of which every word counts. */
static void write_said(struct duel *duel, int place, uint64_t taken, const struct words *words)
{
	char data[LINE_ROOM + 3 * MOVE_MOST];
	struct text text = TEXT_IN(data);

	if (duel->replaying || duel->journal.state == JOURNAL_NONE)
		return;
	begin_event(duel, JOURNAL_SAID, &text);
	text_add(&text, " %d %" PRIu64, place, taken);
	for (int i = 0; i < words->count; i++) {
		TEXT_ADD(&text, " ");
		journal_print_text(&text, words->word[i]);
	}
	write_text(duel, &text);
}

static void write_head(struct duel *duel, const struct tcp_counts since[])
{
	char data[HEAD_ROOM + duel->birth->seats * HEAD_SEAT];
	struct text text = {.data = data, .size = sizeof(data)};
	const struct table_rules *rules = &duel->table.rules;

	/* after an empty line: the chapter before ours may end in the middle of one */
	text_add(&text, "\n" JOURNAL_FIRST_WORDS "%s\n", duel->birth->date);
	birth_print_table(duel->birth, "table", &text);
	birth_print_warrant(duel->birth, &text);
	text_add(&text, "rules %d %d %s %d %d\n", rules->idle, rules->grace,
		 rules->no_valid ? "on" : "off", peer_limits.burst, peer_limits.a_second);
	for (int place = 0; place < duel->birth->seats; place++)
		text_add(&text, "at %d %d %" PRIu64 " %" PRIu64 "\n", place, place, since[place].in,
			 since[place].out);
	text_add(&text, "open\n");
	write_lines(duel, &text);
}

/* --- connections ------------------------------------------------------------------------------ */

/* The player at this place has this connection now. Of what is said to them from `since` on, a process
 * before this one may have sent some already. */
static void meet(struct duel *duel, int place, unsigned connection, bool full,
		 const struct tcp_counts *since)
{
	struct player *player = &duel->player[place];
	int fd = players_handed(duel, connection);
	size_t skip = 0;
	struct tcp_counts now;

	if (place >= duel->places)
		duel->places = place + 1;
	if (fd < 0)
		skip = PEER_MUTE;
	else if (duel->replaying && tcp_counts_look(fd, &now))
		skip = now.gone ? PEER_MUTE : (size_t)(now.out - since->out);
	if (duel->replaying)
		peer_take_over(&player->peer, fd, skip);
	else
		peer_open(&player->peer, fd);
	player->connection = connection;
	player->taken = since->in;
	player->full = full;
	player->listing = false;
	player->lists = 0;
}

/* What the player has been told goes out first. Then they have left, or are away. */
static void lose(struct duel *duel, int place)
{
	struct player *player = &duel->player[place];

	peer_flush(&player->peer, duel->now);
	if (player->stay != AT_TABLE)
		player->parting = PARTING_LOST;
	else
		table_lose(&duel->table, table_seat_of(&duel->table, place), duel->now);
}

/* --- what players say ------------------------------------------------------------------------- */

/* A line that a player has said. */
struct saying {
	struct duel *duel;
	int place, seat;
	struct words *words;
	const char *text; /* of the answer, if it is ERROR; NULL: the one that all have */
};

static enum error play(struct saying *said)
{
	(void)said;
	return ERROR_ALREADY_PLAYING;
}

static enum error resume(struct saying *said)
{
	return play(said);
}

static enum error tables(struct saying *said)
{
	return play(said);
}

/* In the journal it is, and no player has heard of it: a good time to die, when that is wanted. */
static enum error move(struct saying *said)
{
	struct duel *duel = said->duel;
	int64_t begun = trace_begin();
	enum error error = table_move(&duel->table, said->seat, said->words->word + 1,
				      said->words->count - 1, duel->now, &said->text);

	if (!duel->replaying)
		trace_end(begun, SLICE_MOVE);
	if (error != ERROR_NONE)
		return error;
	duel->moves++;
	if (!duel->replaying)
		PROBE3(move, duel->link.table, said->seat, duel->moves);
	if (duel->ends->crash && duel->moves == 2) {
		log_warn("crashes-as-told");
		abort();
	}
	return ERROR_NONE;
}

static enum error resign(struct saying *said)
{
	return table_resign(&said->duel->table, said->seat, said->duel->now);
}

static enum error logout(struct saying *said)
{
	table_logout(&said->duel->table, said->seat, said->duel->now);
	return ERROR_NONE;
}

static enum error list(struct saying *said)
{
	struct player *player = &said->duel->player[said->place];

	peer_hold(&player->peer);
	player->listing = true;
	player->list_asked = false;
	player->lists++;
	return ERROR_NONE;
}

static enum error games(struct saying *said)
{
	offer_say_games(&said->duel->player[said->place].peer, &said->duel->config->defaults);
	return ERROR_NONE;
}

/* What a player at the table says. ERROR_NONE: dealt with. */
static enum error obey(struct saying *said, enum message message)
{
	switch (message) {
#define CASE(symbol, word, sender, low, high, when, handler, carries)                              \
	case symbol:                                                                               \
		return handler(said);
		CLIENT_MESSAGES(CASE)
#undef CASE
	default:
		return ERROR_UNKNOWN_COMMAND;
	}
}

/* A MOVE is first asked whose turn it is, then what it says: so one that cannot be read, since it is no
 * words, or long, or unprintable, is a MOVE that says nothing. */
static enum message simplify(enum message message, struct words *words)
{
	size_t length = 0;
	bool plain = true;

	if (message == MESSAGE_MISFIT && strcmp(words->word[0], message_word(CLIENT_MOVE)) == 0)
		plain = false;
	else if (message != CLIENT_MOVE)
		return message;
	for (int i = 1; i < words->count && plain; i++) {
		length += strlen(words->word[i]) + 1;
		for (const char *c = words->word[i]; *c != '\0'; c++)
			plain = plain && *c > ' ' && *c <= '~';
	}
	if (!plain || length > MOVE_MOST)
		words->count = 1;
	return CLIENT_MOVE;
}

/* What no table of ours ever obeys, whatever its game and whoever's turn it is: the journal has only the answer. */
static enum error always_refused(enum message message)
{
	switch (message) {
	case CLIENT_PLAY:
	case CLIENT_RESUME:
	case CLIENT_TABLES:
		return ERROR_ALREADY_PLAYING;
	case MESSAGE_MISFIT:
		return ERROR_BAD_ARGUMENT;
	case MESSAGE_UNKNOWN:
		return ERROR_UNKNOWN_COMMAND;
	default:
		return ERROR_NONE;
	}
}

/* False: this connection has to be closed. */
static bool answer_error(struct duel *duel, int place, enum error error, const char *text)
{
	struct peer *peer = &duel->player[place].peer;
	bool good = peer_may_ask(peer, duel->now);

	peer_say_error(peer, good ? error : ERROR_TOO_FAST, good ? text : NULL);
	table_after_error(&duel->table, duel->now);
	return good;
}

/* Answer one line; false: as above. */
static bool answer_line(struct duel *duel, int place, enum message message, struct words *words)
{
	struct peer *peer = &duel->player[place].peer;
	struct saying said = {.duel = duel, .place = place, .words = words};
	enum error error;

	/* before the answer: LIST and GAMES write theirs at once */
	if ((message == CLIENT_LIST || message == CLIENT_GAMES) && !peer_may_ask(peer, duel->now)) {
		peer_say_error(peer, ERROR_TOO_FAST, NULL);
		return false;
	}
	said.seat = table_seat_of(&duel->table, place);
	error = obey(&said, message);
	return error == ERROR_NONE || answer_error(duel, place, error, said.text);
}

/* Of a line that is refused in any case only the answer counts. */
bool events_refused(struct duel *duel, int place, uint64_t taken, enum error error)
{
	write_event(duel, JOURNAL_REFUSED, " %d %" PRIu64 " %s", place, taken, error_word(error));
	duel->player[place].taken = taken;
	if (answer_error(duel, place, error, NULL))
		return true;
	lose(duel, place);
	return false;
}

/* `taken`: so many bytes of the connection will have been dealt with, with this line. False: the player is gone. */
bool events_said(struct duel *duel, int place, uint64_t taken, char *line)
{
	struct words words;
	enum message message = simplify(message_read(BY_CLIENT, line, &words), &words);
	enum error error = always_refused(message);

	if (error != ERROR_NONE)
		return events_refused(duel, place, taken, error);
	write_said(duel, place, taken, &words);
	duel->player[place].taken = taken;
	if (answer_line(duel, place, message, &words))
		return true;
	lose(duel, place);
	return false;
}

/* A player says more than a line may have. */
void events_long(struct duel *duel, int place)
{
	write_event(duel, JOURNAL_LONG, " %d", place);
	peer_say_error(&duel->player[place].peer, ERROR_TOO_LONG, NULL);
	lose(duel, place);
}

void events_lost(struct duel *duel, int place)
{
	if (duel->player[place].stay == AT_TABLE)
		write_event(duel, JOURNAL_LOST, " %d", place);
	lose(duel, place);
}

/* --- what the server says --------------------------------------------------------------------- */

/* The server has told this player the LIST. */
void events_listed(struct duel *duel, int place, uint64_t bytes)
{
	struct player *player = &duel->player[place];

	write_event(duel, JOURNAL_LISTED, " %d %" PRIu64, place, bytes);
	if (duel->replaying)
		peer_skip(&player->peer, bytes);
	peer_release(&player->peer);
	player->listing = false;
}

void events_stop(struct duel *duel, const char *reason)
{
	write_event(duel, JOURNAL_STOP, " %s", reason);
	table_stop(&duel->table, reason);
}

/* Nobody is at the table any more, and nothing happens to it after this. */
void events_over(struct duel *duel)
{
	if (duel->over)
		return;
	duel->over = true;
	write_event(duel, JOURNAL_OVER, "%s", "");
}

/* --- people and time -------------------------------------------------------------------------- */

void events_open(struct duel *duel, const struct tcp_counts since[])
{
	struct table *table = &duel->table;
	const struct birth *birth = duel->birth;

	table->game = birth->shape.game;
	table->rules.shape = birth->shape;
	table->rules.seed = birth->seed;
	table->rules.first = birth->first;
	strcpy(table->rules.duel, birth->duel);
	table->seats = birth->seats;
	if (!duel->replaying)
		write_head(duel, since);
	for (int place = 0; place < birth->seats; place++) {
		struct player *player = &duel->player[place];

		table->seat[place] = birth->seat[place];
		table->seat[place].place = place;
		meet(duel, place, (unsigned)place, birth->seat[place].full, &since[place]);
		peer_set_allowance(&player->peer, birth->allowance[place], duel->now);
		player->stay = AT_TABLE;
	}
	table_open(table, duel->now);
}

void events_tick(struct duel *duel)
{
	write_event(duel, JOURNAL_TICK, "%s", "");
	table_tick(&duel->table, duel->now);
}

/* Somebody comes to a table that is open to newcomers; `word` is a seat as a birth has it, and its warrant. False:
 * these are no such words, or there is no room any more. */
bool events_join(struct duel *duel, int place, unsigned connection, const struct tcp_counts *since,
		 char *const word[])
{
	struct player *player = &duel->player[place];
	struct seat newcomer;
	int allowance;

	if (!birth_read_seat(&newcomer, &allowance, word) || table_room(&duel->table) == 0)
		return false;
	write_event(duel, JOURNAL_JOIN, " %d %u %" PRIu64 " %" PRIu64 " %s %s %s %s %s %s %s %s",
		    place, connection, since->in, since->out, word[0], word[1], word[2], word[3],
		    word[4], word[5], word[6], word[7]);
	newcomer.place = place;
	meet(duel, place, connection, true, since);
	peer_set_allowance(&player->peer, allowance, duel->now);
	player->stay = AT_TABLE;
	return table_join(&duel->table, &newcomer, duel->now);
}

/* A player is back with another connection; the old one, if it lives, is closed. */
void events_back(struct duel *duel, int place, unsigned connection, const struct tcp_counts *since)
{
	int seat = table_seat_of(&duel->table, place);
	bool was_here = duel->table.seat[seat].presence == SEAT_HERE;

	write_event(duel, JOURNAL_BACK, " %d %u %" PRIu64 " %" PRIu64, place, connection, since->in,
		    since->out);
	players_drop_socket(duel, place);
	meet(duel, place, connection, true, since);
	table_return(&duel->table, seat, was_here, duel->now);
}
