/*
 * deadly.c - preloaded into a server by tests: whoever reads a date of the year 2001 dies. Of ours only the
 * recorder reads dates, those of the records that it puts into the database. So a test can write a record that
 * kills it, now that none is known which does.
 *
 * Owns: nothing.
 */
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <time.h>

/* The system's header calls the parameters by names that are its alone.
 * NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
char *strptime(const char *restrict text, const char *restrict format, struct tm *restrict tm)
{
	static char *(*real)(const char *, const char *, struct tm *);

	if (strncmp(text, "2001-", 5) == 0) {
		raise(SIGKILL);
		__builtin_trap(); /* in its cage it may send no signal */
	}
	if (real == NULL) /* by way of an object: ISO C knows no pointer that is both */
		*(void **)&real = dlsym(RTLD_NEXT, "strptime");
	return real(text, format, tm);
}
