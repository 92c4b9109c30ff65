/*
 * slots.c - which tables are played: in each slot one after another, of all games, in both
 * dialects. Owns the players' parameters; never reads a line.
 */
#include "tests/faults/faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	BOTS_A_SLOT = 4,
	STALLED_MS = 30000, /* a table on which nothing happens for so long does not end */
};

/* What classic players play, both of them or one; or a game of the list. */
enum kind { CLASSIC, MIXED, OF_LIST, KINDS = OF_LIST + GAME_COUNT };

struct played played;

/* Those who cannot say table= are matched one table at a time. */
static const struct table *gate;

static void shape_table(struct table *table, enum kind kind)
{
	struct shape *shape = &table->shape;
	const struct game *game = kind < OF_LIST ? &tictactoe_game : game_at((int)kind - OF_LIST);
	int most = game->seats_max < BOTS_A_SLOT ? game->seats_max : BOTS_A_SLOT;

	table->game = game;
	table->public_shape = kind < OF_LIST;
	*shape = (struct shape){.game = table->game, .rounds = 1, .clock = 60, .seats = 2};
	snprintf(shape->table, sizeof(shape->table), "t%u", table->serial);
	if (table->public_shape)
		return;
	shape->clock = game->has & GAME_HAS_CLOCK && chance(2) ? 60 : 0;
	shape->strict = game->strict && chance(2);
	if (game == &tictactoe_game)
		shape->rounds = 1 + (int)chance(4); /* it is soon over */
	else if (game->rounds > 1)
		shape->rounds = game->rounds;
	if (game->has & GAME_HAS_SEATS)
		shape->seats = game->seats_min +
			       (int)chance((uint32_t)(most - game->seats_min + 1));
	if (game->has & GAME_HAS_SIZE)
		shape->size = 4;
	if (game->join != NULL)
		table->newcomers = (int)chance(3);
}

static void prepare(struct bot *bot, struct table *table, bool full, bool newcomer)
{
	struct bot old = *bot;

	*bot = (struct bot){.table = table,
			    .game = table->game,
			    .fd = old.fd,
			    .number = old.number,
			    .data = old.data,
			    .size = old.size,
			    .list = old.list,
			    .full = full,
			    .legal = full && table->game->join == NULL && chance(4) != 0,
			    .newcomer = newcomer,
			    .side = -1,
			    .wait = newcomer ? 3 : 10,
			    .seat = -1};
	memcpy(bot->heard, old.heard, sizeof(bot->heard));
	bot->hears = old.hears;
	snprintf(bot->name, sizeof(bot->name), "%s", full ? "" : "anon");
	if (full)
		snprintf(bot->name, sizeof(bot->name), "p%u.%u", bot->number, table->serial);
	if (full && table->game->has & GAME_HAS_SIDES && chance(3) == 0)
		bot->side = (int)chance(2);
	if (bot->fd >= 0 && (newcomer || old.ended || chance(2) == 0))
		bot_close(bot);
}

static void enter(struct bot *bot)
{
	if (bot->fd < 0 && !bot_connect(bot, chance(2)))
		fail("the server takes no connection");
	act_play(bot);
}

static void begin(struct table *table, int64_t now)
{
	struct table old = *table;
	enum kind kind = (enum kind)chance(KINDS);
	static unsigned serial;

	table_clear(table);
	*table = (struct table){.slot = old.slot, .serial = serial, .began = now, .progress = now};
	serial++;
	memcpy(table->bot, old.bot, sizeof(table->bot));
	shape_table(table, kind);
	if (table->public_shape)
		gate = table;
	table->bots = table->shape.seats + table->newcomers;
	for (int i = 0; i < table->bots; i++)
		prepare(table->bot[i], table, kind != CLASSIC && !(kind == MIXED && i == 1),
			i >= table->shape.seats);
	for (int i = table->bots; i < BOTS_A_SLOT; i++)
		bot_close(table->bot[i]); /* or the server would, after a minute */
	for (int i = 0; i < table->shape.seats; i++)
		enter(table->bot[i]);
	played.begun++;
}

void slots_open(int count)
{
	players.count = count * BOTS_A_SLOT;
	players.bot = calloc((size_t)players.count, sizeof(struct bot));
	tables.count = count;
	tables.table = calloc((size_t)count, sizeof(struct table));
	if (players.bot == NULL || tables.table == NULL)
		fail("no memory");
	for (int i = 0; i < players.count; i++) {
		struct table *table = &tables.table[i / BOTS_A_SLOT];

		players.bot[i].fd = -1;
		players.bot[i].number = (unsigned)i;
		players.bot[i].table = table;
		table->bot[i % BOTS_A_SLOT] = &players.bot[i];
		table->slot = i / BOTS_A_SLOT;
		table->idle = true;
	}
}

/* Two newcomers who came when the table had just ended would begin one of their own. */
static bool somebody_waits(const struct table *table)
{
	for (int i = 0; i < table->bots; i++)
		if (table->bot[i]->seat < 0 && table->bot[i]->phase != BOT_IDLE &&
		    table->bot[i]->phase != BOT_FINISHED)
			return true;
	return false;
}

/* Newcomers come when the others have begun. */
static void let_newcomers_in(struct table *table)
{
	struct bot *bot = table->bot[table->bots - table->newcomers];

	if (table->newcomers == 0 || played.no_entries || server.down || table->entries < 2)
		return;
	if (table_now(table)->done) {
		table->newcomers = 0;
	} else if (chance(200) == 0 && !somebody_waits(table)) {
		enter(bot);
		table->newcomers--;
	}
}

static bool is_over(const struct table *table)
{
	for (int i = 0; i < table->bots; i++)
		if (table->bot[i]->phase != BOT_FINISHED && table->bot[i]->phase != BOT_IDLE)
			return false;
	return table->newcomers == 0 || table->entries == 0 ||
	       table->entry[table->entries - 1].after.done;
}

static bool all_sit(const struct table *table)
{
	for (int i = 0; i < table->bots; i++)
		if (table->bot[i]->phase == BOT_ENTERING || table->bot[i]->phase == BOT_LOOKING)
			return false;
	return true;
}

void slots_go_on(struct table *table, int64_t now)
{
	if (gate == table && all_sit(table))
		gate = NULL;
	if (!table->idle && is_over(table)) {
		bool ended = table->entries > 0 && table_now(table)->done;

		played.finished += ended;
		played.lost += !ended;
		table->idle = true;
	}
	if (!table->idle) {
		let_newcomers_in(table);
		if (now - table->progress > STALLED_MS)
			table_wrong(table, "nothing has happened for %d s", STALLED_MS / 1000);
	} else if (!played.closing && !played.no_entries && !server.down && gate == NULL) {
		begin(table, now);
	}
}

bool slots_all_idle(void)
{
	for (int i = 0; i < tables.count; i++)
		if (!tables.table[i].idle)
			return false;
	return true;
}

bool slots_somebody_enters(void)
{
	for (int i = 0; i < players.count; i++)
		if (players.bot[i].phase == BOT_ENTERING ||
		    (players.bot[i].phase == BOT_LOOKING && players.bot[i].newcomer))
			return true;
	return false;
}
