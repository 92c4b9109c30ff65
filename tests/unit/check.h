/*
 * check.h - for drivers that test one module: "ok", or a line "FAIL what" for each check that fails
 * and exit 1.
 */
#ifndef TESTS_UNIT_CHECK_H
#define TESTS_UNIT_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_FAILURES_MAX = 20 }; /* a loop of checks may fail a million times */

static int check_failed;

static inline void check_fail(const char *what)
{
	printf("FAIL %s\n", what);
	if (++check_failed == CHECK_FAILURES_MAX)
		exit(1);
}

static inline void check(bool holds, const char *what)
{
	if (!holds)
		check_fail(what);
}

#define CHECK(holds) check((holds), #holds)

static inline void check_text(const char *text, const char *expected)
{
	char what[512];

	if (strcmp(text, expected) == 0)
		return;
	snprintf(what, sizeof(what), "\"%.200s\" instead of \"%.200s\"", text, expected);
	check_fail(what);
}

static inline int check_end(void)
{
	if (!check_failed)
		puts("ok");
	return check_failed > 0;
}

#endif
