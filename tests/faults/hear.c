/*
 * hear.c - a player's lines, each against the record of his table. Whatever does not fit ends the
 * run; what may fit as soon as others have heard more is looked at again then.
 */
#include "tests/faults/faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- lines that have to come ------------------------------------------------------------------- */

void hear_want(struct bot *bot, char *lines)
{
	free(bot->wanted);
	bot->wanted = bot->want = lines;
	if (lines != NULL && *lines == '\0')
		bot->want = NULL;
}

static void take_wanted(struct bot *bot)
{
	char *end = strchr(bot->want, '\n');

	bot->want = end[1] == '\0' ? NULL : end + 1;
}

/* He went with a server that was killed; when the others hear of it is not known. */
static bool is_lost(const struct table *table, int seat)
{
	return table->at[seat] != NULL && table->at[seat]->lost;
}

/* Each seat's name is the same in all that is shown, and his own is right. */
static bool names_fit(struct bot *bot, const struct position *position, const char *names)
{
	char copy[SEATS * NAME_MAX_BYTES], *rest = copy, *name;
	int seat = 0;

	if (strlen(names) >= sizeof(copy))
		return false;
	strcpy(copy, names);
	for (; (name = strsep(&rest, ",")) != NULL; seat++) {
		char *known;

		if (seat >= position->seats || seat >= SEATS)
			return false;
		if (position->gone >> seat & 1 || is_lost(bot->table, seat)) {
			if (strcmp(name, "-") != 0 && !is_lost(bot->table, seat))
				return false;
			continue;
		}
		known = bot->table->name[seat];
		if (*known == '\0')
			snprintf(known, NAME_MAX_BYTES, "%s", name);
		if (strcmp(known, name) != 0)
			return false;
	}
	return seat == position->seats && strcmp(bot->table->name[bot->seat], bot->name) == 0;
}

static bool start_fits(struct bot *bot, const char *line)
{
	const struct table *table = bot->table;
	const struct position *position = &table->entry[bot->here].after;
	bool sided = table->game->has & GAME_HAS_SIDES;
	char expected[256];
	struct text text = TEXT_IN(expected);

	text_add(&text, "START %d %s %d",
		 !position->done && position_may_move(table, position, bot->seat),
		 table->game->side_word, sided ? bot->seat == 0 : bot->seat);
	if (!bot->full)
		return strcmp(line, expected) == 0;
	text_add(&text, " duel=%s seat=%d seats=%d round=%d/%d names=", table->duel, bot->seat,
		 position->seats, position->round, table->shape.rounds);
	return strncmp(line, expected, text.length) == 0 &&
	       names_fit(bot, position, line + text.length);
}

/* The first RACK of a state tells what nobody knew; it holds for all states from then on. */
static bool rack_fits(struct bot *bot, const char *line)
{
	struct table *table = bot->table;
	const char *rack = strcmp(line, "RACK") == 0 ? "" : line + 5;

	if (strncmp(line, "RACK", 4) != 0 || (line[4] != ' ' && line[4] != '\0') ||
	    strlen(rack) >= GAME_RACK_TEXT ||
	    !position_rack_fits(&table->entry[bot->here].after, bot->seat, rack))
		return false;
	for (int i = bot->here; i < table->entries; i++) {
		char *known = table->entry[i].after.rack[bot->seat];

		if (strchr(known, '?') == NULL)
			break;
		strcpy(known, rack);
		table->stirred = true;
	}
	return true;
}

static bool legal_fits(const struct bot *bot, const char *line)
{
	char *expected = position_legal(bot->table, &bot->table->entry[bot->here].after, bot->seat);
	bool fits = strcmp(line, expected) == 0;

	free(expected);
	return fits;
}

/* True: this is the line that had to come; or it had not, and the next is looked at. */
static bool optional_is_left_out(const struct bot *bot, const char *line)
{
	if (strncmp(bot->want, "?LEGAL", 6) == 0)
		return !bot->legal;
	return strncmp(bot->want, "?rack", 5) == 0 && strncmp(line, "RACK", 4) != 0;
}

bool hear_wanted(struct bot *bot, const char *line)
{
	size_t length;
	bool fits;

	while (bot->want != NULL && optional_is_left_out(bot, line))
		take_wanted(bot);
	if (bot->want == NULL)
		return false;
	length = strcspn(bot->want, "\n");
	if (strncmp(bot->want, "?START", 6) == 0)
		fits = start_fits(bot, line);
	else if (bot->want[0] == '?' && bot->want[1] != 'L')
		fits = rack_fits(bot, line);
	else if (bot->want[0] == '?')
		fits = legal_fits(bot, line);
	else
		fits = strlen(line) == length && strncmp(line, bot->want, length) == 0;
	if (!fits)
		wrong(bot, line, "it should be \"%.*s\"", (int)length, bot->want);
	take_wanted(bot);
	while (bot->want != NULL && strncmp(bot->want, "?LEGAL", 6) == 0 && !bot->legal)
		take_wanted(bot);
	return true;
}

/* --- START for the first time ------------------------------------------------------------------ */

static void sit(struct bot *bot, int seat)
{
	struct table *table = bot->table;

	if (table->at[seat] != NULL && table->at[seat] != bot)
		fail("two players have seat %d of %s", seat, table->duel);
	table->at[seat] = bot;
	bot->seat = seat;
	if (table->game->has & GAME_HAS_SIDES) {
		table->at[1 - seat] = table->bot[table->bot[0] == bot];
		table->at[1 - seat]->seat = 1 - seat;
	}
}

/* Who begins is told by who may; until he has been heard, the others wait. */
static bool begin_record(struct bot *bot, bool may_move)
{
	struct table *table = bot->table;
	int first = may_move ? bot->seat : 1 - bot->seat;

	if (table->game->join != NULL || table->game->first == FIRST_SEAT_0)
		first = 0;
	else if (!may_move && table->shape.seats > 2)
		return false;
	table_begin_record(table, first);
	return true;
}

/* Read what only START tells: the duel, the seat. False: it is no START. */
static bool read_start(struct bot *bot, const char *line, int *may_move)
{
	char duel[UUID_TEXT], word[16];
	int value, seat;

	if (sscanf(line, "START %1d %15s %1d", may_move, word, &value) != 3)
		return false;
	seat = value ? 0 : 1;
	if (bot->full) {
		if (sscanf(line, "START %*d %*s %*d duel=%36s seat=%d ", duel, &seat) != 2 ||
		    !uuid_is_valid(duel) || seat < 0 || seat >= SEATS)
			return false;
		if (bot->table->duel[0] == '\0')
			strcpy(bot->table->duel, duel);
	}
	if (bot->seat >= 0 && bot->seat != seat)
		return false;
	if (bot->side >= 0 && bot->side != seat && !bot->seen_start &&
	    bot->table->bot[bot->table->bot[0] == bot]->side != bot->side)
		return false;
	sit(bot, seat);
	return true;
}

/* A newcomer's START follows his own joining. */
static bool find_joining(struct bot *bot)
{
	struct table *table = bot->table;

	for (int i = 1; i < table->entries; i++)
		if (table->entry[i].after.seats == bot->seat + 1 &&
		    table->entry[i - 1].after.seats == bot->seat) {
			bot->here = i;
			return true;
		}
	return false;
}

bool hear_start(struct bot *bot, const char *line)
{
	struct table *table = bot->table;
	char data[2 * GAME_MODEL_MAX];
	struct text text = TEXT_IN(data);
	int may_move = 0;

	if (!read_start(bot, line, &may_move))
		wrong(bot, line, "it should be START");
	if (table->unseated && !bot->newcomer)
		wrong(bot, line, "another player of this table was told that nobody knows him");
	if (table->entries == 0 && !begin_record(bot, may_move))
		return false;
	bot->here = 0;
	if (bot->seat >= table->shape.seats && !find_joining(bot))
		return false;
	bot->seen_start = true;
	/* a newcomer and who comes back are not told who is away */
	bot->unsure = bot->newcomer || bot->phase == BOT_PLACING ? UINT16_MAX : 0;
	bot->phase = BOT_SEATED;
	bot->next = bot->here + 1;
	table_block(table, &table->entry[bot->here].after, bot->seat, &text);
	hear_want(bot, strdup(bot->full ? data : "?START\n"));
	return hear_wanted(bot, line);
}

/* --- answers ----------------------------------------------------------------------------------- */

static void pop_said(struct bot *bot)
{
	bot->saids--;
	memmove(bot->said, bot->said + 1, (size_t)bot->saids * sizeof(bot->said[0]));
}

static void hear_error(struct bot *bot, const char *line)
{
	struct said *said = &bot->said[0];

	if (bot->saids == 0 || said->entry >= 0)
		wrong(bot, line, "nothing that he said is to be answered so");
	if (!act_deserves(bot, said, line))
		wrong(bot, line, "this is not what his line deserved");
	pop_said(bot);
}

static void hear_games(struct bot *bot, const char *line)
{
	static const struct shape_defaults defaults = {.wait = 10};
	char data[256 * GAME_COUNT];
	struct text text = TEXT_IN(data);

	for (int i = 0; game_at(i) != NULL; i++) {
		wish_print_defaults(game_at(i), &defaults, &text);
		text_add(&text, "\n");
	}
	text_add(&text, "END\n");
	pop_said(bot);
	hear_want(bot, strdup(data));
	hear_wanted(bot, line);
}

/* Who has not come back to a server that was killed has no address. */
static bool address_fits(const char *address)
{
	return strncmp(address, "127.", 4) == 0 ||
	       (broken.restarts > 0 && strcmp(address, "0.0.0.0:0") == 0);
}

/* What is said of players that are known here is true, and nobody is there twice. */
static bool entry_fits(const struct bot *bot, const char *line, const char *id)
{
	char name[NAME_MAX_BYTES], game[32], state[16], address[32];
	int words = sscanf(line, "%*s %31s %24s %31s %15s", address, name, game, state);

	if (!uuid_is_valid(id) || words != (bot->full ? 4 : 1) || !address_fits(address) ||
	    strcmp(id, bot->id) == 0)
		return false;
	for (int i = 0; i < bot->listed; i++)
		if (strcmp(bot->list[i], id) == 0)
			wrong(bot, line, "he is in this LIST already, %d lines before",
			      bot->listed - i);
	for (int i = 0; i < players.count && bot->full; i++) {
		const struct bot *other = &players.bot[i];

		if (strcmp(other->id, id) == 0)
			return strcmp(other->name, name) == 0 &&
			       strcmp(other->game->name, game) == 0;
	}
	return true;
}

static void hear_list(struct bot *bot, const char *line)
{
	char id[UUID_TEXT];

	bot->listing = true;
	if (strcmp(line, "END") == 0) {
		bot->listing = false;
		bot->listed = 0;
		pop_said(bot);
		return;
	}
	if (sscanf(line, "%36s ", id) != 1 || !entry_fits(bot, line, id))
		wrong(bot, line, "it is no line of a LIST, or not a true one");
	bot->list = reallocarray(bot->list, (size_t)bot->listed + 1, sizeof(bot->list[0]));
	if (bot->list == NULL)
		fail("no memory");
	strcpy(bot->list[bot->listed++], id);
}

/* --- the others' connections ------------------------------------------------------------------- */

/* Whose seat it is, or may be: who never heard START has one too, and may come back to it. */
static struct bot *find_other(const struct bot *bot, int seat)
{
	const struct table *table = bot->table;

	if (seat < 0 || seat >= SEATS)
		return NULL;
	for (int i = 0; table->at[seat] == NULL && i < table->bots; i++)
		if (table->bot[i]->seat < 0 && table->bot[i]->cuts > 0)
			return table->bot[i];
	return table->at[seat];
}

/* AWAY and BACK of a seat take turns, and are said only of one whose connection was cut. */
static void hear_away(struct bot *bot, const char *line)
{
	struct bot *other;
	int seat = -1, grace, end = 0;
	bool away = sscanf(line, "AWAY %d %d%n", &seat, &grace, &end) == 2;
	uint16_t bit;

	if (!away && sscanf(line, "BACK %d%n", &seat, &end) != 1)
		wrong(bot, line, "it says AWAY or BACK, and cannot be read");
	other = find_other(bot, seat);
	if (line[end] != '\0' || other == NULL || other == bot || (away && grace != 30))
		wrong(bot, line, "there is no such seat, or grace");
	bit = (uint16_t)(1u << seat);
	if (other->cuts == 0)
		wrong(bot, line, "this connection was never cut");
	if (away == ((bot->away & bit) != 0) && !(bot->unsure & bit))
		wrong(bot, line, away ? "it was away already" : "it was not away");
	if (away && ++bot->heard_cuts[seat] > (int)other->cuts)
		wrong(bot, line, "so often it was not cut");
	bot->unsure &= (uint16_t)~bit;
	bot->away = (uint16_t)(away ? bot->away | bit : bot->away & ~bit);
}

/* --- everything else --------------------------------------------------------------------------- */

static void hear_aborted(struct bot *bot, const char *line)
{
	if (bot->saids > 0 && bot->said[0].what == SAID_LOGOUT &&
	    strcmp(line, "ABORTED logout") == 0) {
		bot_finish(bot);
		return;
	}
	wrong(bot, line, "nobody has ended this table");
}

/* A line that begins what an entry says. */
static bool hear_entry(struct bot *bot, const char *line)
{
	struct table *table = bot->table;
	const struct entry *entry;

	while (bot->next < table->entries && table->entry[bot->next].say[bot->seat] == NULL)
		bot->next++;
	if (bot->fuzzy && !back_find(bot, line))
		return false;
	if (bot->next == table->entries && !table_next(table, line)) {
		if (table->entries > 0 && table_now(table)->done)
			wrong(bot, line, "his table has ended");
		wrong(bot, line, "nothing that was said can have led to it");
	}
	entry = &table->entry[bot->next];
	if (entry->say[bot->seat] == NULL)
		wrong(bot, line, "of what has happened he should hear nothing");
	if (entry->by == bot->seat && bot->full) {
		if (bot->saids == 0 || bot->said[0].entry != bot->next)
			wrong(bot, line, "it is answered out of order, or twice");
		pop_said(bot);
	}
	bot->here = bot->next++;
	table->stirred = true;
	hear_want(bot, strdup(entry->say[bot->seat]));
	return hear_wanted(bot, line);
}

static bool begins_list(const struct bot *bot, const char *line)
{
	return bot->saids > 0 && bot->said[0].what == SAID_LIST &&
	       (strcmp(line, "END") == 0 || (strlen(line) > UUID_TEXT && line[8] == '-'));
}

static bool hear_seated(struct bot *bot, const char *line)
{
	while (bot->want != NULL && optional_is_left_out(bot, line))
		take_wanted(bot);
	if (bot->want != NULL)
		return hear_wanted(bot, line);
	if (bot->listing || begins_list(bot, line))
		hear_list(bot, line);
	else if (bot->saids > 0 && bot->said[0].what == SAID_GAMES &&
		 strncmp(line, game_at(0)->name, strlen(game_at(0)->name)) == 0)
		hear_games(bot, line);
	else if (strncmp(line, "ERROR ", 6) == 0)
		hear_error(bot, line);
	else if (strncmp(line, "AWAY ", 5) == 0 || strncmp(line, "BACK ", 5) == 0)
		hear_away(bot, line);
	else if (bot->full && strncmp(line, "ABORTED", 7) == 0)
		hear_aborted(bot, line);
	else
		return hear_entry(bot, line);
	return true;
}

static void hear_id(struct bot *bot, const char *line)
{
	int end = 0;

	sscanf(line, "ID %36s%n", bot->id, &end);
	if (end > 0 && bot->full) {
		int token = 0;

		sscanf(line + end, " %32s%n", bot->token, &token);
		end = token > 0 && token_is_valid(bot->token) ? end + token : 0;
	}
	if (end == 0 || line[end] != '\0' || !uuid_is_valid(bot->id))
		wrong(bot, line, "it should be ID");
	bot->phase = BOT_LOOKING;
	bot->countdown = bot->wait + 1;
}

/* The countdown of one who waits; at its end he is free. */
static void hear_countdown(struct bot *bot, const char *line)
{
	int seconds = -1, end = 0;

	if (strcmp(line, "NO_OPPONENTS") == 0 && bot->countdown == 0) {
		if (!bot->newcomer)
			wrong(bot, line, "his opponent is here");
		bot_finish(bot);
		return;
	}
	if (sscanf(line, "NO_OPPONENTS %d%n", &seconds, &end) != 1 || line[end] != '\0' ||
	    seconds != bot->countdown - 1)
		wrong(bot, line, "it should count down from %d", bot->countdown - 1);
	bot->countdown = seconds;
}

bool hear_line(struct bot *bot, const char *line)
{
	switch (bot->phase) {
	case BOT_ENTERING:
		hear_id(bot, line);
		return true;
	case BOT_LOOKING:
		if (strncmp(line, "NO_OPPONENTS", 12) != 0)
			return hear_start(bot, line);
		hear_countdown(bot, line);
		return true;
	case BOT_SEATED:
		return hear_seated(bot, line);
	case BOT_RETURNING:
	case BOT_PLACING:
		return back_place(bot, line);
	default:
		wrong(bot, line, "he should hear nothing at all now");
	}
}
