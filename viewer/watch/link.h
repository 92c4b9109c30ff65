/*
 * link.h - a TCP connection that is made again whenever it is lost, of which lines are read.
 *
 * It never waits but for the name of the host, which is looked up once, at the start: its owner waits for its
 * descriptor and looks at its clock.
 */
#ifndef VIEWER_WATCH_LINK_H
#define VIEWER_WATCH_LINK_H

#include "viewer/watch/watch.h"

enum { LINK_HOST_MAX = 256 };

struct link;

/* HOST:PORT, [ADDRESS]:PORT. False: it is neither. */
bool link_read_where(const char *where, char host[LINK_HOST_MAX], uint16_t *port);

enum link_news {
	LINK_NOTHING,
	LINK_MADE,  /* just now: the owner says something */
	LINK_HEARD, /* there may be lines */
};

/* NULL: there is no such host, and `why` says so. That nobody answers there yet is no error. */
struct link *link_open(const char *host, uint16_t port, char why[WATCH_WHY_MAX]);
void link_close(struct link *link); /* NULL is allowed */

/* What to wait for, and until when at the latest; then link_step(). */
int link_fd(const struct link *link);
short link_events(const struct link *link);
int64_t link_due_ms(const struct link *link);
enum link_news link_step(struct link *link, int64_t now_ms);

/* The next whole line; call it until there is none (NULL) before link_step(). */
char *link_line(struct link *link);

/* Few words: they go as a whole, or the connection is lost. */
void link_say(struct link *link, const char *words, int64_t now_ms);

/* Who answers is not who was looked for; it is. */
void link_lose(struct link *link, const char *why, int64_t now_ms);
void link_praise(struct link *link);

/* What is wrong, in one line; "" when it stands, or is being tried first. HOST:PORT. */
const char *link_trouble(const struct link *link);
const char *link_where(const struct link *link);

#endif
