/*
 * broadcast.c - where frames go out. See broadcast.h.
 *
 * Owns: the sockets of all broadcast ports.
 * Never: sends a frame, or knows what it is, or which duel has which port.
 */
#include "server/lobby/broadcast.h"

#include "server/shared/birth.h"

#include <arpa/inet.h>
#include <err.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct addresses {
	int count;
	struct in_addr address[BROADCAST_INTERFACES_MAX];
};

static bool is_wanted(const char *name, const struct names *wanted)
{
	for (int i = 0; i < wanted->count; i++)
		if (strcmp(wanted->name[i], name) == 0)
			return true;
	return wanted->count == 0;
}

static void add_address(struct addresses *addresses, struct in_addr address)
{
	for (int i = 0; i < addresses->count; i++)
		if (addresses->address[i].s_addr == address.s_addr)
			return;
	if (addresses->count < BROADCAST_INTERFACES_MAX)
		addresses->address[addresses->count++] = address;
}

/* The loopback has no broadcast address of its own, but its network 127/8 has one, which Linux
 * delivers to every socket on this machine that listens for it. */
static void add_interface(struct addresses *addresses, const struct ifaddrs *interface)
{
	const struct sockaddr_in *address = (const void *)interface->ifa_addr;
	const struct sockaddr_in *mask = (const void *)interface->ifa_netmask;
	const struct sockaddr_in *all = (const void *)interface->ifa_broadaddr;

	if (address == NULL || address->sin_family != AF_INET || !(interface->ifa_flags & IFF_UP))
		return;
	if (interface->ifa_flags & IFF_LOOPBACK) {
		if (mask != NULL)
			add_address(addresses, (struct in_addr){address->sin_addr.s_addr |
								~mask->sin_addr.s_addr});
	} else if ((interface->ifa_flags & IFF_RUNNING) && (interface->ifa_flags & IFF_BROADCAST) &&
		   all != NULL) {
		add_address(addresses, all->sin_addr);
	}
}

static void find_addresses(struct addresses *addresses, const struct names *wanted)
{
	struct ifaddrs *all;

	if (getifaddrs(&all) != 0)
		err(1, "cannot list the network interfaces");
	for (const struct ifaddrs *one = all; one != NULL; one = one->ifa_next)
		if (is_wanted(one->ifa_name, wanted))
			add_interface(addresses, one);
	freeifaddrs(all);
}

static void check_wanted(const struct names *wanted)
{
	for (int i = 0; i < wanted->count; i++)
		if (if_nametoindex(wanted->name[i]) == 0)
			errx(1, "there is no interface \"%s\": name one that `ip link` lists",
			     wanted->name[i]);
}

static int open_one(struct in_addr address, uint16_t port)
{
	struct sockaddr_in to = {
	    .sin_family = AF_INET, .sin_addr = address, .sin_port = htons(port)};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int on = 1;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on)) != 0 ||
	    connect(fd, (struct sockaddr *)&to, sizeof(to)) != 0)
		err(1, "cannot broadcast to %s:%d", inet_ntoa(address), port);
	return fd;
}

void broadcast_open(struct broadcast *broadcast, const struct config *config)
{
	struct addresses addresses = {0};
	int *next;

	*broadcast = (struct broadcast){.ports = config->broadcast.count};
	if (broadcast->ports == 0)
		return;
	check_wanted(&config->interface);
	find_addresses(&addresses, &config->interface);
	if (addresses.count == 0)
		errx(1, "no interface to broadcast on is up: use --interface lo, or leave -b out");
	broadcast->interfaces = addresses.count;
	next = broadcast->fd = calloc((size_t)(broadcast->ports * addresses.count), sizeof(int));
	if (next == NULL)
		err(1, "no memory for broadcast sockets");
	for (int p = 0; p < broadcast->ports; p++)
		for (int i = 0; i < addresses.count; i++)
			*next++ = open_one(addresses.address[i], config->broadcast.port[p]);
}
