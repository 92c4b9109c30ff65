/*
 * listen.c - the socket at which the page is served. See listen.h.
 *
 * It opens that one socket and owns nothing; no name is ever looked up. Which addresses the machine has it asks
 * the kernel, once.
 */
#include "viewer/web/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { BACKLOG = 256, HOST_TEXT = 80 };

/* An IPv4 or IPv6 address. 0: it is neither. */
static socklen_t read_address(const char *address, uint16_t port, struct sockaddr_storage *out)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)out;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;

	memset(out, 0, sizeof(*out));
	if (inet_pton(AF_INET, address, &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons(port);
		return sizeof(*v4);
	}
	if (inet_pton(AF_INET6, address, &v6->sin6_addr) == 1) {
		v6->sin6_family = AF_INET6;
		v6->sin6_port = htons(port);
		return sizeof(*v6);
	}
	return 0;
}

static void explain(const char *address, uint16_t port, int error, char why[WATCH_WHY_MAX])
{
	if (error == EADDRINUSE)
		snprintf(why, WATCH_WHY_MAX,
			 "TCP port %d is in use by another program; end it or use another port (0 "
			 "takes any that is free)",
			 port);
	else if (error == EADDRNOTAVAIL)
		snprintf(
		    why, WATCH_WHY_MAX,
		    "this machine has not the address %.48s; \"ip address\" lists those it has",
		    address);
	else if (error == EACCES)
		snprintf(why, WATCH_WHY_MAX,
			 "TCP port %d may only be used by root; use one from 1024 on", port);
	else
		snprintf(why, WATCH_WHY_MAX, "cannot listen on %.48s port %d: %s", address, port,
			 strerror(error));
}

int listen_open(const char *address, uint16_t port, struct sockaddr_storage *bound,
		char why[WATCH_WHY_MAX])
{
	socklen_t length = read_address(address, port, bound), size = sizeof(*bound);
	int fd, on = 1;

	if (length == 0) {
		snprintf(why, WATCH_WHY_MAX,
			 "--listen needs an IPv4 or IPv6 address of this machine, not \"%.48s\"",
			 address);
		return -1;
	}
	fd = socket(bound->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	/* a program that has just ended leaves connections behind which must not keep the port */
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0 ||
	    bind(fd, (struct sockaddr *)bound, length) < 0 || listen(fd, BACKLOG) < 0 ||
	    getsockname(fd, (struct sockaddr *)bound, &size) < 0) {
		explain(address, port, errno, why);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

bool listen_is_loopback(const struct sockaddr_storage *bound)
{
	if (bound->ss_family == AF_INET)
		return ntohl(((const struct sockaddr_in *)bound)->sin_addr.s_addr) >> 24 == 127;
	return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)bound)->sin6_addr);
}

static bool is_every_address(const struct sockaddr_storage *bound)
{
	if (bound->ss_family == AF_INET)
		return ((const struct sockaddr_in *)bound)->sin_addr.s_addr == htonl(INADDR_ANY);
	return IN6_IS_ADDR_UNSPECIFIED(&((const struct sockaddr_in6 *)bound)->sin6_addr);
}

/* How good an address of this machine is for others: 0 is none. */
static int worth(const struct ifaddrs *one, sa_family_t family)
{
	const struct sockaddr *address = one->ifa_addr;

	if (address == NULL || !(one->ifa_flags & IFF_RUNNING) || one->ifa_flags & IFF_LOOPBACK)
		return 0;
	if (address->sa_family == AF_INET) {
		uint32_t v4 = ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr);

		return v4 >> 16 == 0xa9fe ? 0 : 2; /* 169.254: of one's own making */
	}
	if (address->sa_family != AF_INET6 || family != AF_INET6)
		return 0;
	return IN6_IS_ADDR_LINKLOCAL(&((const struct sockaddr_in6 *)address)->sin6_addr) ? 0 : 1;
}

/* A socket of IPv6 that is bound to every address takes IPv4 too. */
void listen_choose(struct sockaddr_storage *bound, const struct ifaddrs *all)
{
	sa_family_t family = bound->ss_family;
	const struct ifaddrs *best = NULL;
	uint16_t port = family == AF_INET ? ((struct sockaddr_in *)bound)->sin_port
					  : ((struct sockaddr_in6 *)bound)->sin6_port;

	if (!is_every_address(bound))
		return;
	for (const struct ifaddrs *one = all; one != NULL; one = one->ifa_next)
		if (worth(one, family) > (best == NULL ? 0 : worth(best, family)))
			best = one;
	if (best == NULL)
		read_address(family == AF_INET ? "127.0.0.1" : "::1", ntohs(port), bound);
	else if (best->ifa_addr->sa_family == AF_INET)
		*(struct sockaddr_in *)bound = (struct sockaddr_in){
		    AF_INET, port, ((const struct sockaddr_in *)best->ifa_addr)->sin_addr, {0}};
	else
		((struct sockaddr_in6 *)bound)->sin6_addr =
		    ((const struct sockaddr_in6 *)best->ifa_addr)->sin6_addr;
}

void listen_choose_own(struct sockaddr_storage *bound)
{
	struct ifaddrs *all = NULL;

	if (getifaddrs(&all) != 0)
		all = NULL;
	listen_choose(bound, all);
	freeifaddrs(all);
}

void listen_print(const struct sockaddr_storage *bound, char *text, size_t size)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)bound;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)bound;
	char address[INET6_ADDRSTRLEN] = "";

	if (bound->ss_family == AF_INET) {
		inet_ntop(AF_INET, &v4->sin_addr, address, sizeof(address));
		snprintf(text, size, "%s:%d", address, ntohs(v4->sin_port));
	} else {
		inet_ntop(AF_INET6, &v6->sin6_addr, address, sizeof(address));
		snprintf(text, size, "[%s]:%d", address, ntohs(v6->sin6_port));
	}
}

bool listen_host_is_local(const char *host)
{
	size_t length = host[0] == '[' ? strcspn(host, "]") : strcspn(host, ":");
	struct sockaddr_storage address;
	char name[HOST_TEXT];

	if (length >= sizeof(name))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)length, host);
	return strcasecmp(name, "localhost") == 0 ||
	       read_address(name[0] == '[' ? name + 1 : name, 0, &address) != 0;
}
