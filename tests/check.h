/*
 * check.h - for drivers that test one module: "ok", or a line "FAIL what" for each check that fails
 * and exit 1.
 */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int check_failed;

static inline void check(bool holds, const char *what)
{
	if (holds)
		return;
	printf("FAIL %s\n", what);
	check_failed = 1;
}

#define CHECK(holds) check((holds), #holds)

static inline void check_text(const char *text, const char *expected)
{
	if (strcmp(text, expected) == 0)
		return;
	printf("FAIL \"%s\" instead of \"%s\"\n", text, expected);
	check_failed = 1;
}

static inline int check_end(void)
{
	if (!check_failed)
		puts("ok");
	return check_failed;
}

#endif
