/*
 * address.c - addresses as text and as senders. See address.h.
 *
 * Owns nothing and talks to nobody, but for the names of interfaces, which the kernel knows. It never asks a
 * name server.
 */
#include "server/shared/address.h"

#include "proto/wire/text.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <string.h>

/* Of ::ffff:1.2.3.4 the last four bytes; NULL: it is not such a one. */
static const unsigned char *mapped(const union address *address)
{
	if (address->any.sa_family != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(&address->six.sin6_addr))
		return NULL;
	return address->six.sin6_addr.s6_addr + 12;
}

struct address_key address_key(const union address *address)
{
	/* IPv4 as ::ffff:1.2.3.4, which is in no /64 that anybody has */
	struct address_key key = {.bytes = {[10] = 0xff, [11] = 0xff}};
	const unsigned char *four = mapped(address);

	if (four != NULL)
		memcpy(key.bytes + 12, four, 4);
	else if (address->any.sa_family == AF_INET)
		memcpy(key.bytes + 12, &address->four.sin_addr, 4);
	else
		key = (struct address_key){{0}};
	if (four == NULL && address->any.sa_family == AF_INET6)
		memcpy(key.bytes, &address->six.sin6_addr, 8);
	return key;
}

bool address_is_loopback(const union address *address)
{
	const unsigned char *four = mapped(address);

	if (four != NULL)
		return four[0] == 127;
	if (address->any.sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&address->six.sin6_addr);
	return address->any.sa_family == AF_INET &&
	       ntohl(address->four.sin_addr.s_addr) >> 24 == 127;
}

static bool read_one(union address *address, const char *text, in_port_t port)
{
	char host[INET6_ADDRSTRLEN];
	const char *scope = strchr(text, '%');
	size_t length = scope == NULL ? strlen(text) : (size_t)(scope - text);

	*address = (union address){0};
	if (length >= sizeof(host))
		return false;
	memcpy(host, text, length);
	host[length] = '\0';
	if (scope == NULL && inet_pton(AF_INET, host, &address->four.sin_addr) == 1) {
		address->four.sin_family = AF_INET;
		address->four.sin_port = htons(port);
		return true;
	}
	address->six.sin6_family = AF_INET6;
	address->six.sin6_port = htons(port);
	if (scope != NULL)
		address->six.sin6_scope_id = if_nametoindex(scope + 1);
	return inet_pton(AF_INET6, host, &address->six.sin6_addr) == 1 &&
	       (scope == NULL || address->six.sin6_scope_id != 0);
}

int address_read(union address address[2], const char *text, in_port_t port)
{
	if (strcmp(text, "localhost") != 0)
		return read_one(&address[0], text, port);
	return read_one(&address[0], "127.0.0.1", port) + read_one(&address[1], "::1", port);
}

bool address_is_lacking(int error)
{
	return error == EADDRNOTAVAIL || error == EAFNOSUPPORT;
}

void address_print(const union address *address, char text[ADDRESS_TEXT])
{
	const unsigned char *four = (const unsigned char *)&address->four.sin_addr;
	char host[INET6_ADDRSTRLEN];

	if (address->any.sa_family == AF_INET6) {
		inet_ntop(AF_INET6, &address->six.sin6_addr, host, sizeof(host));
		text_print(text, ADDRESS_TEXT, "[%s]:%d", host, ntohs(address->six.sin6_port));
	} else {
		/* by inet_ntop() it would be an eighth of all that the server does for a player */
		text_print(text, ADDRESS_TEXT, "%d.%d.%d.%d:%d", four[0], four[1], four[2], four[3],
			   ntohs(address->four.sin_port));
	}
}
