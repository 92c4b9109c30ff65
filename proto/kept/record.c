/*
 * record.c - a game as it is kept, and playing it again. See record.h.
 *
 * Owns the record's lists. It plays on a table of its own (proto/table/), and never believes a record: one
 * that cannot have been so is refused, with the reason.
 */
#include "proto/kept/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- its parts -------------------------------------------------------------------------------- */

static const char *const deed_words[DEEDS] = {
    [DEED_MOVE] = "move",     [DEED_REFUSED] = "refused", [DEED_RESIGN] = "resign",
    [DEED_LOGOUT] = "logout", [DEED_LOST] = "lost",	  [DEED_BACK] = "back",
    [DEED_JOIN] = "join",     [DEED_TICK] = "tick",	  [DEED_STOP] = "stop",
};

const char *record_deed_word(enum deed deed)
{
	return deed_words[deed];
}

int record_read_deed(const char *word)
{
	for (int deed = 0; deed < DEEDS; deed++)
		if (strcmp(word, deed_words[deed]) == 0)
			return deed;
	return -1;
}

/* A place, all zero, behind the last of an array that has grown by doubling since it was empty.
 * NULL: there is no memory. */
static void *add(void **array, int *count, size_t size)
{
	void *place;

	if ((*count & (*count - 1)) == 0) {
		void *more = realloc(*array, size * (*count == 0 ? 1 : 2 * (size_t)*count));

		if (more == NULL)
			return NULL;
		*array = more;
	}
	place = (char *)*array + size * (size_t)(*count)++;
	return memset(place, 0, size);
}

struct record_player *record_add_player(struct record *record)
{
	return add((void **)&record->player, &record->players, sizeof(*record->player));
}

struct record_deed *record_add_deed(struct record *record)
{
	return add((void **)&record->deed, &record->deeds, sizeof(*record->deed));
}

void record_free(struct record *record)
{
	free(record->player);
	free(record->deed);
	free(record->round);
	free(record->standing);
	*record = (struct record){0};
}

/* --- in words --------------------------------------------------------------------------------- */

void record_print_options(const struct record *record, char text[SHAPE_MAX])
{
	static const char table[] = " table="; /* the word itself is not in a record */
	struct shape shape = record->rules.shape;
	char all[SHAPE_MAX], *rest;

	shape.table[0] = '\0';
	shape_print(&shape, all);
	rest = strstr(all, table);
	text_print(text, SHAPE_MAX, "%s", rest == NULL ? "" : rest + strlen(table));
	if (text[0] == ' ')
		memmove(text, text + 1, strlen(text));
}

bool record_read_options(struct record *record, const char *game, const char *options)
{
	char copy[2 * SHAPE_MAX];
	struct words words;
	int length = snprintf(copy, sizeof(copy), "%s %s", game, options);

	return length < (int)sizeof(copy) && strstr(options, "table=") == NULL &&
	       line_split(copy, &words) &&
	       shape_read(&record->rules.shape, words.word, words.count);
}

void record_print_result(const struct record *record, struct text *text)
{
	if (strcmp(record->outcome, "unfinished") == 0) {
		text_add(text, "*");
		return;
	}
	if (record->rounds == 1 && record->players == 2 && strcmp(record->outcome, "drawn") == 0) {
		text_add(text, "1/2-1/2");
		return;
	}
	for (int i = 0; i < record->players; i++)
		text_add(text, "%s%d", i == 0 ? "" : "-", record->player[i].rounds_won);
}

/* --- playing it again ------------------------------------------------------------------------- */

struct playing {
	struct record *record;
	struct table table;
	record_step *step;
	void *owner;
	int64_t now;
	int player[GAME_SEATS_MAX]; /* by place: who has it */
	int joined;		    /* players who have come so far */
	int round;
	uint16_t sat;		    /* a bit for each seat that has been in this round … */
	int sitter[GAME_SEATS_MAX]; /* … and whose it is, also if another has the place by now */
	bool full;		    /* there is no memory */
	char why[RECORD_WHY_MAX];
};

static bool refuse(struct playing *playing, const char *why)
{
	text_print(playing->why, sizeof(playing->why), "%s", why);
	return false;
}

static void on_show(void *owner)
{
	struct playing *playing = owner;
	const struct table *table = &playing->table;

	for (int seat = 0; seat < table->seats; seat++) {
		if (table->round != playing->round)
			playing->sat = 0;
		playing->round = table->round;
		if (table->seat[seat].presence == SEAT_GONE)
			continue;
		playing->sat |= table_bit(seat);
		playing->sitter[seat] = playing->player[table->seat[seat].place];
	}
	if (playing->step != NULL && !playing->full)
		playing->full = !playing->step(playing->owner, table, playing->now);
}

/* What decides a rank: first whether one has won, then whether one was still in it, then points. */
static int64_t merit(const struct table *table, uint16_t winners, int seat)
{
	int64_t merit = table->game->score == NULL ? 0 : table->game->score(&table->state, seat);

	if (winners & table_bit(seat))
		merit += INT64_C(1) << 33;
	if (!table->seat[seat].out)
		merit += INT64_C(1) << 32;
	return merit;
}

static int rank_of(const struct table *table, uint16_t winners, int seat)
{
	int rank = 1;

	for (int other = 0; other < table->seats; other++)
		rank += merit(table, winners, other) > merit(table, winners, seat);
	return rank;
}

static bool note_standing(struct playing *playing, uint16_t winners, int seat)
{
	struct record *record = playing->record;
	const struct table *table = &playing->table;
	struct record_standing *standing = add((void **)&record->standing, &record->standings,
					       sizeof(*standing));

	if (standing == NULL)
		return false;
	standing->round = table->round;
	standing->player = playing->sitter[seat];
	if (table->game->score != NULL)
		standing->points = table->game->score(&table->state, seat);
	standing->rank = rank_of(table, winners, seat);
	return true;
}

static void on_result(void *owner, const char *why, uint16_t winners)
{
	struct playing *playing = owner;
	struct record *record = playing->record;
	struct record_round *round = add((void **)&record->round, &record->rounds, sizeof(*round));

	playing->full = playing->full || round == NULL;
	if (playing->full)
		return;
	round->at = playing->now;
	text_print(round->why, sizeof(round->why), "%s", why);
	round->winners = __builtin_popcount(winners);
	for (int seat = 0; seat < playing->table.seats && !playing->full; seat++) {
		if (playing->sat & table_bit(seat))
			playing->full = !note_standing(playing, winners, seat);
		if (winners & table_bit(seat) && round->winners == 1)
			record->player[playing->sitter[seat]].rounds_won++;
	}
}

static const struct table_sink sink = {
    .show = on_show,
    .result = on_result,
};

static struct seat seat_of(const struct record_player *player)
{
	struct seat seat = {.place = player->place, .full = player->full, .wait = player->wait};

	strcpy(seat.id, player->id);
	strcpy(seat.name, player->name);
	return seat;
}

/* What comes from a file or another's database may be anything. */
static bool is_sane(const struct record *record)
{
	const struct table_rules *rules = &record->rules;
	const struct game *game = rules->shape.game;

	if (game == NULL || !uuid_is_valid(rules->duel) || record->seats != rules->shape.seats ||
	    record->seats > record->players || rules->first < 0 || rules->first >= record->seats ||
	    rules->idle < 1 || rules->idle > 86400 || rules->grace < 0 || rules->grace > 3600)
		return false;
	for (int i = 0; i < record->players; i++) {
		const struct record_player *player = &record->player[i];

		if (!uuid_is_valid(player->id) || !name_is_valid(player->name) ||
		    player->place < 0 || player->place >= GAME_SEATS_MAX || player->wait < 1 ||
		    player->wait > 3600 || (i < record->seats && player->place != i))
			return false;
	}
	return true;
}

static bool open_table(struct playing *playing)
{
	const struct record *record = playing->record;
	struct table *table = &playing->table;

	if (!is_sane(record))
		return refuse(playing, "its head says what no game begins with");
	table->rules = record->rules;
	table->game = record->rules.shape.game;
	table->seats = record->seats;
	table->sink = &sink;
	table->owner = playing;
	for (int seat = 0; seat < record->seats; seat++) {
		table->seat[seat] = seat_of(&record->player[seat]);
		playing->player[seat] = seat;
	}
	playing->joined = record->seats;
	table_open(table, 0);
	return true;
}

static bool let_join(struct playing *playing, int number)
{
	const struct record_player *player = &playing->record->player[number];
	struct seat seat = seat_of(player);

	if (number != playing->joined || table_seat_of(&playing->table, player->place) >= 0 ||
	    table_room(&playing->table) == 0)
		return refuse(playing, "nobody can come in there");
	playing->player[player->place] = number;
	playing->joined++;
	return table_join(&playing->table, &seat, playing->now);
}

/* A move, or one that was refused. */
static bool make_move(struct playing *playing, int seat, const struct record_deed *deed)
{
	struct table *table = &playing->table;
	char copy[DEED_WORDS];
	const char *text = NULL;
	struct words words = {0};
	enum error error;

	strcpy(copy, deed->words);
	if (copy[0] != '\0' && !line_split(copy, &words))
		return refuse(playing, "its words have spaces where none belong");
	error = table_move(table, seat, words.word, words.count, playing->now, &text);
	if (deed->deed == DEED_MOVE && error != ERROR_NONE)
		return refuse(playing, "the rules do not allow this move");
	if (deed->deed == DEED_REFUSED && error == ERROR_NONE)
		return refuse(playing, "the rules allow this move, it cannot have been refused");
	if (error != ERROR_NONE)
		table_after_error(table, playing->now);
	return true;
}

/* What a player at the table does. */
static bool do_deed(struct playing *playing, int seat, const struct record_deed *deed)
{
	struct table *table = &playing->table;
	bool was_here = table->seat[seat].presence == SEAT_HERE;

	switch (deed->deed) {
	case DEED_MOVE:
	case DEED_REFUSED:
		return make_move(playing, seat, deed);
	case DEED_RESIGN:
		return table_resign(table, seat, playing->now) == ERROR_NONE ||
		       refuse(playing, "the player cannot resign now");
	case DEED_LOGOUT:
		table_logout(table, seat, playing->now);
		return true;
	case DEED_LOST:
		table_lose(table, seat, playing->now);
		return true;
	case DEED_BACK:
		table_return(table, seat, was_here, playing->now);
		return true;
	default:
		return refuse(playing, "no player does this");
	}
}

static bool play_deed(struct playing *playing, const struct record_deed *deed)
{
	struct table *table = &playing->table;
	const struct record *record = playing->record;
	int seat = -1;

	/* earlier versions did one second of a countdown at a time, however late they were */
	if (table->done && deed->deed == DEED_TICK)
		return true;
	if (table->done)
		return refuse(playing, "the game was over before");
	if (deed->at < playing->now || deed->at > TABLE_MS_MAX)
		return refuse(playing, "its time is earlier than the one before, or absurd");
	playing->now = deed->at;
	if (deed->deed == DEED_TICK) {
		table_tick(table, playing->now);
		return true;
	}
	if (deed->deed == DEED_STOP) {
		if (strspn(deed->words, "abcdefghijklmnopqrstuvwxyz") != strlen(deed->words))
			return refuse(playing, "its reason is no word");
		table_stop(table, deed->words);
		return true;
	}
	if (deed->player < 0 || deed->player >= record->players)
		return refuse(playing, "there is no such player");
	if (deed->deed == DEED_JOIN)
		return let_join(playing, deed->player);
	if (playing->player[record->player[deed->player].place] == deed->player)
		seat = table_seat_of(table, record->player[deed->player].place);
	if (deed->player >= playing->joined || seat < 0)
		return refuse(playing, "this player is not at the table");
	return do_deed(playing, seat, deed);
}

/* --- how it ended ----------------------------------------------------------------------------- */

/* The reasons that are not a game's own, in the words of those who keep records. */
static const char *say_why(const char *why)
{
	static const char *const words[][2] = {
	    {"timeout", "time forfeit"}, {"illegal", "illegal move"},
	    {"resigned", "resigned"},	 {"left", "left"},
	    {"claimed", "claimed"},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(why, words[i][0]) == 0)
			return words[i][1];
	return "normal";
}

static void set_termination(struct record *record, const struct table *table)
{
	if (!table->done)
		text_print(record->termination, RECORD_TERM_MAX, "aborted crashed");
	else if (table->aborted[0] != '\0')
		text_print(record->termination, RECORD_TERM_MAX, "aborted %s", table->aborted);
	else
		text_print(record->termination, RECORD_TERM_MAX, "%s",
			   say_why(record->round[record->rounds - 1].why));
}

/* Won by whoever has won more rounds than anybody else. */
static void set_outcome(struct record *record)
{
	int most = 0, with_most = 0;
	bool complete = false;

	for (int round = 0; round < record->rounds; round++)
		complete = complete || strcmp(record->round[round].why, "aborted") != 0;
	for (int i = 0; i < record->players; i++)
		most = record->player[i].rounds_won > most ? record->player[i].rounds_won : most;
	for (int i = 0; i < record->players; i++)
		with_most += record->player[i].rounds_won == most;
	strcpy(record->outcome, !complete ? "unfinished" : with_most == 1 ? "won" : "drawn");
}

static void forget_found(struct record *record)
{
	free(record->round);
	free(record->standing);
	record->round = NULL;
	record->standing = NULL;
	record->rounds = record->standings = record->moves = 0;
	for (int i = 0; i < record->players; i++)
		record->player[i].rounds_won = 0;
}

static bool play_all(struct playing *playing, int *wrong)
{
	const struct record *record = playing->record;

	*wrong = -1;
	if (!open_table(playing))
		return false;
	for (int i = 0; i < record->deeds; i++) {
		*wrong = i;
		if (playing->full || !play_deed(playing, &record->deed[i]))
			return false;
	}
	*wrong = -1;
	if (playing->table.done == record->crashed)
		return refuse(playing, record->crashed ? "it has an end, so it did not crash"
						       : "it has no end");
	return playing->joined == record->players ||
	       refuse(playing, "it names players who never came");
}

bool record_play(struct record *record, record_step *step, void *owner, char why[RECORD_WHY_MAX],
		 int *wrong)
{
	struct playing *playing = calloc(1, sizeof(*playing));
	int nobody;
	bool good;

	text_print(why, RECORD_WHY_MAX, "no memory is left");
	if (playing == NULL)
		return false;
	*playing = (struct playing){.record = record, .step = step, .owner = owner};
	forget_found(record);
	good = play_all(playing, wrong == NULL ? &nobody : wrong) && !playing->full;
	if (playing->why[0] != '\0')
		text_print(why, RECORD_WHY_MAX, "%s", playing->why);
	if (good) {
		record->ended = record->started + playing->now;
		for (int i = 0; i < record->deeds; i++)
			record->moves += record->deed[i].deed == DEED_MOVE;
		set_termination(record, &playing->table);
		set_outcome(record);
	}
	free(playing);
	return good;
}
