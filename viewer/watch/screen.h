/*
 * screen.h - the wall of boards on the terminal: what watch.c draws.
 */
#ifndef VIEWER_WATCH_SCREEN_H
#define VIEWER_WATCH_SCREEN_H

#include "viewer/watch/wall.h"

/* What the person at the terminal has chosen, and what the last drawing found out. */
struct watch_screen {
	int page, pages;
	const char *note;   /* of the holmgang-web or the server that is heard, or "" */
	const char *server; /* HOST:PORT, or NULL */
	const char *leave;  /* what q does */
	bool tiled;	    /* there may be several: each says which it is */
};

/* Draw all of it. */
void watch_screen_draw(struct watch_screen *screen, const struct wall *wall,
		       const struct ports *ports, unsigned long dropped, int64_t now_ms);

/* A key. False: it was one that ends watching. */
bool watch_screen_key(struct watch_screen *screen, int key);

#endif
