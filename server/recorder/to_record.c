/*
 * to_record.c - from a journal to a record. See to_record.h.
 *
 * The journal has what players said, to the byte; a record has what that did to the table. So the
 * journal is played as a duel would play it that takes a dead one's place, only without sockets: all
 * that is said to the players is thrown away.
 */
#include "server/recorder/to_record.h"

#include "server/duel/duel.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

struct taping {
	struct duel duel;
	struct birth birth;
	struct record *record;
	int player[GAME_SEATS_MAX]; /* by place: who has it now */
	const char *fault;	    /* why it cannot be kept, or NULL */
};

/* --- what the table says ---------------------------------------------------------------------- */

static void on_show(void *owner)
{
	(void)owner;
}

static void on_away(void *owner, int place)
{
	struct taping *taping = owner;

	seats_drop_socket(&taping->duel, place);
}

static void on_part(void *owner, int place, enum parting parting)
{
	struct taping *taping = owner;

	(void)parting;
	taping->duel.player[place].stay = LEAVING;
}

static void on_result(void *owner, const char *why, uint16_t winners)
{
	(void)owner;
	(void)why;
	(void)winners;
}

static bool add_player(struct taping *taping, const struct seat *seat)
{
	struct record_player *player = record_add_player(taping->record);

	if (player == NULL)
		return false;
	player->place = seat->place;
	player->full = seat->full;
	player->wait = seat->wait;
	strcpy(player->id, seat->id);
	strcpy(player->name, seat->name);
	taping->player[seat->place] = taping->record->players - 1;
	return true;
}

/* The first players are those of its birth, and come before whoever joins. */
static bool add_first_players(struct taping *taping)
{
	const struct birth *birth = &taping->birth;

	if (taping->record->players > 0)
		return true;
	for (int seat = 0; seat < birth->seats; seat++) {
		struct seat first = birth->seat[seat];

		first.place = seat;
		if (!add_player(taping, &first))
			return false;
	}
	return true;
}

static void on_note(void *owner, enum deed what, int place, const char *words)
{
	struct taping *taping = owner;
	const struct table *table = &taping->duel.table;
	struct record_deed *deed = NULL;

	if (taping->fault != NULL)
		return;
	if (taping->record->deeds == RECORD_DEEDS_MAX)
		taping->fault = "more has happened in it than can be kept";
	else if (!add_first_players(taping) ||
		 (what == DEED_JOIN &&
		  !add_player(taping, &table->seat[table_seat_of(table, place)])) ||
		 (deed = record_add_deed(taping->record)) == NULL)
		taping->fault = "no memory is left";
	if (deed == NULL)
		return;
	deed->at = taping->duel.now;
	deed->deed = what;
	deed->player = place < 0 ? -1 : taping->player[place];
	text_print(deed->words, sizeof(deed->words), "%s", words);
}

static const struct table_sink sink = {
    .show = on_show,
    .away = on_away,
    .part = on_part,
    .result = on_result,
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

static void prepare(struct taping *taping, struct record *record, const char *name,
		    const struct config *config)
{
	static const struct duel_ends none = {
	    .up = -1, .down = -1, .passing = -1, .journal = {-1, -1, 0, 0}};
	struct duel *duel = &taping->duel;

	memset(taping, 0, sizeof(*taping));
	taping->record = record;
	duel->config = config;
	duel->birth = &taping->birth;
	duel->journal.fd = -1;
	duel->ends = &none;
	duel->up = TEXT_IN(duel->up_data);
	duel->table.sink = &sink;
	duel->table.owner = taping;
	text_print(taping->birth.duel, sizeof(taping->birth.duel), "%s", name);
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		peer_open(&duel->player[place].peer, -1);
}

static const char *fill(struct taping *taping)
{
	struct record *record = taping->record;
	const struct table *table = &taping->duel.table;

	record->rules = table->rules;
	record->is_private = table->rules.shape.table[0] != '\0';
	record->rules.shape.table[0] = '\0';
	record->seats = taping->birth.seats;
	record->crashed = !table->done;
	return add_first_players(taping) ? NULL : "no memory is left";
}

/* NULL, or why not; `line`: at which line. */
static const char *play(struct taping *taping, int fd, off_t begin, off_t end, int *line)
{
	*line = 1;
	if (!read_start(fd, begin, &taping->record->started))
		return "it has no date";
	switch (replay_chapter(&taping->duel, fd, begin, end, line)) {
	case REPLAY_DONE:
		return taping->fault != NULL ? taping->fault : fill(taping);
	case REPLAY_EMPTY:
		return "its head has no end";
	case REPLAY_REFUSED:
		break;
	}
	return "it makes no sense";
}

bool taping_read(struct record *record, int fd, off_t begin, off_t end, const char *duel,
		 const struct config *config, char why[RECORD_WHY_MAX])
{
	static struct taping taping; /* as large as a duel's frames */
	char reason[RECORD_WHY_MAX];
	const char *fault;
	int line, deed;

	prepare(&taping, record, duel, config);
	fault = play(&taping, fd, begin, end, &line);
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		peer_close(&taping.duel.player[place].peer);
	if (fault != NULL)
		text_print(why, RECORD_WHY_MAX, "line %d: %s", line, fault);
	else if (!record_play(record, NULL, NULL, reason, &deed))
		text_print(why, RECORD_WHY_MAX, "event %d: %s", deed + 1, reason);
	else
		return true;
	return false;
}
