/*
 * The journal of a table, as a duel reads it that takes the place of a dead one. Whatever is in it,
 * it is played or refused. What is played is played the same a second time: that is all that
 * recovery lives by.
 */
#include "tests/fuzz/fuzz.h"

#include "proto/wire/log.h"
#include "server/duel/duel.h"
#include "proto/time/timers.h"

#include <sys/mman.h>
#include <unistd.h>

static struct duel played;
static uint64_t heard; /* a sum of all that the table has said */

int64_t duel_clock(const struct duel *duel)
{
	return clock_ms() - duel->opened_at;
}

static void add(const void *data, size_t length)
{
	for (size_t i = 0; i < length; i++)
		heard = (heard ^ ((const unsigned char *)data)[i]) * 1099511628211u;
}

static void on_say(void *owner, int place, const char *line)
{
	(void)owner;
	MUST(place >= 0 && place < GAME_SEATS_MAX);
	add(line, strlen(line));
	peer_say_line(&played.player[place].peer, line);
}

static void on_show(void *owner)
{
	static struct frame frame;

	(void)owner;
	memset(&frame, 0, sizeof(frame));
	table_fill_frame(&played.table, &frame);
	add(frame.model, strlen(frame.model));
}

static void on_away(void *owner, int place)
{
	(void)owner;
	players_drop_socket(&played, place);
}

static void on_part(void *owner, int place, enum parting parting)
{
	(void)owner;
	played.player[place].stay = LEAVING;
	played.player[place].parting = parting;
}

static void on_result(void *owner, const char *why, uint16_t winners)
{
	(void)owner;
	add(why, strlen(why));
	add(&winners, sizeof(winners));
}

static const struct table_sink sink = {
    .say = on_say,
    .show = on_show,
    .away = on_away,
    .part = on_part,
    .result = on_result,
};

/* The file begins with the empty line of its chapter. */
static enum replayed play(int fd, off_t end)
{
	static const struct config config = {.defaults = {.wait = 10}};
	static const struct ends ends = {
	    .up = -1, .down = -1, .handoff = -1, .journal = {-1, -1, 0, 0}};
	static struct birth birth;
	enum replayed replayed;
	off_t at = 1;
	int line;

	memset(&played, 0, sizeof(played));
	heard = 14695981039346656037u;
	played.config = &config;
	played.ends = &ends;
	played.table.sink = &sink;
	played.table.owner = &played;
	birth = (struct birth){.duel = "11111111-1111-4111-8111-111111111111", .again = true};
	played.birth = &birth;
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		played.player[place].peer.fd = -1;
	played.up = TEXT_IN(played.up_data);
	journal_open(&played.journal, -1, SYNC_NEVER);
	replayed = replay_chapter(&played, fd, &at, end, &line);
	for (int place = 0; place < GAME_SEATS_MAX; place++)
		peer_close(&played.player[place].peer);
	return replayed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("journal", MFD_CLOEXEC);
	enum replayed replayed;
	uint64_t first;

	log_set_level(LOG_ERROR);
	MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	replayed = play(fd, (off_t)size);
	first = heard;
	if (replayed == REPLAY_DONE)
		MUST(play(fd, (off_t)size) == REPLAY_DONE && heard == first);
	close(fd);
	return 0;
}
