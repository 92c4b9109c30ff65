/*
 * page.h - the files of the page, which are part of the program.
 *
 * They lie in viewer/web/page/, the style sheet of the boards in viewer/svg/; they are linked in as they are,
 * and page.c is the list of them. The rules of each game are a file too, which the game has itself.
 */
#ifndef VIEWER_WEB_PAGE_H
#define VIEWER_WEB_PAGE_H

#include <stddef.h>

struct web_file {
	const char *path; /* as a browser asks for it: "/page.js" */
	const char *type;
	const char *bytes;
	size_t length;
};

/* NULL: there is none of this path. Good until the next call. */
const struct web_file *web_file_find(const char *path);

#endif
