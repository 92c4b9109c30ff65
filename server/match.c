/*
 * match.c - who meets whom. See match.h.
 */
#include "match.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a: short, and good enough for a few thousand shapes. */
static unsigned hash_of(const char *text)
{
	uint32_t hash = 2166136261u;

	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return hash % MATCH_QUEUES;
}

static struct queue *queue_of(struct queues *queues, const char *shape)
{
	unsigned hash = hash_of(shape);
	struct queue *queue;

	for (queue = queues->hashed[hash]; queue != NULL; queue = queue->next)
		if (strcmp(queue->first->shape, shape) == 0)
			return queue;
	queue = calloc(1, sizeof(*queue));
	if (queue == NULL)
		err(1, "no memory for those who wait");
	queue->hash = hash;
	queue->next = queues->hashed[hash];
	queues->hashed[hash] = queue;
	return queue;
}

/* A queue lives as long as somebody stands in it. */
static void drop_queue(struct queues *queues, struct queue *queue)
{
	struct queue **link = &queues->hashed[queue->hash];

	while (*link != queue)
		link = &(*link)->next;
	*link = queue->next;
	free(queue);
}

void match_enter(struct queues *queues, struct waiting *waiting)
{
	struct queue *queue = queue_of(queues, waiting->shape);
	struct waiting *before = queue->last;

	while (before != NULL && before->arrival > waiting->arrival)
		before = before->before;
	waiting->queue = queue;
	waiting->before = before;
	waiting->after = before == NULL ? queue->first : before->after;
	*(waiting->before == NULL ? &queue->first : &waiting->before->after) = waiting;
	*(waiting->after == NULL ? &queue->last : &waiting->after->before) = waiting;
}

void match_leave(struct queues *queues, struct waiting *waiting)
{
	struct queue *queue = waiting->queue;

	*(waiting->before == NULL ? &queue->first : &waiting->before->after) = waiting->after;
	*(waiting->after == NULL ? &queue->last : &waiting->after->before) = waiting->before;
	waiting->before = waiting->after = NULL;
	waiting->queue = NULL;
	if (queue->first == NULL)
		drop_queue(queues, queue);
}

static bool would_meet(const struct wish *one, const struct wish *other)
{
	return one->vs[0] == '\0' || strcmp(one->vs, other->name) == 0;
}

static bool fits(const struct waiting *one, struct waiting *const chosen[], int count)
{
	for (int i = 0; i < count; i++)
		if (chosen[i] == one || !would_meet(&one->wish, &chosen[i]->wish) ||
		    !would_meet(&chosen[i]->wish, &one->wish))
			return false;
	return one->ready;
}

/* Choose from `from` on until there are `seats`; the earlier ones are tried first. As deep as a
 * table has seats to start with, four at most. */
static bool choose(struct waiting *from, struct waiting *chosen[], int count, int seats)
{
	if (count == seats)
		return true;
	for (; from != NULL; from = from->after) {
		if (!fits(from, chosen, count))
			continue;
		chosen[count] = from;
		if (choose(from->after, chosen, count + 1, seats))
			return true;
	}
	return false;
}

static int by_arrival(const void *a, const void *b)
{
	const struct waiting *one = *(struct waiting *const *)a;
	const struct waiting *other = *(struct waiting *const *)b;

	return one->arrival < other->arrival ? -1 : one->arrival > other->arrival;
}

int match_find(struct waiting *one, struct waiting *chosen[GAME_SEATS_MAX])
{
	int seats = one->wish.shape.seats;

	if (!one->ready)
		return 0;
	chosen[0] = one;
	if (!choose(one->queue->first, chosen, 1, seats))
		return 0;
	qsort(chosen, (size_t)seats, sizeof(chosen[0]), by_arrival);
	return seats;
}

void match_seat(struct waiting *chosen[], int coin)
{
	struct waiting *first = chosen[0];
	int side = coin;

	if (!(first->wish.shape.game->has & GAME_HAS_SIDES))
		return;
	if (chosen[0]->wish.side >= 0)
		side = chosen[0]->wish.side;
	else if (chosen[1]->wish.side >= 0)
		side = !chosen[1]->wish.side;
	if (side == 1) {
		chosen[0] = chosen[1];
		chosen[1] = first;
	}
}
