/*
 * bots.h - a built-in bot: one seat, played at one of the levels of level.h.
 *
 * It is told of every line that its seat has heard, by the view that this has led to, and remembers
 * what it likes. When it may move it chooses one of the legal moves within a time. It knows what
 * the view knows and nothing else, so it cannot cheat. It never talks to a server and never waits.
 *
 *      bots.c           which kind of bot plays a game; the level `random`; the time to think
 *      ├─ two.c             all games for two without secrets
 *      │  └─ search.c           alpha-beta
 *      │     ├─ findings.c          what it has found out
 *      │     └─ insight.c           what is known of a game besides its rules:
 *      │        └─ hnefatafl.c, quantik.c
 *      ├─ memory.c
 *      └─ qwirkle.c
 *         └─ worlds.c           turns tried out in worlds that are guessed
 *            └─ grid.c              all turns that a rack allows
 *      level.c          the levels, by name
 *
 * How a game is played is one `struct bot_kind`, and one line in the table in bots.c. A kind does not
 * know the level `random`, which is the same in all games.
 */
#ifndef PLAYER_BOTS_BOTS_H
#define PLAYER_BOTS_BOTS_H

#include "player/bots/level.h"
#include "player/session/view.h"

enum { BOT_THINK_MS = 200 }; /* for one move, unless told otherwise */

/* What may be chosen instead of one of view->move[]. */
enum {
	BOT_WAIT = -1, /* nothing yet: ask again in a moment. For games without turns */
	BOT_OWN = -2,  /* bot->own, which is legal though it is not listed */
};

struct bot_kind;

/* Lives as long as its player: through all rounds and duels. */
struct bot {
	const struct game *game;
	enum bot_level level;
	uint64_t chance; /* for game_draw(): all that it leaves to chance */
	const struct bot_kind *kind;
	void *memory; /* of the kind: `memory_size` bytes, all 0 at first */
	struct move own;
};

/* A way to play. Its `see` and `choose` are not called for the level `random`. */
struct bot_kind {
	const struct game *game;
	size_t memory_size;

	/* May be NULL. A line was heard: `view` is what is known after it, `heard` what it was.
	 * HEARD_START is a new round, or the same one again after a lost connection; in between
	 * lines may have been missed, so a BOARD need not be the one before with an event on it. */
	void (*see)(struct bot *bot, const struct view *view, enum heard heard);

	/*
	 * One of view->move[], as an index, or BOT_WAIT or BOT_OWN. There is at least one, and each
	 * of them was legal when it was listed. `until` is a time of clock_ms(): be back by then; it may have passed
	 * already, and then anything legal will do. Where one turn takes several moves, all of
	 * them share the time of the table's clock, but each may take the time to think.
	 */
	int (*choose)(struct bot *bot, const struct view *view, int64_t until);
};

/* memory.c, qwirkle.c, two.c */
extern const struct bot_kind memory_kind, qwirkle_kind, two_kind;

/* False: there is no memory for it. */
bool bot_open(struct bot *bot, const struct game *game, enum bot_level level, uint64_t seed);
void bot_close(struct bot *bot);

void bot_see(struct bot *bot, const struct view *view, enum heard heard);
int bot_choose(struct bot *bot, const struct view *view, int64_t until);

/* Any of them. For who has been refused what bot_choose() chose. */
int bot_choose_any(struct bot *bot, const struct view *view);

/* All thinking ends as soon as this descriptor can be read, as one of signals.h; -1: there is none. */
void bot_heed(int fd);

/* Is it time to be back, or is thinking to end? */
bool bot_is_time(int64_t until);

/* Until when to think at `now`: `think_ms`, but only within that part of the table's clock
 * (seconds for a turn, 0: off) which leaves a slow machine or network its time. All times are
 * of clock_ms(). */
int64_t bot_deadline(int64_t now, int think_ms, int64_t turn_since, int clock);

#endif
