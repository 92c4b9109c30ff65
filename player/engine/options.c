/*
 * options.c - the part of the player's command line that is about engines. See options.h.
 *
 * Owns the engine's part of `struct options`: fills it and checks it, or ends the program with status 2.
 * It never starts anything.
 */
#include "player/engine/options.h"

#include <stdio.h>
#include <string.h>

enum { START_DEFAULT = 10 };

static void read_way(struct options *options, enum engine_way way)
{
	if (options->engine_way != ENGINE_NONE)
		args_refuse("of --engine, --engine-connect and --engine-listen only one can be "
			    "said, and once");
	options->engine_way = way;
}

void engine_option_read(struct options *options, int option, const char *value)
{
	switch (option) {
	case ENGINE_COMMAND:
		if (*value == '\0')
			args_refuse("--engine needs a command");
		read_way(options, ENGINE_BY_COMMAND);
		options->engine = value;
		break;
	case ENGINE_CONNECT:
		read_way(options, ENGINE_BY_CONNECTING);
		if (!args_read_address(value, options->engine_host, sizeof(options->engine_host),
				       &options->engine_port))
			args_refuse("--engine-connect needs HOST:PORT, not \"%s\"", value);
		break;
	case ENGINE_LISTEN:
		read_way(options, ENGINE_BY_LISTENING);
		options->engine_port = (uint16_t)args_number("--engine-listen", value, 1,
							     UINT16_MAX);
		break;
	case ENGINE_LOG:
		options->engine_log = value;
		break;
	case ENGINE_START:
		options->engine_start = (int)args_number("--engine-start", value, 1, 3600);
		break;
	case ENGINE_LIMIT:
		options->engine_limit = (int)args_number("--engine-limit", value, 1, 86400);
		break;
	default:
		break;
	}
}

void engine_options_check(struct options *options)
{
	static char log[sizeof("engine-.log") + NAME_MAX_BYTES];

	if (options->engine_way == ENGINE_NONE) {
		if (options->engine_log != NULL || options->engine_start > 0 ||
		    options->engine_limit > 0)
			args_refuse(
			    "--engine-log, --engine-start and --engine-limit need an engine: "
			    "--engine COMMAND or the like");
		return;
	}
	if (options->bot || options->has_seed || options->pace >= 0 || options->think > 0)
		args_refuse("--bot, --seed, --think and --pace are for the built-in bot, not for "
			    "an engine");
	if (options->engine_log != NULL && options->engine_way != ENGINE_BY_COMMAND)
		args_refuse("--engine-log is for --engine alone: only of a command is the "
			    "standard error known");
	if (options->engine_start > 0 && options->engine_way == ENGINE_BY_LISTENING)
		args_refuse("--engine-start is not for --engine-listen: whoever starts the engine "
			    "may take his time");
	if (options->engine_start == 0)
		options->engine_start = START_DEFAULT;
	if (options->engine_log == NULL) {
		/* who was given no name is called engine-5 */
		snprintf(log, sizeof(log), "%s%s.log",
			 strncmp(options->name, "engine-", 7) == 0 ? "" : "engine-", options->name);
		options->engine_log = log;
	}
}
