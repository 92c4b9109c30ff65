/*
 * boards FIRST COUNT CHANGES SECONDS - broadcasts COUNT duels on as many ports from FIRST on, all
 * games in turn, each played by chance and changing CHANGES times a second; when one ends the next
 * begins. There is no server: it plays with the rules alone.
 */
#include "proto/table/frame.h"

#include <arpa/inet.h>
#include <err.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { DUELS_MAX = 64, MEMORY_MS = 700 /* between two picks */ };

struct duel {
	const struct game *game;
	int64_t now;
	struct frame frame;
	union game_state state;
	unsigned number; /* of duels that were played here */
	uint16_t port;
};

static struct duel duels[DUELS_MAX];
static uint64_t chance;

static void begin(struct duel *duel, int place)
{
	struct setup setup = {.seed = chance, .seats = 2, .size = 6};
	struct frame *frame = &duel->frame;

	duel->number++;
	duel->game->begin(&duel->state, &setup);
	*frame = (struct frame){.game = duel->game, .seats = 2, .round = 1, .rounds = 1};
	frame->has_scores = duel->game->score != NULL;
	snprintf(frame->duel, sizeof(frame->duel), "%08x-0000-4000-8000-%012x", (unsigned)place,
		 duel->number);
	for (int seat = 0; seat < 2; seat++) {
		snprintf(frame->id[seat], sizeof(frame->id[seat]), "%08x-0000-4000-9000-%012x",
			 (unsigned)seat, duel->number);
		snprintf(frame->name[seat], sizeof(frame->name[seat]), "player-%d-%d", place, seat);
	}
}

/* One move of anybody who may move. */
static void move(struct duel *duel)
{
	static struct move moves[GAME_MOVES_MAX];
	const struct game *game = duel->game;
	int seat = (int)game_draw(&chance, 2), count;

	duel->now += MEMORY_MS;
	while (game->due != NULL && game->due(&duel->state) <= duel->now)
		game->tick(&duel->state, duel->now, NULL);
	if (!game_may_move(game, &duel->state, seat))
		seat = 1 - seat;
	count = game->list_moves(&duel->state, seat, moves);
	if (count > 0)
		game->play(&duel->state, seat, &moves[game_draw(&chance, (uint32_t)count)],
			   duel->now, NULL);
}

static void tell(struct duel *duel, int fd)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons(duel->port),
				 .sin_addr.s_addr = htonl(0x7fffffff)};
	struct frame *frame = &duel->frame;
	struct outcome outcome;
	char bytes[FRAME_MAX + 1];

	duel->game->outcome(&duel->state, &outcome);
	duel->game->print_model(&duel->state, frame->model);
	strcpy(frame->verdict, !outcome.over	      ? "false"
			       : outcome.winners == 0 ? "unresolved"
						      : outcome.why);
	frame->turn = outcome.over ? -1 : duel->game->turn(&duel->state);
	for (int seat = 0; frame->has_scores && seat < 2; seat++)
		frame->score[seat] = duel->game->score(&duel->state, seat);
	/* what does not arrive is told again by the next */
	(void)sendto(fd, bytes, frame_print(frame, bytes), 0, (struct sockaddr *)&to, sizeof(to));
	frame->n++;
}

static void step(struct duel *duel, int place, int fd)
{
	if (duel->number == 0 || frame_is_over(&duel->frame))
		begin(duel, place);
	else
		move(duel);
	tell(duel, fd);
}

int main(int argc, char *argv[])
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0), on = 1, count, next = 0;
	long changes, steps;

	if (argc != 5)
		errx(2, "usage: boards FIRST COUNT CHANGES SECONDS");
	count = atoi(argv[2]);
	changes = atol(argv[3]);
	steps = atol(argv[4]) * changes * count;
	if (count < 1 || count > DUELS_MAX || changes < 1)
		errx(2, "1 to %d boards, one change a second at least", DUELS_MAX);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on)) < 0)
		err(1, "cannot broadcast");
	for (int i = 0; i < count; i++) {
		if (game_at(next) == NULL)
			next = 0;
		duels[i] = (struct duel){.game = game_at(next++),
					 .port = (uint16_t)(atoi(argv[1]) + i)};
	}
	for (long i = 0; i < steps; i++) {
		int64_t ns = 1000000000 / (changes * count);
		struct timespec pause = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};

		step(&duels[i % count], (int)(i % count), fd);
		nanosleep(&pause, NULL);
	}
	return 0;
}
