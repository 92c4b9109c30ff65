/*
 * listen.h - the socket at which the page is served, and which names of it are believed.
 */
#ifndef VIEWER_WEB_LISTEN_H
#define VIEWER_WEB_LISTEN_H

#include "viewer/watch/watch.h"

#include <ifaddrs.h>
#include <sys/socket.h>

/* -1: it cannot be had, and `why` says why. `bound` becomes the address that it has. */
int listen_open(const char *address, uint16_t port, struct sockaddr_storage *bound,
		char why[WATCH_WHY_MAX]);

bool listen_is_loopback(const struct sockaddr_storage *bound);

/* Bound to every address, it becomes one of these that people on other machines can type: IPv4 before IPv6, none
 * that is only good on its own cable. Where there is none, it becomes the loopback. */
void listen_choose(struct sockaddr_storage *bound, const struct ifaddrs *all);

/* The same, of the addresses that this machine has. */
void listen_choose_own(struct sockaddr_storage *bound);

/* "127.0.0.1:8080", "[::1]:8080" */
void listen_print(const struct sockaddr_storage *bound, char *text, size_t size);

/* Does a browser that says this Host mean us by an address or as localhost, and not by a name that
 * somebody made point here? */
bool listen_host_is_local(const char *host);

#endif
