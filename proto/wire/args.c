/*
 * args.c - reading command lines. See args.h.
 *
 * Owns nothing. What is wrong it says on standard error, and ends the program. It never keeps a descriptor.
 */
#include "proto/wire/args.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bsd/stdlib.h>

/* Digits and nothing else. Pipes are full of numbers: strtonum() would take in signs and spaces too,
 * and ten times as long. */
bool args_read_number(const char *text, long low, long high, long *number)
{
	long value = 0;

	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++) {
		int digit = *text - '0';

		if (digit < 0 || digit > 9 || value > (LONG_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*number = value;
	return value >= low && value <= high;
}

bool args_read_int(const char *text, int low, int high, int *number)
{
	long value;

	if (!args_read_number(text, low, high, &value))
		return false;
	*number = (int)value;
	return true;
}

long args_number(const char *what, const char *text, long low, long high)
{
	long number;

	if (text == NULL || !args_read_number(text, low, high, &number))
		args_refuse("%s needs a number from %ld to %ld, not \"%s\"", what, low, high,
			    text == NULL ? "" : text);
	return number;
}

static bool add_port(struct ports *ports, uint16_t port)
{
	for (int i = 0; i < ports->count; i++)
		if (ports->port[i] == port)
			return true;
	if (ports->count == ARGS_PORTS_MAX)
		return false;
	ports->port[ports->count++] = port;
	return true;
}

bool args_add_ports(struct ports *ports, const char *text)
{
	char first[8];
	const char *dash = strchr(text, '-');
	size_t length = dash == NULL ? strlen(text) : (size_t)(dash - text);
	long low, high;

	if (length >= sizeof(first))
		return false;
	memcpy(first, text, length);
	first[length] = '\0';
	if (!args_read_number(first, 1, UINT16_MAX, &low))
		return false;
	high = low;
	if (dash != NULL && !args_read_number(dash + 1, low, UINT16_MAX, &high))
		return false;
	for (long port = low; port <= high; port++)
		if (!add_port(ports, (uint16_t)port))
			return false;
	return true;
}

bool args_read_address(const char *text, char *host, size_t size, uint16_t *port)
{
	const char *colon = strrchr(text, ':');
	size_t length = colon == NULL ? 0 : (size_t)(colon - text);
	long number;

	if (length > 1 && text[0] == '[' && text[length - 1] == ']') {
		text++;
		length -= 2;
	}
	if (length == 0 || length >= size || !args_read_number(colon + 1, 1, UINT16_MAX, &number))
		return false;
	memcpy(host, text, length);
	host[length] = '\0';
	*port = (uint16_t)number;
	return true;
}

void args_refuse(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", getprogname());
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, " (see %s --help)\n", getprogname());
	exit(2);
}

/* How many letters of one word must go, come or change until it is the other. */
static size_t distance(const char *one, const char *other)
{
	enum { LENGTH_MAX = 40 };
	size_t row[LENGTH_MAX + 1], length = strlen(other);

	if (length > LENGTH_MAX || strlen(one) > LENGTH_MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (size_t i = 1; i <= strlen(one); i++) {
		size_t before = row[0]++;

		for (size_t j = 1; j <= length; j++) {
			size_t changed = before + (one[i - 1] != other[j - 1]);
			size_t added = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;

			before = row[j];
			row[j] = changed < added ? changed : added;
		}
	}
	return row[length];
}

/* The name of an option that may have been meant; NULL: none is near. */
static const char *find_near(const char *said, const struct option *options)
{
	size_t least = 1 + strlen(said) / 3;
	const char *near = NULL;

	for (; options->name != NULL; options++) {
		size_t far = distance(said, options->name);

		if (far >= least && strncmp(said, options->name, strlen(said)) != 0)
			continue;
		near = options->name;
		least = far < least ? far : least;
	}
	return near;
}

/* `said` is what was read last, which need not be the option when several letters share a '-'. */
static void __attribute__((noreturn))
refuse_option(int code, const char *said, const char *letters, const struct option *options)
{
	bool is_long = optopt <= 0 || optopt > CHAR_MAX ||
		       (strchr(letters, optopt) == NULL && strncmp(said, "--", 2) == 0);
	char name[64] = {'-', (char)optopt, '\0'};
	const char *near;

	if (is_long)
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(said, "="), said);
	if (code == ':')
		args_refuse("%s needs a value", name);
	if (is_long && optopt != 0)
		args_refuse("%s takes no value", name);
	near = is_long ? find_near(name + strspn(name, "-"), options) : NULL;
	if (near == NULL)
		args_refuse("there is no option %s", name);
	args_refuse("there is no option %s; did you mean --%s?", name, near);
}

int args_option(int argc, char *argv[], const char *letters, const struct option *options)
{
	int code;

	/* what is wrong is said here, in the same way as all the rest */
	opterr = 0;
	code = getopt_long(argc, argv, letters, options, NULL);
	if (code == '?' || code == ':')
		refuse_option(code, argv[optind - 1], letters, options);
	return code;
}

void args_fill_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		/* it is the lowest that is free, so it is the one that open() takes */
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0) {
			fprintf(stderr,
				"%s: descriptor %d is closed, and /dev/null cannot be opened for "
				"it: %s (start this program with descriptors 0 to 2 open)\n",
				getprogname(), fd, strerror(errno));
			exit(1);
		}
	}
}

void args_check_ready(int fd)
{
	if (fd >= 0 && fcntl(fd, F_GETFD) < 0)
		args_refuse("descriptor %d is not open: open it, as in %d>FILE, or leave out "
			    "--ready-fd",
			    fd, fd);
}

void args_tell_ready(int fd)
{
	if (fd < 0)
		return;
	/* whoever waited may have gone; that is no reason to stop */
	if (write(fd, "ready\n", 6) < 0)
		perror("cannot tell that the program is up");
	/* the log and the boards go there, and the next socket would take its place */
	if (fd > STDERR_FILENO)
		close(fd);
}
