/*
 * args.h - what the programs' command lines share: numbers, ports and how to refuse.
 */
#ifndef PROTO_WIRE_ARGS_H
#define PROTO_WIRE_ARGS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOLMGANG_VERSION "0.1.0"

enum { ARGS_PORTS_MAX = 1024 };

/* The ports said on a command line, in order, each once. */
struct ports {
	int count;
	uint16_t port[ARGS_PORTS_MAX];
};

/* Digits only, from `low` to `high`. */
bool args_read_number(const char *text, long low, long high, long *number);

bool args_read_int(const char *text, int low, int high, int *number);

/* As above, but says what is wrong and exits with 2. `what` names the thing: "--idle". */
long args_number(const char *what, const char *text, long low, long high);

/* A port, or a range of them: 9001 or 9001-9016. False: it is neither, or there are too many. */
bool args_add_ports(struct ports *ports, const char *text);

/* HOST:PORT; an IPv6 address may stand in brackets. False: it is neither, or the host does not fit,
 * and nothing has been written. */
bool args_read_address(const char *text, char *host, size_t size, uint16_t *port);

/* One line on standard error, "PROGRAM: …", and exit with 2. */
void args_refuse(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* As getopt_long(), but an option that is not known, or has no value, is refused, with the one that may have been
 * meant. The letters have a ':' before the first one. */
int args_option(int argc, char *argv[], const char *letters, const struct option *options);

/* First of all: standard descriptors that are closed are opened, on /dev/null. Otherwise the next file or
 * socket would be one of them, and what is meant for people would go there. */
void args_fill_standard(void);

/* Refuse a descriptor for --ready-fd that whoever started this program has not opened; a negative one is
 * none. To be asked before anything is opened here, which might be that one. */
void args_check_ready(int fd);

/* Tell whoever started this program that it is up: a line "ready" into descriptor `fd`, which is
 * then closed, unless it is a standard one (--ready-fd; nothing is done when fd is negative). */
void args_tell_ready(int fd);

#endif
