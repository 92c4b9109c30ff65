/*
 * A move of one game, on a few positions: any line as words, and any bytes as a value. Judging it
 * changes nothing, and what is fine can be played.
 */
#include "tests/fuzz/fuzz.h"

#include "proto/wire/line.h"

enum { POSITIONS = 8, PLIES = 12, LINE = 256 };

static struct position {
	union game_state state;
	int seats;
} position[POSITIONS];

/* The start, and further and further into a game that chance plays, with more and more seats. */
static void make_position(const struct game *game, int index)
{
	static struct move moves[GAME_MOVES_MAX];
	struct position *made = &position[index];
	struct setup setup = {.seed = (uint64_t)index, .size = 4};
	uint64_t chance;

	setup.seats = game->seats_min + index % (game->seats_max - game->seats_min + 1);
	setup.cheat = (game->has & GAME_HAS_CHEAT) && index % 2;
	made->seats = setup.seats;
	game_seed(&chance, (uint64_t)index);
	game->begin(&made->state, &setup);
	for (int ply = 0; ply < index * PLIES; ply++) {
		int seat = game->turn(&made->state), count;

		if (seat < 0)
			seat = ply % made->seats;
		count = game->list_moves(&made->state, seat, moves);
		if (count > 0)
			game->play(&made->state, seat, &moves[game_draw(&chance, (uint32_t)count)],
				   ply * 100, NULL);
	}
}

static void try_move(const struct game *game, const struct position *at, int seat,
		     const struct move *move)
{
	union game_state copy = at->state;
	char why[GAME_REASON_TEXT];
	struct event event;
	enum ruling ruling = game->judge(&copy, seat, move);

	MUST(memcmp(&copy, &at->state, game->state_size) == 0);
	if (ruling == RULING_FINE)
		game->play(&copy, seat, move, 1000000, &event);
	else
		game->why_not(&copy, seat, move, why);
	MUST(ruling == RULING_FINE || (why[0] != '\0' && memchr(why, '\0', sizeof(why)) != NULL));
	if (ruling != RULING_FINE && game->refuse != NULL &&
	    !game->refuse(&copy, seat, ruling, &event))
		MUST(memcmp(&copy, &at->state, game->state_size) == 0);
	copy = at->state;
	if (game->put != NULL && !game->put(&copy, seat, move, &event))
		MUST(memcmp(&copy, &at->state, game->state_size) == 0);
}

static void try_everywhere(const struct game *game, const struct move *move)
{
	for (int i = 0; i < POSITIONS; i++)
		for (int seat = 0; seat < position[i].seats; seat++)
			try_move(game, &position[i], seat, move);
}

/* What has been read is printed in words that are read as the same. */
static void check_words(const struct game *game, const struct move *move)
{
	char text[GAME_MOVE_TEXT];
	struct words words;
	struct move again;

	game->print_move(move, text);
	MUST(line_split(text, &words));
	MUST(game->read_move(&again, words.word, words.count));
	MUST(memcmp(&again, move, sizeof(again)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct game *game = fuzz_game();
	char line[LINE + 1];
	struct words words;
	struct move move;

	for (int i = 0; position[0].seats == 0 && i < POSITIONS; i++)
		make_position(game, POSITIONS - 1 - i);
	if (size == sizeof(move)) {
		memcpy(&move, data, sizeof(move));
		try_everywhere(game, &move);
	}
	if (size > LINE)
		return 0;
	line_copy(line, (const char *)data, size);
	if (!line_split(line, &words) || !game->read_move(&move, words.word, words.count))
		return 0;
	check_words(game, &move);
	try_everywhere(game, &move);
	return 0;
}
