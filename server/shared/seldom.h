/*
 * seldom.h - log lines of one kind, of which an attacker could make any number: one at once, then one
 * every SELDOM_MS, which tells how many were left out.
 */
#ifndef SERVER_SHARED_SELDOM_H
#define SERVER_SHARED_SELDOM_H

#include <stdbool.h>
#include <stdint.h>

enum { SELDOM_MS = 10000 };

struct seldom {
	bool spoke;
	int64_t at;
	unsigned long left_out;
};

bool seldom_may_speak(struct seldom *seldom, int64_t now, unsigned long *left_out);

#endif
