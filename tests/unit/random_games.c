/*
 * random_games [GAMES [GAME [FIRST]]] - every game of the registry, and the null game, is played to
 * its end by chance, GAMES times (1000), and after each step everything is checked that holds for
 * any game. Game number n is the same whenever it is played: what failed can be played alone with
 * "random_games 1 GAME n".
 *
 * It knows no rules. What only one game's rules say is checked by that game's own driver.
 */
#include "tests/unit/check.h"
#include "tests/unit/position.h"

enum {
	EVENTS_MAX = 100, /* that one thing can lead to, at one time */
	THOROUGH = 16,	  /* one position in so many is looked at from all sides */
};

/* --- doing things ---------------------------------------------------------------------------- */

/* Do it, with an event or without. How many events it made. */
static int take_step(union game_state *state, const struct step *step, struct event *event)
{
	const struct game *game = play.game;
	int events = 0;

	switch (step->what) {
	case STEP_MOVE:
		game->play(state, step->seat, &step->move, step->now, event);
		return 1;
	case STEP_TICK:
		return game->tick(state, step->now, event);
	case STEP_JOIN:
		game->join(state, event);
		return 1;
	case STEP_LEAVE:
		while (events < EVENTS_MAX && game->leave(state, step->seat, event))
			events++;
		return events;
	case STEP_REFUSED:
		return game->refuse(state, step->seat, step->ruling, event);
	}
	return 0;
}

/* Whether its words are asked for must make no difference to the state. */
static int do_step(struct step step)
{
	union game_state wordless = play.state;
	struct event event = {.seat = -1};
	int events;

	if (play.steps == STEPS_MAX)
		return 0;
	step.now = play.now;
	take_step(&wordless, &step, NULL);
	events = take_step(&play.state, &step, &event);
	MUST(is_same(&wordless, &play.state));
	MUST(events < EVENTS_MAX);
	if (events > 0)
		check_event(&event);
	play.step[play.steps++] = step;
	return events;
}

static void replay(void)
{
	union game_state again;

	memset(&again, 0x5a, sizeof(again));
	play.game->begin(&again, &play.setup);
	for (int i = 0; i < play.steps; i++)
		take_step(&again, &play.step[i], NULL);
	MUST(is_same(&again, &play.state));
}

/* --- a game ---------------------------------------------------------------------------------- */

static void begin(const struct game *game, long number)
{
	union game_state other;
	int seats = game->seats_min;

	play.game = game;
	play.number = number;
	play.steps = 0;
	play.now = 0;
	game_seed(&play.chance, (uint64_t)number);
	seats += draw(game->seats_max - game->seats_min + 1);
	play.setup = (struct setup){.seed = (uint64_t)number, .seats = seats, .first = draw(seats)};
	play.setup.size = (game->has & GAME_HAS_SIZE) != 0 ? 2 + 2 * draw(draw(5) + 1) : 4;
	play.setup.cheat = (game->has & GAME_HAS_CHEAT) != 0 && draw(2);
	if (seats > 2 && game->leave != NULL && game->join == NULL && draw(4) == 0)
		play.setup.left = (uint16_t)(1u << draw(seats));
	play.seats = seats;
	play.present = (uint16_t)(((1u << seats) - 1) & ~(unsigned)play.setup.left);
	memset(&play.state, 0x5a, sizeof(play.state));
	memset(&other, 0xa5, sizeof(other));
	game->begin(&play.state, &play.setup);
	game->begin(&other, &play.setup);
	MUST(is_same(&play.state, &other));
	for (size_t i = game->state_size; i < sizeof(other); i++)
		MUST(other.bytes[i] == 0xa5);
	check_secrets();
}

/* Some time passes; what is due by then happens, and nothing that is not. */
static void pass_time(int64_t least)
{
	const struct game *game = play.game;
	union game_state before;
	int events = 0;

	play.now += least + (draw(4) == 0 ? draw(4000) : draw(300));
	while (game->due(&play.state) <= play.now && events++ < EVENTS_MAX)
		MUST(do_step((struct step){.what = STEP_TICK}) == 1 || play.steps == STEPS_MAX);
	MUST(events < EVENTS_MAX);
	before = play.state;
	MUST(!game->tick(&play.state, play.now, NULL));
	MUST(is_same(&before, &play.state));
}

static void leave(int seat)
{
	union game_state before;
	struct event event;

	do_step((struct step){.what = STEP_LEAVE, .seat = seat});
	play.present &= (uint16_t) ~(1u << seat);
	before = play.state;
	MUST(!play.game->leave(&play.state, seat, &event));
	MUST(is_same(&before, &play.state));
	MUST(!game_may_move(play.game, &play.state, seat));
}

static void join(void)
{
	play.present |= (uint16_t)(1u << play.seats++);
	do_step((struct step){.what = STEP_JOIN});
}

/* False: nobody can do anything any more, and it is not the end. */
static bool take_turn(void)
{
	const struct game *game = play.game;
	int seat = draw(play.seats), tries = 0;

	while (tries < play.seats && !game_may_move(game, &play.state, seat)) {
		seat = (seat + 1) % play.seats;
		tries++;
	}
	if (tries < play.seats) {
		check_list(seat);
		if (listed_count[seat] > 0 && draw(16) > 0)
			do_step((struct step){.seat = seat,
					      .move = listed[seat][draw(listed_count[seat])]});
		return true;
	}
	if (game->due != NULL && game->due(&play.state) != INT64_MAX) {
		pass_time(game->due(&play.state) - play.now);
		return true;
	}
	if (game->join == NULL || play.seats == game->seats_max)
		return false;
	join();
	return true;
}

/* A move that is refused, with whatever that leads to. */
static void be_refused(void)
{
	int seat = draw(play.seats);
	struct move move = strange_move(seat);
	enum ruling ruling = play.game->judge(&play.state, seat, &move);

	if (ruling != RULING_FINE && is_present(seat))
		do_step((struct step){.what = STEP_REFUSED, .seat = seat, .ruling = ruling});
}

static void play_game(const struct game *game, long number)
{
	bool over = false, stuck = false;

	begin(game, number);
	check_position();
	while (!over && !stuck && play.steps < STEPS_MAX) {
		int seat = draw(play.seats);

		if (game->due != NULL)
			pass_time(0);
		if (game->join != NULL && play.seats < game->seats_max && draw(100) == 0)
			join();
		else if (game->leave != NULL && is_present(seat) && draw(200) == 0 &&
			 __builtin_popcount(play.present) > 1)
			leave(seat);
		else if (game->refuse != NULL && draw(16) == 0)
			be_refused();
		else if (!(over = check_end_of_round()))
			stuck = !take_turn();
		if (draw(THOROUGH) == 0)
			check_position();
	}
	MUST(!stuck || game->join != NULL);
	must(play.steps < STEPS_MAX, "a game ends");
	check_position();
	replay();
}

int main(int argc, char *argv[])
{
	long games = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
	const char *name = argc > 2 ? argv[2] : NULL;
	long first = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
	const struct game *game = &null_game;

	for (int i = 0; game != NULL; game = game_at(i++))
		for (long number = first; number < first + games; number++)
			if (name == NULL || strcmp(name, game->name) == 0)
				play_game(game, number);
	return check_end();
}
