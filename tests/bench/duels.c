/*
 * duels.c - whole duels, one after another, many at once.
 *
 * Each connection is a player of its own, who meets whom the server chooses. One who has ended is
 * replaced, or says PLAY again, until there have been as many duels as wished for.
 */
#include "tests/bench/figures.h"
#include "tests/bench/scenario.h"

#include <stdio.h>
#include <unistd.h>

struct duels {
	bool kept;
	long begun, ended; /* players, two a duel */
	long players;
};

static void begin(struct load *load, struct duels *duels, struct player *player)
{
	duels->begun++;
	if (player->fd < 0)
		player_connect(load, player);
	player_play(load, player);
}

static void on_heard(struct load *load, struct player *player, enum heard heard)
{
	struct duels *duels = load->scenario;

	if (heard == HEARD_TURN)
		player_move(load, player);
	if (heard != HEARD_END)
		return;
	duels->ended++;
	if (!duels->kept || duels->begun >= duels->players)
		player_leave(player);
	if (duels->begun < duels->players)
		begin(load, duels, player);
}

long duels_run(struct load *load, const struct subject *subject, const struct settings *settings)
{
	static struct duels duels;
	long moves = load->script->count, datagrams = datagrams_sent();
	int64_t begin_at = load_now(), client = cpu_of(getpid()), took;

	duels = (struct duels){.kept = settings->kept, .players = 2 * settings->count};
	load->scenario = &duels;
	load->heard = on_heard;
	for (int i = 0; i < 2 * settings->at && duels.begun < duels.players; i++)
		begin(load, &duels, &load->player[i]);
	while (duels.ended < duels.players)
		load_turn(load);
	took = load_now() - begin_at;
	client = cpu_of(getpid()) - client;
	subject_settle(subject);
	printf(" duels_per_s=%.1f moves_per_s=%.0f", (double)settings->count / ((double)took / 1e9),
	       (double)(settings->count * moves) / ((double)took / 1e9));
	printf(" parent_us=%.2f spawner_us=%.2f client_us=%.2f frames=%.2f",
	       (double)subject_own_cpu(subject) / 1e3 / (double)settings->count,
	       (double)subject_helper_cpu(subject) / 1e3 / (double)settings->count,
	       (double)client / 1e3 / (double)settings->count,
	       (double)(datagrams_sent() - datagrams) / (double)settings->count);
	return settings->moves ? settings->count * moves : settings->count;
}
