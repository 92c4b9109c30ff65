/*
 * replay.c - a duel that takes the place of one whose process has died: it plays the journal again
 * and goes on from there.
 *
 * Three things are known of what the dead one did last. The journal has all that it dealt with. The
 * kernel has how much it took from each socket and wrote to it. The server has what it heard over
 * the pipe. The journal is never behind the other two, since it is written first. So:
 *
 *      to the players   the bytes that a replay makes, less those that have been written
 *      from the players what the journal has dealt with, and nobody has taken, is taken
 *      to the server    what it does not know yet: results, who is away, who is back
 *
 * A line that was cut off in the middle did not happen: it is still in the player's socket.
 *
 * Owns: nothing. A chapter is read once, from its beginning to its end.
 * Talks to: the server, once all is played: what it does not know yet. The recorder plays chapters by it too,
 * without players and without a server.
 * Never: writes to a journal while it plays. What it plays goes through events.c, as at the first time. What is found
 * out afterwards (replay_settle), a lost connection or a player who is back, is an event like any other, and is written.
 */
#include "server/duel/duel.h"

#include "proto/wire/log.h"
#include "proto/wire/text.h"
#include "proto/time/timers.h"
#include "server/shared/warrant.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- reading ---------------------------------------------------------------------------------- */

/* A journal while it is read. */
struct reading {
	struct duel *duel;
	struct birth birth; /* as the head has it: that of the first process of all */
	struct tcp_counts since[GAME_SEATS_MAX];
	uint16_t at; /* seats whose `at` has been read: a bit for each */
	int line;
	bool ruled; /* its `rules` have been read */
	bool open;
};

static enum replayed refuse(const struct duel *duel, const char *what, int line)
{
	log_error("journal-not-playable duel=%s line=%d reason=\"%s\"", duel->birth->duel, line,
		  what);
	return REPLAY_REFUSED;
}

static bool read_bytes(const char *word, uint64_t *bytes)
{
	char *end;

	if (*word < '0' || *word > '9')
		return false;
	errno = 0;
	*bytes = strtoull(word, &end, 10);
	return *end == '\0' && errno == 0;
}

static bool read_since(struct tcp_counts *since, char *const word[])
{
	*since = (struct tcp_counts){0};
	return read_bytes(word[0], &since->in) && read_bytes(word[1], &since->out);
}

static bool read_rules(struct reading *reading, const struct words *words)
{
	long idle, grace, burst, a_second;

	if (words->count != 6 || !args_read_number(words->word[1], 1, 86400, &idle) ||
	    !args_read_number(words->word[2], 0, 3600, &grace) ||
	    !args_read_number(words->word[4], 1, 100000, &burst) ||
	    !args_read_number(words->word[5], 0, 100000, &a_second))
		return false;
	/* as they were, whatever the server is told today: who was too fast then was so */
	peer_limits.burst = (int)burst;
	peer_limits.a_second = (int)a_second;
	reading->duel->table.rules.idle = (int)idle;
	reading->duel->table.rules.grace = (int)grace;
	reading->duel->table.rules.no_valid = strcmp(words->word[3], "on") == 0;
	reading->ruled = true;
	return true;
}

static bool read_at(struct reading *reading, const struct words *words)
{
	long place;

	if (words->count != 5 ||
	    !args_read_number(words->word[1], 0, reading->birth.seats - 1, &place))
		return false;
	reading->at |= (uint16_t)(1u << place);
	return read_since(&reading->since[place], words->word + 3);
}

/* The words of the head go on over several lines; the last one is `open`. */
static bool read_head(struct reading *reading, char *line)
{
	struct duel *duel = reading->duel;
	char copy[JOURNAL_LINE_MAX];
	struct words words;

	if (reading->line == 1)
		return strncmp(line, JOURNAL_FIRST_WORDS, strlen(JOURNAL_FIRST_WORDS)) == 0;
	text_print(copy, sizeof(copy), "%s", line);
	if (!line_split(copy, &words))
		return false;
	if (strcmp(words.word[0], "rules") == 0)
		return read_rules(reading, &words);
	if (strcmp(words.word[0], "at") == 0)
		return read_at(reading, &words);
	if (strcmp(words.word[0], "open") != 0)
		return birth_read_head(&reading->birth, line);
	if (strcmp(reading->birth.duel, duel->birth->duel) != 0 ||
	    !birth_is_seated(&reading->birth) || !warrant_is_for_table(&reading->birth) ||
	    !reading->ruled || reading->at != (1u << reading->birth.seats) - 1)
		return false;
	reading->open = true;
	/* of our own birth only what is true now counts; the table is the one of the beginning */
	duel->birth->shape = reading->birth.shape;
	duel->birth->seed = reading->birth.seed;
	duel->birth->first = reading->birth.first;
	duel->birth->seats = reading->birth.seats;
	memcpy(duel->birth->seat, reading->birth.seat, sizeof(duel->birth->seat));
	memcpy(duel->birth->allowance, reading->birth.allowance, sizeof(duel->birth->allowance));
	events_open(duel, reading->since);
	return true;
}

/* A player who has a seat. */
static bool read_place(const struct duel *duel, const char *word, int *place)
{
	long number;

	if (!args_read_number(word, 0, duel->places - 1, &number))
		return false;
	*place = (int)number;
	return duel->player[number].stay == AT_TABLE &&
	       table_seat_of(&duel->table, (int)number) >= 0;
}

/* said PLACE BYTES the line as it came, spaces and all: in three words behind its own. */
static bool split_said(char *text, struct words *words)
{
	for (words->count = 0; words->count < 4; words->count++) {
		char *end = words->count < 3 ? strchr(text, ' ') : text;

		if (end == NULL)
			return false;
		words->word[words->count] = text;
		if (words->count < 3)
			*end++ = '\0';
		text = end;
	}
	return true;
}

static bool replay_said(struct duel *duel, char *const word[])
{
	char line[LINE_MAX_CLIENT + 1];
	uint64_t taken;
	int place;

	if (!read_place(duel, word[0], &place) || !read_bytes(word[1], &taken) ||
	    !journal_read_text(line, sizeof(line), word[2]))
		return false;
	events_said(duel, place, taken, line);
	return true;
}

static bool replay_refused(struct duel *duel, char *const word[])
{
	uint64_t taken;
	int place, error = 0;

	while (error < ERROR_NONE && strcmp(error_word((enum error)error), word[2]) != 0)
		error++;
	if (error == ERROR_NONE || !read_place(duel, word[0], &place) ||
	    !read_bytes(word[1], &taken))
		return false;
	events_refused(duel, place, taken, (enum error)error);
	return true;
}

static bool replay_join(struct duel *duel, char *const word[])
{
	struct tcp_counts since;
	unsigned connection;
	long place;

	return args_read_number(word[0], 0, GAME_SEATS_MAX - 1, &place) &&
	       table_seat_of(&duel->table, (int)place) < 0 &&
	       birth_read_connection(word[1], &connection) && read_since(&since, word + 2) &&
	       warrant_is_for_join(duel->birth->duel, place, connection, word + 4) &&
	       events_join(duel, (int)place, connection, &since, word + 4);
}

static bool replay_back(struct duel *duel, char *const word[])
{
	struct tcp_counts since;
	unsigned connection;
	int place;

	if (!read_place(duel, word[0], &place) || !birth_read_connection(word[1], &connection) ||
	    !read_since(&since, word + 2))
		return false;
	events_back(duel, place, connection, &since);
	return true;
}

/* Somebody may hear the last of a LIST when the table has ended. */
static bool replay_listed(struct duel *duel, char *const word[])
{
	uint64_t bytes;
	long place;

	if (!args_read_number(word[0], 0, duel->places - 1, &place) ||
	    !duel->player[place].listing || !read_bytes(word[1], &bytes))
		return false;
	events_listed(duel, (int)place, bytes);
	return true;
}

static bool replay_long(struct duel *duel, char *const word[])
{
	int place;

	if (!read_place(duel, word[0], &place))
		return false;
	events_long(duel, place);
	return true;
}

static bool replay_lost(struct duel *duel, char *const word[])
{
	int place;

	if (!read_place(duel, word[0], &place))
		return false;
	events_lost(duel, place);
	return true;
}

static bool replay_stop(struct duel *duel, char *const word[])
{
	events_stop(duel, word[0]);
	return true;
}

static bool replay_over(struct duel *duel, char *const word[])
{
	(void)word;
	events_over(duel);
	return true;
}

static bool replay_tick(struct duel *duel, char *const word[])
{
	(void)word;
	if (!duel->table.done) /* as proto/kept/record.c has it */
		events_tick(duel);
	return true;
}

static bool replay_message(struct duel *duel, enum message message, char *const word[])
{
	switch (message) {
#define CASE(symbol, code, sender, low, high, when, handler, carries)                              \
	case symbol:                                                                               \
		return ((when) == ALWAYS || !duel->table.done) && handler(duel, word);
		JOURNAL_MESSAGES(CASE)
#undef CASE
	default:
		return false;
	}
}

static bool replay_line(struct duel *duel, char *line)
{
	char *text = strchr(line, ' ');
	struct words words;
	enum message message;
	long now;

	if (text == NULL)
		return false;
	*text++ = '\0';
	if (!args_read_number(line, duel->now, TABLE_MS_MAX, &now))
		return false;
	duel->now = now;
	if (strncmp(text, "said ", 5) != 0)
		message = message_read(BY_JOURNAL, text, &words);
	else
		message = split_said(text, &words) ? JOURNAL_SAID : MESSAGE_MISFIT;
	return replay_message(duel, message, words.word + 1);
}

static bool take_line(void *owner, char *line)
{
	struct reading *reading = owner;

	reading->line++;
	return reading->open ? replay_line(reading->duel, line) : read_head(reading, line);
}

enum replayed replay_chapter(struct duel *duel, int fd, off_t *at, off_t end, int *line)
{
	static struct reading reading;
	bool good;

	reading = (struct reading){.duel = duel};
	duel->replaying = true;
	good = journal_read_lines(fd, at, end, take_line, &reading);
	*line = reading.line;
	if (!good)
		return REPLAY_REFUSED;
	return reading.open ? REPLAY_DONE : REPLAY_EMPTY;
}

enum replayed replay_journal(struct duel *duel)
{
	int fd = duel->ends->journal.chapter, line;
	enum replayed replayed;
	off_t at = 0;

	if (fd < 0)
		return REPLAY_EMPTY;
	replayed = replay_chapter(duel, fd, &at, CHAPTER_LARGEST, &line);
	if (replayed != REPLAY_DONE)
		return refuse(
		    duel, replayed == REPLAY_EMPTY ? "it has no head" : "it makes no sense", line);
	close(fd);
	duel->journal.length = (size_t)at;
	duel->replaying = false;
	duel->opened_at = clock_ms() - duel->now;
	if (duel->birth->results < 0) {
		duel->birth->results = duel->results;
		parent_link_tell(duel, DUEL_RESULTS, " %d", duel->results);
		parent_link_flush(
		    duel); /* so that a next one is told of what happens from here on */
	}
	return REPLAY_DONE;
}

/* --- settling --------------------------------------------------------------------------------- */

static const struct birth_socket *socket_of(const struct birth *birth, int place,
					    enum birth_socket_kind kind)
{
	for (int i = 0; i < birth->sockets; i++)
		if (birth->socket[i].place == place && birth->socket[i].kind == kind)
			return &birth->socket[i];
	return NULL;
}

/* What has been dealt with is taken, what has been said goes out: then the streams are where the
 * journal says. Of a connection that was reset nobody can say where it is: it is lost. */
static bool settle_streams(struct player *player)
{
	struct peer *peer = &player->peer;
	struct tcp_counts now;

	if (peer->fd < 0 || !tcp_counts_look(peer->fd, &now))
		return true;
	if (now.gone) {
		peer_close(peer);
		player->parting = PARTING_LOST;
		return true;
	}
	if (player->listing)
		peer->skip = 0; /* what has gone out since is the server's LIST */
	if (peer->skip != 0 || now.in > player->taken)
		return false;
	peer_take_bytes(peer, (size_t)(player->taken - now.in));
	return true;
}

/* Somebody who has come or come back, or was about to, with this connection. */
static bool has_come(const struct duel *duel, int place, const struct birth_socket *with)
{
	return with != NULL && place < duel->places &&
	       with->connection == duel->player[place].connection;
}

/* Nobody is here, as far as the server knows, and nobody waits for a LIST that was asked for. */
static void vacate(struct player *player)
{
	player->stay = VACANT;
	player->listing = false;
}

/* A newcomer of whom the server does not know whether they have a seat. */
static bool settle_newcomer(struct duel *duel, int place)
{
	const struct birth_socket *joining = socket_of(duel->birth, place, SOCKET_JOINING);
	bool joined = has_come(duel, place, joining);

	if (joining == NULL)
		return true;
	parent_link_tell(duel, joined ? DUEL_JOINED : DUEL_REFUSED, " %d", place);
	parent_link_flush(duel); /* the newcomer hears of it after the server */
	if (!joined)
		vacate(&duel->player[place]);
	return joined;
}

/* A place of which the server believes that somebody has it. What it does not know yet it is told;
 * a connection that it does not have any more is lost. */
static void settle_player(struct duel *duel, int place)
{
	const struct birth_socket *returning = socket_of(duel->birth, place, SOCKET_RETURNING);
	struct player *player = &duel->player[place];
	bool is_back = has_come(duel, place, returning);
	int seat;

	if (!settle_newcomer(duel, place))
		return;
	if (is_back)
		parent_link_tell(duel, DUEL_BACK, " %d", place);
	if (player->stay != AT_TABLE)
		return;
	seat = table_seat_of(&duel->table, place);
	if (duel->table.seat[seat].presence == SEAT_AWAY &&
	    !(duel->birth->away >> place & 1 && !is_back))
		parent_link_tell(duel, DUEL_AWAY, " %d", place);
	if (returning != NULL && !is_back)
		players_take_back(duel, place, returning->connection,
				  players_handed(duel, returning->connection));
	else if (duel->table.seat[seat].presence == SEAT_HERE && player->peer.fd < 0)
		events_lost(duel, place);
}

/* Does the server know of somebody here? */
static bool has_member(const struct birth *birth, int place)
{
	return socket_of(birth, place, SOCKET_HERE) != NULL ||
	       socket_of(birth, place, SOCKET_JOINING) != NULL || (birth->away >> place & 1);
}

/* Does the journal know of everybody whom the server knows, and of all that they have heard? */
static bool is_behind(struct duel *duel)
{
	for (int place = 0; place < duel->places; place++)
		if (!settle_streams(&duel->player[place]))
			return true;
	for (int i = 0; i < duel->birth->sockets; i++) {
		const struct birth_socket *one = &duel->birth->socket[i];

		if (one->kind == SOCKET_HERE &&
		    (one->place >= duel->places ||
		     one->connection > duel->player[one->place].connection))
			return true;
	}
	return (duel->birth->away >> duel->places) != 0;
}

enum replayed replay_settle(struct duel *duel)
{
	const struct birth *birth = duel->birth;

	if (is_behind(duel))
		return refuse(duel, "players have heard more than it says", 0);
	/* first those who may come back: one who is lost for good ends the round for another only if
	 * that one is still there */
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		if (!has_member(birth, place))
			vacate(&duel->player[place]);
		else if (duel->player[place].full)
			settle_player(duel, place);
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		if (has_member(birth, place) && !duel->player[place].full)
			settle_player(duel, place);
	/* what nobody has taken is of no use */
	for (int i = 0; i < birth->sockets; i++) {
		int fd = players_handed(duel, birth->socket[i].connection);

		if (fd >= 0)
			close(fd);
	}
	return REPLAY_DONE;
}
