/*
 * back.c - a player who comes back: ID, START and BOARD tell where in the record he stands. What he
 * said before may have been heard or not; that too is told by where he stands.
 */
#include "tests/faults/faults.h"

#include "proto/wire/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PATIENCE_MS = 1500,
	AGAIN_MS = 200,
	BOARD_LINE = sizeof("BOARD ") + GAME_MODEL_MAX,
};

void back_forget(struct bot *bot)
{
	free(bot->start);
	free(bot->board);
	free(bot->rack);
	free(bot->score);
	bot->start = bot->board = bot->rack = bot->score = NULL;
}

static const char *may_move_of(const char *start)
{
	return start + strlen("START ");
}

/* Can he be here, by what he was told? START is compared in full when it has been found. */
static bool looks_like(const struct bot *bot, const struct position *position)
{
	const struct table *table = bot->table;
	char model[GAME_MODEL_MAX], around[48];

	if (position->done || bot->seat >= position->seats)
		return false;
	position_model(table, position, model);
	snprintf(around, sizeof(around), " seats=%d round=%d/%d ", position->seats, position->round,
		 table->shape.rounds);
	return strcmp(model, bot->board + strlen("BOARD ")) == 0 &&
	       (bot->score == NULL ||
		strcmp(position->scores, bot->score + strlen("SCORE")) == 0) &&
	       strstr(bot->start, around) != NULL &&
	       (*may_move_of(bot->start) == '1') == position_may_move(table, position, bot->seat);
}

/* The newest first: of those that look alike it is the likeliest. */
static int find_place(const struct bot *bot, int below)
{
	for (int i = below - 1; i >= bot->lowest; i--)
		if (looks_like(bot, &bot->table->entry[i].after))
			return i;
	return -1;
}

/* What has been said and makes the next entry may have been heard, and nobody told. */
static bool try_unheard(const struct bot *bot)
{
	struct table *table = bot->table;
	struct said *said = table_pending(table);

	if (said == NULL)
		return false;
	table_make(table, said);
	if (bot->board == NULL ? table_now(table)->done : looks_like(bot, table_now(table)))
		return true;
	table_unmake(table, said);
	return false;
}

/* Is nobody else there to tell what happened? */
static bool is_alone(const struct bot *bot)
{
	for (int i = 0; i < bot->table->bots; i++) {
		const struct bot *other = bot->table->bot[i];

		if (other != bot && other->phase == BOT_SEATED)
			return false;
	}
	return true;
}

static void learn(const struct bot *bot, struct position *position, const char *board)
{
	if (!cards_learn(&position->cards, &bot->table->memories, board + strlen("BOARD ")))
		wrong(bot, board, "this board cannot follow what has been shown");
	position_note_scores(bot->table, position);
}

/* What the newcomer to this seat was shown: he waits to be judged, since nobody has told of him. */
static bool find_board(const struct table *table, int seat, char board[BOARD_LINE])
{
	for (int i = 0; i < table->bots; i++) {
		const struct bot *bot = table->bot[i];
		char lines[2 * GAME_MODEL_MAX];
		const char *second;
		int his = -1;

		if (bot->phase != BOT_LOOKING || !bot->stuck)
			continue;
		snprintf(lines, sizeof(lines), "%.*s", (int)(bot->length - bot->used),
			 bot->data + bot->used);
		sscanf(lines, "START %*d %*s %*d duel=%*s seat=%d ", &his);
		second = strstr(lines, "\nBOARD ");
		if (his == seat && second != NULL) {
			snprintf(board, BOARD_LINE, "%.*s", (int)strcspn(second + 1, "\n"),
				 second + 1);
			return true;
		}
	}
	return false;
}

/* Memory after all were away: who has come meanwhile, what was turned down, or taken, is read off the
 * boards. */
static bool jump(struct bot *bot)
{
	struct table *table = bot->table;
	struct position position = *table_now(table);
	char board[BOARD_LINE];
	int seats = 0;

	if (table->game->join == NULL || !is_alone(bot) || now_ms() < bot->patience)
		return false;
	sscanf(strstr(bot->start, " seats="), " seats=%d", &seats);
	while (position.cards.seats < seats && position.cards.seats < SEATS) {
		if (find_board(table, position.cards.seats, board))
			learn(bot, &position, board);
		table_join(table, &position);
	}
	learn(bot, &position, bot->board);
	table_jump(table, &position);
	return true;
}

static void go_on_from(struct bot *bot, int place)
{
	char data[2 * GAME_MODEL_MAX];
	struct text text = TEXT_IN(data);

	bot->here = place;
	bot->next = place + 1;
	bot->fuzzy = true;
	bot->lowest = bot->lowest < place ? bot->lowest : place;
	bot->phase = BOT_SEATED;
	bot->saids = 0;
	broken.resumes++;
	bot->seen_start = true;
	bot->unsure = UINT16_MAX;
	bot->table->stirred = true;
	table_block(bot->table, &bot->table->entry[place].after, bot->seat, &text);
	hear_want(bot, strdup(data));
	hear_wanted(bot, bot->start);
	hear_wanted(bot, bot->board);
	if (bot->rack != NULL)
		hear_wanted(bot, bot->rack);
	if (bot->score != NULL)
		hear_wanted(bot, bot->score);
}

static bool find_and_go_on(struct bot *bot)
{
	struct table *table = bot->table;
	int place;

	if (table->entries == 0)
		return false;
	place = find_place(bot, table->entries);
	if (place < 0 && try_unheard(bot))
		place = find_place(bot, table->entries);
	if (place < 0 && jump(bot))
		place = table->entries - 1;
	if (place >= 0) {
		go_on_from(bot, place);
		return true;
	}
	if (table->game->join == NULL && is_alone(bot) && now_ms() > bot->patience)
		wrong(bot, bot->board, "no state of his table looks like that; START was \"%s\"",
		      bot->start);
	return false;
}

/* The record before it can be compared: also who has never heard START may come back. */
static bool learn_start(struct bot *bot, const char *line)
{
	char duel[UUID_TEXT];
	int may_move, seat;
	struct table *table = bot->table;

	if (sscanf(line, "START %1d %*s %*d duel=%36s seat=%d ", &may_move, duel, &seat) != 3 ||
	    seat < 0 || seat >= SEATS || !uuid_is_valid(duel))
		wrong(bot, line, "it should be START");
	if (bot->seat < 0) {
		bot->seat = seat;
		if (table->entries == 0) {
			/* nobody has moved: it is the first of all */
			free(bot->start);
			bot->start = NULL;
			return hear_start(bot, line);
		}
		table->at[seat] = bot;
	}
	return true;
}

static bool somebody_is_lost(const struct table *table)
{
	for (int i = 0; i < table->bots; i++)
		if (table->bot[i]->lost)
			return true;
	return false;
}

static void hear_refusal(struct bot *bot, const char *line)
{
	struct table *table = bot->table;
	char expected[128];

	snprintf(expected, sizeof(expected), "ERROR busy %s", error_text(ERROR_BUSY));
	if (strcmp(line, expected) == 0) {
		bot_cut(bot);
		bot->cuts--; /* this one had no seat yet */
		bot->act_at = now_ms() + AGAIN_MS;
		return;
	}
	snprintf(expected, sizeof(expected), "ERROR bad-token %s", error_text(ERROR_BAD_TOKEN));
	if (strcmp(line, expected) != 0)
		wrong(bot, line, "it should be ID");
	if (!bot->seen_start && bot->seat < 0) {
		if (table->entries > 0 && !bot->newcomer)
			wrong(bot, line, "his table has begun");
		table->unseated = table->unseated || !bot->newcomer;
	} else if (!table_now(table)->done && !try_unheard(bot) && !somebody_is_lost(table)) {
		wrong(bot, line, "his table has not ended");
	}
	bot_finish(bot);
}

/* Line by line what follows START, until there is enough to know where he stands. */
static bool hear_block(struct bot *bot, const char *line)
{
	const struct game *game = bot->table->game;
	char **kept = bot->board == NULL			      ? &bot->board
		      : game->print_rack != NULL && bot->rack == NULL ? &bot->rack
								      : &bot->score;
	const char *word = kept == &bot->board ? "BOARD" : kept == &bot->rack ? "RACK" : "SCORE";
	bool enough = game->score == NULL || kept == &bot->score;

	if (strncmp(line, word, strlen(word)) != 0)
		wrong(bot, line, "it should be %s", word);
	if (*kept == NULL) {
		*kept = strdup(line);
		bot->patience = now_ms() + PATIENCE_MS;
	}
	return !enough || find_and_go_on(bot);
}

bool back_place(struct bot *bot, const char *line)
{
	char expected[128];

	if (bot->phase == BOT_RETURNING) {
		snprintf(expected, sizeof(expected), "ID %s %s", bot->id, bot->token);
		if (strncmp(line, "ERROR ", 6) == 0) {
			hear_refusal(bot, line);
			return true;
		}
		if (strcmp(line, expected) != 0)
			wrong(bot, line, "it should be \"%s\"", expected);
		bot->phase = BOT_PLACING;
		bot->patience = now_ms() + PATIENCE_MS;
		return true;
	}
	if (bot->start == NULL) {
		if (strncmp(line, "NO_OPPONENTS ", 13) == 0 && bot->seat < 0) {
			bot->phase = BOT_LOOKING; /* the server never died */
			sscanf(line, "NO_OPPONENTS %d", &bot->countdown);
			return true;
		}
		if (!learn_start(bot, line))
			return false;
		if (bot->phase == BOT_PLACING)
			bot->start = strdup(line);
		return true;
	}
	return hear_block(bot, line);
}

/* His next line decides among the places that look alike. */
bool back_find(struct bot *bot, const char *line)
{
	struct table *table = bot->table;

	for (int place = find_place(bot, table->entries); place >= 0;
	     place = find_place(bot, place)) {
		int next = place + 1;
		const char *say;

		while (next < table->entries && table->entry[next].say[bot->seat] == NULL)
			next++;
		if (next == table->entries)
			continue;
		say = table->entry[next].say[bot->seat];
		if (strncmp(say, line, strlen(line)) == 0 && say[strlen(line)] == '\n') {
			bot->next = next;
			bot->fuzzy = false;
			return true;
		}
	}
	bot->fuzzy = false;
	bot->next = table->entries;
	return true;
}
