/*
 * watch.h - watching in the browser: the loop of holmgang-web.
 *
 * It is not in watch/, so that a program that only watches on a terminal needs no HTTP server.
 */
#ifndef VIEWER_WEB_WATCH_H
#define VIEWER_WEB_WATCH_H

#include "viewer/web/web.h"

/* Serve what is heard until told to stop. */
enum watch_end watch_as_web(struct watch *watch, const struct watch_options *options,
			    struct web *web);

#endif
