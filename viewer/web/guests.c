/*
 * guests.c - who is connected to the page. See guests.h.
 *
 * It owns the lists of connections and of the addresses they come from. It asks the kernel how much has
 * arrived there, and neither reads nor writes nor closes.
 */
#include "viewer/web/guests.h"

#include <bsd/stdlib.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>

/* An IPv4 address, or that part of an IPv6 address which its owner does not choose. */
static uint64_t key_of(const struct sockaddr *from)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)from;
	const struct in6_addr *v6 = &((const struct sockaddr_in6 *)from)->sin6_addr;
	uint64_t key = 0;

	if (from->sa_family == AF_INET)
		memcpy(&key, &v4->sin_addr, sizeof(v4->sin_addr));
	else if (IN6_IS_ADDR_V4MAPPED(v6))
		memcpy(&key, &v6->s6_addr[12], 4);
	else
		memcpy(&key, v6->s6_addr, sizeof(key));
	return key;
}

static struct origin *find_origin(struct guests *guests, uint64_t key)
{
	struct origin *origin;

	LIST_FOREACH (origin, &guests->origins, link)
		if (origin->key == key)
			return origin;
	origin = calloc(1, sizeof(*origin));
	if (origin == NULL)
		return NULL;
	origin->key = key;
	LIST_INSERT_HEAD(&guests->origins, origin, link);
	return origin;
}

/* When nobody of it is here any more. */
static void forget_origin(struct origin *origin)
{
	LIST_REMOVE(origin, link);
	free(origin);
}

struct guest *guests_enter(struct guests *guests, int fd, const struct sockaddr *from,
			   int64_t now_ms)
{
	struct origin *origin = find_origin(guests, key_of(from));
	struct guest *guest = calloc(1, sizeof(*guest));

	if (origin == NULL || guest == NULL) {
		if (origin != NULL && origin->count == 0)
			forget_origin(origin);
		free(guest);
		return NULL;
	}
	*guest = (struct guest){.fd = fd, .origin = origin, .content_ms = now_ms};
	LIST_INSERT_HEAD(&guests->all, guest, link);
	guests->count++;
	origin->count++;
	return guest;
}

void guests_let_go(struct guests *guests, struct guest *guest)
{
	if (guest->leaving)
		return;
	guest->leaving = true;
	guests->count--;
	if (--guest->origin->count == 0)
		forget_origin(guest->origin);
	guest->origin = NULL;
}

void guests_end(struct guests *guests, struct guest *guest)
{
	guests_let_go(guests, guest);
	LIST_REMOVE(guest, link);
	free(guest);
}

/* Of equals the one that has been here for longest: so never one whose only guest has just come. */
static const struct origin *most_crowded(const struct guests *guests)
{
	const struct origin *most = LIST_FIRST(&guests->origins), *each;

	LIST_FOREACH (each, &guests->origins, link)
		if (each->count >= most->count)
			most = each;
	return most;
}

struct guest *guests_too_many(const struct guests *guests, const struct guest *newcomer)
{
	const struct origin *origin = newcomer->origin;
	struct guest *goes = NULL, *each;
	uint32_t equals = 0;

	if (origin->count <= GUESTS_ADDRESS_MAX) {
		if (guests->count <= GUESTS_MAX)
			return NULL;
		origin = most_crowded(guests);
	}
	LIST_FOREACH (each, &guests->all, link) {
		if (each->origin != origin || each == newcomer)
			continue;
		if (goes == NULL || each->content_ms < goes->content_ms)
			equals = 0;
		else if (each->content_ms > goes->content_ms)
			continue;
		if (arc4random_uniform(++equals) == 0)
			goes = each;
	}
	return goes;
}

void guest_note(struct guest *guest, uint64_t taken, bool more, int64_t now_ms)
{
	if (!more || taken != guest->taken)
		guest->content_ms = now_ms;
	guest->taken = taken;
}

void guest_look(struct guest *guest, int64_t now_ms)
{
	struct tcp_info info = {0};
	socklen_t size = sizeof(info);

	if (getsockopt(guest->fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0)
		guest_note(guest, info.tcpi_bytes_acked,
			   info.tcpi_unacked > 0 || info.tcpi_notsent_bytes > 0, now_ms);
}

bool guest_is_deaf(const struct guest *guest, int64_t now_ms)
{
	return now_ms - guest->content_ms >= GUESTS_PATIENCE_MS;
}
