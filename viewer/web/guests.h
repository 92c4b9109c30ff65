/*
 * guests.h - who is connected to the page, and who gives way when there is no place left.
 *
 * A guest is a connection. Nobody can be told from outside whether it reads: its kernel takes some
 * dozens of KiB for it. So a place is never denied: where an address has too many, one of these goes,
 * where all are too many, one of the address that has the most. That is the one that has taken nothing for
 * the longest time, by the kernel's own count of what has arrived; among equals chance decides.
 *
 * It closes nothing itself: web.c does, and reads how far each has come with guest_look().
 */
#ifndef VIEWER_WEB_GUESTS_H
#define VIEWER_WEB_GUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include <sys/queue.h>
#include <sys/socket.h>

enum {
	GUESTS_MAX = 1000,	  /* at once, in all */
	GUESTS_ADDRESS_MAX = 500, /* from one address */
	GUESTS_PATIENCE_MS =
	    9000, /* a guest that takes nothing of what is there for it for so long is deaf */
};

/* An address, and how many come from it. */
struct origin {
	LIST_ENTRY(origin) link;
	uint64_t key;
	int count;
};

struct guest {
	LIST_ENTRY(guest) link;
	struct origin *origin;
	int fd;
	bool leaving;	    /* it has been told to go, and has no place any more */
	uint64_t taken;	    /* bytes that have arrived there */
	int64_t content_ms; /* when it had taken something last, or there was nothing to take */
};

struct guests {
	LIST_HEAD(guest_list, guest) all;
	LIST_HEAD(origin_list, origin) origins;
	int count;
};

/* NULL: no memory is left. */
struct guest *guests_enter(struct guests *guests, int fd, const struct sockaddr *from,
			   int64_t now_ms);
void guests_end(struct guests *guests, struct guest *guest);

/* It goes: its place is free from now on. guests_end() follows, when its connection is closed. */
void guests_let_go(struct guests *guests, struct guest *guest);

/* Who has to give way now that this one has come; NULL: there is room for all. */
struct guest *guests_too_many(const struct guests *guests, const struct guest *newcomer);

/* How much has arrived there by now, and whether there is more for it. */
void guest_note(struct guest *guest, uint64_t taken, bool more, int64_t now_ms);

/* The same, as the kernel says. */
void guest_look(struct guest *guest, int64_t now_ms);
bool guest_is_deaf(const struct guest *guest, int64_t now_ms);

#endif
