/*
 * web.h - the page in the browser: serves it, and tells every browser that has it open what is heard.
 *
 * It is fed frames and looked after by one loop (watch.c); nothing in it waits. A connection that
 * reads slowly skips boards, one that does not read at all is closed, and neither holds up another.
 * No newcomer is kept out by those that are there (guests.h).
 */
#ifndef VIEWER_WEB_WEB_H
#define VIEWER_WEB_WEB_H

#include "viewer/watch/wall.h"
#include "viewer/watch/watch.h"

struct web;

/* Listen at an address (IPv4 or IPv6) and port, 0 being any that is free, and tell of the games
 * kept in a state folder. NULL: that cannot be done, and `why` says why. */
struct web *web_open(const char *address, uint16_t port, const char *state,
		     char why[WATCH_WHY_MAX]);
void web_close(struct web *web); /* NULL is allowed */

/* Where a browser finds the page: "http://127.0.0.1:8080/". */
enum { WEB_URL_MAX = 80 };
void web_url(const struct web *web, char url[WEB_URL_MAX]);

/* What to wait for, and until when at the latest; then web_serve(). */
int web_fd(const struct web *web);
int64_t web_due_ms(const struct web *web, int64_t now_ms);
void web_serve(struct web *web, const struct wall *wall, int64_t now_ms);

/* A port has a new state, or has told its state again. */
void web_hear(struct web *web, const struct wall_place *place, bool news, int64_t now_ms);

#endif
