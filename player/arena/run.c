/*
 * run.c - the games: holmgang-player once for each seat, several games at a time.
 *
 * Owns the players' processes and the pipes from them. What they say is believed as far as it can be read.
 * A game that was aborted through no fault of a player is played again, a few times. It never talks to the
 * server.
 */
#include "player/arena/arena.h"

#include "player/beside/beside.h"
#include "player/session/signals.h"

#include "proto/time/timers.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bsd/stdlib.h>

enum {
	TRIES_MAX = 3,
	ARGUMENTS_MAX = 64,
	TICK_MS = 500,	 /* between two looks at the server and the progress bar */
	LAST_MS = 10000, /* from the first result until the others must have told theirs */
};

enum ending { ENDING_NONE, ENDING_WIN, ENDING_LOSE, ENDING_DRAW, ENDING_ABORTED };

/* One player of a running game. */
struct player_process {
	pid_t pid;	   /* 0: not started, or gone */
	int output, ready; /* -1: at its end */
	struct line_reader reader;
	enum ending ending;
	enum fault fault;
	bool failed; /* it has ended and told nothing */
	int seat;    /* at the table, where it is told; -1 */
	char why[GAME_WHY_MAX], duel[UUID_TEXT], points[128];
};

struct running {
	bool active;
	long game;
	int tries, started;
	int64_t over_by; /* ms; 0: nobody has told a result */
	struct pairing pairing;
	struct player_process player[GAME_SEATS_MAX];
};

struct hall {
	struct arena *arena;
	unsigned word; /* in the names of our tables, so that nobody else meets us */
	long next;     /* game that has not been begun */
	int active;
	struct running running[ARENA_AT_ONCE_MAX];
};

struct arguments {
	int count;
	char *word[ARGUMENTS_MAX];
	struct text text;
	char bytes[1024];
};

static void add(struct arguments *arguments, const char *word)
{
	arguments->word[arguments->count++] = (char *)word;
}

/* A word that is put together; it lives as long as `arguments`. */
static void __attribute__((format(printf, 2, 3)))
add_made(struct arguments *arguments, const char *format, ...)
{
	struct text *text = &arguments->text;
	va_list args;

	add(arguments, text->data + text->length);
	va_start(args, format);
	text_add_list(text, format, args);
	va_end(args);
	/* the NUL stays */
	if (text->length + 1 < text->size)
		text->length++;
}

static void add_pair(struct arguments *arguments, const char *option, const char *value)
{
	add(arguments, option);
	add(arguments, value);
}

static void add_entrant(struct arguments *arguments, const struct hall *hall,
			const struct running *running, int seat)
{
	const struct arena_options *options = &hall->arena->options;
	const struct entrant *entrant = &options->entrant[running->pairing.entrant[seat]];

	if (entrant->level != NULL) {
		add_made(arguments, "--bot=%s", entrant->level);
		if (entrant->think > 0)
			add_made(arguments, "--think=%d", entrant->think);
		add(arguments, "--seed");
		add_made(arguments, "%u",
			 options->seed * 2654435761u + (unsigned)running->game * 16 +
			     (unsigned)seat);
		return;
	}
	add_pair(arguments, "--engine", entrant->command);
	add(arguments, "--engine-log");
	if (options->log == NULL)
		add(arguments, "/dev/null");
	else
		add_made(arguments, "%s/%ld-%s.engine.log", options->log, running->game,
			 entrant->name);
}

static void make_arguments(struct arguments *arguments, const struct hall *hall,
			   const struct running *running, int seat)
{
	const struct arena_options *options = &hall->arena->options;

	arguments->count = 0;
	arguments->text = TEXT_IN(arguments->bytes);
	add(arguments, "holmgang-player");
	add_pair(arguments, "--games", "1");
	add_pair(arguments, "--ready-fd", "3");
	add_pair(arguments, "-g", options->game->name);
	add_pair(arguments, "-n", options->entrant[running->pairing.entrant[seat]].name);
	if (options->game->has & GAME_HAS_SIDES)
		add_pair(arguments, "-s", options->game->side_name[seat]);
	add(arguments, "--key");
	add_made(arguments, "table=arena-%08x-%ld", hall->word, running->game);
	add_pair(arguments, "--key", "rounds=1");
	add_pair(arguments, "--key", "wait=60");
	if (options->game->has & GAME_HAS_SEATS) {
		add(arguments, "--key");
		add_made(arguments, "seats=%d", options->seats);
	}
	for (int k = 0; k < options->keys; k++)
		add_pair(arguments, "--key", options->key[k]);
	add_entrant(arguments, hall, running, seat);
	add(arguments, options->host);
	add_made(arguments, "%u", options->port);
	arguments->word[arguments->count] = NULL;
}

static bool start_player(struct hall *hall, struct running *running)
{
	const char *folder = hall->arena->options.log;
	int seat = running->started++, output[2], ready[2];
	struct player_process *player = &running->player[seat];
	struct arguments arguments;
	char log[512];

	*player = (struct player_process){.output = -1, .ready = -1, .seat = -1};
	make_arguments(&arguments, hall, running, seat);
	if (folder != NULL)
		snprintf(log, sizeof(log), "%s/%ld-%s.player.log", folder, running->game,
			 hall->arena->options.entrant[running->pairing.entrant[seat]].name);
	if (pipe2(output, O_CLOEXEC) < 0)
		return false;
	if (pipe2(ready, O_CLOEXEC) < 0) {
		close(output[0]);
		close(output[1]);
		return false;
	}
	player->pid = beside_start(arguments.word, output[1], ready[1], folder == NULL ? NULL : log,
				   SIGKILL);
	close(output[1]);
	close(ready[1]);
	player->output = output[0];
	player->ready = ready[0];
	fcntl(output[0], F_SETFL, O_NONBLOCK);
	return player->pid > 0;
}

static void close_player(struct player_process *player)
{
	if (player->output >= 0)
		close(player->output);
	if (player->ready >= 0)
		close(player->ready);
	player->output = player->ready = -1;
}

/* All are told at once, so that they take no longer than one. */
static void end_players(struct running *running)
{
	for (int i = 0; i < running->started; i++)
		if (running->player[i].pid > 0)
			kill(running->player[i].pid, SIGTERM);
	for (int i = 0; i < running->started; i++) {
		beside_end(running->player[i].pid);
		running->player[i].pid = 0;
		close_player(&running->player[i]);
	}
	running->started = 0;
}

/* Where there are no sides the seats are those of arrival, so one comes after the other. */
static bool start_players(struct hall *hall, struct running *running)
{
	bool in_order = !(hall->arena->options.game->has & GAME_HAS_SIDES);

	while (running->started < running->pairing.seats) {
		if (in_order && running->started > 0 &&
		    running->player[running->started - 1].ready >= 0)
			return true;
		if (!start_player(hall, running)) {
			const char *why = strerror(errno);

			arena_end_progress();
			warnx("cannot start a player: %s", why);
			hall->arena->failed = true;
			return false;
		}
	}
	return true;
}

static bool has_room(const struct hall *hall)
{
	return hall->active < hall->arena->options.at_once;
}

static void begin_games(struct hall *hall)
{
	struct arena *arena = hall->arena;

	for (; has_room(hall) && hall->next < arena->games && !arena->failed; hall->next++) {
		struct running *running = hall->running;

		if (arena->result[hall->next].played)
			continue;
		while (running->active)
			running++;
		*running = (struct running){.active = true, .game = hall->next};
		arena_pairing(&arena->options, running->game, &running->pairing);
		hall->active++;
		start_players(hall, running);
	}
}

static enum fault fault_of(const char *failure)
{
	if (strcmp(failure, "hung") == 0)
		return FAULT_TIMEOUT;
	return strcmp(failure, "protocol") == 0 ? FAULT_ILLEGAL : FAULT_CRASH;
}

/* duel UUID RESULT WHY opponent=… [seat=K points=…] [engine=WORD]; or: engine WORD, given up */
static void hear_duel(struct player_process *player, char *line)
{
	static const char *const endings[] = {"", "win", "lose", "draw", "aborted"};
	struct words words;
	const char *value;

	if (!line_split(line, &words) || player->ending != ENDING_NONE)
		return;
	if (words.count == 2 && strcmp(words.word[0], "engine") == 0)
		player->fault = fault_of(words.word[1]);
	if (words.count < 4 || strcmp(words.word[0], "duel") != 0)
		return;
	for (int i = ENDING_WIN; i <= ENDING_ABORTED; i++)
		if (strcmp(words.word[2], endings[i]) == 0)
			player->ending = (enum ending)i;
	snprintf(player->duel, sizeof(player->duel), "%s", words.word[1]);
	snprintf(player->why, sizeof(player->why), "%s", words.word[3]);
	if (player->ending == ENDING_LOSE && strcmp(player->why, "timeout") == 0)
		player->fault = FAULT_TIMEOUT;
	if (player->ending == ENDING_LOSE && strcmp(player->why, "illegal") == 0)
		player->fault = FAULT_ILLEGAL;
	for (int w = 4; w < words.count; w++) {
		if ((value = line_value(words.word[w], "points")) != NULL)
			snprintf(player->points, sizeof(player->points), "%s", value);
		if ((value = line_value(words.word[w], "seat")) != NULL)
			player->seat = (int)strtol(value, NULL, 10);
		if ((value = line_value(words.word[w], "engine")) != NULL)
			player->fault = fault_of(value);
	}
}

static void hear_player(struct player_process *player)
{
	size_t room;
	char *place = line_room(&player->reader, &room), *line;
	ssize_t length = read(player->output, place, room);

	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (length > 0) {
		line_fed(&player->reader, (size_t)length);
		while ((line = line_next(&player->reader)) != NULL)
			hear_duel(player, line);
		return;
	}
	close_player(player);
	beside_end(player->pid);
	player->pid = 0;
	player->failed = player->ending == ENDING_NONE;
}

static void hear_ready(struct player_process *player)
{
	close(player->ready);
	player->ready = -1;
}

/* The higher the better placed. */
static long worth(const struct player_process *player, int points)
{
	if (player->fault != FAULT_NONE)
		return -1000000;
	return points + (player->ending == ENDING_WIN ? 1000000 : 0);
}

static void read_points(const struct running *running, struct result *result)
{
	for (int i = 0; i < running->pairing.seats; i++) {
		const struct player_process *player = &running->player[i];
		const char *text = player->points;
		char *end;

		/* as they arrived, which is as they were started */
		for (int seat = 0; *text != '\0' && seat < running->pairing.seats; seat++) {
			result->points[seat] = (int)strtol(text, &end, 10);
			result->has_points = true;
			text = *end == ',' ? end + 1 : "";
		}
		if (player->ending != ENDING_ABORTED && result->has_points)
			return;
	}
}

static void record(struct hall *hall, const struct running *running)
{
	struct result *result = &hall->arena->result[running->game];
	int seats = running->pairing.seats;

	*result = (struct result){.played = true};
	read_points(running, result);
	for (int seat = 0; seat < seats; seat++) {
		const struct player_process *player = &running->player[seat];

		result->place[seat] = 1;
		for (int other = 0; other < seats; other++)
			if (worth(&running->player[other], result->points[other]) >
			    worth(player, result->points[seat]))
				result->place[seat]++;
		result->fault[seat] = (uint8_t)player->fault;
		if (player->duel[0] != '\0' && player->ending != ENDING_ABORTED) {
			strcpy(result->why, player->why);
			strcpy(result->duel, player->duel);
		}
	}
	if (result->why[0] == '\0')
		strcpy(result->why, "crashed");
	if (!arena_results_add(hall->arena, running->game))
		hall->arena->failed = true;
}

static void retire(struct hall *hall, struct running *running)
{
	end_players(running);
	running->active = false;
	hall->active--;
}

static void play_again(struct hall *hall, struct running *running, const char *why)
{
	end_players(running);
	if (++running->tries < TRIES_MAX && arena_server_is_well(hall->arena)) {
		running->over_by = 0;
		start_players(hall, running);
		return;
	}
	arena_end_progress();
	warnx("game %ld was ended %d times: %s (-log FOLDER keeps what was said)", running->game,
	      running->tries, why);
	hall->arena->failed = true;
}

/* What the players of a game have told so far: enough? */
static void judge(struct hall *hall, struct running *running)
{
	int told = 0, guilty = 0, failed = 0, seats = running->pairing.seats;
	const char *aborted = NULL;

	for (int i = 0; i < running->started; i++) {
		const struct player_process *player = &running->player[i];

		told += player->ending != ENDING_NONE && player->ending != ENDING_ABORTED;
		failed += player->failed && player->fault == FAULT_NONE;
		guilty += (player->failed || player->ending == ENDING_ABORTED) &&
			  player->fault != FAULT_NONE;
		if (player->ending == ENDING_ABORTED && player->fault == FAULT_NONE)
			aborted = player->why;
	}
	if (told > 0 && running->over_by == 0 && seats == 2)
		running->over_by = clock_ms() + LAST_MS;
	if (told == seats || (guilty > 0 && guilty < seats)) {
		record(hall, running);
		retire(hall, running);
	} else if (failed > 0) {
		play_again(hall, running, "a player ended before it could play");
	} else if (aborted != NULL) {
		play_again(hall, running, aborted);
	} else if (guilty == seats) {
		record(hall, running);
		retire(hall, running);
	} else if (running->over_by != 0 && clock_ms() >= running->over_by) {
		play_again(hall, running, "a player does not tell its result");
	}
}

static int add_polls(const struct hall *hall, struct pollfd entry[])
{
	int count = 0;

	for (int r = 0; r < ARENA_AT_ONCE_MAX; r++) {
		const struct running *running = &hall->running[r];

		for (int i = 0; running->active && i < running->started; i++) {
			entry[count++] = (struct pollfd){.fd = running->player[i].output,
							 .events = POLLIN};
			entry[count++] = (struct pollfd){.fd = running->player[i].ready,
							 .events = POLLIN};
		}
	}
	return count;
}

static void hear_players(struct hall *hall, const struct pollfd entry[])
{
	int count = 0;

	for (int r = 0; r < ARENA_AT_ONCE_MAX; r++) {
		struct running *running = &hall->running[r];
		int started = running->active ? running->started : 0;

		for (int i = 0; i < started; i++, count += 2) {
			if (entry[count].fd >= 0 && entry[count].revents != 0)
				hear_player(&running->player[i]);
			if (running->player[i].ready >= 0 && entry[count + 1].revents != 0)
				hear_ready(&running->player[i]);
		}
		if (running->active && start_players(hall, running))
			judge(hall, running);
	}
}

static bool is_decided(const struct arena *arena)
{
	static long looked = -1;
	double ratio;

	if (looked == arena->played)
		return false;
	looked = arena->played;
	return arena->options.has_sprt && arena_sprt(arena, &ratio) != VERDICT_GO_ON;
}

bool arena_run(struct arena *arena, int signals)
{
	static struct hall hall;
	static struct pollfd entry[1 + 2 * ARENA_AT_ONCE_MAX * GAME_SEATS_MAX];
	bool stopped = false;

	hall.arena = arena;
	hall.word = arc4random();
	while (!stopped && !arena->failed && !is_decided(arena)) {
		int count;

		begin_games(&hall);
		if (hall.active == 0)
			break;
		entry[0] = (struct pollfd){.fd = signals, .events = POLLIN};
		count = 1 + add_polls(&hall, entry + 1);
		if (poll(entry, (nfds_t)count, TICK_MS) < 0)
			continue;
		stopped = entry[0].revents != 0 && signals_read(signals) != 0;
		hear_players(&hall, entry + 1);
		arena->failed = arena->failed || !arena_server_is_well(arena);
		arena_show_progress(arena, hall.active);
	}
	arena_end_progress();
	for (int r = 0; r < ARENA_AT_ONCE_MAX; r++)
		if (hall.running[r].active)
			retire(&hall, &hall.running[r]);
	return !stopped && !arena->failed;
}
