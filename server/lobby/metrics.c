/*
 * metrics.c - what the server counts. See metrics.h.
 *
 * Owns: nothing; the numbers are in the lobby.
 * Never: asks the kernel for anything but the time, or a duel: what it tells is what is known anyway.
 */
#include "server/lobby/metrics.h"

#include "server/lobby/lobby.h"

#include <string.h>
#include <time.h>

/* The words with which rounds end. All others name a row, a column, a square on the board: those are
 * one reason here, and what a duel that has gone wild may say adds no more. */
static const char *const reasons[] = {
    "line",	  "full",    "points",	"no-moves", "king-captured", "king-escaped", "repetition",
    "move-limit", "timeout", "illegal", "resigned", "left",	     "aborted",	     "claimed",
};

static const char *const ends[] = {
    [METRICS_OVER] = "over", [METRICS_CRASHED] = "crashed", [METRICS_SHUTDOWN] = "shutdown"};

static const char *const refusals[ADMISSION_EVENTS] = {
    [ADMISSION_FULL] = "max-connections",     [ADMISSION_CROWD] = "max-per-address",
    [ADMISSION_NO_MEMORY] = "memory",	      [ADMISSION_SILENT] = "no-play",
    [ADMISSION_NO_TABLE] = "max-tables",      [ADMISSION_TOO_MANY] = "tables-per-second",
    [ADMISSION_HOLDS] = "tables-per-address", [ADMISSION_NO_BOT] = "no-bot",
};

/* The upper bounds of the histogram, in microseconds. */
static const int64_t bounds_us[METRICS_BUCKETS] = {100,	  250,	 500,	1000,	2500,	5000,
						   10000, 25000, 50000, 100000, 250000, 1000000};

/* --- counting --------------------------------------------------------------------------------- */

int64_t metrics_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static struct metrics_game *game_of(struct lobby *lobby, const struct child *child)
{
	int index = 0;

	while (game_at(index) != child->birth.shape.game)
		index++;
	return &lobby->metrics.game[index];
}

void metrics_note_birth(struct lobby *lobby, struct child *child)
{
	struct metrics *metrics = &lobby->metrics;
	int64_t took = metrics_ns() - child->asked_at;
	int bucket = 0;

	while (bucket < METRICS_BUCKETS && took > bounds_us[bucket] * 1000)
		bucket++;
	metrics->births[bucket]++;
	metrics->births_ns += (uint64_t)took;
	if (child->births++ > 0)
		metrics->resumed++;
	else if (child->birth.again)
		metrics->recovered++;
	else
		game_of(lobby, child)->started++;
}

void metrics_note_round(struct lobby *lobby, const struct child *child, const char *why)
{
	size_t reason = sizeof(reasons) / sizeof(reasons[0]) - 1;

	while (reason > 0 && strcmp(reasons[reason], why) != 0)
		reason--;
	game_of(lobby, child)->rounds[reason]++;
}

void metrics_note_forgotten(struct lobby *lobby, const struct child *child)
{
	enum metrics_end end = child->state == CHILD_DONE ? METRICS_OVER : METRICS_CRASHED;

	if (child->births == 0)
		return;
	if (stop_has_begun(lobby))
		end = METRICS_SHUTDOWN;
	game_of(lobby, child)->ended[end]++;
}

/* More than any duel can do in a millisecond. What it says of itself counts for ever, so it must not say
 * more than that, or one that has gone wild would make nonsense of the numbers of all. */
enum { THINGS_A_MS = 1000, BYTES_A_MS = 1000000 };

/* What a duel may claim to have done since its table was made; a second is given to a short one. */
static bool is_possible(const struct lobby *lobby, const struct child *child, const char *word,
			int64_t a_ms, uint64_t *count)
{
	int64_t lived = lobby->now - child->made_at + 1000;
	long number;

	if (!args_read_number(word, 0, lived < INT64_MAX / a_ms ? lived * a_ms : INT64_MAX,
			      &number))
		return false;
	*count = (uint64_t)number;
	return true;
}

bool metrics_note_frames(struct lobby *lobby, const struct child *child, const char *word)
{
	uint64_t frames;

	if (!is_possible(lobby, child, word, THINGS_A_MS, &frames))
		return false;
	lobby->metrics.frames += frames;
	return true;
}

/* "code=count" */
static bool read_error(const struct lobby *lobby, const struct child *child,
		       uint64_t errors[ERROR_NONE], const char *word)
{

	for (int code = 0; code < ERROR_NONE; code++) {
		const char *value = line_value(word, error_word((enum error)code));

		if (value != NULL)
			return is_possible(lobby, child, value, THINGS_A_MS, &errors[code]);
	}
	return false;
}

bool metrics_note_farewell(struct lobby *lobby, const struct child *child,
			   const struct words *words)
{
	struct metrics *metrics = &lobby->metrics;
	uint64_t boards, bytes, errors[ERROR_NONE] = {0};

	if (!is_possible(lobby, child, words->word[1], THINGS_A_MS, &boards) ||
	    !is_possible(lobby, child, words->word[2], BYTES_A_MS, &bytes))
		return false;
	for (int i = 3; i < words->count; i++)
		if (!read_error(lobby, child, errors, words->word[i]))
			return false;
	metrics->boards += boards;
	metrics->bytes += bytes;
	for (int code = 0; code < ERROR_NONE; code++)
		metrics->errors[code] += errors[code];
	return true;
}

/* --- telling ---------------------------------------------------------------------------------- */

#define U64(number) ((unsigned long)(number))

static void add_head(struct text *text, const char *name, const char *type, const char *help)
{
	text_add(text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void add_single(struct text *text, const char *name, const char *type, const char *help,
		       uint64_t value)
{
	add_head(text, name, type, help);
	text_add(text, "%s %lu\n", name, U64(value));
}

static void add_tables(const struct metrics *metrics, struct text *text)
{
	const struct game *game;

	add_head(text, "holmgang_tables_started_total", "counter", "Tables whose duel was born.");
	for (int i = 0; (game = game_at(i)) != NULL; i++)
		text_add(text, "holmgang_tables_started_total{game=\"%s\"} %lu\n", game->name,
			 U64(metrics->game[i].started));
	add_head(text, "holmgang_tables_ended_total", "counter",
		 "Tables that have ended: over, by a crash that could not be mended, by the "
		 "server's end.");
	for (int i = 0; (game = game_at(i)) != NULL; i++)
		for (int end = 0; end < METRICS_ENDS; end++)
			text_add(text,
				 "holmgang_tables_ended_total{game=\"%s\",reason=\"%s\"} %lu\n",
				 game->name, ends[end], U64(metrics->game[i].ended[end]));
	add_head(text, "holmgang_rounds_ended_total", "counter",
		 "Rounds that have ended; line is a row, a column or a square.");
	for (int i = 0; (game = game_at(i)) != NULL; i++)
		for (size_t why = 0; why < sizeof(reasons) / sizeof(reasons[0]); why++)
			if (metrics->game[i].rounds[why] > 0)
				text_add(text,
					 "holmgang_rounds_ended_total{game=\"%s\",reason=\"%s\"} "
					 "%lu\n",
					 game->name, reasons[why],
					 U64(metrics->game[i].rounds[why]));
}

static void add_now(const struct lobby *lobby, struct text *text)
{
	add_single(text, "holmgang_tables", "gauge", "Tables that there are now.",
		   lobby->children_live);
	add_single(text, "holmgang_connections", "gauge", "Connections of players now.",
		   lobby->connections);
	add_single(text, "holmgang_waiting", "gauge", "Players who wait for opponents now.",
		   waiting_count(lobby));
	add_single(text, "holmgang_bots", "gauge", "Computers that play or are expected now.",
		   house_link_bots(lobby));
	add_single(text, "holmgang_draining", "gauge",
		   "1: no new tables are made, the server ends with the last one.",
		   lobby->state != LOBBY_RUNNING);
	add_single(text, "holmgang_start_time_seconds", "gauge",
		   "When the server started, in seconds since 1970.",
		   (uint64_t)lobby->metrics.started_at);
}

static void add_births(const struct metrics *metrics, struct text *text)
{
	static const char name[] = "holmgang_birth_seconds";
	uint64_t count = 0;

	add_head(text, name, "histogram",
		 "From asking the spawner for a duel to hearing that it is born.");
	for (int i = 0; i < METRICS_BUCKETS; i++) {
		count += metrics->births[i];
		text_add(text, "%s_bucket{le=\"%g\"} %lu\n", name, (double)bounds_us[i] / 1e6,
			 U64(count));
	}
	count += metrics->births[METRICS_BUCKETS];
	text_add(text, "%s_bucket{le=\"+Inf\"} %lu\n", name, U64(count));
	text_add(text, "%s_sum %.9f\n", name, (double)metrics->births_ns / 1e9);
	text_add(text, "%s_count %lu\n", name, U64(count));
}

static void add_refusals(const struct metrics *metrics, struct text *text)
{
	static const char name[] = "holmgang_refused_total";

	add_single(text, "holmgang_connections_total", "counter", "Connections that were let in.",
		   metrics->connections);
	add_head(text, name, "counter",
		 "Connections refused or closed, PLAYs refused and tables delayed, by the limit.");
	for (int i = 0; i < ADMISSION_EVENTS; i++)
		if (refusals[i] != NULL)
			text_add(text, "%s{reason=\"%s\"} %lu\n", name, refusals[i],
				 U64(metrics->admission[i]));
}

static void add_traffic(const struct metrics *metrics, struct text *text)
{
	static const char name[] = "holmgang_errors_total";

	add_single(text, "holmgang_boards_total", "counter",
		   "Positions shown at tables that have ended.", metrics->boards);
	add_single(text, "holmgang_frames_total", "counter",
		   "Datagrams sent to viewers by duels that have had a port.", metrics->frames);
	add_single(text, "holmgang_sent_bytes_total", "counter",
		   "Bytes sent to players: by the server, and at tables that have ended.",
		   metrics->bytes + peer_counts.bytes);
	add_head(text, name, "counter",
		 "ERROR lines: said by the server, and at tables that have ended.");
	for (int code = 0; code < ERROR_NONE; code++)
		text_add(text, "%s{code=\"%s\"} %lu\n", name, error_word((enum error)code),
			 U64(metrics->errors[code] + peer_counts.errors[code]));
}

void metrics_print(const struct lobby *lobby, struct text *text)
{
	const struct metrics *metrics = &lobby->metrics;

	add_head(text, "holmgang_build_info", "gauge", "Always 1; its label is the version.");
	text_add(text, "holmgang_build_info{version=\"%s\"} 1\n", HOLMGANG_VERSION);
	add_now(lobby, text);
	add_tables(metrics, text);
	add_single(text, "holmgang_tables_recovered_total", "counter",
		   "Tables of a server before this one that go on.", metrics->recovered);
	add_single(text, "holmgang_crashes_total", "counter", "Duels that died in mid-game.",
		   metrics->crashes);
	add_single(text, "holmgang_crashes_resumed_total", "counter",
		   "Duels that took the place of one that had died.", metrics->resumed);
	add_single(text, "holmgang_spawners_started_total", "counter",
		   "Spawners; more than one: the first has died or hung.", metrics->spawners);
	add_single(text, "holmgang_bots_asked_total", "counter",
		   "Computers that the house was asked to send.", metrics->bots);
	add_births(metrics, text);
	add_refusals(metrics, text);
	add_traffic(metrics, text);
}
