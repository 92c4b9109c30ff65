/*
 * worlds.c - which turn of Qwirkle to take, tried out in worlds that are guessed. See worlds.h.
 *
 * Owns nothing: what is known comes from the caller. It finds turns with grid.c, and never looks at more
 * than our seat may know.
 *
 * Swaps and the turns that score most are tried. Each of them is played in the same worlds: the others
 * answer with what scores most for them, then it is our turn once more, with what is left of our rack and
 * what we draw. So the worth of a turn is its score, less what it gives away, and with what it keeps. When
 * the bag is nearly empty a world is played to its end, where the last tile counts too. Several times the
 * worse half of the turns is given up, so that the time is spent where the choice is hard.
 */
#include "player/bots/worlds.h"

#include "player/bots/bots.h"

#include "proto/time/timers.h"

#include <limits.h>
#include <string.h>

enum {
	TRIED_MAX = 40, /* turns that are laid */
	SWAPS_MAX = 13, /* one for each shape and colour that is kept, and one of all */
	LAST_TILE_BONUS = 6,
	NEARLY_EMPTY = 12, /* tiles in the bag when a world is played to its end */
	PLIES_MAX = 60,
	STAGES = 6, /* after each, the worse half is given up */
};

struct tried {
	struct worlds_choice choice;
	long sum;  /* of what it is worth, over all worlds so far */
	int worth; /* in the present one */
};

struct trials {
	struct worlds_sight *sight;
	struct tried tried[TRIED_MAX + SWAPS_MAX + 1];
	int count;
	int64_t until;
};

/* ---- what is known ---- */

bool worlds_read(struct worlds_sight *sight, const char *model, const struct qwirkle_hand *rack)
{
	struct qwirkle_board board;

	memset(sight, 0, sizeof(*sight));
	if (!qwirkle_read_board(&board, &sight->bag, model))
		return false;
	grid_set(&sight->grid, &board);
	memset(sight->unseen.count, QWIRKLE_OF_EACH, sizeof(sight->unseen.count));
	for (int i = 0; i < board.count; i++)
		sight->unseen.count[board.place[i].tile]--;
	/* with cheat=on all of a tile may lie there, and what we hold of it can lie nowhere */
	for (int tile = 0; tile < QWIRKLE_TILES; tile++) {
		uint8_t *unseen = &sight->unseen.count[tile];
		uint8_t held = rack->count[tile] < *unseen ? rack->count[tile] : *unseen;

		sight->rack.count[tile] = held;
		*unseen -= held;
	}
	return true;
}

static bool is_out(const struct worlds_sight *sight, int seat)
{
	return sight->out >> seat & 1;
}

/* ---- the turn that scores most ---- */

struct best {
	struct grid_visitor visitor;
	struct grid_turn turn; /* of no tiles when there is none */
	int value;
	int tiles;	/* it may have at most */
	int whole_rack; /* the tiles that get the bonus of the last one; 0: nobody gets it now */
};

static void keep_best(struct grid_visitor *visitor, const struct grid_turn *turn)
{
	struct best *best = (struct best *)visitor;
	int value = turn->points + (turn->count == best->whole_rack ? LAST_TILE_BONUS : 0);

	if (turn->count > best->tiles || value <= best->value)
		return;
	best->value = value;
	best->turn = *turn;
}

static struct best find_best(struct grid *grid, const struct qwirkle_hand *rack, int bag, int tiles)
{
	struct best best = {.visitor = {keep_best}, .tiles = tiles};

	if (bag == 0)
		best.whole_rack = hand_size(rack);
	grid_each_turn(grid, hand_tiles(rack), &best.visitor);
	return best;
}

/* ---- swaps ---- */

/* The most that can be swapped, without what is to be kept: one of each of these tiles. */
static struct qwirkle_hand all_but(const struct qwirkle_hand *rack, uint64_t kept)
{
	struct qwirkle_hand given = *rack;

	for (int tile = 0; tile < QWIRKLE_TILES; tile++)
		if (given.count[tile] > 0 && kept >> tile & 1)
			given.count[tile]--;
	return given;
}

/* One for each shape and each colour of which there are two different tiles to keep. */
static int list_swaps(const struct worlds_sight *sight, struct worlds_choice swaps[SWAPS_MAX])
{
	int count = 0;

	for (int kept = 0; kept < 2 * QWIRKLE_KINDS + 1; kept++) {
		uint64_t tiles = 0;
		struct qwirkle_hand given;

		for (int other = 0; other < QWIRKLE_KINDS && kept < 2 * QWIRKLE_KINDS; other++)
			tiles |= UINT64_C(1) << (kept < QWIRKLE_KINDS ? kept * QWIRKLE_KINDS + other
								      : other * QWIRKLE_KINDS +
									    kept - QWIRKLE_KINDS);
		if (tiles != 0 && __builtin_popcountll(tiles & hand_tiles(&sight->rack)) < 2)
			continue;
		given = all_but(&sight->rack, tiles);
		if (hand_size(&given) > 0 && hand_size(&given) <= sight->bag)
			swaps[count++] = (struct worlds_choice){.swap = given};
	}
	return count;
}

/* Keep the most of one kind. With nothing that may be swapped it is a pass. */
static struct worlds_choice best_swap(const struct worlds_sight *sight)
{
	struct worlds_choice swaps[SWAPS_MAX], best = {0};
	int count = list_swaps(sight, swaps);

	for (int i = 0; i < count; i++)
		if (i == 0 || hand_size(&swaps[i].swap) < hand_size(&best.swap))
			best = swaps[i];
	return best;
}

struct worlds_choice worlds_greedy(struct worlds_sight *sight, int tiles)
{
	struct best best = find_best(&sight->grid, &sight->rack, sight->bag, tiles);

	if (best.turn.count == 0)
		return best_swap(sight);
	return (struct worlds_choice){.turn = best.turn};
}

/* ---- a world ---- */

/* The tiles that we do not see in an order that chance gave; `next` of them have been drawn. */
struct world {
	uint8_t tile[QWIRKLE_ALL];
	int count, next;
	struct qwirkle_hand rack[WORLD_SEATS];
	int gained[WORLD_SEATS];
};

static void draw_tiles(struct world *world, int seat)
{
	struct qwirkle_hand *rack = &world->rack[seat];

	for (int held = hand_size(rack); held < QWIRKLE_RACK && world->next < world->count; held++)
		rack->count[world->tile[world->next++]]++;
}

/* Everybody holds six while there are tiles in the bag; then what is left is dealt out evenly. */
static void deal(const struct worlds_sight *sight, uint64_t *chance, struct world *world)
{
	int held, others = sight->seats - 1 - __builtin_popcount(sight->out);

	memset(world, 0, sizeof(*world));
	for (int tile = 0; tile < QWIRKLE_TILES; tile++)
		for (int i = 0; i < sight->unseen.count[tile]; i++)
			world->tile[world->count++] = (uint8_t)tile;
	for (int left = world->count; left > 1; left--) {
		uint32_t drawn = game_draw(chance, (uint32_t)left);
		uint8_t tile = world->tile[drawn];

		world->tile[drawn] = world->tile[left - 1];
		world->tile[left - 1] = tile;
	}
	world->rack[sight->seat] = sight->rack;
	held = world->count - sight->bag;
	for (int step = 1; step < sight->seats; step++) {
		int seat = (sight->seat + step) % sight->seats;

		if (is_out(sight, seat))
			continue;
		/* rounded up: who moves sooner may have more */
		for (int n = (held + others - 1) / others; n > 0 && held > 0; n--, held--)
			world->rack[seat].count[world->tile[world->next++]]++;
		others--;
	}
}

/* True: the round has ended with this. */
static bool lay_in(struct worlds_sight *sight, struct world *world, int seat,
		   const struct grid_turn *turn)
{
	grid_lay(&sight->grid, turn);
	world->gained[seat] += turn->points;
	for (int i = 0; i < turn->count; i++)
		world->rack[seat].count[turn->tile[i]]--;
	draw_tiles(world, seat);
	if (hand_size(&world->rack[seat]) > 0)
		return false;
	world->gained[seat] += LAST_TILE_BONUS;
	return true;
}

/* The new tiles are drawn before the old ones go back. Where those go to does not matter: they are
 * not drawn again so soon. */
static void swap_in(struct world *world, int seat, const struct qwirkle_hand *given)
{
	for (int tile = 0; tile < QWIRKLE_TILES; tile++)
		world->rack[seat].count[tile] -= given->count[tile];
	draw_tiles(world, seat);
}

/* What we have gained more than the others have, on average. */
static int worth_of(const struct worlds_sight *sight, const struct world *world)
{
	int others = sight->seats - 1 - __builtin_popcount(sight->out), theirs = 0;

	for (int seat = 0; seat < sight->seats; seat++)
		if (seat != sight->seat && !is_out(sight, seat))
			theirs += world->gained[seat];
	return 12 * world->gained[sight->seat] - 12 * theirs / others;
}

/* Play a choice in this world, and what follows. */
static int try_in(struct worlds_sight *sight, struct world world,
		  const struct worlds_choice *choice)
{
	int before = sight->grid.count, seat = sight->seat, idle = 0;
	int plies = sight->bag <= NEARLY_EMPTY ? PLIES_MAX : sight->seats;
	bool over = false;

	if (choice->turn.count > 0)
		over = lay_in(sight, &world, seat, &choice->turn);
	else
		swap_in(&world, seat, &choice->swap);
	for (int ply = 0; ply < plies && !over && idle < sight->seats; ply++) {
		struct best best;

		seat = (seat + 1) % sight->seats;
		idle++;
		if (is_out(sight, seat))
			continue;
		best = find_best(&sight->grid, &world.rack[seat], world.count - world.next,
				 QWIRKLE_RACK);
		if (best.turn.count == 0)
			continue;
		idle = 0;
		over = lay_in(sight, &world, seat, &best.turn);
	}
	grid_take_back(&sight->grid, before);
	return worth_of(sight, &world);
}

/* ---- the choice ---- */

struct collection {
	struct grid_visitor visitor;
	struct trials *trials;
};

/* In the order of what they score; of more than fit the least is dropped. */
static void collect(struct grid_visitor *visitor, const struct grid_turn *turn)
{
	struct trials *trials = ((struct collection *)visitor)->trials;
	int at = trials->count;

	if (at == TRIED_MAX && turn->points <= trials->tried[at - 1].choice.turn.points)
		return;
	if (at < TRIED_MAX)
		trials->count++;
	else
		at--;
	for (; at > 0 && trials->tried[at - 1].choice.turn.points < turn->points; at--)
		trials->tried[at] = trials->tried[at - 1];
	trials->tried[at] = (struct tried){.choice.turn = *turn};
}

static void list_choices(struct trials *trials)
{
	struct collection collection = {.visitor = {collect}, .trials = trials};
	struct worlds_choice swaps[SWAPS_MAX];
	int count;

	grid_each_turn(&trials->sight->grid, hand_tiles(&trials->sight->rack), &collection.visitor);
	count = list_swaps(trials->sight, swaps);
	for (int i = 0; i < count; i++)
		trials->tried[trials->count++] = (struct tried){.choice = swaps[i]};
	if (trials->count == 0)
		trials->count = 1;
}

/* False: there is no time for all of them, so this world does not count. */
static bool try_all(struct trials *trials, uint64_t *chance)
{
	struct world world;

	deal(trials->sight, chance, &world);
	for (int i = 0; i < trials->count; i++) {
		if (bot_is_time(trials->until))
			return false;
		trials->tried[i].worth = try_in(trials->sight, world, &trials->tried[i].choice);
	}
	for (int i = 0; i < trials->count; i++)
		trials->tried[i].sum += trials->tried[i].worth;
	return true;
}

/* The best come first; among equals the order stays. */
static void sort(struct trials *trials)
{
	for (int i = 1; i < trials->count; i++) {
		struct tried tried = trials->tried[i];
		int at = i;

		for (; at > 0 && trials->tried[at - 1].sum < tried.sum; at--)
			trials->tried[at] = trials->tried[at - 1];
		trials->tried[at] = tried;
	}
}

struct worlds_choice worlds_best(struct worlds_sight *sight, uint64_t *chance, int64_t until,
				 int worlds)
{
	struct trials trials = {.sight = sight, .until = until};
	int64_t since = clock_ms();
	int stage = 1;

	list_choices(&trials);
	for (int world = 1; world <= worlds && trials.count > 1; world++) {
		if (!try_all(&trials, chance))
			break;
		if ((int64_t)world * STAGES < (int64_t)stage * worlds &&
		    (clock_ms() - since) * STAGES < stage * (until - since))
			continue;
		sort(&trials);
		trials.count = (trials.count + 1) / 2;
		stage++;
	}
	sort(&trials);
	return trials.tried[0].choice;
}
