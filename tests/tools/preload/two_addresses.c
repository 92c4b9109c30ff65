/*
 * two_addresses.c - preloaded into a program by tests: localhost has two addresses, as on most machines,
 * ::1 first and then 127.0.0.1, whatever this machine's /etc/hosts says.
 */
#include <dlfcn.h>
#include <netdb.h>
#include <stddef.h>
#include <string.h>

typedef int lookup(const char *, const char *, const struct addrinfo *, struct addrinfo **);

/* The system's header calls the parameters by names that are its own.
 * NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints,
		struct addrinfo **found)
{
	struct addrinfo any = {.ai_family = AF_UNSPEC}, *last;
	lookup *real;
	int error;

	/* by way of an object: ISO C knows no pointer that is both */
	*(void **)&real = dlsym(RTLD_NEXT, "getaddrinfo");
	if (host == NULL || strcmp(host, "localhost") != 0)
		return real(host, service, hints, found);
	if (hints != NULL)
		any = *hints;
	any.ai_flags &= ~AI_ADDRCONFIG;
	error = real("::1", service, &any, found);
	if (error != 0)
		return error;
	for (last = *found; last->ai_next != NULL;)
		last = last->ai_next;
	error = real("127.0.0.1", service, &any, &last->ai_next);
	if (error != 0)
		freeaddrinfo(*found);
	return error;
}
