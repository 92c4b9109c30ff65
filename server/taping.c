/*
 * taping.c - from a journal to a record. See taping.h.
 *
 * The journal has what players said, to the byte; a record has what that did to the table. So the
 * journal is played as a duel would play it that takes a dead one's place, only without sockets: all
 * that is said to the players is thrown away.
 */
#include "taping.h"

#include "../proto/log.h"
#include "referee.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

struct taping {
	struct duel duel;
	struct birth birth;
	struct record *record;
	int player[GAME_SEATS_MAX]; /* by place: who has it now */
	bool full;		    /* there is no memory */
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
	struct record_deed *deed;

	if (!add_first_players(taping) ||
	    (what == DEED_JOIN && !add_player(taping, &table->seat[table_seat_of(table, place)])))
		taping->full = true;
	deed = taping->full ? NULL : record_add_deed(taping->record);
	if (deed == NULL) {
		taping->full = true;
		return;
	}
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
static bool read_start(const char *journal, int64_t *started)
{
	struct tm tm = {0};

	if (strncmp(journal, JOURNAL_FIRST_WORDS, strlen(JOURNAL_FIRST_WORDS)) != 0 ||
	    strptime(journal + strlen(JOURNAL_FIRST_WORDS), "%Y-%m-%dT%H:%M:%SZ", &tm) == NULL)
		return false;
	*started = (int64_t)timegm(&tm) * 1000;
	return true;
}

static void prepare(struct taping *taping, struct record *record, const char *name,
		    const struct config *config)
{
	static const struct duel_ends none = {
	    .up = -1, .down = -1, .passing = -1, .journal = -1, .record = -1};
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

static bool fill(struct taping *taping)
{
	struct record *record = taping->record;
	const struct table *table = &taping->duel.table;

	record->rules = table->rules;
	record->is_private = table->rules.shape.table[0] != '\0';
	record->rules.shape.table[0] = '\0';
	record->seats = taping->birth.seats;
	record->crashed = !table->done;
	return add_first_players(taping) && !taping->full;
}

bool taping_read(struct record *record, char *journal, const char *duel,
		 const struct config *config)
{
	static struct taping taping; /* as large as a duel's frames */
	char why[RECORD_WHY_MAX];
	int wrong = -1;
	bool good;

	prepare(&taping, record, duel, config);
	good = read_start(journal, &record->started) &&
	       replay_text(&taping.duel, journal) == REPLAY_DONE && fill(&taping);
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		peer_close(&taping.duel.player[place].peer);
	if (!good)
		return false;
	if (record_play(record, NULL, NULL, why, &wrong))
		return true;
	log_error("record-not-playable duel=%s deed=%d reason=\"%s\"", duel, wrong, why);
	return false;
}
