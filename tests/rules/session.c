/*
 * session.c - a position and what standard input makes of it. See rules.h.
 *
 * It is for study, so everything that the interface can tell is printed. The same input with the
 * same setup gives the same output, byte for byte: time is what the lines say.
 */
#include "tests/rules/rules.h"

#include "proto/wire/args.h"
#include "proto/wire/line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
	const struct game *game;
	union game_state state;
	int seats;
	int first_turn; /* whose turn it was at the start: that of a model that does not say */
	int64_t now;
	unsigned line;
};

/* --- the answer ------------------------------------------------------------------------------ */

static void print_event(const struct event *event)
{
	printf("event %d %s\n", event->seat, event->text);
}

static void print_legal(const struct session *session, int seat)
{
	static struct move moves[GAME_MOVES_MAX];
	int count = session->game->list_moves(&session->state, seat, moves);
	char text[GAME_MOVE_TEXT];

	printf("legal %d ", seat);
	for (int i = 0; i < count; i++) {
		session->game->print_move(&moves[i], text);
		printf("%s%s", i == 0 ? "" : ";", text);
	}
	putchar('\n');
}

static void print_seats(const struct session *session)
{
	const struct game *game = session->game;
	char rack[GAME_RACK_TEXT];

	if (game->score != NULL) {
		printf("score");
		for (int seat = 0; seat < session->seats; seat++)
			printf(" %d", game->score(&session->state, seat));
		putchar('\n');
	}
	for (int seat = 0; game->print_rack != NULL && seat < session->seats; seat++) {
		game->print_rack(&session->state, seat, rack);
		printf("rack %d %s\n", seat, rack);
	}
	for (int seat = 0; seat < session->seats; seat++)
		if (game_may_move(game, &session->state, seat))
			print_legal(session, seat);
}

static void print_end(const struct session *session)
{
	struct outcome outcome;
	const char *before = "";

	session->game->outcome(&session->state, &outcome);
	if (!outcome.over)
		return;
	printf("end %s ", outcome.why);
	for (int seat = 0; seat < session->seats; seat++) {
		if (!(outcome.winners >> seat & 1))
			continue;
		printf("%s%d", before, seat);
		before = ",";
	}
	puts(outcome.winners == 0 ? "unresolved" : " wins");
}

static void print_position(const struct session *session)
{
	const struct game *game = session->game;
	char model[GAME_MODEL_MAX];

	game->print_model(&session->state, model);
	printf("model %s\n", model);
	if (game->turn(&session->state) >= 0)
		printf("turn %d\n", game->turn(&session->state));
	else
		puts("turn -");
	if (game->due != NULL && game->due(&session->state) != INT64_MAX)
		printf("due in %lld\n", (long long)(game->due(&session->state) - session->now));
	print_seats(session);
	print_end(session);
}

static const char *ruling_word(enum ruling ruling)
{
	static const char *const words[] = {
	    [RULING_FINE] = "fine", [RULING_UNREADABLE] = "unreadable", [RULING_FROZEN] = "frozen",
	    [RULING_WAIT] = "wait", [RULING_ILLEGAL] = "illegal",	[RULING_FILLED] = "filled",
	};

	return words[ruling];
}

/* --- lines ----------------------------------------------------------------------------------- */

static void refuse_line(const struct session *session, const char *what)
{
	fflush(stdout);
	args_refuse("line %u: %s", session->line, what);
}

static int read_seat(const struct session *session, const char *word)
{
	long seat = 0;

	if (word == NULL || !args_read_number(word, 0, session->seats - 1, &seat))
		refuse_line(session, "no such seat");
	return (int)seat;
}

/* The ruling, and why; of what cannot be read how it should look. */
static void print_refusal(const struct session *session, int seat, const struct move *move,
			  enum ruling ruling)
{
	char why[GAME_REASON_TEXT];

	if (ruling != RULING_UNREADABLE)
		session->game->why_not(&session->state, seat, move, why);
	printf("%s: %s%s\n", ruling_word(ruling), ruling == RULING_UNREADABLE ? "MOVE wants " : "",
	       ruling == RULING_UNREADABLE ? session->game->move_help : why);
}

/* What is refused leaves the position alone, but for what refuse() makes of it. */
static void do_move(struct session *session, int seat, char *const words[], int count)
{
	const struct game *game = session->game;
	struct event event;
	struct move move;
	enum ruling ruling = RULING_UNREADABLE;

	if (game->read_move(&move, words, count))
		ruling = game->judge(&session->state, seat, &move);
	if (ruling == RULING_FINE) {
		game->play(&session->state, seat, &move, session->now, &event);
	} else {
		print_refusal(session, seat, &move, ruling);
		if (game->refuse == NULL || !game->refuse(&session->state, seat, ruling, &event))
			return;
	}
	print_event(&event);
	print_position(session);
}

static void do_model(struct session *session, struct words *words)
{
	union game_state state;
	int turn = session->first_turn;

	if (words->count < 2 || words->count > 3)
		refuse_line(session, "model wants a model, and a seat or -");
	if (words->count == 3)
		turn = strcmp(words->word[2], "-") == 0 ? -1 : read_seat(session, words->word[2]);
	memset(&state, 0, sizeof(state));
	if (!session->game->read_model(&state, words->word[1], turn))
		refuse_line(session, "no such position can be");
	session->state = state;
	print_position(session);
}

static void do_rack(struct session *session, struct words *words)
{
	int seat = read_seat(session, words->word[1]);

	if (session->game->read_rack == NULL)
		refuse_line(session, "this game has no racks");
	if (!session->game->read_rack(&session->state, seat, words->word + 2, words->count - 2))
		refuse_line(session, "no such rack can be");
	print_position(session);
}

/* Each thing that is due happens at its own time. */
static void do_tick(struct session *session, struct words *words)
{
	const struct game *game = session->game;
	struct event event;
	long wait = 0;
	int64_t end;

	if (words->count != 2 || !args_read_number(words->word[1], 0, INT32_MAX, &wait))
		refuse_line(session, "tick wants milliseconds");
	end = session->now + wait;
	while (game->due != NULL && game->due(&session->state) <= end) {
		if (session->now < game->due(&session->state))
			session->now = game->due(&session->state);
		if (!game->tick(&session->state, session->now, &event))
			break;
		print_event(&event);
	}
	session->now = end;
	print_position(session);
}

static void do_join(struct session *session, struct words *words)
{
	struct event event;

	if (session->game->join == NULL || words->count != 1)
		refuse_line(session, "nobody can join this game");
	if (session->seats == session->game->seats_max)
		refuse_line(session, "all seats have been taken");
	session->seats++;
	session->game->join(&session->state, &event);
	print_event(&event);
	print_position(session);
}

static void do_leave(struct session *session, struct words *words)
{
	int seat = read_seat(session, words->word[1]);
	struct event event;

	if (session->game->leave == NULL || words->count != 2)
		refuse_line(session, "nobody can leave this game");
	while (session->game->leave(&session->state, seat, &event))
		print_event(&event);
	print_position(session);
}

/* "@K MOVE" or "seat K: MOVE"; otherwise whoever has the turn. */
static void do_move_of_seat(struct session *session, struct words *words)
{
	int seat = session->game->turn(&session->state), skip = 0;

	if (seat < 0)
		seat = 0;
	if (words->word[0][0] == '@') {
		seat = read_seat(session, words->word[0] + 1);
		skip = 1;
	} else if (strcmp(words->word[0], "seat") == 0 && words->count > 1) {
		char *colon = strchr(words->word[1], ':');

		if (colon == NULL || colon[1] != '\0')
			refuse_line(session, "seat wants \"seat K: MOVE\"");
		*colon = '\0';
		seat = read_seat(session, words->word[1]);
		skip = 2;
	}
	do_move(session, seat, words->word + skip, words->count - skip);
}

static const struct {
	const char *word;
	void (*act)(struct session *session, struct words *words);
} controls[] = {
    {"model", do_model}, {"rack", do_rack},   {"tick", do_tick},
    {"join", do_join},	 {"leave", do_leave},
};

static void do_line(struct session *session, char *line)
{
	struct words words;
	size_t i = 0;

	if (line[0] == '\0' || line[0] == '#')
		return;
	if (!line_split(line, &words)) {
		print_refusal(session, 0, NULL, RULING_UNREADABLE);
	} else {
		while (i < sizeof(controls) / sizeof(controls[0]) &&
		       strcmp(controls[i].word, words.word[0]) != 0)
			i++;
		if (i < sizeof(controls) / sizeof(controls[0]))
			controls[i].act(session, &words);
		else
			do_move_of_seat(session, &words);
	}
	putchar('\n');
	fflush(stdout);
}

void session_run(const struct game *game, const struct setup *setup)
{
	static struct session session;
	char *line = NULL;
	size_t size = 0;
	ssize_t length;

	session = (struct session){.game = game, .seats = setup->seats};
	game->begin(&session.state, setup);
	session.first_turn = game->turn(&session.state);
	print_position(&session);
	putchar('\n');
	fflush(stdout);
	while ((length = getline(&line, &size, stdin)) > 0) {
		session.line++;
		line_copy(line, line, (size_t)length);
		do_line(&session, line);
	}
	free(line);
}
