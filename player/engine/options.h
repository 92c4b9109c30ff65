/*
 * options.h - the part of the player's command line that is about engines.
 */
#ifndef PLAYER_ENGINE_OPTIONS_H
#define PLAYER_ENGINE_OPTIONS_H

#include "player/session/options.h"

/* Long options are counted from here, those of engines from ENGINE_LONG. */
enum { OPTION_LONG = 256, ENGINE_LONG = 512 };

enum {
	ENGINE_COMMAND = ENGINE_LONG,
	ENGINE_CONNECT,
	ENGINE_LISTEN,
	ENGINE_LOG,
	ENGINE_START,
	ENGINE_LIMIT,
};

/* clang-format off */
#define ENGINE_OPTIONS \
	{"engine", required_argument, NULL, ENGINE_COMMAND}, \
	{"engine-connect", required_argument, NULL, ENGINE_CONNECT}, \
	{"engine-listen", required_argument, NULL, ENGINE_LISTEN}, \
	{"engine-log", required_argument, NULL, ENGINE_LOG}, \
	{"engine-start", required_argument, NULL, ENGINE_START}, \
	{"engine-limit", required_argument, NULL, ENGINE_LIMIT}

#define ENGINE_HELP \
    "      --engine COMMAND run this for the shell: it reads the server's lines and writes MOVE\n" \
    "      --engine-connect HOST:PORT\n" \
    "                       the same for an engine that listens there\n" \
    "      --engine-listen PORT\n" \
    "                       the same for one that connects to 127.0.0.1 PORT\n" \
    "      --engine-log FILE\n" \
    "                       where a command's standard error goes (engine-NAME.log)\n" \
    "      --engine-start S how long an engine may take to start (10)\n" \
    "      --engine-limit S how long it may take for a move (as long as the table's clock lets\n" \
    "                       it; 60 where there is none)\n"
/* clang-format on */

void engine_option_read(struct options *options, int option, const char *value);

/* Exits with 2 when they do not fit together. */
void engine_options_check(struct options *options);

#endif
