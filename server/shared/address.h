/*
 * address.h - where a connection comes from, as text and as what counts as one sender.
 */
#ifndef SERVER_SHARED_ADDRESS_H
#define SERVER_SHARED_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

enum { ADDRESS_TEXT = 56 };

union address {
	struct sockaddr any;
	struct sockaddr_in four;
	struct sockaddr_in6 six;
};

/* One sender: an IPv4 address; of an IPv6 address the first 64 bits, since whoever has one of a /64
 * has them all. An IPv4 address that came by an IPv6 socket (::ffff:1.2.3.4) is that IPv4 one. */
struct address_key {
	unsigned char bytes[16];
};

struct address_key address_key(const union address *address);
bool address_is_loopback(const union address *address);

/* The addresses that a text names, in room for two: an IPv4 or IPv6 address, fe80::1%eth0 too, or
 * "localhost", which is one of each. How many; 0: it is none. */
int address_read(union address address[2], const char *text, in_port_t port);

/* Does this error, of socket() or bind(), say that this machine has no such address? Of "localhost" it
 * may lack one. */
bool address_is_lacking(int error);

/* 1.2.3.4:5 or [2001:db8::1]:5. */
void address_print(const union address *address, char text[ADDRESS_TEXT]);

#endif
