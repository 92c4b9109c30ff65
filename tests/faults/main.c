/*
 * main.c - holmgang-faults: many tables of all games on a server of its own, things broken or rude
 * clients there meanwhile, and every byte checked. See faults.h.
 */
#include "tests/faults/faults.h"

#include "proto/wire/args.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum {
	EVENTS = 256,
	TURN_MS = 4,
	RESTART_MS = 5000, /* from one death of the server to the next */
	DRAIN_MS = 45000,  /* for the tables that go on when the time is over */
};

static const char usage[] =
    "Usage: holmgang-faults [option ...]\n"
    "Plays tables of all games against a server of its own, kills, stops and cuts meanwhile, and\n"
    "checks every byte that the players are told. Exit 1: something was lost, doubled or wrong.\n"
    "\n"
    "  --seconds S    for so long (60); then the tables that are played may end\n"
    "  --tables N     so many at once (100)\n"
    "  --part N       1: processes and connections; 2: the whole server too; 3: nothing is\n"
    "                 broken, but rude clients say all they can; 0: the last twelfth of the\n"
    "                 time for 3, half of the rest each for 1 and 2 (0)\n"
    "  --calm         break nothing\n"
    "  --soak         break nothing, print each minute what the server takes, and fail when its\n"
    "                 memory has grown by more than 1 MiB from the first minute to the last, or\n"
    "                 its descriptors by more than a tenth\n"
    "  --seed N       of all that chance decides here (random, and printed)\n"
    "  --server FILE  the server (holmgang-server beside this program)\n"
    "  --help\n";

static struct {
	int seconds, tables, part;
	bool calm, soak;
	uint64_t seed;
} option = {.seconds = 60, .tables = 100};

struct player_list players;
struct table_list tables;
int poller;

static uint64_t generator;

uint32_t chance(uint32_t below)
{
	return game_draw(&generator, below);
}

int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* --- when something is wrong ------------------------------------------------------------------- */

static void report(void)
{
	printf("seed %llu: %lu tables begun, %lu finished, %lu lost with the server; %lu moves\n",
	       (unsigned long long)option.seed, played.begun, played.finished, played.lost,
	       count_moves);
	printf(
	    "killed: %lu duels, %lu spawners, %lu recorders, %lu servers; stopped: %lu duels; cut: "
	    "%lu connections, %lu resumed\n",
	    broken.duels, broken.spawners, broken.recorders, broken.restarts, broken.stops,
	    broken.cuts, broken.resumes);
	rude_report();
}

static void end_badly(void)
{
	printf("state folder: %s\n", server.state);
	report();
	breaker_stop();
	server_end();
	fflush(stdout);
	_exit(1);
}

void fail(const char *format, ...)
{
	va_list args;

	printf("FAILED: ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	end_badly();
	abort(); /* not reached */
}

static void print_table(const struct table *table)
{
	printf(
	    "table %u: %s table=%s rounds=%d seats=%d, %d states so far, duel %s in %s/journals/\n",
	    table->serial, table->game->name, table->shape.table, table->shape.rounds,
	    table->shape.seats, table->entries, table->duel, server.state);
	for (int i = 0; i < table->bots; i++) {
		const struct bot *bot = table->bot[i];

		printf(
		    "  %s seat %d %s: phase %d, %d of %d heard, %d said and not answered, %u cuts, "
		    "waits for \"%.40s\"%s\n",
		    bot->name, bot->seat, bot->full ? "full" : "classic", (int)bot->phase,
		    bot->next, table->entries, bot->saids, bot->cuts,
		    bot->want == NULL ? "" : bot->want, bot->stuck ? ", stuck" : "");
		if (bot->stuck)
			printf("    and cannot judge yet: %.*s\n", (int)(bot->length - bot->used),
			       bot->data + bot->used);
	}
}

void table_wrong(const struct table *table, const char *format, ...)
{
	va_list args;

	printf("FAILED: ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	print_table(table);
	end_badly();
	abort(); /* not reached */
}

void wrong(const struct bot *bot, const char *line, const char *format, ...)
{
	va_list args;

	printf("FAILED: %s heard \"%s\": ", bot->name, line);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	for (unsigned i = bot->hears > HEARD_KEPT ? bot->hears - HEARD_KEPT : 0; i < bot->hears;
	     i++)
		printf("  before that: %s\n", bot->heard[i % HEARD_KEPT]);
	print_table(bot->table);
	end_badly();
	abort(); /* not reached */
}

/* --- the loop ---------------------------------------------------------------------------------- */

static void go_on(int64_t now)
{
	for (int i = 0; i < tables.count; i++) {
		struct table *table = &tables.table[i];

		for (int rounds = 0; table->stirred && rounds < 100; rounds++) {
			table->stirred = false;
			for (int b = 0; b < table->bots; b++)
				if (table->bot[b]->stuck)
					bot_go_on(table->bot[b]);
		}
		for (int b = 0; b < table->bots; b++) {
			struct bot *bot = table->bot[b];

			if (bot->phase == BOT_PLACING && bot->stuck && now >= bot->patience)
				bot_go_on(bot);
			act(bot, now);
		}
		slots_go_on(table, now);
	}
}

static void turn(void)
{
	struct epoll_event events[EVENTS];
	int count = epoll_wait(poller, events, EVENTS, TURN_MS);

	for (int i = 0; i < count; i++) {
		struct bot *bot = events[i].data.ptr;

		if (bot->fd >= 0)
			bot_hear(bot);
	}
	go_on(now_ms());
	rude_watch(now_ms());
}

/* The second part: the server dies, when nobody waits for an answer to PLAY: without ID he could
 * not come back, and the others would wait for him. Nor when a newcomer is on his way to a table:
 * nobody would have heard that he has come. Nor beside rude clients, of whom the same is true. */
static void kill_server_when_quiet(int64_t rude)
{
	int64_t end = now_ms() + 2000;

	played.no_entries = true;
	while (slots_somebody_enters() && now_ms() < end)
		turn();
	played.no_entries = false;
	if (!slots_somebody_enters() && now_ms() < rude)
		breaker_kill_server();
}

/* When which part begins; INT64_MAX: not at all. */
struct times {
	int64_t begin, restarts, rude, end;
};

static struct times plan(void)
{
	int64_t length = option.seconds * INT64_C(1000);
	struct times times = {.begin = now_ms(), .restarts = INT64_MAX, .rude = INT64_MAX};

	times.end = times.begin + length;
	if (option.part == 3 || (option.part == 0 && !option.calm))
		times.rude = option.part == 3 ? times.begin : times.end - length / 12;
	if (option.part == 2 || option.part == 0)
		times.restarts = times.begin + (option.part == 0 ? length * 11 / 24 : 0);
	return times;
}

static void break_things(const struct times *times)
{
	static int64_t restart;
	int64_t every, now = now_ms();

	if (option.calm)
		return;
	if (now >= times->rude) {
		breaker_stop();
		return;
	}
	breaker_run(now);
	if (times->restarts == INT64_MAX)
		return;
	every = ((times->rude < times->end ? times->rude : times->end) - times->restarts) / 3;
	every = every < RESTART_MS ? every : RESTART_MS;
	if (restart == 0)
		restart = times->restarts + every;
	if (now >= restart) {
		kill_server_when_quiet(times->rude);
		restart = now_ms() + every;
	}
}

static void let_tables_end(void)
{
	int64_t end = now_ms() + DRAIN_MS;

	played.closing = true;
	while (!slots_all_idle()) {
		turn();
		for (int i = 0; i < tables.count && now_ms() > end; i++)
			if (!tables.table[i].idle)
				table_wrong(&tables.table[i], "it does not end");
	}
}

static void play(void)
{
	struct times times = plan();

	if (times.rude < times.end)
		rude_start(option.seed + 1, times.rude, times.end);
	while (now_ms() < times.end) {
		turn();
		if (option.soak)
			soak_run(now_ms(), times.begin);
		break_things(&times);
	}
	breaker_stop();
	if (option.soak)
		soak_judge();
	let_tables_end();
	for (int i = 0; i < players.count; i++)
		bot_close(&players.bot[i]);
	rude_end();
}

static void read_options(int argc, char **argv)
{
	static const struct option options[] = {{"seconds", required_argument, NULL, 's'},
						{"tables", required_argument, NULL, 't'},
						{"part", required_argument, NULL, 'p'},
						{"calm", no_argument, NULL, 'c'},
						{"soak", no_argument, NULL, 'k'},
						{"seed", required_argument, NULL, 'r'},
						{"server", required_argument, NULL, 'S'},
						{"help", no_argument, NULL, 'h'},
						{NULL, 0, NULL, 0}};
	static char beside[4096];
	int code;

	if (getrandom(&option.seed, sizeof(option.seed), 0) < 0)
		option.seed = (uint64_t)time(NULL);
	option.seed >>= 32;
	snprintf(beside, sizeof(beside), "%.*sholmgang-server",
		 (int)(strrchr(argv[0], '/') != NULL ? strrchr(argv[0], '/') + 1 - argv[0] : 0),
		 argv[0]);
	server.program = beside;
	while ((code = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (code == 's')
			option.seconds = (int)args_number("--seconds", optarg, 1, 86400);
		else if (code == 't')
			option.tables = (int)args_number("--tables", optarg, 1, 2000);
		else if (code == 'p')
			option.part = (int)args_number("--part", optarg, 0, 3);
		else if (code == 'c')
			option.calm = true;
		else if (code == 'k')
			option.calm = option.soak = true;
		else if (code == 'r')
			option.seed = (uint64_t)args_number("--seed", optarg, 0, INT64_MAX);
		else if (code == 'S')
			server.program = optarg;
		else if (code == 'h')
			exit(fputs(usage, stdout) < 0);
		else
			exit(2);
	}
	if (optind < argc)
		args_refuse("\"%s\" is not known; --help says what is", argv[optind]);
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	read_options(argc, argv);
	game_seed(&generator, option.seed);
	printf("seed %llu, %d tables, %d s\n", (unsigned long long)option.seed, option.tables,
	       option.seconds);
	poller = epoll_create1(EPOLL_CLOEXEC);
	server_start();
	server_note_first();
	slots_open(option.tables);
	play();
	server_expect_as_at_first();
	rude_judge();
	server_leave_nothing();
	server_clean_up();
	report();
	puts("ok");
	return 0;
}
