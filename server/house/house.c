/*
 * house.c - hears the server, starts bots, ends and reaps them. See house.h.
 *
 * Owns: the list of the bots, from the start of each until it has been reaped.
 * Talks to: the server, which it only hears; the bots by signals alone.
 * Never: speaks to a player; knows which table a bot plays at, or how.
 */
#include "server/house/house.h"

#include "server/house/cage.h"
#include "server/shared/helper.h"
#include "server/trace/trace.h"

#include "proto/time/timers.h"
#include "proto/wire/args.h"
#include "proto/wire/log.h"
#include "proto/wire/message.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bsd/string.h>
#include <bsd/unistd.h>

enum { END_MS = 2000 /* for a bot without a seat to end by itself */ };

static void set_title(const struct house *house)
{
	setproctitle("house, %zu bot%s", house->bots, house->bots == 1 ? "" : "s");
}

/* --- the end of a bot ------------------------------------------------------------------------- */

static void note_end(const struct house_bot *bot, int status)
{
	int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (signal != 0)
		trace_instant(INSTANT_REAP_KILLED, bot->pid, signal);
	else
		trace_instant(INSTANT_REAP, bot->pid, WEXITSTATUS(status));
	if (trace_on)
		trace_write_instant_of(bot->pid, signal != 0 ? INSTANT_KILLED : INSTANT_EXIT,
				       signal != 0 ? signal : WEXITSTATUS(status));
	/* one that has no seat any more may end as it likes */
	if (status != 0 && bot->kill_at == 0)
		log_warn("bot-died number=%u name=%s pid=%d status=0x%x so=\"its table goes on as "
			 "with a player who has lost the connection\"",
			 bot->number, bot->name, (int)bot->pid, (unsigned)status);
	else
		log_debug("bot-ended number=%u name=%s pid=%d status=0x%x", bot->number, bot->name,
			  (int)bot->pid, (unsigned)status);
}

static struct house_bot *bot_of(const struct house *house, pid_t pid)
{
	for (size_t i = 0; i < house->bots; i++)
		if (house->bot[i].pid == pid)
			return &house->bot[i];
	return NULL;
}

static void reap(struct house *house)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	(void)!read(house->children, &info, sizeof(info)); /* it may stand for several deaths */
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		struct house_bot *bot = bot_of(house, pid);

		if (bot == NULL)
			continue;
		note_end(bot, status);
		*bot = house->bot[--house->bots];
	}
	set_title(house);
}

static void kill_overdue(struct house *house)
{
	int64_t now = clock_ms();

	for (size_t i = 0; i < house->bots; i++) {
		struct house_bot *bot = &house->bot[i];

		if (bot->kill_at == 0 || now < bot->kill_at)
			continue;
		log_warn("bot-killed number=%u name=%s pid=%d reason=\"it has no seat and does not "
			 "end\"",
			 bot->number, bot->name, (int)bot->pid);
		kill(bot->pid, SIGKILL);
		bot->kill_at = INT64_MAX; /* once */
	}
}

static int64_t next_kill(const struct house *house)
{
	int64_t next = TIMER_NEVER;

	for (size_t i = 0; i < house->bots; i++)
		if (house->bot[i].kill_at != 0 && house->bot[i].kill_at < next)
			next = house->bot[i].kill_at;
	return next;
}

/* --- the server's words ----------------------------------------------------------------------- */

static bool begin_life(struct house *house, char *const words[])
{
	long life, port;

	if (!args_read_number(words[1], 0, UINT32_MAX, &life) ||
	    strlcpy(house->address, words[2], sizeof(house->address)) >= sizeof(house->address) ||
	    !args_read_number(words[3], 1, UINT16_MAX, &port))
		return false;
	strlcpy(house->port, words[3], sizeof(house->port));
	house->link.life = (uint32_t)life;
	cage_enter_house(house->config, house->player, (uint16_t)port);
	return true;
}

/* What cannot be started does not come, and the server will not wait for it. */
static void start(struct house *house, unsigned number, const struct house_seat *seat)
{
	struct house_bot *bot = &house->bot[house->bots];
	int64_t begun = trace_begin();

	if (house->player < 0)
		return;
	if (house->bots == house->room) {
		log_warn("bot-not-started number=%u reason=\"too many have not ended yet\"",
			 number);
		return;
	}
	*bot = (struct house_bot){.number = number, .pid = bot_start(house, seat)};
	if (bot->pid < 0) {
		log_warn("bot-not-started number=%u reason=\"%s\"", number, strerror(errno));
		return;
	}
	trace_end_with(begun, SLICE_FORK_HELPER, bot->pid, 0);
	strlcpy(bot->name, seat->name, sizeof(bot->name));
	house->bots++;
	set_title(house);
}

static bool start_bot(struct house *house, char *const words[])
{
	struct house_seat seat = {.name = words[2],
				  .level = bot_level_of(words[2]),
				  .game = game_find(words[3]),
				  .token = words[5]};
	long number;

	if (!args_read_number(words[1], 1, UINT_MAX, &number) || seat.level == NULL ||
	    seat.game == NULL || !args_read_int(words[4], 0, INT_MAX, &seat.clock) ||
	    !token_is_valid(seat.token))
		return false;
	start(house, (unsigned)number, &seat);
	explicit_bzero(words[5], strlen(words[5]));
	return true;
}

/* It may have ended already, or be one of a house before this one. */
static bool expect_end(struct house *house, char *const words[])
{
	long number;

	if (!args_read_number(words[1], 1, UINT_MAX, &number))
		return false;
	for (size_t i = 0; i < house->bots; i++)
		if (house->bot[i].number == (unsigned)number)
			house->bot[i].kill_at = clock_ms() + END_MS;
	return true;
}

static bool obey(struct house *house, enum message message, const struct words *words)
{
	switch (message) {
#define CASE(symbol, first, sender, low, high, when, handler, carries)                             \
	case symbol:                                                                               \
		return handler(house, words->word);
		HOUSE_MESSAGES(CASE)
#undef CASE
	default:
		return false;
	}
}

/* The first one says which house this is, by which its arrows in a timeline are known. */
static void hear_line(struct house *house, char *line)
{
	struct words words;
	enum message message = message_read(BY_SERVER_HOUSE, line, &words);

	if (message != HOUSE_BEGIN)
		trace_heard(&house->link, WAY_HOUSE, words.word[0]);
	if (!obey(house, message, &words)) {
		log_error("bad-message from=server");
		abort();
	}
	if (message == HOUSE_BEGIN)
		trace_heard(&house->link, WAY_HOUSE, words.word[0]);
}

/* False: the server has gone, or stops. */
static bool hear(struct house *house)
{
	size_t room;
	char *place = line_room(&house->reader, &room), *line;
	ssize_t length = read(house->words, place, room);
	int64_t begun = trace_begin();

	if (length < 0 && errno == EINTR)
		return true;
	if (length <= 0)
		return false;
	line_fed(&house->reader, (size_t)length);
	while ((line = line_next(&house->reader)) != NULL)
		hear_line(house, line);
	trace_end(begun, SLICE_HEAR_SERVER);
	return true;
}

/* --- the loop --------------------------------------------------------------------------------- */

static void watch_children(struct house *house)
{
	sigset_t ended;

	sigemptyset(&ended);
	sigaddset(&ended, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ended, NULL);
	house->children = signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK);
	if (house->children < 0) {
		log_error("no-bots reason=\"%s\"", strerror(errno));
		_exit(1);
	}
}

/* The server has told those that have a seat that it stops; nobody is here any more who could hear the others. */
static void end_all(struct house *house)
{
	int status;

	for (size_t i = 0; i < house->bots; i++)
		kill(house->bot[i].pid, SIGKILL);
	while (house->bots > 0 && waitpid(house->bot[house->bots - 1].pid, &status, 0) > 0) {
		house->bot[--house->bots].kill_at = 1; /* as was to be */
		note_end(&house->bot[house->bots], status);
	}
}

void house_run(struct house *house)
{
	struct pollfd slot[2];

	watch_children(house);
	set_title(house);
	for (;;) {
		slot[0] = (struct pollfd){.fd = house->words, .events = POLLIN};
		slot[1] = (struct pollfd){.fd = house->children, .events = POLLIN};
		poll(slot, 2, trace_wait(timers_wait(next_kill(house), clock_ms())));
		if (slot[1].revents != 0)
			reap(house);
		if (slot[0].revents != 0 && !hear(house))
			break;
		kill_overdue(house);
	}
	end_all(house);
	trace_exit();
	_exit(0);
}
