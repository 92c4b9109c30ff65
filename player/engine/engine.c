/*
 * engine.c - a program of somebody else's that plays. See engine.h.
 *
 * Owns the channel and the keeper; reach.c opens them. It never understands a line of the game's, and waits
 * only in engine_close().
 */
#include "player/engine/engine.h"

#include "proto/time/timers.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum {
	LOOK_MS = 20,	/* between two looks whether it has read */
	ENDED_MS = 500, /* from the end of its output until its status must be known */
};

const char *failure_word(enum failure failure)
{
	static const char *const words[] = {
	    [FAILURE_NONE] = "none",
	    [FAILURE_CRASHED] = "crashed",
	    [FAILURE_HUNG] = "hung",
	    [FAILURE_PROTOCOL] = "protocol",
	};

	return words[failure];
}

bool engine_open(struct engine *engine, const struct options *options)
{
	engine->options = options;
	engine->state = ENGINE_IDLE;
	engine->socket = -1;
	channel_init(&engine->channel);
	/* an engine that has gone is noticed when it is read from */
	signal(SIGPIPE, SIG_IGN);
	return engine_reach_open(engine);
}

static void let_go(struct engine *engine)
{
	channel_close(&engine->channel);
	keeper_stop(&engine->keeper);
	engine->reached = false;
	engine->state = ENGINE_IDLE;
	engine->ended_at = 0;
}

void engine_close(struct engine *engine)
{
	let_go(engine);
	keeper_end(&engine->keeper);
}

void engine_start(struct engine *engine, const char *lines)
{
	let_go(engine);
	engine->state = ENGINE_STARTING;
	engine->failure = FAILURE_NONE;
	engine->try_at = 0;
	engine->tries = 0;
	/* with --engine-listen a person starts the engine, which takes as long as it takes */
	engine->until = clock_ms() + (int64_t)engine->options->engine_start * 1000;
	if (engine->options->engine_way == ENGINE_BY_LISTENING)
		engine->until = 0;
	if (*lines != '\0')
		channel_tell(&engine->channel, lines);
}

void engine_tell(struct engine *engine, const char *line)
{
	if (engine->state != ENGINE_IDLE)
		channel_tell(&engine->channel, line);
}

void engine_fail(struct engine *engine, enum failure failure, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(engine->why, sizeof(engine->why), format, args);
	va_end(args);
	engine->failure = failure;
	let_go(engine);
}

int engine_poll(const struct engine *engine, bool wanted, struct pollfd entry[ENGINE_POLLS])
{
	bool connecting = engine->options->engine_way == ENGINE_BY_CONNECTING;
	bool looking = engine->state == ENGINE_STARTING && !engine->reached;

	entry[2] = (struct pollfd){.fd = -1};
	entry[3] = (struct pollfd){.fd = -1};
	channel_poll(&engine->channel, wanted, entry);
	if (engine->keeper.pid != 0)
		entry[2] = (struct pollfd){.fd = engine->keeper.words, .events = POLLIN};
	if (looking)
		entry[3] = (struct pollfd){.fd = engine->socket,
					   .events = connecting ? POLLOUT : POLLIN};
	if (engine->state == ENGINE_STARTING && engine->options->engine_way != ENGINE_BY_LISTENING)
		return LOOK_MS;
	return engine->ended_at != 0 || engine->keeper.until != 0 ? LOOK_MS : -1;
}

void engine_step(struct engine *engine, const struct pollfd entry[ENGINE_POLLS])
{
	keeper_step(&engine->keeper);
	channel_step(&engine->channel, entry);
	if (engine->state == ENGINE_STARTING && !engine->reached)
		engine_reach(engine, entry[3].fd >= 0 ? entry[3].revents : 0);
}

/* It said its last. Why is known when its keeper says so. */
static void ended(struct engine *engine)
{
	const struct keeper *keeper = &engine->keeper;

	if (engine->options->engine_way != ENGINE_BY_COMMAND) {
		engine_fail(engine, FAILURE_CRASHED, "it closed the connection");
		return;
	}
	if (engine->ended_at == 0)
		engine->ended_at = clock_ms();
	if (!keeper->has_ended && clock_ms() - engine->ended_at < ENDED_MS)
		return;
	if (!keeper->has_ended)
		engine_fail(engine, FAILURE_CRASHED, "it closed its standard output");
	else if (WIFSIGNALED(keeper->status))
		engine_fail(engine, FAILURE_CRASHED, "it was killed by signal %d (%s)",
			    WTERMSIG(keeper->status), strsignal(WTERMSIG(keeper->status)));
	else
		engine_fail(engine, FAILURE_CRASHED, "it ended with status %d%s",
			    WEXITSTATUS(keeper->status),
			    WEXITSTATUS(keeper->status) == 127 ? " (is there such a command?)"
							       : "");
}

static void find_trouble(struct engine *engine)
{
	switch (channel_trouble(&engine->channel)) {
	case CHANNEL_ENDED:
		ended(engine);
		break;
	case CHANNEL_TOO_LONG:
		engine_fail(engine, FAILURE_PROTOCOL, "it said %d bytes without the end of a line",
			    CHANNEL_LINE_MAX);
		break;
	case CHANNEL_FULL:
		engine_fail(engine, FAILURE_HUNG, "it does not read what it is told");
		break;
	default:
		break;
	}
}

static bool is_up(const struct engine *engine)
{
	/* a socket takes what it is told whether anybody reads or not */
	return engine->options->engine_way != ENGINE_BY_COMMAND ||
	       channel_is_drained(&engine->channel);
}

static void find_late(struct engine *engine)
{
	if (engine->state != ENGINE_STARTING || engine->until == 0 || clock_ms() < engine->until)
		return;
	if (engine->reached)
		engine_fail(engine, FAILURE_HUNG, "it has read nothing in the %d s after its start",
			    engine->options->engine_start);
	else if (engine->options->engine_way == ENGINE_BY_CONNECTING)
		engine_fail(engine, FAILURE_HUNG, "nobody answered at %.60s port %u within %d s",
			    engine->options->engine_host, engine->options->engine_port,
			    engine->options->engine_start);
	else
		engine_fail(engine, FAILURE_HUNG, "the old one cannot be ended");
}

enum engine_event engine_next(struct engine *engine)
{
	enum failure before = engine->failure;

	if (engine->state == ENGINE_STARTING && engine->reached) {
		engine->line = channel_next(&engine->channel);
		if (engine->line != NULL || is_up(engine)) {
			engine->state = ENGINE_UP;
			return engine->line != NULL ? ENGINE_SAID : ENGINE_READY;
		}
	}
	if (engine->state == ENGINE_UP && (engine->line = channel_next(&engine->channel)) != NULL)
		return ENGINE_SAID;
	if (engine->state != ENGINE_IDLE && engine->reached)
		find_trouble(engine);
	find_late(engine);
	return engine->failure != before ? ENGINE_FAILED : ENGINE_QUIET;
}
