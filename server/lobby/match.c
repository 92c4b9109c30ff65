/*
 * match.c - who meets whom. See match.h.
 *
 * Owns: the queues, one for each shape of table that somebody waits at, or may join.
 * Never: knows a socket, a duel or the time.
 */
#include "server/lobby/match.h"

#include <assert.h>
#include <stdio.h>
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

/* NULL: nobody waits at such a table, and none is open. */
static struct queue *find_queue(const struct queues *queues, const char *shape)
{
	struct queue *queue;

	LIST_FOREACH (queue, &queues->hashed[hash_of(shape)], next)
		if (strcmp(queue->shape, shape) == 0)
			return queue;
	return NULL;
}

static struct queue *queue_of(struct queues *queues, const char *shape)
{
	struct queue *queue = find_queue(queues, shape);

	if (queue != NULL)
		return queue;
	queue = calloc(1, sizeof(*queue));
	if (queue == NULL)
		return NULL;
	snprintf(queue->shape, sizeof(queue->shape), "%s", shape);
	TAILQ_INIT(&queue->waiting);
	TAILQ_INIT(&queue->openings);
	LIST_INSERT_HEAD(&queues->hashed[hash_of(shape)], queue, next);
	return queue;
}

/* A queue lives as long as somebody stands in it or a table is open to it. */
static void drop_if_empty(struct queue *queue)
{
	if (!TAILQ_EMPTY(&queue->waiting) || !TAILQ_EMPTY(&queue->openings))
		return;
	LIST_REMOVE(queue, next);
	free(queue);
}

bool match_enter(struct queues *queues, struct waiting *waiting)
{
	char shape[SHAPE_MAX];
	struct waiting *before;

	shape_print(&waiting->wish.shape, shape);
	waiting->queue = queue_of(queues, shape);
	if (waiting->queue == NULL)
		return false;
	before = TAILQ_LAST(&waiting->queue->waiting, line_of_shape);
	while (before != NULL && before->arrival > waiting->arrival)
		before = TAILQ_PREV(before, line_of_shape, after);
	if (before == NULL)
		TAILQ_INSERT_HEAD(&waiting->queue->waiting, waiting, after);
	else
		TAILQ_INSERT_AFTER(&waiting->queue->waiting, before, waiting, after);
	return true;
}

void match_leave(struct waiting *waiting)
{
	struct queue *queue = waiting->queue;

	TAILQ_REMOVE(&queue->waiting, waiting, after);
	waiting->queue = NULL;
	drop_if_empty(queue);
}

bool match_open(struct queues *queues, struct opening *opening, const char *shape)
{
	struct opening *before;

	opening->queue = queue_of(queues, shape);
	if (opening->queue == NULL)
		return false;
	before = TAILQ_LAST(&opening->queue->openings, openings);
	while (before != NULL && before->serial > opening->serial)
		before = TAILQ_PREV(before, openings, after);
	if (before == NULL)
		TAILQ_INSERT_HEAD(&opening->queue->openings, opening, after);
	else
		TAILQ_INSERT_AFTER(&opening->queue->openings, before, opening, after);
	return true;
}

struct opening *match_openings(const struct queues *queues, const char *shape)
{
	const struct queue *queue = find_queue(queues, shape);

	return queue == NULL ? NULL : TAILQ_FIRST(&queue->openings);
}

void match_shut(struct opening *opening)
{
	struct queue *queue = opening->queue;

	TAILQ_REMOVE(&queue->openings, opening, after);
	opening->queue = NULL;
	drop_if_empty(queue);
}

static bool would_meet(const struct wish *one, const struct wish *other)
{
	return one->vs[0] == '\0' || strcmp(one->vs, other->name) == 0;
}

static bool may_sit(const struct waiting *one, bool slow_too)
{
	return one->ready && (slow_too || one->slow == NULL || !*one->slow);
}

static bool fit(const struct waiting *one, const struct waiting *other)
{
	return one->party == other->party && would_meet(&one->wish, &other->wish) &&
	       would_meet(&other->wish, &one->wish);
}

/* Those among whom the others of one table are chosen. All of them fit the one who looks: they have
 * no vs=, or name them; and if they have a vs=, all have that name. All are of one party. So they are of four kinds: named as
 * they are or not, with a vs= or without. Two of a kind fit and refuse the same people, so of each
 * kind the earliest are enough, as many as could sit down. That bounds the choosing, however many
 * wait: the queue is looked through once. */
enum { KINDS = 4, SHORTLIST_MAX = KINDS * MATCH_SEATS_MAX };

struct shortlist {
	int count;
	struct waiting *one[SHORTLIST_MAX];
	int of_kind[KINDS];
};

static void shortlist_add(struct shortlist *list, const struct waiting *looks,
			  struct waiting *other, int seats)
{
	int kind = 2 * (strcmp(looks->wish.name, other->wish.name) == 0) +
		   (other->wish.vs[0] != '\0');

	if (list->of_kind[kind] == seats - 1)
		return;
	list->of_kind[kind]++;
	list->one[list->count++] = other;
}

/* Choose from `from` on until there are `seats`; the earlier ones are tried first. */
static bool choose(const struct shortlist *list, int from, struct waiting *chosen[], int count,
		   int seats)
{
	if (count == seats)
		return true;
	for (; from < list->count; from++) {
		bool fits = true;

		for (int i = 1; i < count; i++)
			fits = fits && fit(list->one[from], chosen[i]);
		if (!fits)
			continue;
		chosen[count] = list->one[from];
		if (choose(list, from + 1, chosen, count + 1, seats))
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

int match_find(struct waiting *one, struct waiting *chosen[GAME_SEATS_MAX], bool slow_too)
{
	int seats = one->wish.shape.seats;
	struct shortlist list = {0};
	struct waiting *other;

	if (!may_sit(one, slow_too))
		return 0;
	assert(seats <= MATCH_SEATS_MAX);
	chosen[0] = one;
	TAILQ_FOREACH (other, &one->queue->waiting, after) {
		if (other == one || !may_sit(other, slow_too) || !fit(one, other))
			continue;
		shortlist_add(&list, one, other, seats);
		/* mostly all fit all: then the first who come are those */
		if (list.count == seats - 1 && choose(&list, 0, chosen, 1, seats))
			break;
	}
	if (other == NULL && !choose(&list, 0, chosen, 1, seats))
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
