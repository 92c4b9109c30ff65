/*
 * name.c - what a player is called who was given no name. See name.h.
 */
#include "player/session/name.h"

#include "proto/wire/args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void name_guess(char name[NAME_MAX_BYTES])
{
	const char *user = getenv("USER");

	snprintf(name, NAME_MAX_BYTES, "%s", user == NULL || *user == '\0' ? "anon" : user);
	for (char *c = name; *c != '\0'; c++) {
		char one[] = {'a', *c, '\0'};

		if (!name_is_valid(one))
			*c = '_';
	}
	if (!name_is_valid(name))
		strcpy(name, "anon");
}

/* Which of several this one is: by whoever started them, or by its pid. 2 and 3 are left out: the server calls
 * its own computers easy, easy-2, easy-3. */
static int own_number(void)
{
	const char *said = getenv("HOLMGANG_NUMBER");
	int number;

	if (said == NULL || !args_read_int(said, 1, 9999999, &number))
		number = getpid();
	return number == 1 ? 1 : number + 2;
}

void name_alone(char name[NAME_MAX_BYTES], const char *what)
{
	snprintf(name, NAME_MAX_BYTES, "%s-%d", what, own_number());
}
