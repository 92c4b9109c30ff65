/*
 * to_record.c - from a journal to a record. See to_record.h.
 *
 * The journal has what players said, to the byte; a record has what that did to the table. So the
 * journal is played as a duel would play it that takes a dead one's place, only without sockets: all
 * that is said to the players is thrown away.
 *
 * Owns: the table while it plays. The record is its caller's.
 * Talks to: nobody, and never believes a chapter: one that a table refuses has no record.
 */
#include "server/recorder/to_record.h"

#include "server/duel/duel.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

struct making {
	struct duel duel;
	struct birth birth;
	struct record *record;
	int player[GAME_SEATS_MAX]; /* by place: who has it now */
	const char *fault;	    /* why it cannot be kept, or NULL */
};

/* --- what the table says ---------------------------------------------------------------------- */

static void on_away(void *owner, int place)
{
	struct making *making = owner;

	players_drop_socket(&making->duel, place);
}

static void on_part(void *owner, int place, enum parting parting)
{
	struct making *making = owner;

	(void)parting;
	making->duel.player[place].stay = LEAVING;
}

static bool add_player(struct making *making, const struct seat *seat)
{
	struct record_player *player = record_add_player(making->record);

	if (player == NULL)
		return false;
	player->place = seat->place;
	player->full = seat->full;
	player->wait = seat->wait;
	strcpy(player->id, seat->id);
	strcpy(player->name, seat->name);
	making->player[seat->place] = making->record->players - 1;
	return true;
}

/* The first players are those of its birth, and come before whoever joins. */
static bool add_first_players(struct making *making)
{
	const struct birth *birth = &making->birth;

	if (making->record->players > 0)
		return true;
	for (int seat = 0; seat < birth->seats; seat++) {
		struct seat first = birth->seat[seat];

		first.place = seat;
		if (!add_player(making, &first))
			return false;
	}
	return true;
}

static void on_note(void *owner, enum deed what, int place, const char *words)
{
	struct making *making = owner;
	const struct table *table = &making->duel.table;
	struct record_deed *deed = NULL;

	if (making->fault != NULL)
		return;
	if (making->record->deeds == RECORD_DEEDS_MAX)
		making->fault = "more has happened in it than can be kept";
	else if (!add_first_players(making) ||
		 (what == DEED_JOIN &&
		  !add_player(making, &table->seat[table_seat_of(table, place)])) ||
		 (deed = record_add_deed(making->record)) == NULL)
		making->fault = "no memory is left";
	if (deed == NULL)
		return;
	deed->at = making->duel.now;
	deed->deed = what;
	deed->player = place < 0 ? -1 : making->player[place];
	text_print(deed->words, sizeof(deed->words), "%s", words);
}

static const struct table_sink sink = {
    .away = on_away,
    .part = on_part,
    .note = on_note,
};

/* --- reading ---------------------------------------------------------------------------------- */

/* Its first line has the wall clock's time. */
static bool read_start(int fd, off_t begin, int64_t *started)
{
	static const size_t first = sizeof(JOURNAL_FIRST_WORDS) - 1;
	char head[64];
	ssize_t length = pread(fd, head, sizeof(head) - 1, begin);
	struct tm tm = {0};

	head[length < 0 ? 0 : length] = '\0';
	if (strncmp(head, JOURNAL_FIRST_WORDS, first) != 0 ||
	    strptime(head + first, "%Y-%m-%dT%H:%M:%SZ", &tm) == NULL)
		return false;
	*started = (int64_t)timegm(&tm) * 1000;
	return true;
}

static void prepare(struct making *making, struct record *record, const char *name,
		    const struct config *config)
{
	static const struct ends none = {
	    .up = -1, .down = -1, .handoff = -1, .journal = {-1, -1, 0, 0}};
	struct duel *duel = &making->duel;

	memset(making, 0, sizeof(*making));
	making->record = record;
	duel->config = config;
	duel->birth = &making->birth;
	duel->journal.fd = -1;
	duel->ends = &none;
	duel->up = TEXT_IN(duel->up_data);
	duel->table.sink = &sink;
	duel->table.owner = making;
	text_print(making->birth.duel, sizeof(making->birth.duel), "%s", name);
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		peer_open(&duel->player[place].peer, -1);
}

static const char *fill(struct making *making)
{
	struct record *record = making->record;
	const struct table *table = &making->duel.table;

	record->rules = table->rules;
	record->is_private = table->rules.shape.table[0] != '\0';
	record->rules.shape.table[0] = '\0';
	record->seats = making->birth.seats;
	record->crashed = !table->done;
	return add_first_players(making) ? NULL : "no memory is left";
}

/* NULL, or why not; `line`: at which line. */
static const char *play(struct making *making, int fd, off_t begin, off_t end, int *line)
{
	*line = 1;
	if (!read_start(fd, begin, &making->record->started))
		return "it has no date";
	switch (replay_chapter(&making->duel, fd, &begin, end, line)) {
	case REPLAY_DONE:
		return making->fault != NULL ? making->fault : fill(making);
	case REPLAY_EMPTY:
		return "its head has no end";
	case REPLAY_REFUSED:
		break;
	}
	return "it makes no sense";
}

bool to_record_read(struct record *record, int fd, off_t begin, off_t end, const char *duel,
		    const struct config *config, char why[RECORD_WHY_MAX])
{
	static struct making making; /* as large as a duel's frames */
	char reason[RECORD_WHY_MAX];
	const char *fault;
	int line, deed;

	prepare(&making, record, duel, config);
	fault = play(&making, fd, begin, end, &line);
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		peer_close(&making.duel.player[place].peer);
	if (fault != NULL)
		text_print(why, RECORD_WHY_MAX, "line %d: %s", line, fault);
	else if (!record_play(record, NULL, NULL, reason, &deed))
		text_print(why, RECORD_WHY_MAX, "event %d: %s", deed + 1, reason);
	else
		return true;
	return false;
}
