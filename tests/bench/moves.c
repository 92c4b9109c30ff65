/*
 * moves.c - a move's way from one player to the other, with one or many tables live.
 *
 * One move is on its way at a time, at the table whose turn is longest ago: so that what a table
 * needs has had time to go cold, as it would with people.
 */
#include "tests/bench/figures.h"
#include "tests/bench/scenario.h"

#include <stdio.h>

struct moves {
	struct times times;
	bool on_its_way;
	int64_t sent_at;
	int ended; /* players, whose places are to be filled */
	struct player *gone[2];
	struct player *turn[PLAYERS_MAX]; /* a ring of those who are to move */
	unsigned first, behind;
};

static void on_heard(struct load *load, struct player *player, enum heard heard)
{
	struct moves *moves = load->scenario;

	if (heard == HEARD_TURN) {
		if (moves->on_its_way)
			times_add(&moves->times, load_now() - moves->sent_at);
		moves->on_its_way = false;
		moves->turn[moves->behind++ % PLAYERS_MAX] = player;
	} else if (heard == HEARD_END && moves->ended < 2) {
		player_leave(player);
		moves->gone[moves->ended++] = player;
	}
}

/* Two players, until one of them is to move. */
static void open_table(struct load *load, struct player *one, struct player *other)
{
	struct moves *moves = load->scenario;
	unsigned behind = moves->behind;

	player_connect(load, one);
	player_connect(load, other);
	player_play(load, one);
	player_play(load, other);
	while (moves->behind == behind)
		load_turn(load);
}

static void make_move(struct load *load, struct moves *moves, struct player *player)
{
	moves->sent_at = load_now();
	moves->on_its_way = true;
	player_move(load, player);
	while (moves->on_its_way)
		load_turn(load);
}

long moves_run(struct load *load, const struct subject *subject, const struct settings *settings)
{
	static struct moves moves;

	(void)subject;
	load->scenario = &moves;
	load->heard = on_heard;
	load->spins = true;
	for (int i = 0; i < settings->live; i++)
		open_table(load, &load->player[2 * i], &load->player[2 * i + 1]);
	while (moves.times.count < settings->count) {
		struct player *player = moves.turn[moves.first++ % PLAYERS_MAX];

		if (player->next < load->script->count) {
			make_move(load, &moves, player);
			continue;
		}
		/* the script has been played: a new table takes the place of this one */
		player_move(load, player);
		while (moves.ended < 2)
			load_turn(load);
		moves.ended = 0;
		open_table(load, moves.gone[0], moves.gone[1]);
	}
	times_print(&moves.times, "way");
	return 0;
}
