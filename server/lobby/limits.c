/*
 * limits.c - counts by address, in a hash table. See limits.h.
 *
 * Owns: what is known of each address.
 * Never: refuses anybody; admission.c asks here, and does.
 */
#include "server/lobby/limits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a, from a seed that nobody outside knows. */
static struct bucket *bucket_of(struct limits *limits, const struct address_key *key)
{
	uint32_t hash = 2166136261u ^ limits->seed;

	for (size_t i = 0; i < sizeof(key->bytes); i++)
		hash = (hash ^ key->bytes[i]) * 16777619u;
	return &limits->bucket[(hash ^ hash >> 16) % LIMITS_BUCKETS];
}

static struct origin *find(struct limits *limits, const union address *address)
{
	struct address_key key = address_key(address);
	struct bucket *bucket = bucket_of(limits, &key);
	struct origin *origin;

	LIST_FOREACH (origin, bucket, next)
		if (memcmp(&origin->key, &key, sizeof(key)) == 0)
			return origin;
	origin = calloc(1, sizeof(*origin));
	if (origin == NULL)
		return NULL;
	origin->key = key;
	origin->exempt = address_is_loopback(address);
	TAILQ_INIT(&origin->line);
	LIST_INSERT_HEAD(bucket, origin, next);
	limits->origins++;
	return origin;
}

static bool is_over(const struct origin *origin, int64_t now)
{
	return origin->tables == 0 || now - origin->since >= LIMITS_WINDOW_MS;
}

struct origin *limits_enter(struct limits *limits, const union address *address)
{
	struct origin *origin = find(limits, address);

	errno = ENOMEM;
	if (origin == NULL)
		return NULL;
	errno = 0;
	if (!origin->exempt && origin->connections >= limits->connections_max)
		return NULL;
	origin->connections++;
	return origin;
}

static bool is_needed(const struct origin *origin, int64_t now)
{
	return origin->connections > 0 || origin->held > 0 || origin->slow || origin->heard > 0 ||
	       origin->crowded || !is_over(origin, now);
}

static void forget_if_unneeded(struct limits *limits, struct origin *origin, int64_t now)
{
	if (is_needed(origin, now))
		return;
	LIST_REMOVE(origin, next);
	limits->origins--;
	free(origin);
}

void limits_leave(struct limits *limits, struct origin *origin, int64_t now)
{
	origin->connections--;
	forget_if_unneeded(limits, origin, now);
}

void limits_hold(struct origin *origin)
{
	origin->held++;
}

void limits_let_go(struct limits *limits, struct origin *origin, int64_t now)
{
	origin->held--;
	forget_if_unneeded(limits, origin, now);
}

bool limits_holds_enough(const struct limits *limits, const struct origin *origin)
{
	return !origin->exempt && limits->held_max > 0 && origin->held >= limits->held_max;
}

void limits_count_table(struct limits *limits, struct origin *origin, int64_t now)
{
	if (origin->exempt || limits->tables_max == 0)
		return;
	if (is_over(origin, now)) {
		origin->since = now;
		origin->tables = 0;
	}
	origin->tables++;
	if (origin->tables >= limits->tables_max && !origin->slow) {
		origin->slow = true;
		limits->slow++;
	}
}

int64_t limits_refresh(struct limits *limits, int64_t now)
{
	int64_t next = INT64_MAX;

	for (int i = 0; i < LIMITS_BUCKETS; i++) {
		struct origin *origin, *after;

		LIST_FOREACH_SAFE (origin, &limits->bucket[i], next, after) {
			if (origin->slow && is_over(origin, now)) {
				origin->slow = false;
				limits->slow--;
			}
			if (origin->slow && origin->since + LIMITS_WINDOW_MS < next)
				next = origin->since + LIMITS_WINDOW_MS;
			forget_if_unneeded(limits, origin, now);
		}
	}
	return next;
}
